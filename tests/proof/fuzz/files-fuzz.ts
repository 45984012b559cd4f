/** Fuzz of our own files that are read back: a damaged file may only lead to an error about a mistake of the user. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { runLeftIn } from '../../../harness/flows/resuming/waiting-file.ts';
import { loadProfile } from '../../../harness/profile/load.ts';
import { TokenFile } from '../../../harness/profile/token-file.ts';
import { readRecording } from '../../../harness/replaying/recording.ts';
import { unfinishedIn } from '../../../harness/session/cleanup-journal.ts';
import { ConfigurationError } from '../../../record/errors.ts';
import { readSequence } from '../../../record/sequence.ts';
import { baselineOf, readBaseline } from '../../../reports/accepted/baseline.ts';
import { readDeviations } from '../../../reports/accepted/deviations-file.ts';
import { isScript, scriptFiles } from '../../../reports/reproduce/scripts.ts';
import type { Run } from '../../../reports/run/run.ts';
import { readRun } from '../../../reports/run/run-file.ts';
import { storyFiles } from '../../../reports/texts/explored.ts';
import { exchange, record, run } from '../../suite/reports-sample.ts';
import { explored, recording, sequence, waiting } from '../../suite/services/own-recording.ts';
import { type FuzzResult, type FuzzRun, fuzzed } from './fuzz-run.ts';
import { rarelyDamaged, spoiled } from './mutations.ts';

interface OwnFile {
  readonly name: string;
  readonly value: unknown;
  readonly read: (file: string, folder: string) => unknown;
}

const whole = run({ record: record({ exchanges: [exchange(0)] }) });
/** A run with few requirements and gaps, so that most changes hit something that matters. */
const sample = {
  ...whole,
  requirements: whole.requirements.slice(0, 3),
  gaps: whole.gaps.slice(0, 3),
  explored: explored('otp.sms'),
} satisfies Run;

/** Throws where scripts of a run that was read would get other file names than ours. */
function scriptsOf(read: Run): void {
  for (const name of [...scriptFiles(read).keys(), ...storyFiles(read).keys()])
    if (!isScript(name)) throw new Error(`${JSON.stringify(name)} would be written`);
}

const files: readonly OwnFile[] = [
  { name: 'run.json', value: sample, read: (file) => scriptsOf(readRun(file)) },
  { name: 'baseline.json', value: baselineOf(sample), read: (file) => readBaseline(file) },
  {
    name: 'deviations.yaml',
    value: {
      deviations: [{ requirement: 'otp.sms', owner: 'Anna', reason: 'known', until: '2030-01-01' }],
    },
    read: (file) => readDeviations(file),
  },
  { name: 'recording.json', value: recording, read: (_, folder) => readRecording(folder) },
  {
    name: 'profile.yaml',
    value: {
      name: 'Acme',
      address: { baseUrl: 'http://127.0.0.1:9/' },
      // A variable that every environment has.
      auth: { kind: 'static', token: `\${PATH}` },
      people: { email: 'qa+{n}@example.com' },
    },
    read: (file) => loadProfile({ target: file }),
  },
  {
    name: 'tokens.json',
    value: { version: 1, of: 'x', refreshToken: 'a', accessTokens: [{ token: 'a', expiresAt: 1 }] },
    read: (file) => new TokenFile(file, 'x'),
  },
  { name: 'sequence.json', value: sequence, read: readSequence },
  {
    name: 'waiting.json',
    value: waiting,
    read: (_, folder) => runLeftIn(folder),
  },
  {
    name: 'unfinished-bcdfghjk.jsonl',
    value: { kind: 'request', id: '1' },
    read: (_, folder) => unfinishedIn(folder),
  },
];

/** A file that is valid, spoiled or damaged. */
const given = fc.constantFrom(...files).chain((file) =>
  fc.tuple(
    fc.constant(file),
    spoiled(file.value).chain((value) => rarelyDamaged(Buffer.from(JSON.stringify(value) ?? ''))),
  ),
);

/** Files that once did harm: with scripts and file names in a run, bombs, and content of another form than declared. */
const texts: readonly (readonly [name: string, text: string])[] = [
  ['run.json', JSON.stringify(sample).replaceAll('"POST"', '"`id`"')],
  ['run.json', JSON.stringify(sample).replaceAll('http://', 'file://')],
  ['run.json', '['.repeat(100_000)],
  ['baseline.json', '{"__proto__":{"polluted":1}}'],
  ['deviations.yaml', `a: &a [x]\n${'- *a\n'.repeat(20_000)}`],
  ['deviations.yaml', '? '.repeat(20_000)],
  ['profile.yaml', `${'a: '.repeat(100)}\n`],
  ['tokens.json', ''],
  ['recording.json', JSON.stringify({ ...recording, runId: '../../x' })],
  ['sequence.json', JSON.stringify({ ...sequence, steps: [{ do: 'act', who: 7 }] })],
  ['waiting.json', JSON.stringify({ ...waiting, runId: '..' })],
  ['unfinished-bcdfghjk.jsonl', '\0\n'.repeat(20_000)],
];
const found = texts.map(([name, text]): [OwnFile, Buffer] => [
  files.find((each) => each.name === name) as OwnFile,
  Buffer.from(text),
]);

/** Throws with the smallest file that did harm, and with what replays it. */
export async function fuzzFiles(settings: FuzzRun): Promise<FuzzResult> {
  const folder = mkdtempSync(join(tmpdir(), 'esign-fuzz-'));
  try {
    return await fuzzed(
      settings,
      given,
      async ([{ name, read }, bytes]) => {
        const file = join(folder, name);
        writeFileSync(file, bytes, { mode: 0o600 });
        try {
          await read(file, folder);
          return `${name} read`;
        } catch (error) {
          if (!(error instanceof ConfigurationError)) throw error;
          if (!error.message.includes(name)) throw new Error(`it is not said which file: ${error.message}`);
          return `${name} refused`;
        } finally {
          rmSync(file);
        }
      },
      found,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
