/** Forms: what is ours to choose is written in others where one is refused, and then as it was accepted. Offline, with nock. */
import { expect, test } from '@playwright/test';
import nock from 'nock';
import { minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { person } from '../../generators/people.ts';
import type { Call } from '../../harness/target/call.ts';
import { otpType } from '../../openapi/codes.ts';
import { clientIn, host, offline } from './services/client.ts';

offline(test);

const someone = person(1, { run: 'run', seed: 1 });
const addition = '/base/_apis/sign/api/v2/requests/r-1/signatories';

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

const once = [
  ['it is to be refused', { deliberate: true }],
  ['it is observed', { purpose: 'observation' }],
] as const;

for (const [title, more] of once) {
  test(`a call is sent in one form when ${title}`, async ({}, info) => {
    const { sent, call } = adding(() => false);
    await clientIn(info).call(call(sms, more));
    expect(numbersOf(sent)).toEqual(['+61491570156']);
  });
}

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
