/** Messages are found wherever a service may put them, answers are judged for what the document states, and ids are held against each other. */
import { expect, test } from '@playwright/test';
import type { Judged } from '../../harness/judging/case.ts';
import {
  differ,
  echoesRequestId,
  hasField,
  hasToken,
  isJson,
  says,
  saysExpired,
  tokenIsString,
} from '../../harness/judging/readings.ts';
import { type Issued, IssuedIds } from '../../harness/target/answers/issued-ids.ts';
import type { Answer } from '../../harness/target/call.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import { placesOfText } from '../../harness/untrusted/places-of-text.ts';
import { answerOf, type Short } from './services/answers.ts';

const words = 'Document Token Not Found';

const inHeader = (value: string): Short => ({ status: 404, headers: [['X-Error', value]] });
/** The usual places are those of dialects (`errorShape`). */
const places: readonly (readonly [title: string, answer: Short, place: string | null])[] = [
  ['a list in the body', { status: 404, text: '["x","document token not found."]' }, 'body /*'],
  ['a JSON string', { status: 404, text: '"Document Token Not Found"' }, 'body (a JSON string)'],
  ['a page', { status: 404, text: '<h1>Document\n  Token&nbsp;Not Found</h1>' }, 'body'],
  ['a page with line breaks', { status: 404, text: '<h1>Document\n  Token Not Found</h1>' }, 'body'],
  ['an error code', { status: 404, text: '{"code":"DOCUMENT_TOKEN_NOT_FOUND"}' }, 'body /code'],
  ['a header, encoded', inHeader(encodeURIComponent(words)), 'header X-Error'],
  ['a header that is encoded wrongly', inHeader(`100% ${words}`), 'header X-Error'],
  ['nowhere', { status: 404, text: '{"error":"Not Found"}', reason: 'Not Found' }, null],
  ['half of it', { status: 404, text: 'Document Token' }, null],
];

for (const [title, answer, place] of places) {
  test(`the message is looked for in ${title}`, () => {
    expect(placesOfText(words, answerOf(answer))[0] ?? null).toBe(place);
  });
}

const cutOff = { status: 404, text: 'x'.repeat(limits.errorBytes.most) };
const created = (text: string): Answer => answerOf({ status: 201, text });
const uploaded = (text: string): Answer => answerOf({ status: 201, text }, { upload: true });
const hasId = hasField('requestId');
const saysIt = says(words);
const unauthorized = answerOf({ status: 401, reason: 'Unauthorized' });
const invalid = answerOf({ status: 401, text: '{"error":"Invalid access token"}' });

/** What is plainly right or wrong is shown by faults. */
const judged: readonly (readonly [
  title: string,
  judge: (answer: Answer) => Judged,
  answer: Answer,
  verdict: Judged['verdict'],
])[] = [
  ['204 without a body where JSON is stated', isJson, answerOf(204), 'failed'],
  ['a list', hasId, created('[{"requestId":"a"}]'), 'failed'],
  ['no JSON where an id is asked for', hasId, created('a'), 'could-not-run'],
  ['a message that may stand in what is cut off', saysIt, answerOf(cutOff), 'could-not-run'],
  ['a message before what is cut off', saysIt, answerOf({ ...cutOff, reason: words }), 'passed'],
  ['that a given token is invalid, which may have expired', saysExpired(true), invalid, 'could-not-run'],
  ['that a token is invalid which surely has expired', saysExpired(false), invalid, 'failed'],
  ['other words for a given token', saysExpired(true), unauthorized, 'failed'],
  ['an upload without anything', hasToken, uploaded(''), 'failed'],
  ['an upload whose token may be hidden', hasToken, uploaded('{"a":"T1","b":"T2"}'), 'could-not-run'],
  ['an upload refused with 2xx', hasToken, uploaded('{"error":"Invalid access token"}'), 'could-not-run'],
  ['a number that may be no token', tokenIsString, uploaded('{"fileId":7,"folderKey":8}'), 'could-not-run'],
];

for (const [title, judge, answer, verdict] of judged) {
  test(`judged: ${title}`, () => {
    expect(judge(answer).verdict).toBe(verdict);
  });
}

test('the requestId of the path comes back, however it is spelled in the path', () => {
  const url = 'http://127.0.0.1/base/_apis/sign/api/v2/requests/a%2Fb%20%C3%BC/signatories?x=1';
  const judge = (requestId: string) =>
    echoesRequestId(answerOf({ status: 201, url, text: JSON.stringify({ requestId }) })).verdict;
  expect(judge('a/b ü')).toBe('passed');
  expect(judge('a/b')).toBe('failed');
});

test('a URL that is none any more, since a part of it is hidden, is read all the same', () => {
  const answer = answerOf({
    status: 201,
    url: 'http://127.0.0.1:1/a2/r-1/signatories',
    text: '{"requestId":"r-1"}',
  });
  const request = { ...answer.exchange.request, url: 'http://127.0.0.1:1[one-time secret]/r-1/signatories' };
  const shown = { ...answer, exchange: { ...answer.exchange, request } };
  expect(echoesRequestId(shown).verdict).toBe('passed');
});

test('two ids differ', () => {
  const one = { ...answerOf(201), ids: { requestId: 'a' } };
  const other = { ...answerOf(201), ids: { requestId: 'b' } };
  const none = { ...answerOf(201), ids: {} };
  expect(differ('requestId')(one, other).verdict).toBe('passed');
  expect(differ('requestId')(one, one).verdict).toBe('failed');
  expect(differ('requestId')(one, none).verdict).toBe('could-not-run');
});

let index = 0;

function answer(operation: Issued['operation'], path: string, ids: Issued['ids'], body = `${index}`): Issued {
  const request = {
    method: 'POST',
    url: new URL(`https://esign.example.com${path}`),
    headers: [],
    body: Buffer.from(body),
  };
  return { operation, request, text: JSON.stringify(ids), ids, index: index++ };
}

const creation = (requestId: string, body?: string) =>
  answer('createSkeletonRequest', '/requests', { requestId }, body);
const broken = (ids: IssuedIds, issued: Issued) =>
  ids.take(issued).violations.map(({ requirement }) => requirement);

test('requests of other types may have ids of their own, and deleted ones leave theirs to others', () => {
  const ids = new IssuedIds();
  ids.take(answer('createStampedRequest', '/requests', { requestId: '1' }));
  expect(broken(ids, creation('1'))).toEqual([]);
  ids.forget({ requestId: '1' });
  expect(broken(ids, creation('1'))).toEqual([]);
  expect(broken(ids, creation('1'))).toEqual(['skeleton.request-id-unique']);
});

test('the very same body may count as one call', () => {
  const ids = new IssuedIds();
  ids.take(creation('a', 'the same'));
  expect(broken(ids, creation('a', 'the same'))).toEqual([]);
});

test('a document token stands for one file, whatever the body around it, until it is made invalid', () => {
  const ids = new IssuedIds();
  const upload = (file: string) => ({
    ...answer('uploadDocument', '/document', { documentToken: 't' }),
    file,
  });
  ids.take(upload('one'));
  expect(broken(ids, upload('one'))).toEqual([]);
  expect(broken(ids, upload('another'))).toEqual(['upload.token-identifies']);
  ids.forget({ documentToken: 't' });
  expect(broken(ids, upload('another'))).toEqual([]);
});
