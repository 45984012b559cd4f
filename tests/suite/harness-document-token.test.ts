/** The document token is found in answers of many shapes, and nothing else is taken for one. */
import { expect, test } from '@playwright/test';
import { findDocumentToken, isNamedLikeToken } from '../../harness/target/answers/document-token.ts';
import type { Place } from '../../harness/untrusted/place.ts';
import type { HeaderField } from '../../record/exchange.ts';

const jsonType: HeaderField[] = [['Content-Type', 'application/json; charset=utf-8']];
const textType: HeaderField[] = [['Content-Type', 'text/plain']];
const pointer = (path: string): Place => ({ pointer: path });

/** Answers in JSON, and where their token stands. */
const found: readonly (readonly [title: string, text: string, pointer: string])[] = [
  ['document_token beside an id', '{"id":"9","document_token":"T1"}', '/document_token'],
  ['a list in an envelope', '{"data":[{"DocumentToken":"T1"}]}', '/data/0/DocumentToken'],
  ['a string before a number', '{"documentId":17,"handle":"T1"}', '/handle'],
  ['an id beside a request id', '{"requestId":"trace-7","id":"T1"}', '/id'],
  ['id beside the name of the file', '{"fileName":"a.pdf","id":"T1"}', '/id'],
  ['result beside a code and a message', '{"code":"0","message":"fine","result":"T1"}', '/result'],
  ['a list of one string', '["T1"]', '/0'],
  ['the one string of an object', '{"doc":"T1"}', '/doc'],
  ['a name with a slash in it', '{"a/b~c":{"token":"T1"}}', '/a~1b~0c/token'],
  ['a bare JSON string', '"T1"', ''],
  ['JSON in a JSON string', String.raw`"{\"documentToken\":\"T1\"}"`, '/documentToken'],
];

for (const [title, text, place] of found) {
  test(`found: ${title}`, () => {
    expect(findDocumentToken('auto', jsonType, text)).toMatchObject({ token: 'T1', place: pointer(place) });
  });
}

test('JSON in the text of an element is no token, and the only text of an unknown name is in doubt', () => {
  const html: HeaderField[] = [['Content-Type', 'text/html']];
  const inPage = findDocumentToken('auto', html, '<textarea>{"ok":1,"doc":{"token":"T1"}}</textarea>');
  // It may stand in that JSON, where nobody has to look for it.
  expect(inPage).toMatchObject({ missing: expect.stringContaining('/textarea'), hidden: true });
  expect(findDocumentToken('auto', jsonType, '{"blob":"T1"}')).toMatchObject({
    token: 'T1',
    doubt: expect.stringContaining('upload.token'),
  });
});

const formType: HeaderField[] = [['Content-Type', 'application/x-www-form-urlencoded']];

test('plain text is a token, and a header is one where the body tells of none', () => {
  const header: HeaderField = ['X-Document-Token', 'T1'];
  const beside = '{"requestId":"trace-7","status":"ok"}';
  for (const [headers, text, place] of [
    [textType, 'T1', 'text'],
    [textType, ' T1\r\n', 'text'],
    [[header], '', { header: 'X-Document-Token' }],
    // The end of an address, decoded.
    [[['Location', '/documents/T%31']], '', { header: 'Location', pattern: '([^/?#]+)/?$' }],
    [[...jsonType, header], beside, { header: 'X-Document-Token' }],
    [formType, 'documentToken=T%31&status=ok', pointer('/documentToken')],
    [formType, ' {"documentToken":"T1"}', pointer('/documentToken')],
  ] as const) {
    expect(findDocumentToken('auto', headers, text)).toMatchObject({ token: 'T1', place });
  }
});

test('a token behind words in plain text is found by a pattern that fits other answers', () => {
  const place = { pattern: 'OK (\\S+)' };
  const doubt = expect.stringContaining('upload.token');
  expect(findDocumentToken('auto', textType, 'OK D-17c4e0f2\n')).toMatchObject({ place, doubt });
  expect(findDocumentToken(place, textType, 'OK D-99c4e0f2')).toEqual({ token: 'D-99c4e0f2', place });
  for (const text of ['Stored at 10:42 as D-17c4e0f2', 'See https://a.example/17'])
    expect(findDocumentToken('auto', textType, text)).toHaveProperty('missing');
});

