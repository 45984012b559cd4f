/** Sending and signing by calls: states, refusals, stamps, and the dialect settings about them. */
import { expect, test } from '@playwright/test';
import { readPdf } from '../../harness/untrusted/pdf/completed.ts';
import { otpType, path, role } from '../../openapi/codes.ts';
import type { Dialect } from '../../reference/dialect.ts';
import { startReference } from '../../reference/server.ts';
import { changed, ReferenceClient, stampedBody, withReference } from './reference-client.ts';
import { approver, byEmail, cc, Flow, somebody } from './reference-flow.ts';

const statusOf = async (flow: Flow) => (await flow.status()).json.status;

/** A flow of the given people against a service of its own. */
function play<Result>(
  dialect: Partial<Dialect>,
  people: readonly Record<string, unknown>[],
  work: (flow: Flow, client: ReferenceClient) => Promise<Result>,
): Promise<Result> {
  return withReference({ dialect }, async (client) => work(await Flow.create(client, people), client));
}

test('a request that nobody can complete is not sent', async () => {
  await play({}, [], async (flow) => expect((await flow.send()).status).toBe(409));
  await play({}, [somebody('reader', cc)], async (flow) => expect((await flow.send()).status).toBe(409));
  await play({ conflictStatus: 400 }, [], async (flow) => expect((await flow.send()).status).toBe(400));
  await withReference({}, async (client) => {
    const create = async (pointer: string, value: unknown) => {
      const body = changed(stampedBody([await client.document()]), `/Signatories/0${pointer}`, value);
      const text = JSON.stringify(body).replace('"infinite"', '1e999');
      return (await client.json('POST', `${path.autoStamping}?type=3`, text)).json.detail;
    };
    expect(await create('/signatoryType', role.cc)).toBe('Signatories: nobody can sign or approve');
    expect(await create('/AutoStamps/0/Offset/X_offset', 'infinite')).toContain('X_offset is not a number');
    expect((await client.send('GET', '/_control/requests')).json).toEqual({ requests: [] });
  });
});

test('what fails when its time comes is told, and the service goes on', async () => {
  const errors: unknown[] = [];
  const reference = await startReference({
    dialect: { sending: 'delay', sendDelayMs: 1 },
    faults: ['events.optional/demanded'],
    onError: (error) => errors.push(error),
  });
  const flow = await Flow.create(new ReferenceClient(reference), [somebody('only')]);
  await expect.poll(() => errors).toEqual([expect.objectContaining({ detail: 'CallbackUrl is missing' })]);
  expect(await statusOf(flow)).toBe('draft');
  await reference.close();
});

test('the subject of an e-mail travels in encoded words of 75 signs at most, of whole letters', async () => {
  const Title = `${'Verträge, 契約 🖋️ '.repeat(20)}`;
  await withReference({ dialect: { mailKept: 'as-sent' } }, async (client) => {
    const flow = await Flow.create(client, [somebody('only')], { Title });
    await flow.send();
    const [mail] = (await flow.mails()) as unknown as readonly { readonly raw: string }[];
    const source = Buffer.from(mail?.raw ?? '', 'base64url').toString();
    const words = /^Subject: (.*(?:\r\n .*)*)/m.exec(source)?.[1]?.split('\r\n ') ?? [];
    expect(Math.max(...words.map(({ length }) => length))).toBeLessThanOrEqual(75);
    const texts = words.map((word) => Buffer.from(word.slice(10, -2), 'base64').toString());
    expect(texts.join('')).toBe(`Please sign: ${Title}`);
    expect(texts.join('')).not.toContain('\uFFFD');
  });
});

test('stamps of a type 0 request are placed by a call', async () => {
  await play({}, [somebody('only'), somebody('judge', approver)], async (flow, client) => {
    const target = `/_apis/sign/api/v2/requests/${flow.requestId}/stamps`;
    const Stamps = [
      { Identifier: 'Far', Type: 'text', X: 1e308, Y: 1e308, Width: 1e308, Height: 1e-320 },
      { Identifier: 'My stamp', Type: 'initial', X: 100, Y: 200, Width: 80, Height: 30 },
    ];
    const place = (name: string) => client.json('POST', target, { signatoryId: flow.idOf(name), Stamps });
    expect((await place('judge')).status).toBe(400);
    expect((await place('nobody')).status).toBe(400);
    const elsewhere = { signatoryId: flow.idOf('only'), Stamps: [{ ...Stamps[1], Document: 1 }] };
    expect((await client.json('POST', target, elsewhere)).json.detail).toBe(
      'Stamps/0/Document is none of 0 to 0',
    );
    expect((await place('only')).json).toMatchObject({ stamps: 2 });
    await flow.send();
    await flow.approve('judge');
    await flow.sign('only');
    const reading = await readPdf((await flow.documents())[0] ?? Buffer.alloc(0));
    const page = reading.readable ? reading.pages[0] : undefined;
    expect(page?.text).toContain('My stamp');
    // What a PDF cannot hold would leave its content unreadable.
    expect(page?.boxes[0]).toMatchObject({ x: 1e6, width: 1e6 });
    expect(page?.boxes[1]).toMatchObject({ width: expect.closeTo(80, 0), height: expect.closeTo(30, 0) });
  });
});

test('a code works once, for a while, and not after five wrong tries', async () => {
  await play({ otpDigits: 4 }, [somebody('one', byEmail), somebody('two', byEmail)], async (flow) => {
    await flow.send();
    const code = await flow.emailedCode('one');
    expect(code).toMatch(/^\d{4}$/);
    for (let attempt = 0; attempt < 5; attempt += 1) await flow.sign('one', { otp: 'wrong' });
    expect((await flow.sign('one', { otp: code })).status).toBe(403);
    expect((await flow.sign('two', { otp: await flow.emailedCode('one') })).status).toBe(403);
    expect((await flow.sign('one', { otp: await flow.emailedCode('one') })).status).toBe(200);
  });
  const AccessCode = ' open sesame ';
  const OTP = { IsRequired: true, Type: otpType.accessCode, AccessCode };
  await play({}, [somebody('one', { OTP })], async (flow) => {
    await flow.send();
    expect((await flow.askForCode('one')).json).toEqual({ sent: false });
    expect((await flow.sign('one', { accessCode: 'sesame' })).status).toBe(403);
    expect((await flow.sign('one', { accessCode: AccessCode })).status).toBe(200);
  });
  await play({ otpLifetimeSeconds: 0 }, [somebody('one', byEmail)], async (flow) => {
    await flow.send();
    expect((await flow.sign('one', { otp: await flow.emailedCode('one') })).status).toBe(403);
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

test('an answer may be given in the reason phrase', async () => {
  await withReference({ dialect: { errorShape: 'reason' } }, async ({ reference }) => {
    const url = `${reference.baseUrl}/_apis/sign/thumbs/api/Requests/document`;
    const headers = { Authorization: `Bearer ${reference.tokens.expired}` };
    const response = await fetch(url, { method: 'POST', headers });
    expect([response.statusText, await response.text()]).toEqual(['Access token is expired', '']);
  });
});
