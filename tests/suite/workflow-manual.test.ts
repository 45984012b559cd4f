/** Signing by hand, end to end: a run that goes on with what another one left with people. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import type { Profile } from '../../harness/profile/schema.ts';
import { pause } from '../../harness/target/budgets/pause.ts';
import type { Dialect } from '../../reference/dialect.ts';
import type { Reference } from '../../reference/server.ts';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { stateIn } from '../proof/own-state.ts';
import type { Started } from './cli-spawn.ts';
import { startGround } from './services/tenant-ground.ts';

/** Few checks: this is about the people, and what they are told. */
// Three requests show these, and no two.
const about =
  'signing.parallel,events.none-for-cc,events.documents-not-attached,events.process-completed,otp.access-code-asked';

/** A reference service whose profile lets people sign. */
async function byHand(
  info: TestInfo,
  signing: Partial<NonNullable<Profile['signing']>>,
  dialect: Partial<Dialect>,
) {
  // Keys lie in the folder of the user, which is one of the test.
  const state = info.outputPath('state');
  const keyFolder = join(state, 'esign-conformance', 'waiting');
  const { reference, start, cli, close } = await startGround(info, {
    direct: true,
    service: { dialect },
    change: () => ({ signing: { driver: 'manual', ...signing } }),
    env: stateIn(state),
  });
  const out = info.outputPath('out');
  const run = (only: string, ...more: string[]) => start('--only', only, '--out', out, ...more);
  const keys = () => readdirSync(keyFolder).map((name) => readFileSync(join(keyFolder, name), 'utf8').trim());
  return { reference, out, run, cli, keys, close };
}

/** A task that stands open on the page. */
interface OpenTask {
  readonly number: string;
  readonly requestId: string;
  readonly email: string;
  readonly act: 'sign' | 'approve';
  /** The passcode that is to be entered. */
  readonly accessCode: string | undefined;
}

/** The tasks that wait for an answer. */
async function openTasks(page: string): Promise<readonly OpenTask[]> {
  const text = await (await fetch(page)).text();
  return text.split('<h2>Request ').flatMap((part) => {
    const [requestId = ''] = part.split('</h2>');
    return part.split('<li').flatMap((item) => {
      const number = /action="tasks\/(\d+)"/.exec(item)?.[1];
      const email = /&lt;(\S+?)&gt;/.exec(item)?.[1];
      if (!number || !email) return [];
      const accessCode = /(?:the access|a wrong) code,? (?:as )?(\w+)/.exec(item)?.[1];
      const act = /approve as/i.test(item) ? 'approve' : 'sign';
      return [{ number, requestId, email, act, accessCode } as const];
    });
  });
}

/** Does what a task asks for; whether the service let it happen. */
async function doTask(reference: Reference, task: OpenTask): Promise<'done' | 'refused'> {
  const below = `${reference.baseUrl}/_apis/sign/api/v2/requests/${task.requestId}`;
  const headers = { Authorization: `Bearer ${reference.tokens.valid}`, 'Content-Type': 'application/json' };
  const status = (await (await fetch(`${below}/status`, { headers })).json()) as {
    readonly signatories: readonly { readonly signatoryId: string; readonly email: string }[];
  };
  const { signatoryId } = status.signatories.find(({ email }) => email === task.email) ?? {};
  const url = `${below}/signatories/${signatoryId}/${task.act}`;
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ accessCode: task.accessCode }),
  });
  return answer.ok ? 'done' : 'refused';
}

async function say(page: string, number: string, answer: string): Promise<void> {
  await fetch(`${page}tasks/${number}`, {
    method: 'POST',
    body: new URLSearchParams({ answer }),
    redirect: 'manual',
  });
}

/** Does all that is asked until `ended` is settled. */
async function work(reference: Reference, page: string, ended: Promise<unknown>): Promise<void> {
  let over = false;
  const end = () => {
    over = true;
  };
  ended.then(end, end);
  while (!over) {
    const tasks = await openTasks(page).catch(() => []);
    for (const task of tasks) await say(page, task.number, await doTask(reference, task));
    await pause(150);
  }
}

/** The address of the page, which stands in the terminal. */
async function pageOf(started: Started): Promise<string> {
  const [, url = ''] = await started.said(/Say what came of it at (http\S+)/);
  return url;
}

const reasonsOf = (run: Run, wanted: string) =>
  Object.fromEntries(
    run.requirements.filter(({ verdict }) => verdict === wanted).map(({ id, reason }) => [id, reason]),
  );

test('a run that was interrupted is resumed with the same requests, and nothing is created again', async ({}, info) => {
  const { reference, out, run, cli, keys, close } = await byHand(
    info,
    { requests: 3 },
    { accessCodeForm: 'digits' },
  );
  const started = run(about);
  const page = await pageOf(started);
  // Somebody is asked in each request, and one answer is given; then the run is interrupted.
  const asked = async () => new Set((await openTasks(page)).map(({ requestId }) => requestId)).size;
  await expect.poll(asked).toBe(3);
  const [task] = await openTasks(page);
  if (!task) throw new Error('nobody is asked');
  await say(page, task.number, await doTask(reference, task));
  await expect
    .poll(async () => (await openTasks(page)).some(({ number }) => number === task.number))
    .toBe(false);
  started.process.kill('SIGINT');
  await started.ended;
  const before = readRun(out);
  expect(before.exitCode).toBe(2);
  expect(before.warnings.join()).toContain(
    '3 requests wait for people; go on with: esign-conformance run --target',
  );
  expect(reasonsOf(before, 'failed')).toEqual({});
  const state = readFileSync(join(out, 'waiting.json'), 'utf8');
  const [key = 'no key'] = keys();
  expect(state + JSON.stringify(before)).not.toContain(key);
  expect(state).not.toContain('@');
  // Other accounts of this machine could send events of requests that are still open.
  expect(statSync(out).mode & 0o077).toBe(0);

  const other = info.outputPath('resumed');
  const resumed = run(about, '--resume', out, '--out', other);
  await work(reference, await pageOf(resumed), resumed.ended);
  const { stderr } = await resumed.ended;
  await close();
  expect(stderr).toContain('People are asked to sign');
  const after = readRun(other);
  expect(reasonsOf(after, 'failed')).toEqual({});
  expect(reasonsOf(after, 'could-not-run')).toEqual({});
  // Nothing but the one addition that has to be refused, since its request was deleted.
  const ofFlows = after.exchanges.filter(({ purpose }) => purpose === 'flow');
  const said = ofFlows.map(({ operation, response }) => [operation, response?.status]);
  expect(said).toEqual([['addSignatory', 404]]);
  // People are told passcodes in the form that the target took in the first run.
  expect(Object.keys(reasonsOf(after, 'passed'))).toEqual(expect.arrayContaining(about.split(',')));
  expect(after.exitCode).toBe(0);
  // Nothing is left, in the old place no more than in the new one.
  const again = await cli('--only', about, '--out', out, '--resume', other);
  expect(again.code).toBe(3);
  expect(again.stderr).toContain('nothing is left to resume');
});
