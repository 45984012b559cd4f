/** The client: what goes over the wire, in which form, what is sent again, and what is recorded. Offline, with nock. */
import { expect, type TestInfo, test } from '@playwright/test';
import nock from 'nock';
import { without } from '../../generators/bodies/edit.ts';
import { minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { mediaType } from '../../generators/documents/document.ts';
import { person } from '../../generators/people.ts';
import { deafListener, ListenerError } from '../../harness/callbacks/listener.ts';
import { openFlows } from '../../harness/flows/open-flows.ts';
import type { RunFacts } from '../../harness/judging/session.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { Budget } from '../../harness/target/budgets/calls.ts';
import type { Call } from '../../harness/target/call.ts';
import type { Client } from '../../harness/target/client.ts';
import { templateDraft } from '../../harness/target/outgoing.ts';
import { otpType } from '../../openapi/codes.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { Stages } from '../../record/stages.ts';
import { clientIn, create, created, creation, host, offline, validBody } from './services/client.ts';
import { withClock } from './services/clock.ts';
import { lowerLimits } from './services/lower-limits.ts';

offline(test);

const someone = person(1, { run: 'run', seed: 1 });
const addition = '/base/_apis/sign/api/v2/requests/r-1/signatories';
const add = {
  operation: 'addSignatory',
  purpose: 'judged',
  requestId: 'r-1',
  body: { json: minimalSignatory({ person: someone }) },
} as const;

test('a status that the profile takes for a refusal is no trouble', async ({}, info) => {
  nock(host).post('/base/sign').reply(503, '', { 'Retry-After': '3600' }).post(creation).reply(200, created);
  const client = clientIn(info);
  const sign = { method: 'POST', url: '/sign', refuse: [503] };
  const { exchange, status } = await client.template('sign', sign, {});
  expect([status, exchange.retries]).toEqual([503, []]);
  // Nor does it ask to be left alone.
  expect((await client.call(create)).status).toBe(200);
});

test('an act in conflict, or one that is locked, is tried once, whatever the answer advises: another try may count', async ({}, info) => {
  for (const refusal of [409, 423]) {
    const said = [refusal, 'Wrong code. Please try again.', { 'Retry-After': '1' }] as const;
    nock(host)
      .post('/base/sign')
      .times(2)
      .reply(...said);
    const { exchange, status } = await clientIn(info).template('sign', { method: 'POST', url: '/sign' }, {});
    expect([status, exchange.retries]).toEqual([refusal, []]);
    expect(nock.pendingMocks()).toHaveLength(1);
    nock.cleanAll();
  }
});

test('an addition that is locked holds back no other call', async ({}, info) => {
  nock(host).post(addition).reply(423, '', { 'Retry-After': '1' }).post(addition).reply(200, created);
  nock(host).post(creation).reply(200, created);
  const client = clientIn(info);
  const ended: string[] = [];
  const locked = client.call(add).then(() => ended.push('locked'));
  await expect.poll(() => nock.pendingMocks().length).toBe(2);
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
    const unknown = nock(host).post(creation).times(4).reply(404, '"DOCUMENT_TOKEN_NOT_FOUND"');
    unknown.post(creation).reply(200, created);
    const told = clientIn(info, { address: { visibleAfterMs: 500 } });
    expect((await told.call({ ...create, freshIds: true })).exchange.retries).toHaveLength(4);
    never(advance, 100);
    const hasty = clientIn(info, { address: { visibleAfterMs: 120 } });
    const { status, exchange } = await hasty.call({ ...create, freshIds: true });
    expect(status).toBe(404);
    expect(exchange.retries).toEqual(['404 for an id made a moment ago: asked again after 20 ms']);
  });
});

test('a document that is still looked at is waited for, whatever status says so', async ({}, info) => {
  const file = { name: 'a.pdf', mediaType: 'application/pdf', base64: '' };
  const client = clientIn(info);
  nock(host)
    .post(/document$/)
    .reply(200, { documentToken: 'd-1' });
  await client.call({ operation: 'uploadDocument', purpose: 'shared', body: { file } });
  const body = { json: minimalRequest({ title: 'A title', documents: ['d-1'] }) };
  const pending = nock(host).post(creation).times(4).reply(422, 'The file is still being processed');
  pending.post(creation).reply(200, created);
  const { exchange } = await client.call({ ...create, body, freshIds: true });
  // The first three are for a call that names nothing new, too.
  const reasons = ['not-taken', 'not-taken', 'not-taken', 'early'];
  expect(exchange.attempts?.map(({ because }) => because)).toEqual(reasons);
  nock(host).post(creation).reply(422, 'Title is still missing');
  expect((await client.call({ ...create, body, freshIds: true })).status).toBe(422);
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
  const call = clientIn(info).call({ ...create, body: { json: without(validBody, '/Title') } });
  await expect(call).rejects.toThrow(/a body that its own contract does not allow: \/Title is missing/);
});

