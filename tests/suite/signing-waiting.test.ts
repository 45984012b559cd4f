/** What a run leaves with people: kept without secrets, read back, and refused with a reason where it does not fit. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { WaitingLedger, waitingFor } from '../../harness/flows/resuming/ledger.ts';
import { keptOf, seenOf } from '../../harness/flows/resuming/left.ts';
import { keyFileOf, spanOf, waitingKeys } from '../../harness/flows/resuming/waiting-file.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import type { Plan, SeenDelivery } from '../../record/facts.ts';
import '../proof/own-state.ts';

const profile: Profile = {
  address: { baseUrl: 'https://sandbox.example.com' },
  auth: { kind: 'static', token: 'some-token' },
  signing: { driver: 'manual' },
};

const flow = {
  name: 'a flow',
  requestId: 'req-1',
  signatoryIds: ['sig-1', null],
  documents: 1,
  created: spanOf({ startMs: 0, endMs: 1 }),
  answers: [],
  seen: [],
};

const result = { name: 'a flow', judgements: [], observations: [], timeline: [] };

function leave(out: string): WaitingLedger {
  const ledger = WaitingLedger.begin({ out, runId: 'r1', seed: 3, profile });
  ledger.add(flow);
  return ledger;
}

test('the key makes addresses that cannot be guessed, and lies away from the run where others cannot read it', async ({}, info) => {
  const out = info.outputPath('out');
  const { keys } = leave(out);
  expect(keys.addressOf('one')).toMatch(/^[\w-]{22}$/);
  expect(keys.addressOf('one')).not.toBe(keys.addressOf('two'));
  expect(waitingKeys().accessCode).not.toBe(keys.accessCode);
  expect(readdirSync(out)).toEqual(['waiting.json']);
  const state = readFileSync(join(out, 'waiting.json'), 'utf8');
  for (const secret of [keys.key, keys.accessCode, keys.addressOf('a flow')])
    expect(state).not.toContain(secret);
  // Windows knows no such modes.
  if (process.platform !== 'win32') expect(statSync(keyFileOf('r1')).mode & 0o777).toBe(0o600);
});

test('what does not fit is refused with the reason', async ({}, info) => {
  const out = info.outputPath('out');
  const refused = (
    words: string | RegExp,
    place = out,
    other: Profile | undefined = profile,
    manual = true,
  ) => expect(() => waitingFor(place, other, manual)).toThrow(words);
  refused(/there is no such file or folder/, info.outputPath('nowhere'));
  refused(/there is no run; name the folder/, info.outputDir);
  leave(out);
  expect(() => waitingFor(out, undefined, true)).toThrow(/name the --target of that run too/);
  refused('--resume and --no-manual exclude each other', out, profile, false);
  refused(
    'is a run of another target: its address.baseUrl was https://sandbox.example.com, and now is https://b.example',
    out,
    { ...profile, address: { baseUrl: 'https://b.example' } },
  );
  refused(/its people were others: set people/, out, { ...profile, people: { email: 'qa+{n}@example.org' } });
  refused(/the profile needs signing.driver "manual"/, out, { ...profile, signing: { driver: 'http' } });
  const file = join(out, 'waiting.json');
  const state = readFileSync(file, 'utf8');
  writeFileSync(file, state.replace('"runId"', '"id"'));
  refused(/waiting\.json:1: is no file of this version of the suite about requests that wait: .*runId/);
  writeFileSync(file, '{');
  refused(/waiting\.json:1: is no JSON, or cut off/, join(out, 'waiting.json'));
  writeFileSync(file, state);
  writeFileSync(keyFileOf('r1'), 'short');
  refused(/r1\.key is no key/);
  rmSync(keyFileOf('r1'));
  refused(/r1\.key is missing: .* resume on the machine, and as the user, of the run before/);
  const done = leave(out);
  done.finish(result);
  refused(/nothing is left to resume/);
  done.close();
  writeFileSync(join(out, 'run.json'), '{}');
  refused(/nothing is left to resume: no request of this run waits for people/);
});

test('a run that begins anew forgets what an earlier one left in its folder', async ({}, info) => {
  const out = info.outputPath('out');
  leave(out);
  WaitingLedger.begin({ out, runId: 'r2', seed: 3, profile });
  expect([existsSync(keyFileOf('r1')), existsSync(keyFileOf('r2')), readdirSync(out)]).toEqual([
    false,
    true,
    [],
  ]);
});

test('a file of somebody else that names a run of ours takes nothing of it away, and says nothing about it', async ({}, info) => {
  const [out, given] = [info.outputPath('out'), info.outputPath('given')];
  leave(out);
  const state = readFileSync(join(out, 'waiting.json'), 'utf8');
  mkdirSync(given);
  writeFileSync(join(given, 'waiting.json'), state.replace('"req-1"', '"req-2"'));
  expect(() => waitingFor(given, profile, true)).toThrow(/waiting\.json is not as the run r1 wrote it/);
  WaitingLedger.begin({ out: given, runId: 'r2', seed: 3, profile });
  expect(waitingFor(out, profile, true).state.flows).toMatchObject([{ requestId: 'req-1' }]);
  WaitingLedger.begin({ out, runId: 'r2', seed: 3, profile });
});

test('callbacks that had arrived come back as they were, without the words of the target', () => {
  const plan: Plan = {
    requestId: 'req-1',
    signatories: [{ id: 'sig-1', email: 'anna@example.com', role: 1, order: 1 }],
    callbackUrl: 'http://127.0.0.1:9/callback/secret?flow=a',
    subscription: [1, 2],
    documents: [],
  };
  const event = (code: 1 | 2, more = {}) => ({
    code,
    requestId: 'req-1',
    attachments: [],
    unread: [],
    ...more,
  });
  const delivery = (index: number, target: string, ...events: SeenDelivery['events']): SeenDelivery => ({
    index,
    at: { startMs: 100, endMs: 200 },
    arrivedMs: 150,
    accepted: true,
    target,
    events,
    problems: [],
  });
  const kept = keptOf(
    [
      // A tunnel may take a part of the path away.
      delivery(4, '/secret?flow=a', event(1)),
      delivery(5, '/callback/secret', event(2, { signatory: { by: 'id', value: 'sig-1' } })),
      { ...delivery(6, '/callback/secret?flow=a', event(1)), forged: 'not from the target' },
    ],
    plan,
  );
  expect(JSON.stringify(kept)).not.toMatch(/secret|sig-1|anna/);
  const [first, second, ...others] = seenOf(kept, plan);
  expect(others).toEqual([]);
  expect([first?.target, first?.index, second?.target]).toEqual([
    '/callback/secret?flow=a',
    -2,
    '/elsewhere',
  ]);
  expect(second?.events).toMatchObject([{ code: 2, signatory: { by: 'email', value: 'anna@example.com' } }]);
  expect(Math.abs((first?.arrivedMs ?? 0) - 150)).toBeLessThan(5);
});
