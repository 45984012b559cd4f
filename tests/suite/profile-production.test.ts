/** A target in production gets a smoke run: one signature request, nothing invalid, nobody who is asked to sign. */
import { expect, test } from '@playwright/test';
import { readRun } from '../../reports/run/run-file.ts';
import { withVerdict } from './reports-sample.ts';
import { minimal, refusal } from './services/profiles.ts';
import { startGround } from './services/tenant-ground.ts';

test('in production a run creates one signature request and sends nothing invalid', async ({}, info) => {
  const ground = await startGround(info, {
    direct: true,
    change: () => ({ environment: 'production' }),
  });
  const out = info.outputPath('out');
  const { code, stdout } = await ground.cli('--explore', '--out', out);
  await ground.close();
  const run = readRun(out);
  // What was made is removed at the end, by calls of the profile.
  const calls = run.exchanges.filter(({ operation }) => operation !== null);
  expect(calls.map(({ operation, response }) => [operation, response?.status])).toEqual([
    ['uploadDocument', 200],
    ['createSkeletonRequest', 200],
    ['addSignatory', 200],
  ]);
  expect(run.counts.signatureRequestsCreated).toBe(1);
  expect(withVerdict(run, 'passed')).toContain('signatory.request-id-echoed');
  expect(run.requirements.find(({ id }) => id === 'otp.sms')).toMatchObject({
    verdict: 'not-applicable',
    reason: expect.stringContaining('environment: production'),
  });
  expect(stdout).not.toContain('In the target profile these keys would make more requirements applicable');
  expect(run.verdict).toBe('conformant');
  expect(code).toBe(0);
});

test('in production the words in which an upload is refused are told, and nothing is sent to look into them', async ({}, info) => {
  const words = Buffer.from('Your trial quota is exhausted');
  const ground = await startGround(info, {
    change: () => ({ environment: 'production' }),
    behave: ({ reply }) => reply({ status: 403, body: words }),
  });
  const { stdout } = await ground.cli('--only', 'upload', '--out', info.outputPath('out'));
  await ground.close();
  expect(stdout).toContain('403 Your trial quota is exhausted');
});

test('in production nothing is tried out: how files are sent has to be said', async ({}, info) => {
  expect(refusal(info, `${minimal}environment: production\n`)).toBe(
    'acme.yaml: upload.encoding is missing: with environment "production" nothing is tried out; use multipart or raw',
  );
});