test('below the name of the file it is found by a pattern, since another file has another name', () => {
  for (const [text, next] of [
    ['{"files":{"a 1.pdf":{"token":"T1","pages":1}}}', '{"files":{"b.docx":{"token":"T2","pages":2}}}'],
    ['{"files":[{"a.pdf": "T1"}]}', '{"files":[{"b.doc": "T2"}]}'],
  ] as const) {
    const first = findDocumentToken('auto', jsonType, text);
    const place = 'place' in first ? first.place : 'auto';
    expect(first).toMatchObject({ token: 'T1', place: { pattern: expect.any(String) } });
    expect(findDocumentToken(place, jsonType, next)).toMatchObject({ token: 'T2' });
  }
  const other = '{"files":{"b.pdf":{"token":"T2"}}}';
  const missing = { missing: expect.stringContaining('upload.token: { pattern: ') };
  expect(findDocumentToken(pointer('/files/a.pdf/token'), jsonType, other)).toMatchObject(missing);
});

test('what is called a document token may be written in any way', () => {
  const inLines = 'VDE=\nVDI=\r\n';
  const long = 'T1'.repeat(20_000);
  for (const token of ['Größe✍️1', 'a b+c?d#e', 'https://files.example/7', 'contract.pdf', inLines, long]) {
    const text = JSON.stringify({ documentToken: token });
    for (const place of ['auto', pointer('/documentToken')] as const) {
      expect(findDocumentToken(place, jsonType, text)).toMatchObject({ token });
    }
  }
  for (const token of ['Invalid access token', ' ', 'error', 'INVALID_TOKEN']) {
    const text = JSON.stringify({ documentToken: token });
    expect(findDocumentToken('auto', jsonType, text)).toHaveProperty('missing');
  }
});

test('a guess among several is told as such', () => {
  for (const text of ['{"fileId":"a1","folderRef":"b2"}', '{"resumeToken":"a1","id":"b2"}']) {
    const told = { doubt: expect.stringContaining('by guess') };
    expect([text, findDocumentToken('auto', jsonType, text)]).toMatchObject([text, told]);
  }
});

test('what is found in a place with the name of no token is a guess in each answer', () => {
  for (const [place, isNamed] of [
    [pointer('/lot'), false],
    [{ pattern: 'OK (\\S+)' }, false],
    [pointer('/data/0/id'), true],
    [{ header: 'X-Document-Token' }, true],
  ] as const) {
    expect([place, isNamedLikeToken(place)]).toEqual([place, isNamed]);
  }
});

test('a token of another kind is not taken for that of a document', () => {
  for (const name of ['csrfToken', 'XSRF-TOKEN', 'access_token', '__RequestVerificationToken']) {
    for (const own of ['token', 'id']) {
      const text = JSON.stringify({ [name]: 'a1', [own]: 'b2' });
      expect(findDocumentToken('auto', jsonType, text)).toMatchObject({ token: 'b2' });
    }
  }
});

test('a document token that says so is no guess', () => {
  const answer = findDocumentToken('auto', jsonType, '{"documentToken":"T1","id":"7","accessToken":"x"}');
  expect(answer).toEqual({ token: 'T1', place: pointer('/documentToken') });
});

test('a number where nothing else can be the token is one of the wrong type', () => {
  const wrongType = 'number';
  const found = { wrongType, value: '17', place: pointer('/documentId') };
  expect(findDocumentToken('auto', jsonType, '{"documentId":17}')).toEqual(found);
  expect(findDocumentToken('auto', jsonType, '17')).toMatchObject({ wrongType });
});

test('a number where the profile says is doubted beside a text with a better name, or with one as bad', () => {
  const doubtAt = (at: string) =>
    findDocumentToken(pointer(at), jsonType, '{"id":7,"documentToken":17,"token":"T1"}');
  expect(doubtAt('/id')).toMatchObject({ wrongType: 'number', doubt: expect.stringContaining('/token') });
  expect(doubtAt('/documentToken')).not.toHaveProperty('doubt');
  const unnamed = (text: string) => findDocumentToken(pointer('/no'), jsonType, text);
  expect(unnamed('{"no":7,"lot":"T1"}')).toMatchObject({ doubt: expect.stringContaining('/lot') });
  expect(unnamed('{"no":7}')).not.toHaveProperty('doubt');
});

