/** A target that is slow to notify, and messages that cannot be read: no one is blamed for what did not come in time. */
import { expect, test } from '@playwright/test';
import { plainPdf } from '../../generators/documents/pdf.ts';
import type { FlowDefinition } from '../../harness/flows/flow.ts';
import { ArrivalDeadline } from '../../harness/flows/flow-deliveries.ts';
import type { CallTemplate } from '../../harness/profile/parts.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { worst } from '../../record/verdict.ts';
import type { FaultId } from '../../reference/faults.ts';
import { plainPdf as linesPdf } from '../../reference/plain-pdf.ts';
import { flows } from '../flows/all.ts';
import { withoutCallbackUrl } from '../flows/events.ts';
import { otpFlow, rightCodesFlow } from '../flows/otp.ts';
import { inParallel, inSequence, mixedRoles } from '../flows/people.ts';
import { stampingFlows } from '../flows/stamping.ts';
import { changedReference, withSession } from '../proof/session.ts';
import { type Arrived, json, serve } from './services/loopback.ts';
import { type Behaviour, type Forwarded, instead, reshaped } from './services/proxy.ts';
import { flowVerdicts } from './workflow.ts';

interface Mail {
  readonly text: string;
  readonly sentAt: string;
  readonly attachments: readonly { readonly name: string; readonly url: string }[];
}

/** Passes on what the outbox lists with its messages changed. */
const mailbox = (change: (messages: readonly Mail[]) => readonly object[]) =>
  reshaped((answer, { url }) => {
    if (!url.includes('/_outbox.json')) return answer;
    const { messages } = JSON.parse(answer.body.toString('utf8')) as { messages: readonly Mail[] };
    const headers = { 'content-type': 'application/json' };
    return { ...answer, headers, body: Buffer.from(JSON.stringify({ messages: change(messages) })) };
  });

test('each arrival gives those that are missing more time, up to four times as much', () => {
  const deadline = new ArrivalDeadline(1_000, 500);
  expect(deadline.leftMs(1_400)).toBe(100);
  deadline.arrived(1_400);
  expect(deadline.leftMs(1_400)).toBe(500);
  deadline.arrived(1_000);
  expect(deadline.leftMs(1_400)).toBe(500);
  deadline.arrived(2_900);
  expect(deadline.leftMs(2_900)).toBe(100);
});

test('a target that sends a request before its last signatory was added is told from one that refuses', async () => {
  const signing = { driver: 'http', send: 'delay', delayMs: 0 } as const;
  const start = () =>
    changedReference({ dialect: { sending: 'delay', sendDelayMs: 0 } }, () => ({ signing }));
  const reason = await withSession(start, { runId: 'early', flows: [inParallel] }, (session) =>
    session.evidence('signing.parallel').then(
      ({ rows }) => rows.map(({ verdict, message }) => `${verdict}: ${message}`).join(),
      (error: Error) => error.message,
    ),
  );
  expect(reason).toContain('the target may have sent the request by then');
  expect(reason).toContain('signing.send: delay, delayMs: 0');
});

test('of two codes by SMS the later one is the right one, also where a mailbox begins with the oldest and tells no times', async () => {
  const oldestFirst = mailbox((messages) =>
    messages.map(({ sentAt: _, ...message }) => message).toReversed(),
  );
  const { failed } = await flowVerdicts([otpFlow], {
    behave: oldestFirst,
    faults: ['otp.gates-signing/beginning'],
  });
  expect(failed).toEqual(['otp.gates-signing']);
});

test('a certificate that names the files of a request is no copy of them that lacks pages', async () => {
  const certified = mailbox((messages) =>
    messages.map((message) => {
      const { attachments, text } = message;
      const [first] = attachments;
      if (!first) return message;
      const content = linesPdf(['Certificate', ...attachments.map(({ name }) => name)]).toString('base64');
      const behindLogin = `${text}\n\n${first.url}/login`;
      return { ...message, text: behindLogin, attachments: [{ name: 'certificate.pdf', content }] };
    }),
  );
  const { failed, passed } = await flowVerdicts([mixedRoles], { behave: certified });
  expect(failed).toEqual([]);
  expect(passed).toContain('signing.cc-receives-copy');
});

test('where a request is sent before all are added, who acts first is added first', async () => {
  const added: unknown[] = [];
  const { passed } = await flowVerdicts([inSequence], {
    dialect: { sending: 'first-signatory' },
    change: () => ({ signing: { driver: 'http', send: 'first-signatory' } }),
    behave: instead(({ url, body }) => {
      if (url.endsWith('/signatories')) added.push(JSON.parse(String(body)).Order);
      return undefined;
    }),
  });
  expect(added).toEqual([1, 3, 2]);
  expect(passed).toContain('signing.lower-order-first');
});

