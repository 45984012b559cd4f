/** Three drivers sign at the reference service: by calls, in a browser, and with the example of a module. */
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { createDriver } from '../../harness/people/create-driver.ts';
import type { SigningDriver, SigningTask } from '../../harness/people/driver.ts';
import { createOutbox } from '../../harness/people/outbox.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { otpType, role } from '../../openapi/codes.ts';
import { type ReferenceClient, withReference } from './reference-client.ts';
import {
  approver,
  byAccessCode,
  byBoth,
  byEmail,
  bySms,
  cc,
  Flow,
  mobileNumber,
  somebody,
} from './reference-flow.ts';
import { callTo } from './signing-people.ts';
import { onReferencePage } from './signing-selectors.ts';

const person = '/_apis/sign/api/v2/requests/{requestId}/signatories/{signatoryId}';
const body = { otp: '{otp}', otpSms: '{otpSms}', accessCode: '{accessCode}' };

type Signing = Pick<Profile, 'signing' | 'calls'>;

const byCalls: Signing = {
  signing: { driver: 'http', readyMs: 300 },
  calls: {
    sign: { method: 'POST', url: `${person}/sign`, body },
    approve: { method: 'POST', url: `${person}/approve`, body },
    requestOtp: { method: 'POST', url: `${person}/otp` },
  },
};

const onPage: Signing = { signing: onReferencePage };

const example = fileURLToPath(new URL('../../examples/signing-module.ts', import.meta.url));
const byModule: Signing = { signing: { driver: 'module', module: example, timeoutMs: 20_000 } };

async function withDriver(
  signing: Signing,
  work: (driver: SigningDriver, client: ReferenceClient) => Promise<void>,
): Promise<void> {
  await withReference({}, async (client) => {
    const { baseUrl, tokens } = client.reference;
    const call = callTo(baseUrl, { authorization: `Bearer ${tokens.valid}` });
    const list = (to: string) => ({
      list: { method: 'GET', url: `/_outbox.json?to={${to}}` },
      messages: '/messages',
    });
    const outbox = createOutbox({ email: list('email'), sms: list('mobileNumber'), waitMs: 1_000 }, call);
    const driver = await createDriver(
      { address: { baseUrl }, ...signing },
      { call, outbox, profileDir: '.' },
    );
    if (!driver) throw new Error('the profile has a driver');
    try {
      await work(driver, client);
    } finally {
      await driver.close();
    }
  });
}

/** What the driver is told of a person of the flow. */
function taskOf(flow: Flow, name: string, more: Partial<SigningTask> = {}): SigningTask {
  return {
    requestId: flow.requestId,
    signatoryId: flow.idOf(name),
    email: `${name}@example.com`,
    name: `Name of ${name}`,
    mobileNumber,
    role: role.signer,
    order: 1,
    ...more,
  };
}

for (const [way, signing] of [
  ['by calls', byCalls],
  ['in a browser', onPage],
  ['with the example of a module', byModule],
] as const) {
  test.describe(way, () => {
    test('people act with their codes, and are refused with none and with wrong ones', async () => {
      await withDriver(signing, async (driver, client) => {
        const flow = await Flow.create(client, [
          somebody('eve', byEmail),
          somebody('sam', bySms),
          somebody('bob', byBoth),
          somebody('ann', byAccessCode),
          somebody('jon', approver),
        ]);
        await flow.send();
        const accessCode = byAccessCode.OTP.AccessCode;
        const people = [
          taskOf(flow, 'eve', { otp: { type: otpType.email } }),
          taskOf(flow, 'sam', { otp: { type: otpType.sms } }),
          taskOf(flow, 'bob', { otp: { type: otpType.emailAndSms } }),
          taskOf(flow, 'ann', { otp: { type: otpType.accessCode, accessCode } }),
        ];
        for (const task of people) {
          for (const codes of ['none', 'wrong'] as const) {
            const outcome = await driver.act(task, 'sign', codes);
            expect(outcome, `${task.name}, ${codes}`).toMatchObject({ kind: 'refused' });
          }
          expect(await driver.act(task, 'sign', 'right'), task.name).toMatchObject({ kind: 'done' });
        }
        const jon = taskOf(flow, 'jon', { role: role.approver });
        expect(await driver.act(jon, 'sign', 'right')).toMatchObject({ kind: 'refused' });
        expect(await flow.isCompleted()).toBe(false);
        expect(await driver.act(jon, 'approve', 'right')).toMatchObject({ kind: 'done' });
        expect(await flow.isCompleted()).toBe(true);
      });
    });

    test('who comes later is refused before, and who is in copy always', async () => {
      await withDriver(signing, async (driver, client) => {
        const flow = await Flow.create(client, [
          somebody('eve'),
          somebody('sam', { Order: 2 }),
          somebody('jo', cc),
        ]);
        await flow.send();
        const early = await driver.act(taskOf(flow, 'sam', { order: 2 }), 'sign', 'right');
        const copied = await driver.act(taskOf(flow, 'jo', { role: role.cc }), 'sign', 'right');
        // Who is not invited has no link: a driver that needs one cannot tell.
        for (const { kind } of [early, copied]) expect(kind).not.toBe('done');
        expect(await driver.act(taskOf(flow, 'eve'), 'sign', 'right')).toMatchObject({ kind: 'done' });
        expect(await driver.act(taskOf(flow, 'sam', { order: 2 }), 'sign', 'right')).toMatchObject({
          kind: 'done',
        });
        expect(await flow.isCompleted()).toBe(true);
      });
    });
  });
}

test('the page shows what the person sees, and the document', async () => {
  await withDriver(onPage, async (driver, client) => {
    const flow = await Flow.create(client, [
      somebody('eve', { PrivateMessage: 'Only for Eve' }),
      somebody('sam'),
    ]);
    await flow.send();
    const seen = { kind: 'seen', document: true, offers: ['sign'] };
    const text = expect.stringContaining('Only for Eve');
    expect(await driver.view(taskOf(flow, 'eve'))).toMatchObject({ ...seen, text });
    const other = await driver.view(taskOf(flow, 'sam'));
    expect(other).toMatchObject({ ...seen, text: expect.stringContaining('A title') });
    expect(other).not.toMatchObject({ text });
  });
});
