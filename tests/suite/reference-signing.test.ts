/** Sending and signing by calls: states, refusals, stamps, and the dialect settings about them. */
import { expect, test } from '@playwright/test';
import { readPdf } from '../../harness/untrusted/pdf/completed.ts';
import type { Dialect } from '../../reference/dialect.ts';
import { type ReferenceClient, stampedBody, withReference } from './reference-client.ts';
import { approver, byAccessCode, byBoth, byEmail, cc, Flow, somebody } from './reference-flow.ts';
import { jsonOf, startReceiver } from './reference-receiver.ts';

const statusOf = async (flow: Flow) => (await flow.status()).json.status;

/** A flow of the given people against a service of its own. */
function play<Result>(
  dialect: Partial<Dialect>,
  people: readonly Record<string, unknown>[],
  work: (flow: Flow, client: ReferenceClient) => Promise<Result>,
): Promise<Result> {
  return withReference({ dialect }, async (client) => work(await Flow.create(client, people), client));
}

test('a request is draft, sent, completed, and does not go back', async () => {
  await play({}, [somebody('one'), somebody('two')], async (flow) => {
    expect(await statusOf(flow)).toBe('draft');
    expect((await flow.sign('one')).status).toBe(409);
    expect((await flow.send()).status).toBe(200);
    expect([await statusOf(flow), (await flow.send()).status]).toEqual(['sent', 409]);
    expect((await flow.add(somebody('late'))).status).toBe(409);
    expect((await flow.sign('one')).status).toBe(200);
    expect((await flow.sign('one')).status).toBe(409);
    expect((await flow.documents()).length).toBe(0);
    expect((await flow.sign('two')).status).toBe(200);
    expect([await statusOf(flow), (await flow.documents()).length]).toEqual(['completed', 1]);
    expect((await flow.decline('two')).status).toBe(409);
  });
});

test('a request that nobody can complete is not sent', async () => {
  await play({}, [], async (flow) => expect((await flow.send()).status).toBe(409));
  await play({}, [somebody('reader', cc)], async (flow) => expect((await flow.send()).status).toBe(409));
  await play({ conflictStatus: 400 }, [], async (flow) => expect((await flow.send()).status).toBe(400));
});

test('whoever declines ends the request', async () => {
  await play({}, [somebody('one'), somebody('two'), somebody('reader', cc)], async (flow) => {
    await flow.send();
    expect((await flow.decline('reader')).status).toBe(403);
    expect((await flow.decline('one')).status).toBe(200);
    expect([await statusOf(flow), (await flow.sign('two')).status]).toEqual(['declined', 409]);
  });
});

test('people are invited in turn: lower orders first, equal ones at once, approvers among them', async () => {
  const people = [
    somebody('last', { Order: 7 }),
    somebody('judge', { Order: 2, ...approver }),
    somebody('first', { Order: 2 }),
    somebody('reader', { Order: 1, ...cc }),
  ];
  await play({}, people, async (flow) => {
    await flow.send();
    const invited = async () => (await flow.mails()).map(({ to }) => to.split('@')[0]).toSorted();
    expect(await invited()).toEqual(['first', 'judge']);
    await flow.sign('first');
    expect((await flow.sign('last')).status).toBe(409);
    await flow.approve('judge');
    expect(await invited()).toEqual(['first', 'judge', 'last']);
    await flow.sign('last');
    expect(await invited()).toEqual(['first', 'judge', 'last', 'reader']);
  });
});

test('stamps of a type 0 request are placed by a call', async () => {
  await play({}, [somebody('only'), somebody('judge', approver)], async (flow, client) => {
    const target = `/_apis/sign/api/v2/requests/${flow.requestId}/stamps`;
    const Stamps = [{ Identifier: 'My stamp', Type: 'initial', X: 100, Y: 200, Width: 80, Height: 30 }];
    const place = (name: string) => client.json('POST', target, { signatoryId: flow.idOf(name), Stamps });
    expect((await place('judge')).status).toBe(400);
    expect((await place('nobody')).status).toBe(400);
    expect((await place('only')).json).toMatchObject({ stamps: 1 });
    await flow.send();
    await flow.approve('judge');
    await flow.sign('only');
    const reading = await readPdf((await flow.documents())[0] ?? Buffer.alloc(0));
    const page = reading.readable ? reading.pages[0] : undefined;
    expect(page?.text).toContain('My stamp');
    expect(page?.boxes[0]).toMatchObject({ width: expect.closeTo(80, 0), height: expect.closeTo(30, 0) });
  });
});

