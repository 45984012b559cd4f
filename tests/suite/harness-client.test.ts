/** The client: what it sends, what it sends again, and what it records. Offline, with nock. */
import { expect, test } from '@playwright/test';
import nock from 'nock';
import { without } from '../../generators/bodies/edit.ts';
import type { Call } from '../../harness/target/call.ts';
import { clientIn, create, created, creation, host, offline, validBody } from './services/client.ts';
import { withClock } from './services/clock.ts';

offline(test);

test('a status that the profile takes for a refusal is no trouble', async ({}, info) => {
  nock(host).post('/base/sign').reply(503, '', { 'Retry-After': '3600' }).post(creation).reply(200, created);
  const client = clientIn(info);
  const { exchange, status } = await client.template(
    'sign',
    { method: 'POST', url: '/sign', refuse: [503] },
    {},
  );
  expect([status, exchange.retries]).toEqual([503, []]);
  // Nor does it ask to be left alone.
  expect((await client.call(create)).status).toBe(200);
});

test('an act in conflict is tried once, whatever the answer advises: another try may count', async ({}, info) => {
  nock(host).post('/base/sign').times(2).reply(409, 'Wrong code. Please try again.', { 'Retry-After': '1' });
  const { exchange, status } = await clientIn(info).template('sign', { method: 'POST', url: '/sign' }, {});
  expect([status, exchange.retries]).toEqual([409, []]);
  expect(nock.pendingMocks()).toHaveLength(1);
  nock.cleanAll();
});

test('an act that is locked is tried once, and a creation that is locked holds back no other call', async ({}, info) => {
  nock(host)
    .post('/base/sign')
    .reply(423, 'not your turn')
    .post(creation)
    .reply(423, '', { 'Retry-After': '1' });
  nock(host).post(creation).times(2).reply(200, created);
  const client = clientIn(info);
  const { exchange, status } = await client.template('sign', { method: 'POST', url: '/sign' }, {});
  expect([status, exchange.retries]).toEqual([423, []]);
  const ended: string[] = [];
  const locked = client.call(create).then(() => ended.push('locked'));
  await expect.poll(() => nock.pendingMocks().length).toBe(1);
  await client.call(create).then(() => ended.push('other'));
  await locked;
  expect(ended).toEqual(['other', 'locked']);
});

test('an id made a moment ago is asked for again within the grace, and no longer', async ({}, info) => {
  await withClock(async (advance) => {
    nock(host).post(creation).times(2).reply(404, 'unknown').post(creation).reply(200, created);
    const patient = await clientIn(info).call({ ...create, freshIds: true });
    expect(patient.status).toBe(200);
    expect(patient.exchange.retries).toEqual([
      '404 for an id made a moment ago: asked again after 100 ms',
      '404 for an id made a moment ago: asked again after 200 ms',
    ]);
    nock(host).post(creation).reply(404, 'unknown');
    expect((await clientIn(info).call(create)).exchange.retries).toEqual([]);
    // The words of the document show that the operation is there.
    nock(host)
      .post(creation)
      .times(4)
      .reply(404, '"DOCUMENT_TOKEN_NOT_FOUND"')
      .post(creation)
      .reply(200, created);
    const told = clientIn(info, { address: { visibleAfterMs: 500 } });
    expect((await told.call({ ...create, freshIds: true })).exchange.retries).toHaveLength(4);
    never(advance, 100);
    const hasty = clientIn(info, { address: { visibleAfterMs: 120 } });
    const { status, exchange } = await hasty.call({ ...create, freshIds: true });
    expect(status).toBe(404);
    expect(exchange.retries).toEqual(['404 for an id made a moment ago: asked again after 20 ms']);
  });
});

/** A service that takes its time for each answer, and never knows the id. */
const never = (advance: (ms: number) => void, ms: number) =>
  nock(host)
    .persist()
    .post(creation)
    .reply(() => {
      advance(ms);
      return [404, 'never'];
    });

