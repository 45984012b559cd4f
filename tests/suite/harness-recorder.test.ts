/** The recorder: bodies inline or as files, redacted, and a command line that sends the same request again. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, type TestInfo, test } from '@playwright/test';
import { zipSync } from 'fflate';
import { PeopleRedactor } from '../../harness/recording/people-redaction.ts';
import { Recorder } from '../../harness/recording/recorder.ts';
import { Redactor } from '../../harness/recording/redact.ts';
import type { HttpRequest } from '../../harness/wire/http.ts';
import { saidIn } from '../../record/exchange.ts';
import { type Arrived, serve } from './services/loopback.ts';
import { lowerLimits } from './services/lower-limits.ts';

const token = 'the-access-token-of-this-test';

function recorderIn(info: TestInfo, mostKept?: number, redactor = new Redactor()): Recorder {
  redactor.add(token, 'access token');
  const people = new PeopleRedactor({ profile: {}, runId: 'run', seed: 1 });
  return new Recorder(redactor, people, info.outputPath('out'), undefined, mostKept);
}

const json = [['Content-Type', 'application/json']] as const;

const bodyIn = (
  recorder: Recorder,
  headers: readonly (readonly [string, string])[],
  body: Buffer,
  keep: 'all' | 'no-documents' = 'all',
) => recorder.heard({ line: '', headers, body }, keep).body;

const startedAt = '2026-01-01T00:00:00.000Z';
const about = { operation: null, purpose: 'template' as const, startedAt, durationMs: 1, retries: [] };
const answer = { status: 200, reason: 'OK', headers: [], body: Buffer.from('{}') };

test('a long text and all that is no text become files, redacted, each once', ({}, info) => {
  const recorder = recorderIn(info);
  const long = bodyIn(recorder, json, Buffer.from(`${token}${'x'.repeat(20_000)}`));
  const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(token)]);
  const binary = bodyIn(recorder, [], bytes);
  expect(bodyIn(recorder, [], bytes)).toEqual(binary);
  const out = info.outputPath('out');
  expect(readFileSync(join(out, long?.file ?? ''), 'utf8')).toBe(`[access token]${'x'.repeat(20_000)}`);
  expect(readFileSync(join(out, binary?.file ?? ''), 'latin1')).toBe('\xff\x00[access token]');
  expect(binary).toMatchObject({ size: bytes.length, mediaType: '' });
  expect(readdirSync(join(out, 'bodies'))).toHaveLength(2);
});

test('a secret that becomes known later stands in no large body at the end', ({}, info) => {
  const redactor = new Redactor();
  const recorder = recorderIn(info, undefined, redactor);
  const late = 'code 402615 at /sign/kept-in-a-link-5';
  const bodies = [`${late}${'x'.repeat(20_000)}`, `${late}\0`].map((text) =>
    bodyIn(recorder, [], Buffer.from(text)),
  );
  for (const secret of ['402615', 'kept-in-a-link-5']) redactor.addOneTime(secret, 'one-time secret');
  recorder.settled();
  const [long, binary] = bodies.map((body) => readFileSync(info.outputPath('out', body?.file ?? ''), 'utf8'));
  expect(binary).toBe('code [one-time secret] at /sign/[one-time secret]\0');
  expect(long).toBe(`${binary?.slice(0, -1)}${'x'.repeat(20_000)}`);
});

test('a secret of which each sign is a code in JSON stands in none that a report would show as it reads', async ({}, info) => {
  const redactor = new Redactor();
  const recorder = recorderIn(info, undefined, redactor);
  const coded = (text: string) =>
    [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const body = Buffer.from(`{"${coded(token)}": "${coded('402615')}", "is": "a \\u003cb\\u003e" }`);
  const request = { method: 'GET', url: new URL('http://127.0.0.1:9/'), headers: [], body: null };
  const index = recorder.begin({ request, about });
  const outcome = { response: { ...answer, headers: json, body } };
  recorder.add({ index, request, about, outcome, violations: [] });
  redactor.addOneTime('402615', 'one-time secret');
  const [shown] = recorder.settled();
  const read = JSON.parse(shown?.response?.body?.text ?? '');
  expect(read).toEqual({ '[access token]': '[one-time secret]', is: 'a <b>' });
  // Codes that hide nothing stay as they came.
  const other = Buffer.from('{ "is": "\\u003cb" }');
  expect(bodyIn(recorder, json, other)?.text).toBe(String(other));
});

test('of an answer that is withheld size and hash are kept', ({}, info) => {
  const recorder = recorderIn(info);
  const request = { method: 'GET', url: new URL('http://127.0.0.1:9/list'), headers: [], body: null };
  const body = Buffer.from('{"to":"ben@example.com"}');
  recorder.add({ index: 0, request, about, outcome: { response: { ...answer, body } }, violations: [] });
  recorder.withhold(0);
  const text = expect.stringContaining('not kept');
  expect(recorder.settled()[0]?.response?.body).toMatchObject({ size: body.length, text });
  // It is judged as it came.
  expect(recorder.exchanges[0]?.response?.body?.text).toBe(body.toString());
});

test('more large bodies than a run keeps are told by size and hash', ({}, info) => {
  const recorder = recorderIn(info, 77_000);
  const large = (letter: string) => bodyIn(recorder, json, Buffer.from(letter.repeat(20_000)));
  // Bytes count: the first has two for each letter.
  const [first, , third] = [large('é'), large('b'), large('c')];
  expect(large('é')).toEqual(first);
  expect(third).toMatchObject({ size: 20_000, text: expect.stringContaining('not kept') });
  expect(bodyIn(recorder, json, Buffer.from('{}'))?.text).toBe('{}');
  // What does not fit takes no room from what follows.
  bodyIn(recorder, json, Buffer.from('d'.repeat(17_000)));
  expect(readdirSync(info.outputPath('out', 'bodies'))).toHaveLength(3);
});

test('of many messages the first are kept, and what gives one away is not, wherever it stands', ({}, info) => {
  const recorder = recorderIn(info);
  const most = 1024 * 1024;
  const restoreLimits = lowerLimits({ recordCharacters: most });
  const message = {
    line: token.repeat(10),
    headers: [
      ['Content-Type', `text/plain; x=${token}${'y'.repeat(8_000)}`],
      [`X-${token}`, 'a'],
      [`x-${token.toUpperCase()}`, 'a'],
    ] as const,
    body: Buffer.from('\u0001'.repeat(8_000)),
  };
  const all = Array.from({ length: 40 }, () => recorder.heard(message, 'no-documents'));
  restoreLimits();
  const text = JSON.stringify(all);
  expect(text.length).toBeLessThan(most * 1.1);
  expect(text.toLowerCase()).not.toContain(token);
  expect(all[0]?.headers).toHaveLength(3);
  expect(all[0]?.body?.text).toBe(message.body.toString());
  const notKept = { size: 8_000, text: expect.stringContaining('not kept') };
  expect(all.at(-1)).toMatchObject({ headers: [], body: notKept });
});

test('a text in another charset is a text, so that a secret in it is found', ({}, info) => {
  // Some name UTF-16 and send UTF-8.
  for (const encoding of ['utf16le', 'utf8'] as const) {
    const fields = [['content-type', 'text/plain; charset=utf-16le']] as const;
    const body = bodyIn(recorderIn(info), fields, Buffer.from(`says ${token}`, encoding));
    expect(body?.text).toBe('says [access token]');
  }
});

const requests: readonly (readonly [title: string, request: Partial<HttpRequest>])[] = [
  ['a JSON body', { body: Buffer.from('{"Title":"It\'s \\"$HOME\\" `id` \\\\ !"}') }],
  ['a body that begins with @', { body: Buffer.from('@not-a-file') }],
  ['an empty body', { body: Buffer.alloc(0) }],
  ['a body that is no text', { body: Buffer.from([0, 1, 2, 255, 254, 10, 13]) }],
  ['no Content-Type', { headers: [['X-Only', 'this']], body: Buffer.from('{}') }],
  ['a header with quotes', { headers: [['Content-Type', `text/plain; a="a'b"`]], body: Buffer.from('x') }],
  ['HEAD', { method: 'HEAD', headers: [], body: null }],
  ['another method without a body', { method: 'DELETE', headers: [], body: null }],
];

for (const [title, given] of requests) {
  test(`the command line sends it again: ${title}`, async ({}, info) => {
    const arrived: Arrived[] = [];
    const server = await serve((request, response) => {
      arrived.push(request);
      response.end();
    });
    const request: HttpRequest = {
      method: 'POST',
      url: new URL(`${server.baseUrl}/requests/a%2Fb/x?type=0&q=[1]{2}`),
      headers: [...json, ['Authorization', `Bearer ${token}`]],
      body: null,
      ...given,
    };
    const heard = { index: 0, request, about, outcome: { response: answer }, violations: [] };
    const recorder = recorderIn(info);
    const { curl: command } = recorder.shown(recorder.add(heard));
    const cwd = info.outputPath('out');
    mkdirSync(cwd, { recursive: true });
    const env = { PATH: process.env.PATH, TOKEN: token };
    await promisify(execFile)('sh', ['-c', command], { cwd, env });
    await server.close();
    expect(command).not.toContain(token);
    expect(arrived).toHaveLength(1);
    const [{ method, url, headers, body } = arrived[0] as Arrived] = arrived;
    expect({ method, url }).toEqual({ method: request.method, url: '/requests/a%2Fb/x?type=0&q=[1]{2}' });
    expect(body.equals(request.body ?? Buffer.alloc(0))).toBe(true);
    const sent = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
    expect(headers).toMatchObject(sent);
    expect(headers['content-type']).toBe(sent['content-type']);
  });
}

test('the origin of the target is shown as it is, and one that a stranger made of a secret is not', ({}, info) => {
  for (const elsewhere of [false, true]) {
    const recorder = recorderIn(info);
    const url = new URL(`https://${token}.example.com/x`);
    const request = { method: 'GET', url, headers: [], body: null, elsewhere };
    const response = { ...answer, body: Buffer.from(`see ${url}`) };
    const shown = recorder.shown(
      recorder.add({ index: 0, request, about, outcome: { response }, violations: [] }),
    );
    const host = elsewhere ? '[access token].example.com' : url.host;
    expect(shown).toMatchObject({
      request: { url: `https://${host}/x` },
      response: { body: { text: `see https://${host}/x` } },
    });
  }
});

test('of a body with a PDF or an archive in it only size and hash are kept, where documents are not kept', ({}, info) => {
  const recorder = recorderIn(info);
  const signed = '%PDF-1.7 something that somebody signed';
  const files = [signed, `\n${signed}`, `\r\n${signed}`].map((text) => Buffer.from(text));
  files.push(Buffer.from(zipSync({ 'signed.pdf': Buffer.from(signed) })), gzipSync(signed));
  const inJson = files.map((file) => Buffer.from(JSON.stringify({ content: file.toString('base64') })));
  for (const bytes of [...files, ...inJson]) {
    expect(bodyIn(recorder, json, bytes, 'no-documents')).toEqual({
      mediaType: 'application/json',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      text: '(not kept: it carries documents)',
    });
  }
  expect(bodyIn(recorder, json, Buffer.from('{}'), 'no-documents')).toMatchObject({ text: '{}' });
});

test('exchanges are numbered as they were sent, and one that the run did not wait for is on record', ({}, info) => {
  const recorder = recorderIn(info);
  const sent = [1, 2, 3].map((nth) => {
    const url = new URL(`https://api.example.com/${nth}?t=${token}`);
    const request = { method: 'GET', url, headers: [['X-Token', token]] as const, body: null };
    return { request, about, index: recorder.begin({ request, about }) };
  });
  for (const call of [...sent.slice(0, 2)].reverse())
    recorder.add({ ...call, outcome: { response: answer }, violations: [] });
  expect(recorder.exchanges).toHaveLength(3);
  const settled = recorder.settled();
  expect(settled.map(({ index, request }) => `${index} ${request.url}`)).toEqual(
    [1, 2, 3].map((nth) => `${nth - 1} https://api.example.com/${nth}?t=[access token]`),
  );
  expect(settled.map(({ response }) => response?.status)).toEqual([200, 200, undefined]);
  expect(settled[2]?.failure?.message).toBe('the run ended before an answer came');
  expect(JSON.stringify(settled)).not.toContain(token);
});

test('a message says of a web page what stands in its body or title, with characters in the place of references', () => {
  const long = `<style>${'p { color: red } '.repeat(400)}</style>`;
  const coded = '<html><body>It&#39;s&nbsp;&#x201c;closed&#x201D; &amp;lt; &#38;lt; &copy;</body></html>';
  const rows = [
    [`<html><head><title>Sign &amp; in</title>${long}</head><body>Hello`, 'the page "Sign & in"'],
    [`<html><head>${long}<title>Sign in</title></head><body>Hello</body></html>`, 'a page'],
    [coded, 'the page "It\'s “closed” &lt; &lt; &copy;"'],
    ['no page &amp;', 'no page &amp;'],
  ] as const;
  for (const [text, said] of rows) expect(saidIn(text)).toBe(said);
});
