/** Places: one reader leads to a value in JSON, XML, plain text, headers and the query, and says what is no place. */
import { expect, test } from '@playwright/test';
import { attachmentsAt } from '../../harness/callbacks/attachments.ts';
import { decode } from '../../harness/callbacks/decode.ts';
import { patternProblem } from '../../harness/profile/parts.ts';
import { type Place, placeName, readText, scopeOf } from '../../harness/untrusted/place.ts';
import type { HeaderField } from '../../record/exchange.ts';
import { load, minimal } from './services/profiles.ts';

const xml =
  '<?xml version="1.0"?><e:receipt xmlns:e="urn:e"><document id="D&#47; 1">T1</document><state>OPEN</state></e:receipt>';
const headers: readonly HeaderField[] = [['Location', 'https://sign.example.com/requests/R%201?x=1']];

const rows: readonly (readonly [place: Place, text: string, value: string | undefined])[] = [
  ['/data/0/id', '{"data":[{"id":17}]}', '17'],
  ['', '"T1"', 'T1'],
  ['text', ' T1\n', 'T1'],
  ['/receipt/document', xml, 'T1'],
  ['/receipt/document/@id', xml, 'D/ 1'],
  // An element that stands alone is the first of its list.
  ['/receipt/document/0/@id', xml, 'D/ 1'],
  ['/receipt/nothing', xml, undefined],
  ['/html/body', '<html><body>T1</body></html>', undefined],
  ['/a', '<!DOCTYPE a [<!ENTITY b "T1">]><a>&b;</a>', undefined],
  [{ key: '' }, xml, 'receipt'],
  [{ key: '/documents' }, '{"documents":{"T1":{"pages":3},"T2":{}}}', 'T1'],
  [{ key: '/documents' }, '{"documents":[]}', undefined],
  [{ pattern: 'OK (\\d+)' }, 'OK 17 created', '17'],
  [{ pattern: 'OK (\\d+)' }, 'ERROR', undefined],
  [{ header: 'location', pattern: '/requests/([^/?]+)' }, '', 'R 1'],
  [{ pointer: '/href', pattern: '/requests/(.+)$' }, '{"href":"/v2/requests/R%2F1"}', 'R/1'],
  [{ pointer: '/note', pattern: 'id=(.+)$' }, '{"note":"id=R%2F1"}', 'R%2F1'],
  [{ pointer: '/result', pattern: '^id=(\\w+)' }, '{"result":"id=T1;v=2"}', 'T1'],
  [{ pointer: '/payload', pattern: '"id":"(\\w+)"' }, '{"payload":{"id":"T1"}}', 'T1'],
];

for (const [place, text, value] of rows) {
  test(`${placeName(place)} of ${JSON.stringify(text.trim().slice(0, 40))} is ${value ?? 'nothing'}`, () => {
    expect(readText(place, scopeOf({ text, headers }))).toBe(value);
  });
}

/** The event that a body tells of. */
function eventIn(body: string, contentType: string, decoding: object) {
  const message = {
    method: 'POST',
    target: '/callback?kind=3',
    url: 'http://127.0.0.1/callback?kind=3',
    headers: [['Content-Type', contentType]] as const,
    body: Buffer.from(body),
  };
  const settings = { decoding } as Parameters<typeof decode>[1];
  const read = decode(message, settings, { requestIds: ['R1'], signatories: [] });
  return read.readable ? read.events[0] : read.problems;
}

test('an event is told by the name of the root element, by a pattern in plain text, and in the query', () => {
  const codes = { Finished: 3, '3': 3 };
  const wanted = { code: 3, requestId: 'R1' };
  expect(
    eventIn('<n:Finished xmlns:n="urn:n" request="R1"/>', 'text/xml', {
      event: { key: '' },
      requestId: '/Finished/@request',
      codes,
    }),
  ).toMatchObject(wanted);
  const plain = { format: 'text', requestId: { pattern: 'request=(\\w+)' }, codes };
  const text = 'Finished request=R1';
  expect(eventIn(text, 'text/plain', { ...plain, event: { pattern: '^(\\w+)' } })).toMatchObject(wanted);
  expect(eventIn(text, 'text/plain', { ...plain, event: { query: 'kind' } })).toMatchObject(wanted);
});

test('attachments stand in a mapping of names, in elements with attributes, and say why they cannot be read', () => {
  const pdf = Buffer.from('%PDF-1.7').toString('base64');
  const at = (list: Place, tree: unknown, more: object = {}) =>
    attachmentsAt({ as: 'base64', list, ...more }, { item: tree, root: tree });
  const bytes = { content: { kind: 'bytes' } };
  expect(at('/files', { files: { 'a.pdf': pdf, 'b.pdf': pdf } })).toMatchObject([
    { name: 'a.pdf', at: '/files/a.pdf', ...bytes },
    { name: 'b.pdf', ...bytes },
  ]);
  expect(at('/files', { files: { 'a.pdf': { data: pdf } } }, { content: '/data' })).toMatchObject([
    { name: 'a.pdf', ...bytes },
  ]);
  const element = { files: { file: { '@name': 'a.pdf', '#text': pdf } } };
  expect(at('/files/file', element, { name: '/@name' })).toMatchObject([{ name: 'a.pdf', ...bytes }]);
  expect(at('/files', { files: [`${pdf.slice(0, 5)}%`] })).toMatchObject([
    { content: { message: expect.stringContaining('/files/0 is no base64: the character "%" at 5') } },
  ]);
});

test('a pattern has one group', () => {
  for (const fine of ['OK (\\d+)', '([^/]+)$', '<id>(.*?)</id>', '(?:a|b)=(\\S+)', '[']) {
    expect(patternProblem(fine), fine).toBeUndefined();
  }
  expect(patternProblem('OK \\d+')).toContain('no group');
  expect(patternProblem('(a)(b)')).toContain('2 groups');
});

test('a place with @ is no e-mail address', ({}, info) => {
  const text = 'create: { requestId: "/receipt/@id", signatoryId: "/receipt/person/@ref.no" }';
  expect(load(info, `${minimal}${text}\n`)?.profile.create?.requestId).toBe('/receipt/@id');
});