const odd: readonly (readonly [title: string, type: string, body: Buffer])[] = [
  ['a byte order mark', 'application/json', Buffer.from('\uFEFF{"requestId":"r-1"}')],
  ['UTF-16', 'application/json; charset=utf-16le', Buffer.from('{"requestId":"r-1"}', 'utf16le')],
  ['UTF-16 with a byte order mark', 'application/json', Buffer.from('\uFEFF{"requestId":"r-1"}', 'utf16le')],
  ['UTF-16 that it only names', 'application/json; charset=utf-16', Buffer.from('{"requestId":"r-1"} ')],
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

test('a call of the profile fills its variables in, each encoded for its place', async ({}, info) => {
  nock(host, { reqheaders: { authorization: 'Bearer the-access-token', 'x-who': 'a b@example.com' } })
    .put('/base/requests/a%2Fb/a%20b%40example.com?q=1', { note: 'for a b@example.com', kept: '{other}' })
    .reply(200, { ok: true });
  const body = { note: 'for {email}', kept: '{other}' };
  const url = '/requests/{requestId}/{email}?q=1';
  const template = { method: 'PUT', url, headers: { 'X-Who': '{email}' }, body };
  const variables = { requestId: 'a/b', email: 'a b@example.com' };
  const answer = await clientIn(info).template('send', template, variables);
  expect(answer.exchange).toMatchObject({ operation: null, template: 'send', purpose: 'template' });
  expect(answer.status).toBe(200);
});

test('a path behind a link goes before the query of the link', () => {
  const called = (url: string, link: string) =>
    String(templateDraft('view', { method: 'GET', url }, { link, documentIndex: '1' }, host).url);
  const token = `${host}/sign?t=a%2Fb`;
  expect(called('{link}', token)).toBe(token);
  expect(called('{link}&page=2', token)).toBe(`${token}&page=2`);
  expect(called('{link}/documents/{documentIndex}', token)).toBe(`${host}/sign/documents/1?t=a%2Fb`);
  expect(called('{link}/document?no={documentIndex}', token)).toBe(`${host}/sign/document?no=1&t=a%2Fb`);
  expect(called('{link}/document', `${host}/sign/a`)).toBe(`${host}/sign/a/document`);
});

test('the access token goes to the target alone, unless the profile says otherwise', async ({}, info) => {
  const elsewhere = 'https://mail.example.net';
  const client = clientIn(info, { address: { headers: { 'X-Tenant': '7' } } });
  nock(elsewhere, { badheaders: ['authorization', 'x-tenant'] })
    .get('/messages')
    .reply(200);
  nock(elsewhere, { reqheaders: { authorization: 'Bearer the-access-token' } })
    .get('/mine')
    .reply(200);
  nock(host, { badheaders: ['authorization'] })
    .get('/base/open')
    .reply(200);
  const get = (url: string, authorize?: boolean) =>
    client.template('view', { method: 'GET', url, ...(authorize === undefined ? {} : { authorize }) }, {});
  expect((await get(`${elsewhere}/messages`)).status).toBe(200);
  expect((await get(`${elsewhere}/mine`, true)).status).toBe(200);
  expect((await get('/open', false)).status).toBe(200);
});

const elsewhere = 'https://files.example.net';
for (const [what, url, variables, path] of [
  ['an answer names the document', '{document}', { document: `${elsewhere}/a.pdf` }, '/a.pdf'],
  ['a mail names the page', '{link}/documents/0', { link: `${elsewhere}/s/1` }, '/s/1/documents/0'],
  ['an answer names the host', 'https://{host}/a.pdf', { host: 'files.example.net' }, '/a.pdf'],
  ['an answer names the port', 'https://files.example.net:{port}/a.pdf', { port: '443' }, '/a.pdf'],
] as const) {
  test(`no secret of the profile leaves the target where ${what}`, async ({}, info) => {
    const badheaders = ['authorization', 'x-key', 'cookie'];
    nock(elsewhere, { reqheaders: { accept: 'application/pdf' }, badheaders })
      .get(path)
      .reply(302, '', { location: `${host}/base/` });
    const headers = { Accept: 'application/pdf', 'X-Key': 'k-1', Cookie: 'a=1', Authorization: 'Basic YTpi' };
    const template = { method: 'GET', url, headers, authorize: true };
    expect((await clientIn(info).template('download', template, variables)).status).toBe(302);
  });
}

test('a file that is refused is sent in the other ways once: a PDF is found in any body', async ({}, info) => {
  const isRaw = (body: unknown) => !String(body).includes('form-data');
  nock(host)
    .persist()
    .post(/document$/)
    .reply((_, body) => (isRaw(body) ? [200, { documentToken: `d-${Math.random()}` }] : [415, 'which?']));
  const upload = (client: Client, type: string) => {
    const file = { name: 'a', mediaType: type, base64: Buffer.from('a file').toString('base64') };
    return client.call({ operation: 'uploadDocument', purpose: 'judged', body: { file } });
  };
  const client = clientIn(info);
  const answer = await upload(client, mediaType.docx);
  expect([answer.status, answer.tried?.length]).toEqual([200, 1]);
  expect((await upload(client, mediaType.doc)).tried).toBeUndefined();
  // Where the profile says another way, it may be wrong.
  const told = await upload(clientIn(info, { upload: { field: 'file' } }), mediaType.docx);
  expect([told.status, told.guess]).toEqual([415, expect.stringContaining('the file as raw body')]);
});

test('each call has an idempotency key of its own, since the same one gets the first answer again', () => {
  const template = { method: 'POST', url: '/act', headers: { 'Idempotency-Key': 'sign {signatoryId}' } };
  const draft = () => templateDraft('sign', template, { signatoryId: 'S1' }, host);
  const keys = [1, 2].map(() => draft().headers.find(([name]) => /key/i.test(name))?.[1]);
  expect(new Set(keys).size).toBe(2);
});

test('after an interrupt a replay asks its recording for nothing', async ({}, info) => {
  const budget = new Budget({ inFlight: 1 });
  const play = () => Promise.reject(new Error('played'));
  const client = clientIn(info, {}, { budget, tape: { keep: () => {}, lost: new Set(), play } });
  const look = () => client.template('outbox.email.list', { method: 'GET', url: '/list' }, {});
  await expect(look()).rejects.toThrow('played');
  budget.giveUp('the run was interrupted');
  expect((await look()).exchange.failure?.code).toBe('NOT_SENT');
});

/** The flows of a client whose calls of the profile are answered by `template`. */
function flowsOf(info: TestInfo, template: Client['template']) {
  const client = Object.assign(clientIn(info), { template });
  const profile: Profile = { address: { baseUrl: host }, auth: { kind: 'static', token: 'x' } };
  return openFlows({
    ...{ client, profile, facts: {} as RunFacts, profileDir: '', stages: new Stages() },
    firstUpload: () => Promise.reject(new CouldNotRun('not uploaded')),
    called: () => {},
    warn: () => {},
    learned: () => {},
    withhold: () => {},
    clean: (value) => value,
    replay: () => deafListener(new ListenerError('deaf')),
  });
}

test('a link that a callback or a mail brings is no address of the profile, whatever stands in it', async ({}, info) => {
  const drafts: ReturnType<typeof templateDraft>[] = [];
  const { parts, close } = await flowsOf(info, (name, template, variables) => {
    drafts.push(templateDraft(name, template, variables, host));
    return Promise.reject(new CouldNotRun('not sent'));
  });
  for (const link of ['http://169.254.169.254/latest/{title}', 'http://127.0.0.1:9/'])
    await expect(parts.fetchLink(link)).rejects.toThrow('not sent');
  await close();
  expect(drafts.map(({ url, elsewhere: isElsewhere }) => [url.href, isElsewhere])).toEqual([
    ['http://169.254.169.254/latest/%7Btitle%7D', true],
    ['http://127.0.0.1:9/', true],
  ]);
});

test('whoever answers behind a link of a stranger neither ends the run nor holds it back', async ({}, info) => {
  nock(elsewhere).get('/s/1').reply(503, '', { 'Retry-After': '3600' });
  nock(elsewhere).get('/s/2').reply(429, '', { 'Retry-After': '1' }).get('/s/2').reply(200);
  nock(host).post(creation).times(2).reply(200, created);
  const client = clientIn(info);
  const view = (at: number) =>
    client.template('view', { method: 'GET', url: '{link}' }, { link: `${elsewhere}/s/${at}` });
  expect([(await view(1)).status, (await client.call(create)).status]).toEqual([503, 200]);
  const ended: string[] = [];
  const held = view(2).then(() => ended.push('stranger'));
  await expect.poll(() => nock.pendingMocks().length).toBe(2);
  await client.call(create).then(() => ended.push('target'));
  await held;
  expect(ended).toEqual(['target', 'stranger']);
});

test('a mailbox of others that the profile names does not end the run either', async ({}, info) => {
  nock(elsewhere).get('/mail').reply(429, '', { 'Retry-After': '3600' });
  nock(host).post(creation).reply(200, created);
  const client = clientIn(info);
  const { status } = await client.template('outbox.list', { method: 'GET', url: `${elsewhere}/mail` }, {});
  expect([status, (await client.call(create)).status]).toEqual([429, 200]);
});

test('of countless links in callbacks and mails few are followed: each may lead to somebody else', async ({}, info) => {
  const restoreLimits = lowerLimits({ linkedBytes: 3 * 256 * 1024 });
  let followed = 0;
  const { parts, close } = await flowsOf(info, () => {
    followed += 1;
    return Promise.reject(new CouldNotRun('not there'));
  });
  const outcomes = [];
  for (let at = 0; at < 5; at += 1)
    outcomes.push(await parts.fetchLink(`http://127.0.0.1:9/${at}`).catch(({ message }) => message));
  await close();
  restoreLimits();
  expect(followed).toBe(3);
  expect(outcomes.at(-1)).toContain('no further link is followed');
});

type Sent = Readonly<Record<string, unknown>>;

/** A call that adds somebody with these fields, and what is sent to a target that takes what `takes` says. */
function adding(takes: (sent: string) => boolean) {
  const sent: Sent[] = [];
  nock(host)
    .persist()
    .post(addition)
    .reply((_, body) => {
      sent.push(body as Sent);
      return takes(JSON.stringify(body))
        ? [200, { requestId: 'r-1', signatoryId: `s-${sent.length}` }]
        : [400, { title: 'Bad Request' }];
    });
  const call = (fields: object, more: Partial<Call> = {}): Call => ({
    operation: 'addSignatory',
    purpose: 'judged',
    requestId: 'r-1',
    body: { json: { ...minimalSignatory({ person: someone }), ...fields } },
    ...more,
  });
  return { sent, call };
}

const sms = { OTP: { IsRequired: true, Type: otpType.sms, MobileNumber: '+61491570156' } };
const numbersOf = (sent: readonly Sent[]) => sent.map(({ OTP }) => (OTP as Sent).MobileNumber);

test('a call is sent in one form when it is to be refused, or is observed', async ({}, info) => {
  for (const more of [{ deliberate: true }, { purpose: 'observation' }] as const) {
    const { sent, call } = adding(() => false);
    await clientIn(info).call(call(sms, more));
    expect(numbersOf(sent)).toEqual(['+61491570156']);
    nock.cleanAll();
  }
});

test('a number of the profile, and a form that was taken, stay as they are', async ({}, info) => {
  const { sent, call } = adding((body) => body.includes('Please sign'));
  const given = clientIn(info, { people: { mobileNumbers: ['+61491570156'] } });
  await given.call(call(sms));
  expect(numbersOf(sent)).toEqual(['+61491570156']);
  const client = clientIn(info);
  await client.call(call({ ...sms, PrivateMessage: 'Please sign' }));
  await client.call(call(sms));
  expect(sent).toHaveLength(3);
});

test('of several values that may be the reason of a refusal each is tried alone before two are together', async ({}, info) => {
  const { sent, call } = adding((body) => body.includes('"0061491570156"'));
  const OTP = { ...sms.OTP, AccessCode: '0123456789ab' };
  await clientIn(info).call(call({ OTP, Color: '#1A73E8' }));
  expect(numbersOf(sent)).toContain('0061491570156');
});

test('a field whose text was taken says nothing of the text of another field', async ({}, info) => {
  const sent: Sent[] = [];
  nock(host)
    .persist()
    .post('/base/_apis/sign/api/v2/requests')
    .query(true)
    .reply((_, body) => {
      sent.push(body as Sent);
      return String((body as Sent).Title).includes('Ł') ? [400, {}] : [200, { requestId: 'r-1' }];
    });
  const client = clientIn(info);
  for (const accented of [{ Message: 'Łódź' }, { Title: 'Łódź' }]) {
    const json = { ...minimalRequest({ title: 'A title', documents: ['t-1'] }), ...accented };
    await client.call({ operation: 'createSkeletonRequest', purpose: 'judged', body: { json } });
  }
  expect(sent.map(({ Title }) => Title)).toEqual(['A title', 'Łódź', '--d-']);
});

test('of a body that is refused with 400, and in another form with 404, 404 counts, and not 403', async ({}, info) => {
  for (const [second, counts] of [
    [404, 404],
    [403, 400],
  ] as const) {
    nock(host).post(addition).reply(400, {}).post(addition).reply(second, {});
    const json = { ...minimalSignatory({ person: someone }), ...sms };
    expect((await clientIn(info).call({ ...add, body: { json } })).status).toBe(counts);
    expect(nock.pendingMocks()).toEqual([]);
  }
});
