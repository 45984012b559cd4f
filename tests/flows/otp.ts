/** The flow about one-time passwords: four signers in parallel, each with another method. */
import type { FlowDefinition, FlowScript } from '../../harness/flows/flow.ts';
import { otpType, role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';

const methods = [otpType.accessCode, otpType.email, otpType.sms, otpType.emailAndSms];

export const otpFlow: FlowDefinition = {
  name: 'four methods of OTP',
  signatories: methods.map((otp) => ({ role: role.signer, order: 1, otp })),
  documents: 1,
  proves: [
    'otp.gates-signing',
    'otp.email-delivered',
    'otp.sms-delivered',
    'otp.access-code-asked',
    'otp.email-and-sms-delivered',
  ],
  script: async (flow) => {
    await flow.send();
    await flow.mayNot(1, 'sign', 'none', 'otp.gates-signing', 'who entered no code');
    await flow.mayNot(2, 'sign', 'wrong', 'otp.gates-signing', 'who entered a wrong code');
    await flow.mayNot(3, 'sign', 'none', 'otp.gates-signing', 'who entered neither code');
    // Where no code is asked for at all, nothing can be said about this one.
    if (!flow.hasFailed('otp.gates-signing')) {
      await flow.mayNot(0, 'sign', 'wrong', 'otp.access-code-asked', 'who entered a wrong AccessCode');
      await flow.acts(0, 'otp.access-code-asked');
      flow.judge('otp.access-code-asked', 'passed', 'the AccessCode that was set is taken');
    }
    await delivered(flow, 1, 'otp.email-delivered', ['email']);
    await delivered(flow, 2, 'otp.sms-delivered', ['sms']);
    await delivered(flow, 3, 'otp.email-and-sms-delivered', ['email', 'sms']);
  },
};

/** The code of a signatory stands in a message of each channel. */
async function delivered(
  flow: FlowScript,
  signatory: number,
  requirement: RequirementId,
  channels: readonly ('email' | 'sms')[],
): Promise<void> {
  if (!channels.every((channel) => flow.reads(channel))) return;
  await flow.requestOtp(signatory);
  for (const channel of channels) {
    const code = await flow.code(signatory, channel);
    const words = channel === 'email' ? 'e-mail' : 'SMS';
    const to = { signatory, channel };
    flow.judgeMessage(requirement, to, code !== undefined, `${code ? 'a' : 'no'} code came by ${words}`);
  }
}
