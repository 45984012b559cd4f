/** A target that is slow to notify, and messages that cannot be read: no one is blamed for what did not come in time. */
import { expect, test } from '@playwright/test';
import type { FlowDefinition } from '../../harness/flows/flow.ts';
import { arrivalDeadline } from '../../harness/flows/flow-deliveries.ts';
import type { CallTemplate } from '../../harness/profile/parts.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { worst } from '../../record/verdict.ts';
import { plainPdf as linesPdf } from '../../reference/plain-pdf.ts';
import { flows } from '../flows/all.ts';
import { withoutCallbackUrl } from '../flows/events.ts';
import { otpFlow, rightCodesFlow } from '../flows/otp.ts';
import { inParallel, inSequence, mixedRoles } from '../flows/people.ts';
import { changedReference, withSession } from '../proof/session.ts';
import type { Arrived } from './services/loopback.ts';
import { type Forwarded, instead, reshaped } from './services/proxy.ts';
import { expectNoBlame, flowVerdicts } from './workflow.ts';

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
  const deadline = arrivalDeadline(1_000, 500);
  expect(deadline.leftMs(1_400)).toBe(100);
  deadline.arrived(1_400);
  expect(deadline.leftMs(1_400)).toBe(500);
  deadline.arrived(1_000);
  expect(deadline.leftMs(1_400)).toBe(500);
  deadline.arrived(2_900);
  expect(deadline.leftMs(2_900)).toBe(100);
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
  await expectNoBlame([mixedRoles], { passed: ['signing.cc-receives-copy'], behave: certified });
});

for (const [title, played, dialect, requirement, fault] of [
  [
    'where people can act only once they have looked, whoever is to be refused looks first, too',
    [mixedRoles],
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
    // Without the fault it passes in the rows of the dialects.
    const start = () =>
      changedReference({ dialect, faults: [fault] }, ({ outbox }) => ({
        outbox: { ...outbox, waitMs: 1_000 },
      }));
    const verdict = await withSession(start, { runId: 'beside', flows: played }, async (session) => {
      // A document of nobody in the flow.
      await session.documents(1);
      const { rows } = await session.evidence(requirement);
      return worst(rows.map((row) => row.verdict));
    });
    expect(verdict).toBe('failed');
  });
}

test('an approver who is passed over gets no link to act by, and event 3 tells that none will come', async () => {
  const byLink = ({ url, ...call }: CallTemplate) => ({ ...call, url: `${url}?from={link}` });
  const change = ({ calls = {} }: Profile): Partial<Profile> => {
    const acting = calls.sign &&
      calls.approve && { sign: byLink(calls.sign), approve: byLink(calls.approve) };
    return { calls: { ...calls, ...acting } };
  };
  const faults = ['signing.approver-approves/not-awaited'] as const;
  expect((await flowVerdicts([inParallel], { change, faults })).failed).toContain(
    'signing.approver-approves',
  );
});

const isActing = /\/(sign|approve)$/;

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
    // Nothing is entered, or blanks.
    const isIdle = ({ url, body }: { url: string; body: Buffer }) =>
      isActing.test(url) && /^\{(?:"\w+":" ",?)*\}$/.test(body.toString());
    const found = await flowVerdicts([rightCodesFlow], {
      change: ({ signing }) => ({ signing: { ...signing, driver: 'http', readyMs: 0 } }),
      behave: instead((call) => (isIdle(call) ? { status } : undefined)),
      faults: ['otp.email-delivered/of-no-use'],
    });
    expect(found.failed).toEqual(['otp.email-delivered']);
  });
}

test('a person whose messages cannot be read is not said to have got none', async () => {
  // Those of one request are behind a mail server that has a bad day; all others can be read.
  const behave = reshaped((answer, { url }) =>
    url.includes('/_outbox.json') && answer.body.includes(inParallel.name) ? { status: 500 } : answer,
  );
  // In the other one e-mails are read for their codes alone.
  await expectNoBlame([inParallel, otpFlow], {
    passed: ['otp.email-delivered'],
    unproved: ['signing.email-used'],
    behave,
  });
});