test('nobody waits twice in vain for an operation that has never worked, nor for an id that is old', async ({}, info) => {
  await withClock(async (advance) => {
    const client = clientIn(info, { address: { visibleAfterMs: 500 } });
    const waits = async () => (await client.call({ ...create, freshIds: true })).exchange.retries.length;
    never(advance, 300);
    expect([await waits(), await waits()]).toEqual([1, 0]);
    nock.cleanAll();
    nock(host).post(creation).reply(200, created);
    await waits();
    nock(host).post(creation).reply(404, 'unknown').post(creation).reply(200, created);
    expect(await waits()).toBe(1);
    nock(host)
      .post(/document$/)
      .times(2)
      .reply(200, { documentToken: 'd-1' });
    const file = { name: 'a.pdf', mediaType: 'application/pdf', base64: '' };
    const upload = () => client.call({ operation: 'uploadDocument', purpose: 'shared', body: { file } });
    await upload();
    advance(501);
    // That it is given once more makes it no younger.
    await upload();
    nock(host).post(creation).reply(404, 'gone');
    expect(await waits()).toBe(0);
  });
});

test('what was ended a moment ago may still work within the grace, and each success is on record', async ({}, info) => {
  const client = clientIn(info, { address: { visibleAfterMs: 60_000 } });
  nock(host).post(creation).times(2).reply(200, created).post(creation).reply(404, 'gone');
  const { exchange, status } = await client.call({ ...create, deliberate: true, endedIds: true });
  expect(status).toBe(404);
  expect(exchange.retries).toEqual([
    '200 for what was ended a moment ago: asked again after 100 ms',
    '200 for what was ended a moment ago: asked again after 200 ms',
  ]);
  expect(client.recorder.created).toHaveLength(2);
  nock(host).post(creation).reply(200, created);
  expect((await client.call({ ...create, deliberate: true })).exchange.retries).toEqual([]);
});

test('each time that what was ended still works takes one of the signature requests that a run may create', async ({}, info) => {
  const client = clientIn(info, { limits: { requests: 2 } });
  nock(host).persist().post(creation).reply(200, created);
  const call = client.call({ ...create, deliberate: true, endedIds: true });
  await expect(call).rejects.toThrow('the run may create 2 signature requests (limits.requests), and has');
  expect(client.recorder.created).toHaveLength(2);
});

test('an answer is held to the contract only where the call was a sound one', async ({}, info) => {
  const client = clientIn(info);
  const violated = async (call: Partial<Call>) => {
    nock(host).post(creation).reply(200, { id: 7 });
    const { exchange } = await client.call({ ...create, ...call });
    return exchange.violations.map(({ requirement }) => requirement);
  };
  expect(await violated({})).toEqual(['skeleton.request-id']);
  expect(await violated({ purpose: 'cross-check' })).toEqual(['skeleton.request-id']);
  expect(await violated({ purpose: 'observation' })).toEqual([]);
  expect(await violated({ deliberate: true })).toEqual([]);
  expect(await violated({ authorization: 'absent' })).toEqual([]);
});

test('a body of ours that breaks the contract is an error of the suite', async ({}, info) => {
  await expect(
    clientIn(info).call({ ...create, body: { json: without(validBody, '/Title') } }),
  ).rejects.toThrow(/the suite would send a body that its own contract does not allow: \/Title is missing/);
});

const odd: readonly (readonly [title: string, type: string, body: Buffer])[] = [
  ['a byte order mark', 'application/json', Buffer.from('\uFEFF{"requestId":"r-1"}')],
  ['UTF-16', 'application/json; charset=utf-16le', Buffer.from('{"requestId":"r-1"}', 'utf16le')],
  ['UTF-16 with a byte order mark', 'application/json', Buffer.from('\uFEFF{"requestId":"r-1"}', 'utf16le')],
  ['a charset that nobody knows', 'application/json; charset=none', Buffer.from('{"requestId":"r-1"}')],
];

for (const [title, type, body] of odd) {
  test(`JSON is read in spite of ${title}`, async ({}, info) => {
    nock(host).post(creation).reply(200, body, { 'Content-Type': type });
    const answer = await clientIn(info).call(create);
    expect(answer.ids).toEqual(created);
    expect(answer.exchange.violations).toEqual([]);
  });
}
