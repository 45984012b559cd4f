/** Answers of somebody else in the middle of a flow, from a gateway, a token endpoint or a mailbox that was emptied: nobody is blamed for them. */
import http from 'node:http';
import { expect, test } from '@playwright/test';
import type { Profile } from '../../harness/profile/schema.ts';
import { monotonicMs } from '../../record/clock.ts';
import { flows } from '../flows/all.ts';
import { withoutCallbackUrl } from '../flows/events.ts';
import { otpFlow } from '../flows/otp.ts';
import { inParallel, inSequence, mixedRoles } from '../flows/people.ts';
import { stampingFlows } from '../flows/stamping.ts';
import { deadPort, serve } from './services/loopback.ts';
import { type Behaviour, instead } from './services/proxy.ts';
import { expectNoBlame } from './workflow.ts';

const backSoon = {
  headers: { 'Content-Type': 'text/html' },
  body: Buffer.from('<!doctype html><title>Back soon</title><p>We are working on it.</p>'),
};

test('a gateway that answers with a web page and 200 in the place of the service: the flow says nothing', async () => {
  const strayed = { send: 0, sign: 0, otp: 0 };
  const found = await expectNoBlame([inSequence, mixedRoles, otpFlow], {
    behave: instead(({ url }) => {
      const [, call] = /\/(send|sign|otp)$/.exec(url) ?? [];
      const time = call === undefined ? 0 : ++strayed[call as keyof typeof strayed];
      // A call that is always answered with a page may be answered so by the service.
      return (call === 'otp' ? time > 1 : time === 1) ? backSoon : undefined;
    }),
  });
  expect(strayed.sign).toBeGreaterThan(1);
  expect(found.passed).not.toEqual([]);
});

const listeningBehind =
  (publicUrl: string, port: number) =>
  ({ callbacks }: Profile): Partial<Profile> => ({
    callbacks: { ...callbacks, listen: { port }, publicUrl },
  });

test('a gateway before the listener that makes one of repeated query parameters: the target is not blamed for that', async () => {
  const port = await deadPort();
  const gateway = await serve(({ method, url, headers, body }, response) => {
    const merged = url.replace(/&note=(\w*)&note=/, '&note=$1,');
    const onward = http.request({ port, host: '127.0.0.1', method, path: merged, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502);
      answer.pipe(response);
    });
    onward.end(body);
  });
  await expectNoBlame([inSequence, mixedRoles], {
    passed: ['events.process-completed'],
    unproved: ['events.to-callback-url'],
    change: listeningBehind(gateway.baseUrl, port),
  });
  await gateway.close();
});

test('a public URL that redirects, to which the target comes without the bodies of its callbacks, shows no missing event', async () => {
  const port = await deadPort();
  let came = 0;
  const gateway = await serve(({ method, url }, response) => {
    const listener = `http://127.0.0.1:${port}${url}`;
    if (method === 'GET') return response.writeHead(301, { Location: listener }).end();
    // As most clients of HTTP follow it.
    void fetch(listener).then(({ status }) => {
      came += 1;
      response.writeHead(status).end();
    });
  });
  await expectNoBlame([inSequence], {
    unproved: ['events.all'],
    change: listeningBehind(gateway.baseUrl, port),
  });
  await gateway.close();
  expect(came).toBeGreaterThan(2);
});

test('a copy of the service that lags behind does not know a request when it is sent: it is sent again', async () => {
  let sent = 0;
  const unknown = { status: 404, body: Buffer.from('{"title":"Request ID not found"}') };
  await expectNoBlame([inSequence], {
    passed: ['signing.lower-order-first'],
    behave: instead(({ url }) => (url.endsWith('/send') && ++sent === 1 ? unknown : undefined)),
  });
});

test('a gateway that answers with a web page and 200 when somebody is added: nobody knows who takes part', async () => {
  let added = 0;
  await expectNoBlame([inSequence], {
    unproved: ['signing.lower-order-first'],
    behave: instead(({ url }) => (url.endsWith('/signatories') && ++added === 1 ? backSoon : undefined)),
  });
});

const isActing = /\/(sign|approve)$/;

test('an id that the target has known before is not unknown to it for a 404 of somebody else', async () => {
  const refused = new Set<string>();
  let lost = 0;
  await expectNoBlame([inSequence], {
    passed: ['signing.signer-signs'],
    behave: async ({ request: { url }, forward, reply }) => {
      if (refused.has(url) && ++lost > 0) return reply({ status: 404, body: Buffer.from('not found') });
      const answer = await forward();
      if (isActing.test(url) && answer.status === 409) refused.add(url);
      return reply(answer);
    },
  });
  expect(lost).toBeGreaterThan(0);
});

