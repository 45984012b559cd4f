/** Messages are found wherever a service may put them, and answers are judged for what the document states. */
import { expect, test } from '@playwright/test';
import {
  differ,
  echoesRequestId,
  hasField,
  hasToken,
  isJson,
  tokenIsString,
} from '../../harness/judging/answers.ts';
import { placeOfMessage } from '../../harness/judging/message.ts';
import { answerOf, type Short } from './services/answers.ts';

const words = 'Document Token Not Found';

const places: readonly (readonly [title: string, answer: Short, place: string | null])[] = [
  [
    'a field of the body',
    { status: 404, text: '{"error":{"message":"Document Token Not Found"}}' },
    'body /error/message',
  ],
  ['a list in the body', { status: 404, text: '["x","document token not found."]' }, 'body /*'],
  ['a JSON string', { status: 404, text: '"Document Token Not Found"' }, 'body (a JSON string)'],
  ['plain text', { status: 404, text: 'Error: DOCUMENT TOKEN NOT FOUND' }, 'body'],
  ['a page', { status: 404, text: '<h1>Document\n  Token&nbsp;Not Found</h1>' }, 'body'],
  ['a page with line breaks', { status: 404, text: '<h1>Document\n  Token Not Found</h1>' }, 'body'],
  ['an error code', { status: 404, text: '{"code":"DOCUMENT_TOKEN_NOT_FOUND"}' }, 'body /code'],
  ['a header', { status: 404, headers: [['X-Error', words]] }, 'header X-Error'],
  [
    'a header, percent-encoded',
    { status: 404, headers: [['X-Error', encodeURIComponent(words)]] },
    'header X-Error',
  ],
  [
    'a header that is encoded wrongly',
    { status: 404, headers: [['X-Error', `100% ${words}`]] },
    'header X-Error',
  ],
  ['the reason phrase', { status: 404, reason: 'Document token not found' }, 'reason phrase'],
  ['nowhere', { status: 404, text: '{"error":"Not Found"}', reason: 'Not Found' }, null],
  ['half of it', { status: 404, text: 'Document Token' }, null],
];

for (const [title, answer, place] of places) {
  test(`the message is looked for in ${title}`, () => {
    expect(placeOfMessage(answerOf(answer), words)).toBe(place);
  });
}

const names = (work: () => void): string => {
  try {
    work();
    return 'passed';
  } catch (error) {
    return (error as Error).name;
  }
};

const created = (text: string): Short => ({ status: 201, text });

const judged: readonly (readonly [title: string, work: () => void, name: string])[] = [
  ['JSON', () => isJson(answerOf(created('{}'))), 'passed'],
  ['no JSON', () => isJson(answerOf(created('requestId=1'))), 'Violation'],
  ['204 without a body where JSON is stated', () => isJson(answerOf(204)), 'Violation'],
  ['an id', () => hasField('requestId')(answerOf(created('{"requestId":"a/ü"}'))), 'passed'],
  [
    'an id among others',
    () => hasField('requestId')(answerOf(created('{"id":1,"requestId":"a","x":[]}'))),
    'passed',
  ],
  ['an empty id', () => hasField('requestId')(answerOf(created('{"requestId":""}'))), 'Violation'],
  ['an id that is a number', () => hasField('requestId')(answerOf(created('{"requestId":7}'))), 'Violation'],
  ['an id in another case', () => hasField('requestId')(answerOf(created('{"RequestId":"a"}'))), 'Violation'],
  ['a list', () => hasField('requestId')(answerOf(created('[{"requestId":"a"}]'))), 'Violation'],
  ['no JSON where an id is asked for', () => hasField('requestId')(answerOf(created('a'))), 'CouldNotRun'],
  [
    'an upload without a token',
    () => hasToken(answerOf(created('{"status":"ok"}'), { upload: true })),
    'Violation',
  ],
  ['an upload without anything', () => hasToken(answerOf(201, { upload: true })), 'Violation'],
  [
    'an upload whose token may be hidden',
    () => hasToken(answerOf(created('{"a":"T1","b":"T2"}'), { upload: true })),
    'CouldNotRun',
  ],
  [
    'an upload that is refused with 200',
    () => hasToken(answerOf(created('{"error":"Invalid access token"}'), { upload: true })),
    'CouldNotRun',
  ],
  [
    'a token that is a string',
    () => tokenIsString(answerOf(created('{"token":"7"}'), { upload: true })),
    'passed',
  ],
  [
    'a token that is a number',
    () => tokenIsString(answerOf(created('{"token":7}'), { upload: true })),
    'Violation',
  ],
  [
    'a number that may be no token',
    () => tokenIsString(answerOf(created('{"fileId":7,"folderKey":8}'), { upload: true })),
    'CouldNotRun',
  ],
];

for (const [title, work, name] of judged) {
  test(`judged: ${title}`, () => {
    expect(names(work)).toBe(name);
  });
}

test('the requestId of the path comes back, however it is spelled in the path', () => {
  const url = 'http://127.0.0.1/base/_apis/sign/api/v2/requests/a%2Fb%20%C3%BC/signatories?x=1';
  const judge = (requestId: string) =>
    names(() => echoesRequestId(answerOf({ status: 201, url, text: JSON.stringify({ requestId }) })));
  expect(judge('a/b ü')).toBe('passed');
  expect(judge('a/b')).toBe('Violation');
});

test('two ids differ', () => {
  const one = { ...answerOf(201), ids: { requestId: 'a' } };
  const other = { ...answerOf(201), ids: { requestId: 'b' } };
  const none = { ...answerOf(201), ids: {} };
  expect(names(() => differ('requestId')(one, other))).toBe('passed');
  expect(names(() => differ('requestId')(one, one))).toBe('Violation');
  expect(names(() => differ('requestId')(one, none))).toBe('CouldNotRun');
});
