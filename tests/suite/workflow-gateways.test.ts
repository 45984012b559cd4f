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
import { flowVerdicts } from './workflow.ts';

const backSoon = {
  headers: { 'Content-Type': 'text/html' },
  body: Buffer.from('<!doctype html><title>Back soon</title><p>We are working on it.</p>'),
};

test('a gateway that answers with a web page and 200 in the place of the service: the flow says nothing', async () => {
  const strayed = { send: 0, sign: 0, otp: 0 };
  const found = await flowVerdicts([inSequence, mixedRoles, otpFlow], {
    behave: instead(({ url }) => {
      const [, call] = /\/(send|sign|otp)$/.exec(url) ?? [];
      const time = call === undefined ? 0 : ++strayed[call as keyof typeof strayed];
      // A call that is always answered with a page may be answered so by the service.
      return (call === 'otp' ? time > 1 : time === 1) ? backSoon : undefined;
    }),
  });
  expect(strayed.sign).toBeGreaterThan(1);
  expect(found.failed).toEqual([]);
  expect(found.passed).not.toEqual([]);
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
  const { failed, ...found } = await flowVerdicts([inSequence, mixedRoles], {
    change: ({ callbacks }) => ({
      callbacks: { ...callbacks, listen: { port }, publicUrl: gateway.baseUrl },
    }),
  });
  await gateway.close();
  expect(failed).toEqual([]);
  expect(found['could-not-run']).toContain('events.to-callback-url');
  expect(found.passed).toContain('events.process-completed');
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
  const { failed, ...found } = await flowVerdicts([inSequence], {
    change: ({ callbacks }) => ({
      callbacks: { ...callbacks, listen: { port }, publicUrl: gateway.baseUrl },
    }),
  });
  await gateway.close();
  expect(came).toBeGreaterThan(2);
  expect(failed).toEqual([]);
  expect(found['could-not-run']).toContain('events.process-completed');
});

test('a copy of the service that lags behind does not know a request when it is sent: it is sent again', async () => {
  let sent = 0;
  const unknown = { status: 404, body: Buffer.from('{"title":"Request ID not found"}') };
  const found = await flowVerdicts([inSequence], {
    behave: instead(({ url }) => (url.endsWith('/send') && ++sent === 1 ? unknown : undefined)),
  });
  expect(found.failed).toEqual([]);
  expect(found.passed).toContain('signing.lower-order-first');
});

test('a gateway that answers with a web page and 200 when somebody is added: nobody knows who takes part', async () => {
  let added = 0;
  const found = await flowVerdicts([inSequence], {
    behave: instead(({ url }) => (url.endsWith('/signatories') && ++added === 1 ? backSoon : undefined)),
  });
  expect(found.failed).toEqual([]);
  expect(found['could-not-run']).toContain('signing.lower-order-first');
});

const isActing = /\/(sign|approve)$/;

test('an id that the target has known before is not unknown to it for a 404 of somebody else', async () => {
  const refused = new Set<string>();
  let lost = 0;
  const found = await flowVerdicts([inSequence], {
    behave: async ({ request: { url }, forward, reply }) => {
      if (refused.has(url) && ++lost > 0) return reply({ status: 404, body: Buffer.from('not found') });
      const answer = await forward();
      if (isActing.test(url) && answer.status === 409) refused.add(url);
      return reply(answer);
    },
  });
  expect(lost).toBeGreaterThan(0);
  expect(found.failed).toEqual([]);
  expect(found.passed).toContain('signing.signer-signs');
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
  const found = await flowVerdicts([...afterRefusals, inSequence], { behave });
  expect(found.failed).toEqual([]);
  expect(found.passed).toContain('signing.signer-signs');
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
    const found = await flowVerdicts(some, { change, behave });
    expect(asked).toBeGreaterThan(1);
    expect(found.failed).toEqual([]);
    expect(found['could-not-run']).toContain('signatory.refused-without-effect');
  });
}

test('an access token that is taken from the run while people act: who is refused from then on was not refused as a person', async () => {
  let done = 0;
  let created = 0;
  const found = await flowVerdicts([inSequence, mixedRoles, inParallel, otpFlow], {
    behave: async ({ request: { url }, forward, reply }) => {
      if (/requests\?type=0$/.test(url) && ++created === 4) await expect.poll(() => done).toBe(3);
      if (done === 3) return reply({ status: 403, body: Buffer.from('{"error":"forbidden"}') });
      const answer = await forward();
      if (isActing.test(url) && answer.status === 200) done += 1;
      reply(answer);
    },
  });
  expect(created).toBeGreaterThan(3);
  expect(found.failed).toEqual([]);
  expect(found['could-not-run']).not.toEqual([]);
});

test('a target that is started anew without its memory, just after somebody signed, has not waited for who was refused', async () => {
  const ids = new Set<string>();
  let its = '';
  let signed = 0;
  let isAnew = false;
  const found = await flowVerdicts([inSequence, ...afterRefusals], {
    behave: async ({ request: { url, body }, forward, reply }) => {
      if (isActing.test(url) && its !== '' && url.includes(its)) {
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
  expect(found.failed).toEqual([]);
  expect(found.passed).toContain('signing.lower-order-first');
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
  const [later, onceRead] = await Promise.all([
    flowVerdicts([otpFlow, inSequence], { behave: byOthers }),
    flowVerdicts([otpFlow], { behave: once }),
  ]);
  expect([later.failed, onceRead.failed]).toEqual([[], []]);
  expect(later['could-not-run']).toContain('signing.email-used');
});

/** Whether it creates a request of type 0 without CallbackUrl. */