const afterRefusals = flows.filter(({ name }) => name === 'two signers, after calls that are refused');

test('a service that closes requests after a while locks nobody out for refused calls', async () => {
  const closing = new Map<string, number>();
  const behave: Behaviour = async ({ request: { url, body }, forward, reply }) => {
    const [, id = ''] = /\/requests\/([^/]+)\/signatories$/.exec(url) ?? [];
    if (monotonicMs() > (closing.get(id) ?? Number.POSITIVE_INFINITY))
      return reply({ status: 409, body: Buffer.from('') });
    const answer = await forward();
    const { requestId } = url.includes('requests?type=0')
      ? (JSON.parse(String(answer.body)) as { requestId?: string })
      : {};
    if (requestId && String(body).includes('one signer, after call'))
      closing.set(requestId, monotonicMs() + 20);
    return reply(answer);
  };
  await expectNoBlame([...afterRefusals, inSequence], { passed: ['signing.signer-signs'], behave });
});

for (const [when, some, ends] of [
  ['in the middle of a flow', afterRefusals, /^$/],
  ['once all have signed', [...afterRefusals, withoutCallbackUrl, ...stampingFlows], /\/(status|documents)$/],
] as const) {
  test(`a token endpoint that fails ${when} is no mistake of the suite`, async () => {
    const tokenPath = '/oauth/token';
    let asked = 0;
    const change = ({ address, auth }: Profile): Partial<Profile> => ({
      auth: { ...auth, tokenEndpoint: `${address.baseUrl}${tokenPath}` } as Profile['auth'],
    });
    const behave = instead(({ url }) => {
      if (ends.test(url)) return { status: 401 };
      return url === tokenPath && ++asked > 1 ? { status: 500 } : undefined;
    });
    await expectNoBlame(some, { unproved: ['signatory.refused-without-effect'], change, behave });
    expect(asked).toBeGreaterThan(1);
  });
}

test('an access token that is taken from the run while people act: who is refused from then on was not refused as a person', async () => {
  let done = 0;
  let created = 0;
  const found = await expectNoBlame([inSequence, mixedRoles, inParallel, otpFlow], {
    behave: async ({ request: { url }, forward, reply }) => {
      if (/requests\?type=0$/.test(url) && ++created === 4) await expect.poll(() => done).toBe(3);
      if (done === 3) return reply({ status: 403, body: Buffer.from('{"error":"forbidden"}') });
      const answer = await forward();
      if (isActing.test(url) && answer.status === 200) done += 1;
      reply(answer);
    },
  });
  expect(created).toBeGreaterThan(3);
  expect(found['could-not-run']).not.toEqual([]);
});

test('a target that is started anew without its memory, just after somebody signed, has not waited for who was refused', async () => {
  const ids = new Set<string>();
  let its = '';
  let signed = 0;
  let tried = 0;
  let isAnew = false;
  await expectNoBlame([inSequence, ...afterRefusals], {
    passed: ['signing.lower-order-first'],
    behave: async ({ request: { url, body }, forward, reply }) => {
      // Whose turn has not come tries first, and is refused.
      if (isActing.test(url) && its !== '' && url.includes(its) && tried++ > 0) {
        await expect.poll(() => signed).toBe(inSequence.signatories.length);
        isAnew = true;
        return reply({});
      }
      if (isAnew && [...ids].some((id) => url.includes(id))) return reply({ status: 404 });
      const answer = await forward();
      const [, requestId] = /"requestId":"([^"]+)"/.exec(answer.body.toString('latin1')) ?? [];
      if (requestId) ids.add(requestId);
      if (requestId && body.includes('after calls that are refused')) its ||= requestId;
      if (isActing.test(url) && answer.status === 200) signed += 1;
      return reply(answer);
    },
  });
  expect(isAnew).toBe(true);
});

const emptied = { body: Buffer.from('{"messages":[]}') };

test('messages that are gone once somebody else empties the mailbox, or once they were read, are not missed', async () => {
  let hasActed = false;
  const byOthers = instead(({ url }) => {
    hasActed ||= isActing.test(url);
    return hasActed && url.includes('/_outbox.json') ? emptied : undefined;
  });
  const read = new Set<string>();
  const once: Behaviour = async ({ request: { url }, forward, reply }) => {
    const answer = read.has(url) ? emptied : await forward();
    if (url.includes('/_outbox.json?to=%2B') && answer.body.includes('"code":"')) read.add(url);
    reply(answer);
  };
  await Promise.all([
    expectNoBlame([otpFlow, inSequence], { unproved: ['signing.email-used'], behave: byOthers }),
    expectNoBlame([otpFlow], { behave: once }),
  ]);
});
