/** Calls of the profile, uploads and creations in a multipart field: what goes over the wire. Offline, with nock. */
import { expect, test } from '@playwright/test';
import nock from 'nock';
import { deafListener, ListenerError } from '../../harness/callbacks/listener.ts';
import { openFlows } from '../../harness/flows/open-flows.ts';
import type { RunFacts } from '../../harness/judging/session.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import type { Client } from '../../harness/target/client.ts';
import { type Draft, templateDraft } from '../../harness/target/outgoing.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { Stages } from '../../record/stages.ts';
import { clientIn, host, offline } from './services/client.ts';

offline(test);

test('a call of the profile fills its variables in, each encoded for its place', async ({}, info) => {
  nock(host, { reqheaders: { authorization: 'Bearer the-access-token', 'x-who': 'a b@example.com' } })
    .put('/base/requests/a%2Fb/people/a%20b%40example.com?q=1', {
      note: 'for a b@example.com',
      kept: '{other}',
    })
    .reply(200, { ok: true });
  const answer = await clientIn(info).template(
    'send',
    {
      method: 'PUT',
      url: '/requests/{requestId}/people/{email}?q=1',
      headers: { 'X-Who': '{email}' },
      body: { note: 'for {email}', kept: '{other}' },
    },
    { requestId: 'a/b', email: 'a b@example.com' },
  );
  expect(answer.exchange).toMatchObject({ operation: null, template: 'send', purpose: 'template' });
  expect(answer.status).toBe(200);
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
    nock(elsewhere, {
      reqheaders: { accept: 'application/pdf' },
      badheaders: ['authorization', 'x-key', 'cookie'],
    })
      .get(path)
      .reply(302, '', { location: `${host}/base/` });
    const headers = { Accept: 'application/pdf', 'X-Key': 'k-1', Cookie: 'a=1', Authorization: 'Basic YTpi' };
    const template = { method: 'GET', url, headers, authorize: true };
    expect((await clientIn(info).template('download', template, variables)).status).toBe(302);
  });
}

test('a link that a callback or a mail brings is no address of the profile, whatever stands in it', async ({}, info) => {
  const drafts: Draft[] = [];
  const client = Object.assign(clientIn(info), {
    template: (...[name, template, variables]: Parameters<Client['template']>) => {
      drafts.push(templateDraft(name, template, variables, host));
      return Promise.reject(new CouldNotRun('not sent'));
    },
  });
  const profile: Profile = { address: { baseUrl: host }, auth: { kind: 'static', token: 'x' } };
  const facts = {} as RunFacts;
  const { parts, close } = await openFlows({
    ...{ client, profile, facts, profileDir: '', stages: new Stages() },
    firstUpload: () => Promise.reject(new CouldNotRun('not uploaded')),
    warn: () => {},
    learned: () => {},
    clean: (value) => value,
    replay: () => deafListener(new ListenerError('deaf')),
  });
  for (const link of ['http://169.254.169.254/latest/{title}', 'http://127.0.0.1:9/'])
    await expect(parts.fetchLink(link)).rejects.toThrow('not sent');
  await close();
  expect(drafts.map(({ url, elsewhere: isElsewhere }) => [url.href, isElsewhere])).toEqual([
    ['http://169.254.169.254/latest/%7Btitle%7D', true],
    ['http://127.0.0.1:9/', true],
  ]);
});
