/** Rows about one-time passwords before signing. */
import { byAccessCode, byBoth, byEmail, bySms, mobileNumber } from '../reference-flow.ts';
import { type FlowRow, flowRow, single } from './flow-row.ts';

export const codeRows: readonly FlowRow[] = [
  flowRow('otp.not-asked', 'no code is asked for', async (round) => {
    const flow = await single(round);
    const first = await flow.sign('only');
    if (first.status === 200) return true;
    // A signer who cannot sign with a code either is refused for another reason.
    return (await flow.sign('only', { otp: (await flow.codes('only')).email })).status !== 200;
  }),
  flowRow('otp.gates-signing', 'nothing and a wrong code are refused', async (round) => {
    const flow = await single(round, byEmail);
    await flow.codes('only');
    const refused = [await flow.sign('only'), await flow.sign('only', { otp: 'wrong' })];
    return refused.every(({ status }) => status === 403);
  }),
  flowRow('otp.email-delivered', 'the code is mailed', async (round) => {
    const flow = await single(round, byEmail);
    return (await flow.codes('only')).email !== undefined;
  }),
  flowRow('otp.sms-delivered', 'the code is sent to the number', async (round) => {
    const flow = await single(round, bySms);
    return (await flow.codes('only')).sms !== undefined;
  }),
  flowRow('otp.email-and-sms-delivered', 'the code is sent both ways', async (round) => {
    const { email, sms } = await (await single(round, byBoth)).codes('only');
    return email !== undefined && sms !== undefined;
  }),
  flowRow('otp.access-code-asked', 'the AccessCode is the code, and no other', async (round) => {
    const flow = await single(round, byAccessCode);
    if ((await flow.sign('only')).status === 200) return true;
    const wrong = await flow.sign('only', { accessCode: 'another' });
    const right = await flow.sign('only', { accessCode: 'open sesame' });
    const nothingSent = (await flow.mails(mobileNumber)).length === 0;
    return wrong.status === 403 && right.status === 200 && nothingSent;
  }),
];
