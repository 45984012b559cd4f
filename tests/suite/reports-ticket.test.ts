/** What goes to a vendor: a ticket about one requirement, and the open questions. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { report } from '../../bin/report.ts';
import { gaps } from '../../openapi/gaps/register.ts';
import { page } from '../../reports/page/page.ts';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { twinOf } from '../../reports/run/twin.ts';
import { terminalText } from '../../reports/texts/terminal.ts';
import { gapsMarkdown } from '../../reports/ticket/gaps-markdown.ts';
import { ticket } from '../../reports/ticket/ticket.ts';
import {
  bodyOf,
  exchange,
  failure,
  record,
  requirementOf,
  result,
  results,
  run,
  stopped,
  writeRun,
} from './reports-sample.ts';

const id = 'otp.mobile-required';
const body = (json: object) => bodyOf(JSON.stringify(json));
const base = exchange(0);
const request = (json: object) => ({ ...base.request, body: body(json) });
const answer = base.response ?? { status: 200, reason: 'OK', headers: [], body: null };

/** A failed row, an accepted call that repairs it, one that is the same but for its people, and one without order. */
const exchanges = [
  exchange(0, {
    request: request({ Email: 'a@example.com', OTP: { Type: 2, MobileNumber: '+12025550123' } }),
  }),
  exchange(1, {
    request: request({ Email: 'b@example.com', OTP: { Type: 2 } }),
    response: {
      ...answer,
      headers: [
        ['X-Request-Id', 'r-77'],
        ['traceparent', '00-7'],
        ['Date', 'Fri, 02 Jan 2026 03:04:05 GMT'],
      ],
      body: bodyOf('<p>No</p>', 'text/html'),
    },
  }),
  exchange(2, { request: request({ Email: 'c@example.com', OTP: { Type: 2 } }) }),
  exchange(3, { request: request({ Email: 'd@example.com' }) }),
  exchange(4, {
    request: request({ Email: 'e@example.com', OTP: { Type: 1 } }),
    response: { ...answer, status: 400, reason: 'Bad Request' },
  }),
];

const sample: Run = run({
  record: record({
    exchanges,
    observations: [
      { gap: 'skeleton.success-status', key: 'status', value: 200, stability: 'stable', exchanges: [1] },
    ],
    answeredByProfile: [{ gap: 'limits.rate', says: '5' }],
  }),
  results: results(failure(id, 1, 0), result('otp.email', 'could-not-run', { message: 'no e-mail' })),
});

