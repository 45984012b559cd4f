/** exchanges.har: what HTTP Archive 1.2 demands, exchanges at their index, deliveries marked as such. */
import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Har } from 'har-format';
import { har } from '../../reports/machine/har.ts';
import type { Run } from '../../reports/run/run.ts';
import { delivery, exchange, record, run } from './reports-sample.ts';
import { withPage } from './services/report-page.ts';

const headers: Run['deliveries'][number]['headers'] = [['Content-Type', 'application/json']];
const body = { mediaType: 'application/json', size: 11, sha256: 'ab', text: '{"event":3}' };

const url = 'http://127.0.0.1:4020/hooks/abc?secret=1';
const delivered = {
  event: 3,
  receivedAt: { start: '2026-01-02T03:04:06.000Z', end: '2026-01-02T03:04:06.025Z' },
  url,
  headers,
  body,
} as const;

const page = 'http://target.example/page';
const answer = { status: 200, reason: 'OK', headers, body };
const sample = run({
  record: record({
    exchanges: [
      exchange(0),
      exchange(1, { response: null, failure: { code: 'ECONNRESET', message: 'gone "</script>' } }),
      exchange(2, { request: { method: 'GET', url: page, headers: [], body: null }, response: answer }),
    ],
    deliveries: [delivery('0', delivered), delivery('1', { ...delivered, answered: null })],
  }),
});

test('each exchange stands at its index, also one without an answer, and deliveries follow on a page of their own', () => {
  const { log } = JSON.parse(har(sample)) as Har;
  expect(log.entries.map(({ pageref, comment }) => [pageref, comment?.split(',')[0]])).toEqual([
    ['calls', 'exchange 0'],
    ['calls', 'exchange 1'],
    ['calls', 'exchange 2'],
    ['deliveries', 'delivery 0: a callback from the target'],
    ['deliveries', 'delivery 1: a callback from the target'],
  ]);
  const [first, lost, , callback, reset] = log.entries;
  expect(first).toMatchObject({
    startedDateTime: '2026-01-02T03:04:05.678Z',
    time: 12,
    request: { method: 'POST', postData: { mimeType: 'application/json', text: '{"Order":"1"}' } },
    response: { status: 200, content: { size: 2, mimeType: 'application/json', text: '{}' } },
    timings: { send: 0, wait: 12, receive: 0 },
  });
  expect(lost?.response).toMatchObject({ status: 0, _error: expect.stringContaining('ECONNRESET') });
  expect(callback).toMatchObject({
    time: 25,
    request: {
      url,
      queryString: [{ name: 'secret', value: '1' }],
      postData: { text: body.text },
    },
    response: { status: 200 },
  });
  expect(reset?.response).toMatchObject({ status: 0, _error: expect.stringContaining('reset') });
});

test('a browser takes it: a page of the archive is answered from it', async ({}, info) => {
  const file = info.outputPath('exchanges.har');
  writeFileSync(file, har(sample));
  await withPage('about:blank', async (tab) => {
    await tab.routeFromHAR(file, { notFound: 'abort' });
    await tab.goto(page);
    expect(await tab.textContent('body')).toContain(body.text);
    await tab.unrouteAll();
  });
});