const codesAt = '/_apis/sign/api/v2/requests/{requestId}/signatories/{signatoryId}';

test('no code comes where e-mails alone can be read, and codes are asked for by a call that may send none', async () => {
  const found = await flowVerdicts([otpFlow], {
    faults: ['otp.email-delivered/none'],
    behave: ({ request, forward, reply }) =>
      forward({ url: request.url.replace(/\/remind$/, '/otp') }).then(reply),
    change: ({ calls, outbox }) => ({
      calls: { ...calls, requestOtp: { method: 'POST', url: `${codesAt}/remind` } },
      outbox: { ...outbox, sms: undefined },
    }),
  });
  expect(found['could-not-run']).toContain('otp.email-delivered');
});

test('a mailbox that tells the newest e-mail alone lacks the texts of an earlier one', async () => {
  const alike = flows.filter(({ neighbour }) => neighbour !== undefined);
  const behave = mailbox((messages) => messages.slice(0, 1));
  expect(alike.length).toBe(1);
  await expectNoBlame(alike, { behave });
});

test('who is mailed a code unasked before the one that was asked for may be thought to have the older one', async () => {
  const asked = new Set<string>();
  const oldestFirst = mailbox((messages) => messages.map(({ sentAt: _, ...rest }) => rest).toReversed());
  await expectNoBlame([otpFlow], {
    // Where people may have to look before they act, less is said of codes.
    change: ({ calls: { view: _, ...calls } = {} }) => ({ calls }),
    behave: async (passing) => {
      const { request, forward } = passing;
      const isFirst = request.url.endsWith('/otp') && !asked.has(request.url);
      asked.add(request.url);
      if (isFirst) await forward();
      return oldestFirst(passing);
    },
  });
});

const isPlain = ({ url, body }: Arrived) => url.includes('type=0') && !body.includes('"CallbackUrl"');
const idIn = ({ body }: Forwarded) => String((JSON.parse(String(body)) as { requestId?: string }).requestId);

for (const [reason, ...answers] of [
  ['an account that is used up', [402, 'Your trial account is used up']],
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

test('a request of which the target is still making something is sent once that is done', async () => {
  let refused = 0;
  const found = await flowVerdicts([inParallel], {
    change: ({ signing }) => ({ signing: { ...signing, driver: 'http', readyMs: 10_000 } }),
    behave: instead(({ url }) => {
      if (!url.endsWith('/send') || refused === 6) return undefined;
      refused += 1;
      // Whatever status says so, with words or without.
      if (refused > 3) return { status: 409, body: Buffer.from('') };
      return { status: 422, body: Buffer.from('The document is still being processed') };
    }),
  });
  expect(found.passed).toContain('signing.parallel');
});

test('who acts by a link cannot act before it has come, also where the profile shows no page', async () => {
  const byLink = (call: CallTemplate | undefined) => call && { ...call, headers: { 'X-Page': '{link}' } };
  const change = ({ calls: { view: _, sign, approve, ...calls } = {} }: Profile) => ({
    calls: { ...calls, sign: byLink(sign), approve: byLink(approve) },
  });
  const { passed } = await flowVerdicts([inSequence], { change });
  expect(passed).toContain('signing.lower-order-first');
});

test('a queue that takes every act with 202 and carries out those that are allowed blames nobody', async () => {
  const queue = reshaped((answer, { url }) =>
    /\/(?:sign|approve)$/.test(url) && answer.status < 500 ? { ...answer, status: 202 } : answer,
  );
  await expectNoBlame([otpFlow, inSequence, mixedRoles], {
    passed: ['signing.signer-signs', 'otp.email-delivered'],
    behave: queue,
  });
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
  await expectNoBlame([withoutCallbackUrl, inParallel], {
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
});
