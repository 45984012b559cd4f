/** Whatever breaks in a run after its first call, the rest of it is done, and all that is known is written. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { OpenAddress } from '../../harness/callbacks/address.ts';
import { FlowRun } from '../../harness/flows/flow-run.ts';
import { runDefaults } from '../../harness/profile/run-options.ts';
import { RecordingTape } from '../../harness/replaying/record.ts';
import { RunSession } from '../../harness/session/run-session.ts';
import { Tenancy } from '../../harness/session/tenancy.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { finishRun } from '../../reports/ending/finish.ts';
import { renderers } from '../../reports/ending/write.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { wholeRun } from '../../running/whole-run.ts';
import '../proof/own-state.ts';
import { record, result, withVerdict } from './reports-sample.ts';
import { startGround } from './services/tenant-ground.ts';

const wanted = [
  'skeleton.title-required',
  'signing.signer-signs',
  'events.process-completed',
] satisfies readonly RequirementId[];
const files = [...Object.keys(renderers).filter((name) => name !== 'badge.svg'), 'run.json'];

/** A method that throws, and the name of its stage. */
type Stage = readonly [of: object, method: string, stage: string];

/** Runs with all of these broken together, the faults that they meet, and which of the wanted checks pass all the same. */
const runs: readonly {
  readonly title: string;
  readonly stages: readonly Stage[];
  readonly faults: readonly string[];
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}[] = [
  {
    title: 'the listener, the observers and the recording',
    stages: [
      [OpenAddress.prototype, 'begin', 'the listener'],
      [RunSession.prototype, 'observations', 'the observations'],
      [RecordingTape.prototype, 'write', 'the recording'],
    ],
    faults: [],
    passed: ['skeleton.title-required', 'signing.signer-signs'],
    failed: [],
  },
  {
    title: 'flows, asking again about failures, the clean-up and the end of the session',
    stages: [
      [FlowRun.prototype, 'acts', 'the flow "no CallbackUrl"'],
      [RunSession.prototype, 'beginRound', 'asking about failures again'],
      [Tenancy.prototype, 'cleanUp', 'the clean-up'],
      [RunSession.prototype, 'close', 'the session'],
    ],
    faults: ['skeleton.title-required/accepted'],
    passed: [],
    failed: ['skeleton.title-required'],
  },
];

/** Lets methods throw while the work lasts. */
async function broken(stages: readonly Stage[], work: () => Promise<unknown>): Promise<void> {
  const own = stages.map(([of, method]) => Object.getOwnPropertyDescriptor(of, method));
  const value = () => {
    throw new Error('on purpose');
  };
  for (const [of, method] of stages) Object.defineProperty(of, method, { value, configurable: true });
  try {
    await work();
  } finally {
    for (const [at, [of, method]] of stages.entries()) Object.defineProperty(of, method, own[at] ?? {});
  }
}

for (const { title, stages, faults, passed, failed } of runs) {
  test(`where these break, everything else of the run is there: ${title}`, async ({}, info) => {
    // Callbacks that cannot come are waited for.
    const grace = { arrivalMs: 1_000, silenceMs: 300 };
    const ground = await startGround(info, {
      direct: true,
      service: { faults },
      change: ({ callbacks }) => ({ callbacks: { ...callbacks, grace } }),
    });
    Object.assign(process.env, ground.env);
    const out = info.outputPath('out');
    const more = { out, target: ground.target, only: wanted, record: info.outputPath('recording') };
    try {
      await broken(stages, () => wholeRun({ ...runDefaults, ...more }, new AbortController().signal));
    } finally {
      await ground.close();
      for (const name of Object.keys(ground.env)) delete process.env[name];
    }
    const run = readRun(out);
    expect(run).toMatchObject({ verdict: 'error', exitCode: 4 });
    for (const [, , stage] of stages) expect(run.problems.join('\n')).toContain(stage);
    expect(run.problems.join('\n')).toContain('on purpose');
    expect([withVerdict(run, 'passed'), withVerdict(run, 'failed')]).toEqual([passed, failed]);
    for (const name of files) expect.soft(existsSync(join(out, name)), name).toBe(true);
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('on purpose');
    // What was created is removed, or is known to be there.
    const made = run.created.filter(({ kind }) => kind !== 'signatory');
    expect(made.length).toBeGreaterThan(1);
    const cleans = !stages.some(([of]) => of === Tenancy.prototype);
    expect(made.every(({ removed }) => removed === true)).toBe(cleans);
  });
}

const material = {
  record: record({}),
  results: [result('otp.sms', 'passed')],
  strict: false,
  durationMs: 1,
  interrupted: false,
  problems: [],
};

test('where a file did not fit, those before it make room for run.json', ({}, info) => {
  const out = info.outputPath('out');
  mkdirSync(out);
  const there: string[][] = [];
  const early = () => {
    there.push(readdirSync(out));
    return 'takes room';
  };
  const late = () => {
    throw new Error('no room');
  };
  finishRun(out, material, { early, late });
  expect(there).toEqual([[], ['run.json']]);
});

test('where some files cannot be rendered, all others are written and say so', ({}, info) => {
  const out = info.outputPath('out');
  finishRun(out, material);
  const throwing = () => {
    throw new Error('on purpose');
  };
  const names = Object.keys(renderers);
  for (const isBroken of [(at: number) => at % 2 === 0, (at: number) => at % 2 === 1]) {
    const lost = names.filter((_, at) => isBroken(at));
    const rest = names.filter((_, at) => !isBroken(at));
    const rendered = { ...renderers, ...Object.fromEntries(lost.map((name) => [name, throwing])) };
    const finished = finishRun(out, material, rendered);
    expect(finished.files.toSorted()).toEqual([...rest, 'run.json'].sort());
    const problems = [`${lost.join(', ')}: broke (Error: on purpose)`];
    expect(readRun(out)).toMatchObject({ verdict: 'error', exitCode: 4, problems });
    // Nobody takes those of the run before for this one.
    expect(lost.filter((name) => existsSync(join(out, name)))).toEqual([]);
    for (const other of rest.filter((each) => /summary|index/.test(each))) {
      expect(readFileSync(join(out, other), 'utf8')).toContain('on purpose');
    }
  }
});