const missing: readonly (readonly [
  title: string,
  headers: readonly HeaderField[],
  text: string,
  hidden: boolean,
])[] = [
  ['an error with a code', jsonType, '{"code":"INVALID_TOKEN","message":"not you"}', false],
  ['a status', jsonType, '{"status":"success"}', false],
  ['null', jsonType, 'null', false],
  ['nothing at all', [], '', false],
  ['only what every server sends', [['ETag', '"a1"']], '', false],
  ['a word about what was done', textType, 'initiated', true],
  ['a sentence', textType, 'Your file has arrived.', true],
  ['a page', [['Content-Type', 'text/html']], '<html><body>Hello</body></html>', true],
  ['a message of one word', jsonType, '{"message":"no"}', true],
  ['strings whose names say nothing', jsonType, '{"a":"T1","b":"T2"}', true],
  ['one longer than any token', jsonType, JSON.stringify({ documentToken: 'T1'.repeat(40_000) }), true],
];

for (const [title, headers, text, hidden] of missing) {
  test(`not found: ${title}`, () => {
    expect(findDocumentToken('auto', headers, text)).toEqual({
      missing: expect.any(String),
      place: 'auto',
      hidden,
    });
  });
}

test('a token that is named so may look like a file, where the profile looks elsewhere for it', () => {
  const text = '{"data":{"name":"a.pdf","token":"8644.pdf"}}';
  expect(findDocumentToken('text', jsonType, text)).toMatchObject({ hidden: true });
  expect(findDocumentToken('text', jsonType, text.replace('token', 'file'))).toMatchObject({ hidden: false });
});

test('an error in the place of the token is no token', () => {
  const place = pointer('/data');
  for (const [at, headers, text, missing] of [
    [place, jsonType, '{"data":"Invalid access token"}', expect.any(String)],
    [place, jsonType, 'Unauthorized', 'no token stands at /data of the answer'],
    ['text', textType, 'Access token is expired', expect.any(String)],
  ] as const) {
    expect([text, findDocumentToken(at, headers, text)]).toMatchObject([text, { missing }]);
  }
});

test('a place of the profile is in doubt where it is named like a remark, or another one like a token', () => {
  const text = '{"data":{"file_token":"DOC/1","pages":"12"},"message":"ok 1"}';
  const inDoubt = { doubt: expect.stringContaining('upload.token') };
  expect(findDocumentToken('/data/pages', jsonType, text)).toMatchObject({ token: '12', ...inDoubt });
  expect(findDocumentToken('/status', jsonType, '{"status":"s1"}')).toMatchObject(inDoubt);
  expect(findDocumentToken('/message', jsonType, text)).toHaveProperty('missing');
  expect(findDocumentToken('/data/file_token', jsonType, text)).not.toHaveProperty('doubt');
  expect(findDocumentToken({ key: '' }, jsonType, text)).toMatchObject(inDoubt);
  expect(findDocumentToken({ key: '' }, jsonType, '{"d-17":{"size":4}}')).not.toHaveProperty('doubt');
  expect(findDocumentToken('/handle', jsonType, '{"handle":"h1","id":"2"}')).not.toHaveProperty('doubt');
  expect(findDocumentToken('/kind', jsonType, '{"kind":"paper","ref":"doc:02"}')).toMatchObject(inDoubt);
  // A pattern may match something else, or too little.
  const named = '{"documentToken":"v\\u00f6-7","pages":"12"}';
  for (const [pattern, doubtful] of [
    ['"(\\w+)"', true],
    ['documentToken":"(\\w+)', true],
    ['documentToken":"([^"]+)"', false],
  ] as const) {
    const found = findDocumentToken({ pattern }, textType, `OK ${named}`);
    expect([pattern, 'doubt' in found]).toEqual([pattern, doubtful]);
    expect(findDocumentToken({ pattern }, jsonType, named)).toMatchObject(inDoubt);
  }
});