for (const [title, played, dialect, requirement, fault] of [
  [
    'where people can act only once they have looked, whoever is to be refused looks first, too',
    [inSequence],
    { actsOnceSeen: true },
    'signing.lower-order-first',
    'signing.lower-order-first/ignored',
  ],
  [
    'a file behind a link is looked into before it is taken for the copy',
    [mixedRoles],
    { copyAs: 'linked' },
    'signing.cc-receives-copy',
    'signing.cc-receives-copy/of-another-request',
  ],
  [
    'an e-mail that leads everybody to the final copy is no invitation that came late',
    [withoutCallbackUrl, inParallel],
    { copyAs: 'linked', copiesTo: 'everyone' },
    'signing.email-used',
    'signing.email-used/unheard-none',
  ],
] as const) {
  test(title, async () => {
    const evidence = (faults: readonly FaultId[]) =>
      withSession(
        () =>
          changedReference({ dialect, faults }, ({ outbox }) => ({ outbox: { ...outbox, waitMs: 1_000 } })),
        { runId: 'beside', flows: played },
        async (session) => {
          // A document of nobody in the flow.
          await session.documents(1);
          const { rows } = await session.evidence(requirement);
          return worst(rows.map(({ verdict }) => verdict));
        },
      );
    expect(await Promise.all([evidence([]), evidence([fault])])).toEqual(['passed', 'failed']);
  });
}

test('an approver who is passed over gets no link to act by, and event 3 tells that none will come', async () => {
  const byLink = ({ url, ...call }: CallTemplate) => ({ ...call, url: `${url}?from={link}` });
  const change = ({ calls = {} }: Profile): Partial<Profile> => {
    const acting = calls.sign &&
      calls.approve && { sign: byLink(calls.sign), approve: byLink(calls.approve) };
    return { calls: { ...calls, ...acting } };
  };
  const as = (faults: readonly FaultId[]) => flowVerdicts([inSequence], { change, faults });
  const [right, wrong] = await Promise.all([as([]), as(['signing.approver-approves/not-awaited'])]);
  expect(right.passed).toContain('signing.approver-approves');
  expect(wrong.failed).toContain('signing.approver-approves');
});

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

test('a gateway that answers with a web page and 200 when somebody is added: nobody knows who takes part', async () => {
  let added = 0;
  const found = await flowVerdicts([inSequence], {
    behave: instead(({ url }) => (url.endsWith('/signatories') && ++added === 1 ? backSoon : undefined)),
  });
  expect(found.failed).toEqual([]);
  expect(found['could-not-run']).toContain('signing.lower-order-first');
});

const isActing = /\/(sign|approve)$/;

test('a gateway that answers with a web page and 404 when others sign: no id is unknown to the service', async () => {
  let hasSigned = false;
  const behave: Behaviour = async ({ request: { url }, forward, reply }) => {
    const answer = hasSigned && isActing.test(url) ? { ...backSoon, status: 404 } : await forward();
    hasSigned ||= isActing.test(url) && answer.status === 200;
    reply(answer);
  };
  expect((await flowVerdicts([inSequence, inParallel], { behave })).failed).toEqual([]);
});

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

const afterRefusals = flows.filter(({ name }) => name === 'one signer, after calls that are refused');

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

test('who waits for a page that never comes tries once more: it may be their turn by then', async () => {
  const firstMs = new Map<string, number>();
  const behave = instead(({ url }) => {
    const now = performance.now();
    if (!firstMs.has(url)) firstMs.set(url, now);
    const isEarly = url.endsWith('/sign') && now - (firstMs.get(url) ?? now) < 800;
    return isEarly ? { status: 409 } : undefined;
  });
  const change = ({ signing, outbox }: Profile): Partial<Profile> => ({
    signing: { ...signing, driver: 'http', readyMs: 400 },
    outbox: { ...outbox, link: 'nowhere://(.+)' },
  });
  const { passed, failed } = await flowVerdicts([inSequence], { change, behave });
  expect(failed).toEqual([]);
  expect(passed).toContain('signing.lower-order-first');
});