test('a code works once, for a while, and not after five wrong tries', async () => {
  await play({ otpDigits: 4 }, [somebody('one', byEmail), somebody('two', byEmail)], async (flow) => {
    await flow.send();
    const { email: code } = await flow.codes('one');
    expect(code).toMatch(/^\d{4}$/);
    for (let attempt = 0; attempt < 5; attempt += 1) await flow.sign('one', { otp: 'wrong' });
    expect((await flow.sign('one', { otp: code })).status).toBe(403);
    expect((await flow.sign('two', { otp: (await flow.codes('one')).email })).status).toBe(403);
    expect((await flow.sign('one', { otp: (await flow.codes('one')).email })).status).toBe(200);
  });
  await play({ otpLifetimeSeconds: 0 }, [somebody('one', byEmail)], async (flow) => {
    await flow.send();
    expect((await flow.sign('one', { otp: (await flow.codes('one')).email })).status).toBe(403);
  });
});

test('OTP Type 4 takes one code, or two, as the dialect has it', async () => {
  await play({}, [somebody('one', byBoth)], async (flow) => {
    await flow.send();
    const { email, sms } = await flow.codes('one');
    expect(email).toBe(sms);
    expect((await flow.sign('one', { otp: sms })).status).toBe(200);
  });
  await play({ otpBoth: 'two-codes' }, [somebody('one', byBoth)], async (flow) => {
    await flow.send();
    const { email, sms } = await flow.codes('one');
    expect((await flow.sign('one', { otp: email })).status).toBe(403);
    expect((await flow.sign('one', { otp: email, otpSms: sms })).status).toBe(200);
  });
});

test('an AccessCode is never sent', async () => {
  await play({}, [somebody('one', byAccessCode)], async (flow) => {
    await flow.send();
    await flow.codes('one');
    expect(
      (await flow.mails()).every(({ kind, text }) => kind === 'invitation' && !text.includes('sesame')),
    ).toBe(true);
  });
});

test('a type 0 request may be sent without a call', async () => {
  for (const sending of ['creation', 'first-signatory'] as const) {
    await play({ sending }, [somebody('one'), somebody('two')], async (flow) => {
      expect(await statusOf(flow)).toBe('sent');
      for (const name of ['one', 'two']) expect((await flow.sign(name)).status).toBe(200);
      expect(await statusOf(flow)).toBe('completed');
    });
  }
  await play({ sending: 'delay', sendDelayMs: 30 }, [somebody('one')], async (flow) => {
    expect(await statusOf(flow)).toBe('draft');
    await expect.poll(() => statusOf(flow)).toBe('sent');
  });
});

test('signatories may be added to a request that was sent', async () => {
  await play({ addAfterSend: 'accepted' }, [somebody('one')], async (flow) => {
    await flow.send();
    expect((await flow.add(somebody('late'))).status).toBe(200);
    await flow.sign('one');
    expect(await statusOf(flow)).toBe('sent');
    await flow.sign('late');
    expect(await statusOf(flow)).toBe('completed');
  });
});

test('copies may go to everyone, private messages stay out of e-mail', async () => {
  const people = [somebody('one', { PrivateMessage: 'Between us' }), somebody('reader', cc)];
  await play({ copiesTo: 'everyone', privateMessageMailed: false }, people, async (flow) => {
    await flow.send();
    await flow.sign('one');
    const mails = await flow.mails();
    const copies = mails.filter(({ kind }) => kind === 'copy').map(({ to }) => to);
    expect(copies.toSorted()).toEqual(['one@example.com', 'reader@example.com']);
    expect(mails.some(({ text }) => text.includes('Between us'))).toBe(false);
  });
});

test('an answer may be given in the reason phrase', async () => {
  await withReference({ dialect: { errorShape: 'reason' } }, async ({ reference }) => {
    const url = `${reference.baseUrl}/_apis/sign/thumbs/api/Requests/document`;
    const headers = { Authorization: `Bearer ${reference.tokens.expired}` };
    const response = await fetch(url, { method: 'POST', headers });
    expect([response.statusText, await response.text()]).toEqual(['Access token is expired', '']);
  });
});

for (const eventsOfOtherTypes of ['sent', 'none'] as const) {
  test(`requests of type 3 send events: ${eventsOfOtherTypes}`, async () => {
    const receiver = await startReceiver();
    await withReference({ dialect: { eventsOfOtherTypes, callbackDelayMs: 20 } }, async (client) => {
      const callbacks = { CallbackUrl: receiver.baseUrl, CallbackTypes: [1] };
      const body = { ...stampedBody([await client.document()]), ...callbacks };
      await client.json('POST', '/_apis/sign/api/Requests?type=3', body);
      // A request of type 0 whose event follows shows that none of the other is still to come.
      const flow = await Flow.create(client, [somebody('one')], callbacks);
      await flow.send();
      const received = await receiver.arrived(eventsOfOtherTypes === 'sent' ? 2 : 1);
      expect(received.map((each) => jsonOf(each).requestId).at(-1)).toBe(flow.requestId);
      expect(received).toHaveLength(eventsOfOtherTypes === 'sent' ? 2 : 1);
    });
    await receiver.close();
  });
}
