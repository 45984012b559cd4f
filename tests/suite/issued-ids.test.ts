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
const broken = (ids: IssuedIds, issued: Issued) =>
  ids.take(issued).violations.map(({ requirement }) => requirement);

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
