/** The flow about one-time passwords: four signers in parallel, each with another method, or two by two. */
import type { FlowDefinition, FlowScript } from '../../harness/flows/flow.ts';
import { type OtpType, otpType, role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';

const { accessCode, email, sms, emailAndSms } = otpType;

const channelsOf = {
  [email]: ['otp.email-delivered', ['email']],
  [sms]: ['otp.sms-delivered', ['sms']],
  [emailAndSms]: ['otp.email-and-sms-delivered', ['email', 'sms']],
} as const;

/** Signers in parallel, each with one of the methods. */
function flowOf(name: string, methods: readonly OtpType[]): FlowDefinition {
  const sent = [email, sms, emailAndSms].filter((method) => methods.includes(method));
  return {
    name,
    signatories: methods.map((otp) => ({ role: role.signer, order: 1, otp })),
    documents: 1,
    proves: [
      'otp.gates-signing',
      ...(methods.includes(accessCode) ? (['otp.access-code-asked'] as const) : []),
      ...sent.map((method) => channelsOf[method][0]),
    ],
    script: async (flow) => {
      await flow.send();
      for (const method of sent) {
        const codes = method === sms ? 'wrong' : 'none';
        const who = `who entered ${{ [email]: 'no code', [sms]: 'a wrong code', [emailAndSms]: 'neither code' }[method]}`;
        await flow.mayNot(methods.indexOf(method), 'sign', codes, 'otp.gates-signing', who);
      }
      // Where no code is asked for at all, nothing can be said about this one.
      const judgesCode = methods.includes(accessCode) && flow.applies('otp.access-code-asked');
      if (judgesCode && !flow.hasFailed('otp.gates-signing')) {
        await judgeAccessCode(flow, methods.indexOf(accessCode));
      }
      for (const method of sent) {
        const [requirement, channels] = channelsOf[method];
        await delivered(flow, methods.indexOf(method), requirement, channels);
      }
    },
  };
}

export const otpFlow: FlowDefinition = {
  ...flowOf('four methods of OTP', [accessCode, email, sms, emailAndSms]),
  parts: [
    flowOf('OTP by AccessCode and by e-mail', [accessCode, email]),
    flowOf('OTP by SMS, and by both', [sms, emailAndSms]),
  ],
};

async function judgeAccessCode(flow: FlowScript, signatory: number): Promise<void> {
  await flow.mayNot(signatory, 'sign', 'wrong', 'otp.access-code-asked', 'who entered a wrong AccessCode');
  await flow.acts(signatory, 'otp.access-code-asked');
  flow.judge('otp.access-code-asked', 'passed', 'the AccessCode that was set is taken');
}

/** The code of a signatory stands in a message of each channel. */
async function delivered(
  flow: FlowScript,
  signatory: number,
  requirement: RequirementId,
  channels: readonly ('email' | 'sms')[],
): Promise<void> {
  if (!flow.applies(requirement) || !channels.every((channel) => flow.reads(channel))) return;
  const asked = await flow.requestOtp(signatory);
  for (const channel of channels) {
    const code = await flow.code(signatory, channel);
    const words = channel === 'email' ? 'e-mail' : 'SMS';
    const to = { signatory, channel };
    if (code === undefined && !asked) {
      const why = 'nobody could ask for one (calls.requestOtp, signing.page.requestOtp)';
      flow.judge(requirement, 'could-not-run', `no code came by ${words}, and ${why}`);
      continue;
    }
    flow.judgeMessage(requirement, to, code !== undefined, `${code ? 'a' : 'no'} code came by ${words}`);
  }
}
