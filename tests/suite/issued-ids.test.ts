/** The ids of a run held against each other: given twice, or of another request than the one in the path. */
import { expect, test } from '@playwright/test';
import { type Issued, IssuedIds } from '../../harness/target/answers/issued-ids.ts';

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
const addition = (asked: string, requestId: string, signatoryId: string) =>
  answer('addSignatory', `/requests/${encodeURIComponent(asked)}/signatories`, { requestId, signatoryId });

const broken = (ids: IssuedIds, issued: Issued) =>
  ids.take(issued).violations.map(({ requirement }) => requirement);

test('an id of a request that was given before breaks the contract, and counts as none', () => {
  const ids = new IssuedIds();
  expect(broken(ids, creation('a'))).toEqual([]);
  expect(broken(ids, creation('b'))).toEqual([]);
  expect(ids.repeats).toBe(false);
  const again = ids.take(creation('a'));
  expect(again.violations.map(({ requirement }) => requirement)).toEqual(['skeleton.request-id-unique']);
  expect(again.ids).toEqual({});
  expect(ids.repeats).toBe(true);
});

test('requests of other types may have ids of their own, and deleted ones leave theirs to others', () => {
  const ids = new IssuedIds();
  ids.take(answer('createStampedRequest', '/requests', { requestId: '1' }));
  expect(broken(ids, creation('1'))).toEqual([]);
  ids.forget('1');
  expect(broken(ids, creation('1'))).toEqual([]);
  expect(broken(ids, creation('1'))).toEqual(['skeleton.request-id-unique']);
});

test('the very same body may count as one call', () => {
  const ids = new IssuedIds();
  ids.take(creation('a', 'the same'));
  expect(broken(ids, creation('a', 'the same'))).toEqual([]);
});

test('a signatory has an id of their own among those of the request', () => {
  const ids = new IssuedIds();
  expect(broken(ids, addition('a', 'a', 's'))).toEqual([]);
  expect(broken(ids, addition('b', 'b', 's'))).toEqual([]);
  const again = ids.take(addition('a', 'a', 's'));
  expect(again.violations.map(({ requirement }) => requirement)).toEqual(['signatory.signatory-id-unique']);
  // Who has it before is known by it all the same.
  expect(again.ids.signatoryId).toBe('s');
});

test('every answer carries the id in its path', () => {
  const ids = new IssuedIds();
  expect(broken(ids, addition('r/1 é', 'r/1 é', 's'))).toEqual([]);
  expect(broken(ids, addition('r/1 é', 'R/1 é', 't'))).toEqual(['signatory.request-id-echoed']);
});