test('a page that shows a name alone before a code is entered hides the rest, also where the document is open', async () => {
  const { bytes } = await plainPdf({ run: 'open', seed: 1, name: 'document' });
  const documents = await serve((_, response) => response.end(bytes));
  const viewDocument = { method: 'GET', url: `${documents.baseUrl}/?of={signatoryId}` };
  const { failed } = await flowVerdicts(stampingFlows, {
    dialect: { pageBeforeCode: 'name', privateMessageMailed: false },
    change: ({ calls }) => ({ calls: { ...calls, viewDocument } }),
  });
  await documents.close();
  expect(failed).not.toContain('signing.private-message');
});

test('a page that shows a name alone may be one to agree on, before the request is shown', async () => {
  const agree = await serve(({ url }, response) => {
    const name = new URL(url, 'http://127.0.0.1').searchParams.get('name');
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<p>Dear ${name}, please agree to go on.</p>`);
  });
  const view = { method: 'GET', url: `${agree.baseUrl}/?name={name}`, authorize: false } as const;
  const found = await flowVerdicts([inSequence], { change: ({ calls }) => ({ calls: { ...calls, view } }) });
  await agree.close();
  expect(found.failed).toEqual([]);
  expect(found['could-not-run']).toContain('signing.title-shown');
  expect(found.passed).toContain('signing.name-shown');
});

test('signers who have to look before they act do so where only their document is their own; approvers cannot', async () => {
  const change = ({ calls }: Profile): Partial<Profile> => ({
    calls: {
      ...calls,
      view: { method: 'GET', url: '/_apis/sign/api/v2/requests/{requestId}/status' },
      viewDocument: { method: 'GET', url: '{link}', authorize: false },
    },
  });
  const {
    failed,
    passed,
    'could-not-run': unproved,
  } = await flowVerdicts([withoutCallbackUrl, inSequence], {
    change,
    dialect: { actsOnceSeen: true },
  });
  expect(failed).toEqual([]);
  expect(passed).toContain('signing.signer-signs');
  expect(unproved).toContain('signing.approver-approves');
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

test('who may have acted when nobody could read the answer is not blamed for acting no more', async () => {
  const page = {
    headers: { 'Content-Type': 'text/html' },
    body: Buffer.from('<h1>\u0627\u0643\u062a\u0645\u0644</h1>'),
  };
  const lostWith = (some: readonly FlowDefinition[], answered: object, most: number) => {
    let lost = 0;
    return flowVerdicts(some, {
      faults: ['signing.lower-order-first/ignored'],
      behave: reshaped((answer, { url }) => {
        const isLost = isActing.test(url) && answer.status === 200 && lost < most;
        if (isLost) lost += 1;
        return isLost ? answered : answer;
      }),
    });
  };
  const all = lostWith([mixedRoles, inParallel], page, Number.POSITIVE_INFINITY);
  // A gateway loses the first answer alone: the others go on until it is the turn of who has acted.
  const first = lostWith(inSequence.parts ?? [], { status: 502 }, 1);
  for (const found of await Promise.all([all, first])) {
    expect(found.failed).toEqual([]);
    expect(found['could-not-run']).toContain('signing.lower-order-first');
  }
});

for (const status of [404, 302]) {
  // Without time for an id to be found: who is asked again and again may be locked.
  test(`who was answered with ${status} has not acted: the right code has to open`, async () => {
    const found = await flowVerdicts([rightCodesFlow], {
      change: ({ signing }) => ({ signing: { ...signing, driver: 'http', readyMs: 0 } }),
      behave: instead(({ url, body }) => (isActing.test(url) && body.length <= 2 ? { status } : undefined)),
      faults: ['otp.email-delivered/of-no-use'],
    });
    expect(found.failed).toEqual(['otp.email-delivered']);
  });
}

test('a person whose messages cannot be read is not said to have got none', async () => {
  // Those of one request are behind a mail server that has a bad day; all others can be read.
  let service = '';
  const mailServer = await serve(async ({ url }, response) => {
    const text = await (await fetch(`${service}${url}`)).text();
    if (text.includes(inParallel.name)) json(response, 500, { error: 'out of order' });
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
  });
  const change = ({ address, outbox }: Profile): Partial<Profile> => {
    service = address.baseUrl;
    const list = { method: 'GET', url: `${mailServer.baseUrl}/_outbox.json?to={email}` } as const;
    return { outbox: { ...outbox, email: { ...outbox?.email, list } } };
  };
  // In the others e-mails are read for their codes alone.
  const found = await flowVerdicts([inParallel, otpFlow, rightCodesFlow], { change });
  await mailServer.close();
  expect(found.failed).toEqual([]);
  expect(found['could-not-run']).toContain('signing.email-used');
  expect(found.passed).toContain('otp.email-delivered');
});

/** The list of a mailbox, as it is once everything in it was deleted. */
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
const isPlain = ({ url, body }: Arrived) => url.includes('type=0') && !body.includes('"CallbackUrl"');
const idIn = ({ body }: Forwarded) => String((JSON.parse(String(body)) as { requestId?: string }).requestId);

for (const [reason, ...answers] of [
  ['an account that is used up', [402, 'Your trial account is used up']],
  ['something else that is at work', [409, 'The document is being processed, try again']],
  ['having been sent when its answer was lost', [502, ''], [409, 'already sent']],
] as const) {
  test(`a request without CallbackUrl that is not sent for ${reason} blames nobody`, async () => {
    const some = flows.filter(({ proves }) => proves.includes('events.optional'));
    const without = new Set<string>();
    let refused = 0;
    const found = await flowVerdicts([...some, inParallel], {
      behave: async ({ request, forward, reply }) => {
        if (request.url.endsWith('/send') && without.has(request.url.split('/').at(-2) ?? '')) {
          const [status, said] = answers[Math.min(refused, answers.length - 1)] ?? [402, ''];
          refused += 1;
          return reply({ status, body: Buffer.from(said) });
        }
        const answer = await forward();
        if (isPlain(request)) without.add(idIn(answer));
        reply(answer);
      },
    });
    expect([found.failed, refused > 0]).toEqual([[], true]);
  });
}

test('who acts by a link cannot act before it has come, also where the profile shows no page', async () => {
  const byLink = (call: CallTemplate | undefined) => call && { ...call, headers: { 'X-Page': '{link}' } };
  const change = ({ calls: { view: _, sign, approve, ...calls } = {} }: Profile) => ({
    calls: { ...calls, sign: byLink(sign), approve: byLink(approve) },
  });
  const { passed } = await flowVerdicts([inSequence], { change });
  expect(passed).toContain('signing.lower-order-first');
});

test('e-mails that take longer than they are waited for are not missed', async () => {
  const slow = mailbox((messages) =>
    messages.filter(({ sentAt }) => Date.now() - Date.parse(sentAt) > 1_500),
  );
  const found = await flowVerdicts([inParallel, mixedRoles], { behave: slow });
  expect(found.failed).toEqual([]);
});

test('a queue that takes every act with 202 and carries out those that are allowed blames nobody', async () => {
  const queue = reshaped((answer, { url }) =>
    /\/(?:sign|approve)$/.test(url) && answer.status < 500 ? { ...answer, status: 202 } : answer,
  );
  const found = await flowVerdicts([otpFlow, inSequence, mixedRoles], { behave: queue });
  expect(found.failed).toEqual([]);
  expect(found.passed).toEqual(expect.arrayContaining(['signing.signer-signs', 'otp.email-delivered']));
});

test('flows that share a document get others where its token is good for one request, which no profile says', async () => {
  const sharing = flows.filter(({ documents }) => documents.length === 0);
  const { passed } = await flowVerdicts(sharing, { dialect: { documentTokenUses: 1 } });
  const ids = ['otp.email-delivered', 'events.optional', 'signatory.refused-without-effect'];
  expect(passed).toEqual(expect.arrayContaining(ids));
});

test('a request without CallbackUrl that is put away when it is old blames nobody', async () => {
  let unheard = '';
  let isLate = false;
  const { failed } = await flowVerdicts([withoutCallbackUrl, inParallel], {
    // What the reference service sends arrives at once: three seconds are for a busy machine.
    change: ({ callbacks }) => ({
      callbacks: { ...callbacks, grace: { ...callbacks?.grace, arrivalMs: 3_000 } },
    }),
    behave: async ({ request, forward, reply }) => {
      const [, id = '', what = ''] = /\/requests\/([^/?]+)\/(status|documents)$/.exec(request.url) ?? [];
      const isAway = what !== '' && (id === unheard || isLate);
      // Once its documents were asked for, the other one is as old.
      isLate ||= what === 'documents' && id === unheard;
      const headers = { 'content-type': 'application/json' };
      if (isAway && what === 'status') return reply({ headers, body: Buffer.from('{"status":"Archived"}') });
      if (what === 'documents') return reply(isAway ? { status: 410 } : { body: linesPdf(['Completed']) });
      const answer = await forward();
      if (isPlain(request)) unheard = idIn(answer);
      reply(answer);
    },
  });
  expect(failed).toEqual([]);
});