test('a ticket has the statement, the call, its ids, times in UTC, the accepted twin, and the chain', () => {
  const text = ticket(sample, requirementOf(sample, id));
  expect(text).toMatch(/^# otp\.mobile-required: With IsRequired true and Type 2 or 4, /);
  expect(text).toContain('expected 400 · received 200 {}');
  expect(text).toContain('- **Seen:** 2026-01-02T03:04:05.678Z (UTC)');
  expect(text).toContain('`response X-Request-Id: r-77`, ');
  expect(text).toContain('by the clock of the target `Fri, 02 Jan 2026 03:04:05 GMT`');
  expect(text).toContain('| `OTP.MobileNumber` | absent | `"+12025550123"` |');
  expect(text).toMatch(/^```sh\n#!\/bin\/sh\n# otp\.mobile-required/m);
  expect(text).toMatch(/^```powershell\n/m);
});

test('a ticket of what could not run shows the answer that stopped it, without advice for the profile', () => {
  const quota = stopped('otp.sms', { answer: 'quota', of: 0, call: 'skeleton' }, 'say limits.requests');
  const given = run({ record: record({ exchanges }), results: results(quota) });
  const text = ticket(given, requirementOf(given, 'otp.sms'));
  expect(text).toContain('nothing is said against the service');
  expect(text).toMatch(/^POST http:/m);
  expect(text).not.toContain('limits.requests');
});

const clock = (ms: number) => new Date(Date.parse('2026-01-02T03:04:05.000Z') + ms).toISOString();
const missed = 'events.signatory-completed';
const creation = { operation: null, purpose: 'flow' } as const;
const told = (flow: string) =>
  [
    { flow, kind: 'allowed', title: 'event 2 of signatory 1', at: clock(500) },
    { flow, kind: 'action', title: 'request created', at: clock(0), until: clock(20) },
    { flow, kind: 'action', title: 'signatory 1 completes', at: clock(500), until: clock(520) },
  ] as const;
const came = { kind: 'delivery', title: 'event 1', delivery: '4', at: clock(30) } as const;
const never = { kind: 'missing', title: 'event 2 of signatory 1: never came', at: clock(900) } as const;

/** Two flows, in the second of which an event is missing. */
const inFlows: Run = run({
  record: record({
    exchanges: [
      exchange(0, { ...creation, row: 'one signer' }),
      exchange(1, { ...creation, row: 'two signers' }),
    ],
    created: [
      { kind: 'request', id: 'r-1', exchange: 0 },
      { kind: 'request', id: 'r-2', exchange: 1 },
    ],
  }),
  results: results(
    result(missed, 'failed', {
      rows: [
        { title: 'one signer', verdict: 'passed', exchanges: [] },
        { title: 'two signers', verdict: 'failed', exchanges: [] },
      ],
      timeline: [
        ...told('one signer'),
        ...told('two signers'),
        { flow: 'two signers', ...came },
        { flow: 'two signers', ...never, verdict: 'failed', message: missed },
      ],
    }),
  ),
});

test('a ticket tells the flows in which the requirement failed, each with its request and in order of time', () => {
  const text = ticket(inFlows, requirementOf(inFlows, missed));
  expect(text.match(/^### .*/gm)).toEqual(['### two signers']);
  const [, flow = ''] = text.split('### two signers\n');
  expect(flow.split('\n## ')[0]?.trim().split('\n')).toEqual([
    '- signature request `r-2`',
    '',
    '```',
    '2026-01-02T03:04:05.000Z to 03:04:05.020Z  request created',
    '2026-01-02T03:04:05.030Z  delivery 4: event 1',
    '2026-01-02T03:04:05.500Z  allowed from here on: event 2 of signatory 1',
    '2026-01-02T03:04:05.500Z to 03:04:05.520Z  signatory 1 completes',
    `2026-01-02T03:04:05.900Z  ✗ event 2 of signatory 1: never came  ${missed}`,
    '```',
  ]);
});

test('the twin of a row is the call that its finding names, and people make no difference', () => {
  const twin = (index?: number) => failure(id, 1, index).rows.map((row) => twinOf(row, sample))[0];
  expect(twin(0)?.differences).toEqual([{ in: 'body', at: '/OTP/MobileNumber', kind: 'missing' }]);
  expect(twin(2)).toMatchObject({ exchange: { index: 2 }, differences: [] });
  for (const none of [undefined, 99]) expect(twin(none)).toBeNull();
});

/** The sample as an earlier version wrote it, without findings, with whatever differs in its rows. */
const ofOld = (more: { readonly exchanges?: number[] } = {}): Run => ({
  ...sample,
  requirements: sample.requirements.map((each) => ({
    ...each,
    checks: each.checks.map((check) => ({
      ...check,
      rows: check.rows.map(({ finding: _, ...row }) => ({ ...row, ...more })),
    })),
  })),
});

test('a run of an earlier version is told in its own words', ({}, info) => {
  writeRun(info.outputPath('old'), ofOld());
  const old = readRun(info.outputPath('old'));
  expect(JSON.stringify(old)).not.toContain('"finding"');
  for (const text of [
    ticket(old, requirementOf(old, id)),
    page(old, { scripts: 'nowhere' }),
    terminalText(old, (_, line) => line),
  ]) {
    expect(text).toContain('expected 400 · received 200 {}');
    expect(text).not.toContain('accepted twin');
  }
});

test('the open questions are all there: seen, assumed, not seen', () => {
  const text = gapsMarkdown(sample);
  for (const { id: gap } of gaps) expect.soft(text).toContain(`\`${gap}\``);
  const [, seen = '', assumed = '', rest = ''] = text.split(/^## /m);
  expect(seen).toContain('To confirm: what was observed');
  expect(seen).toContain('`skeleton.success-status`');
  expect(assumed).toContain('`limits.rate`');
  expect(rest.match(/- \[ \]/g)).toHaveLength(gaps.length - 2);
});

test('the command writes a ticket with the bodies that its scripts send, and says what it cannot', async ({}, info) => {
  const folder = info.outputPath('run');
  const out = info.outputPath('out');
  const file = `bodies/${'0'.repeat(32)}.bin`;
  const [first = base, ...others] = exchanges;
  const upload = { ...base.request, url: `${sample.target.baseUrl}/upload`, body: { ...body({}), file } };
  const made: Run = {
    ...ofOld({ exchanges: [4] }),
    exchanges: [first, ...others.slice(0, 3), exchange(4, { operation: 'uploadDocument', request: upload })],
  };
  writeRun(folder, made);
  mkdirSync(join(folder, 'bodies'));
  writeFileSync(join(folder, file), 'PDF');
  expect(await report([folder], { ticket: id, out })).toBe(0);
  expect(readFileSync(join(out, `ticket-${id}.md`), 'utf8')).toContain(`@${file}`);
  expect(readFileSync(join(out, file), 'utf8')).toBe('PDF');
  expect(readFileSync(join(out, `reproduce/${id}.sh`), 'utf8')).toContain(`@${file}`);
  expect(readFileSync(join(out, `reproduce/${id}.ps1`), 'utf8')).toContain(`@${file}`);
  const list = join(out, 'questions.md');
  expect(await report([folder], { gaps: list })).toBe(0);
  expect(readFileSync(list, 'utf8')).toBe(gapsMarkdown(made));
  await expect(report([folder], { ticket: 'otp.mobile-requird' })).rejects.toThrow(`did you mean ${id}?`);
  const none = made.requirements.find(({ notTestable }) => notTestable !== undefined)?.id ?? '';
  await expect(report([folder], { ticket: none })).rejects.toThrow(
    `--ticket ${none}: no call to show: the requirement is not-applicable in`,
  );
  await expect(report([folder, folder], { ticket: id })).rejects.toThrow('take one run');
  await expect(report([folder, folder], { out: info.outputPath() })).rejects.toThrow('is written anew');
});
