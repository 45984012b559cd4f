/** Whom the checks blame when the first steps of all, an upload and a creation with its token, go wrong. */
import { expect, type TestInfo, test } from '@playwright/test';
import { hasToken } from '../../harness/judging/answers.ts';
import { decideShared } from '../../harness/judging/ask.ts';
import type { Judged } from '../../harness/judging/case.ts';
import { RowContext } from '../../harness/judging/check.ts';
import { unavailable } from '../../harness/judging/unavailable.ts';
import { message, path } from '../../openapi/codes.ts';
import { type Arrived, serve } from './services/loopback.ts';
import { sessionAt } from './services/session.ts';
import { verdictOf } from './services/verdict.ts';

type Reply = readonly [status: number, body: unknown];

/** A session at a service that answers JSON. */
async function at(
  info: TestInfo,
  reply: (request: Arrived) => Reply,
  upload: { encoding: 'auto' } | { encoding: 'raw' },
) {
  const service = await serve((request, response) => {
    const [status, body] = reply(request);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  const session = sessionAt(service.baseUrl, info.outputPath(), { upload, address: { visibleAfterMs: 0 } });
  return { session, close: () => session.close().then(service.close) };
}

const told = (judged: Judged) => verdictOf(Promise.resolve(judged));
const context = () => new RowContext('a row');

const refusedWith200: Reply = [200, { success: false, message: 'field attachment is required' }];

test('a refusal with 200 is no upload without a token where the way of sending was guessed', async ({}, info) => {
  const { session, close } = await at(info, () => refusedWith200, { encoding: 'auto' });
  const answer = await session.shared('document');
  await close();
  expect((await told(hasToken(answer))).message).toMatch(
    /^the upload of a first document .* the profile does not say how/,
  );
});

test('where the profile says how files are sent, an answer without a token is a violation', async ({}, info) => {
  const { session, close } = await at(info, () => refusedWith200, { encoding: 'raw' });
  const answer = await session.shared('document');
  await close();
  expect(await told(hasToken(answer))).toMatchObject({
    verdict: 'failed',
    message: expect.stringMatching(/^expected a document token/),
  });
});

test('a raw body that is refused as PDF is sent as application/octet-stream', async ({}, info) => {
  const reply = ({ headers }: Arrived): Reply =>
    headers['content-type'] === 'application/octet-stream' ? [201, { documentToken: 'T1' }] : [415, {}];
  const { session, close } = await at(info, reply, { encoding: 'raw' });
  const answers = [await session.shared('document'), await session.shared('docx')];
  await close();
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(session.recorder.exchanges.map(({ purpose }) => purpose)).toEqual(['shared', 'shared', 'shared']);
});

test('nobody is blamed for refusing a raw body as long as the profile names no Content-Type', async ({}, info) => {
  const { session, close } = await at(info, () => [415, {}], { encoding: 'raw' });
  const answer = await session.shared('document');
  await close();
  expect(unavailable('document', answer).message).toMatch(/is upload\.encoding: raw of the profile right\?/);
});

test('a PDF that is refused in the way in which a DOCX is taken is refused for itself', async ({}, info) => {
  const reply = ({ headers, body }: Arrived): Reply =>
    headers['content-type']?.startsWith('multipart/') && body.includes('word/document.xml')
      ? [201, { documentToken: 'T1' }]
      : [415, { message: 'not supported' }];
  const { session, close } = await at(info, reply, { encoding: 'auto' });
  const of = { judged: 'document', expected: { is: 'success' }, vouching: 'docx' } as const;
  const { message: words } = await verdictOf(decideShared(session, of, context()));
  expect(words).toMatch(/^expected a 2xx status · received 415/);
  expect((await session.shared('docx')).status).toBe(201);
  await close();
});

for (const refusal of [
  [404, { detail: message.documentNotFound }],
  [404, { detail: 'there is nothing here' }],
] as const) {
  const known = refusal[1].detail === message.documentNotFound;
  test(`a creation is answered with 404 "${refusal[1].detail}"`, async ({}, info) => {
    const reply = ({ url }: Arrived): Reply =>
      url.endsWith(path.upload) ? [200, { documentToken: 'T1' }] : refusal;
    const { session, close } = await at(info, reply, { encoding: 'raw' });
    const expected = { is: 'success' } as const;
    const taken = { judged: 'skeleton', expected, convicts: [404], excuses: ['token-used-up'] } as const;
    const found = [
      await verdictOf(decideShared(session, taken, context())),
      await verdictOf(
        decideShared(session, { judged: 'skeleton', expected, vouching: 'document' }, context()),
      ),
      await verdictOf(
        decideShared(session, { judged: 'stamped', expected, vouching: 'document' }, context()),
      ),
    ].map(({ verdict }) => verdict);
    await close();
    const others = known ? 'could-not-run' : 'failed';
    expect(found).toEqual(['failed', others, others]);
  });
}
