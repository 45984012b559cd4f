/** Whatever breaks in a run after its first call, the rest of it is done, and all that is known is written. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { OpenAddress } from '../../harness/callbacks/address.ts';
import { FlowRun } from '../../harness/flows/flow-run.ts';
import { type RunOptions, runDefaults } from '../../harness/profile/run-options.ts';
import { RecordingTape } from '../../harness/replaying/record.ts';
import { RunSession } from '../../harness/session/run-session.ts';
import { Tenancy } from '../../harness/session/tenancy.ts';
import { finishRun } from '../../reports/ending/finish.ts';
import { renderers } from '../../reports/ending/write.ts';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { wholeRun } from '../../running/whole-run.ts';
import '../proof/own-state.ts';
import { record, result } from './reports-sample.ts';
import { startGround } from './services/tenant-ground.ts';

const one = ['skeleton.title-required'];
const withFlows = [...one, 'signing.signer-signs', 'events.process-completed'];
const files = [...Object.keys(renderers).filter((name) => name !== 'badge.svg'), 'run.json'];

/** One method that throws, what is said of it, and what is judged; of which only one check passes where flows matter. */
type Stage = readonly [stage: string, of: object, method: string, problem: RegExp, more?: StageOptions];
interface StageOptions extends Partial<RunOptions> {
  readonly passed?: readonly string[];
}
const stages: readonly Stage[] = [
  [
    'the listener',
    OpenAddress.prototype,
    'begin',
    /the listener: .*on purpose/,
    { only: withFlows, passed: ['skeleton.title-required', 'signing.signer-signs'] },
  ],
  [
    'a flow',
    FlowRun.prototype,
    'acts',
    /the flow ".*": broke \(Error: on purpose\)/,
    { only: withFlows, passed: one },
  ],
  ['the clean-up', Tenancy.prototype, 'cleanUp', /^the clean-up: broke/],
  ['the observers', RunSession.prototype, 'observations', /^the observations: broke/],
  ['the recording', RecordingTape.prototype, 'write', /^the recording: broke/, { record: 'recording' }],
  ['the end of the session', RunSession.prototype, 'close', /^the session: broke/],
];

/** Lets a method throw while the work lasts. */
async function broken<T>(of: object, method: string, work: () => Promise<T>): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(of, method);
  if (!own) throw new Error(`there is no method ${method}`);
  const value = () => {
    throw new Error('on purpose');
  };
  Object.defineProperty(of, method, { ...own, value });
  try {
    return await work();
  } finally {
    Object.defineProperty(of, method, own);
  }
}

/**
 * A run against a reference service with these faults, in which one method throws.
 * @returns what it left in its folder
 */
async function brokenRun(
  info: TestInfo,
  { of, method }: { readonly of: object; readonly method: string },
  options: Pick<RunOptions, 'only'> & Partial<RunOptions>,
  faults: readonly string[] = [],
): Promise<Run> {
  // Callbacks that cannot come are waited for.
  const grace = { arrivalMs: 1_000, silenceMs: 300 };
  const ground = await startGround(info, {
    direct: true,
    service: { faults },
    change: ({ callbacks }) => ({ callbacks: { ...callbacks, grace } }),
  });
  Object.assign(process.env, ground.env);
  const given = { ...runDefaults, out: info.outputPath('out'), target: ground.target, ...options };
  try {
    await broken(of, method, () => wholeRun(given, new AbortController().signal));
  } finally {
    await ground.close();
    for (const name of Object.keys(ground.env)) delete process.env[name];
  }
  return readRun(given.out);
}

function verdicts({ requirements }: Run): Record<string, string> {
  return Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));
}

for (const [stage, of, method, problem, { only = one, passed = only, record: kept } = {}] of stages) {
  test(`where this breaks, everything else of the run is there: ${stage}`, async ({}, info) => {
    const out = info.outputPath('out');
    const record = kept ? { record: info.outputPath(kept) } : {};
    const run = await brokenRun(info, { of, method }, { only: only as RunOptions['only'], ...record });
    expect({ verdict: run.verdict, exitCode: run.exitCode }).toEqual({ verdict: 'error', exitCode: 4 });
    expect(run.problems.join('\n')).toMatch(problem);
    const found = verdicts(run);
    expect(only.filter((id) => found[id] === 'passed')).toEqual(passed);
    expect(Object.values(found)).not.toContain('failed');
    for (const name of files) expect.soft(existsSync(join(out, name)), name).toBe(true);
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('on purpose');
    // What was created is removed, or is known to be there.
    const made = run.created.filter(({ kind }) => kind !== 'signatory');
    expect(made.length).toBeGreaterThan(1);
    if (method !== 'cleanUp') expect(made.filter(({ removed }) => removed !== true)).toEqual([]);
  });
}

test('where asking again about failures breaks, they stay failures', async ({}, info) => {
  const run = await brokenRun(
    info,
    { of: RunSession.prototype, method: 'beginRound' },
    { only: ['skeleton.title-required', 'upload.pdf'] },
    ['skeleton.title-required/accepted'],
  );
  expect(verdicts(run)).toEqual({ 'skeleton.title-required': 'failed', 'upload.pdf': 'passed' });
  expect(run).toMatchObject({
    verdict: 'error',
    problems: ['asking about failures again: broke (Error: on purpose)'],
  });
});

for (const name of Object.keys(renderers)) {
  test(`where ${name} cannot be rendered, all other files are written and say so`, ({}, info) => {
    const out = info.outputPath('out');
    const material = {
      record: record({}),
      results: [result('otp.sms', 'passed')],
      strict: false,
      durationMs: 1,
      interrupted: false,
      problems: [],
    };
    finishRun(out, material);
    const throwing = () => {
      throw new Error('on purpose');
    };
    const finished = finishRun(out, material, { ...renderers, [name]: throwing });
    const rest = Object.keys(renderers).filter((other) => other !== name);
    expect(finished.files.toSorted()).toEqual([...rest, 'run.json'].sort());
    expect(readRun(out)).toMatchObject({
      verdict: 'error',
      exitCode: 4,
      problems: [`${name}: broke (Error: on purpose)`],
    });
    // Nobody takes that of the run before for this one.
    expect(existsSync(join(out, name))).toBe(false);
    for (const other of rest.filter((each) => /summary|index/.test(each))) {
      expect(readFileSync(join(out, other), 'utf8')).toContain('on purpose');
    }
  });
}
