/** What people are shown, and whether they have to look at it before they act: nobody is blamed for what was not looked at. */
import { expect, test } from '@playwright/test';
import { plainPdf } from '../../generators/documents/pdf.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { shownText } from '../../harness/untrusted/html.ts';
import { withoutCallbackUrl } from '../flows/events.ts';
import { inSequence, mixedRoles } from '../flows/people.ts';
import { twoAlike } from '../flows/side-by-side.ts';
import { stampingFlows } from '../flows/stamping.ts';
import { type Behaviour, instead, reshaped } from './services/proxy.ts';
import { expectNoBlame, flowVerdicts } from './workflow.ts';

test('who waits for a page that never comes tries once more: it may be their turn by then', async () => {
  const firstMs = new Map<string, number>();
  const behave = instead(({ url }) => {
    const now = performance.now();
    if (!firstMs.has(url)) firstMs.set(url, now);
    const isEarly = url.endsWith('/sign') && now - (firstMs.get(url) ?? now) < 600;
    return isEarly ? { status: 409 } : undefined;
  });
  const change = ({ signing, outbox }: Profile): Partial<Profile> => ({
    signing: { ...signing, driver: 'http', readyMs: 400 },
    outbox: { ...outbox, link: 'nowhere://(.+)' },
  });
  await expectNoBlame([inSequence], { passed: ['signing.lower-order-first'], change, behave });
});

test('a page that shows a name alone before a code is entered hides the rest, also where the document is open', async () => {
  const { bytes } = await plainPdf({ run: 'open', seed: 1, name: 'document' });
  const viewDocument = { method: 'GET', url: '/open?of={signatoryId}' };
  const { failed } = await flowVerdicts(stampingFlows, {
    dialect: { pageBeforeCode: 'name', privateMessageMailed: false },
    behave: instead(({ url }) => (url.startsWith('/open') ? { body: Buffer.from(bytes) } : undefined)),
    change: ({ calls }) => ({ calls: { ...calls, viewDocument } }),
  });
  expect(failed).not.toContain('signing.private-message');
});

test('a page that shows a name alone may be one to agree on, before the request is shown', async () => {
  await expectNoBlame([mixedRoles], {
    passed: ['signing.name-shown'],
    unproved: ['signing.title-shown'],
    behave: instead(({ url }) => {
      const name = new URL(url, 'http://127.0.0.1').searchParams.get('agree');
      const headers = { 'Content-Type': 'text/html' };
      return name === null ? undefined : { headers, body: Buffer.from(`<p>Dear ${name}, please agree.</p>`) };
    }),
    change: ({ calls }) => ({ calls: { ...calls, view: { method: 'GET', url: '/?agree={name}' } } }),
  });
});

test('data of a page may have every character outside of ASCII escaped, as many writers of JSON do', async () => {
  const escaped = (text: string) =>
    JSON.stringify(text).replaceAll(/[^ -~]|['&+/<]/g, (sign) => {
      return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
  const behave = reshaped(({ body, ...answer }, { url }) => {
    if (!/\/sign\/[^/]+$/.test(url)) return { ...answer, body };
    const text = shownText(body.toString());
    const headers = { 'Content-Type': 'application/json' };
    return { ...answer, headers, body: Buffer.from(`{"shown":[{"text":${escaped(text)}}]}`) };
  });
  const view = { method: 'GET', url: '/sign/{token}', authorize: false };
  const change = ({ calls }: Profile) => ({ calls: { ...calls, view } });
  await expectNoBlame([mixedRoles], { passed: ['signing.title-shown'], behave, change });
});

test('signers who have to look before they act do so where only their document is their own; approvers cannot', async () => {
  const change = ({ calls }: Profile): Partial<Profile> => ({
    calls: {
      ...calls,
      view: { method: 'GET', url: '/_apis/sign/api/v2/requests/{requestId}/status' },
      viewDocument: { method: 'GET', url: '{link}', authorize: false },
    },
  });
  await expectNoBlame([withoutCallbackUrl, inSequence], {
    passed: ['signing.signer-signs'],
    unproved: ['signing.approver-approves'],
    change,
    dialect: { actsOnceSeen: true },
  });
});

test('data of a request, and the beginnings of e-mails, are not all that a person is shown', async () => {
  // What a call of administrators tells of a request: its title alone, or also what each person was written.
  const playedWith = (shown: 'Title' | 'PrivateMessage') => {
    const told = new Map<string, string>();
    const behave = reshaped((answer, { url, body }) => {
      const of = new URL(url, 'http://127.0.0.1').searchParams.get('data');
      if (of !== null) return { status: 200, body: Buffer.from(told.get(of) ?? '') };
      const id = /"requestId":"([^"]+)"/.exec(answer.body.toString())?.[1];
      if (id === undefined || body.length === 0) return answer;
      const { Title, [shown]: more } = JSON.parse(body.toString()) as Record<string, string>;
      told.set(id, [told.get(id), Title, more].join(' '));
      return answer;
    });
    const view = { method: 'GET', url: '/?data={requestId}' };
    const change = ({ calls: { viewDocument: _, ...calls } = {} }: Profile) => ({
      calls: { ...calls, view },
    });
    return flowVerdicts([inSequence], { behave, change, dialect: { mailKept: 'begun' } });
  };
  for (const found of await Promise.all([playedWith('Title'), playedWith('PrivateMessage')])) {
    expect(found.failed).toEqual([]);
    expect(found['could-not-run']).toContain('signing.private-message');
    expect(found['could-not-run']).toContain('signing.name-shown');
  }
});

test('who is written to once, and whose page shows what they have to sign next, is not missed for the other request', async () => {
  type Mail = { readonly signatoryId: string; readonly link: string; readonly kind: string };
  let asked: readonly Mail[] = [];
  const signed = new Set<string>();
  const behave: Behaviour = async ({ request: { url }, forward, reply }) => {
    if (url === '/task') {
      const next = asked.find(({ signatoryId }) => !signed.has(signatoryId));
      return reply(next ? await forward({ url: new URL(next.link).pathname }) : { status: 404 });
    }
    const answer = await forward();
    if (!url.startsWith('/_outbox.json')) {
      const [, id] = /signatories\/([^/]+)\/sign$/.exec(url) ?? [];
      if (id && answer.status === 200) signed.add(id);
      return reply(answer);
    }
    const { messages } = JSON.parse(String(answer.body)) as { readonly messages: readonly Mail[] };
    asked = messages.filter(({ kind }) => kind === 'invitation').toReversed();
    const body = Buffer.from(JSON.stringify({ messages: asked.slice(0, 1) }));
    return reply({ headers: { 'Content-Type': 'application/json' }, body });
  };
  const change = ({ calls }: Profile): Partial<Profile> => ({
    calls: { ...calls, view: { method: 'GET', url: '/task', headers: { 'X-Of': '{email}' } } },
  });
  await expectNoBlame([twoAlike], { passed: ['signing.signer-signs'], behave, change });
});
