/** An example of a signing module: signs at the reference service by its JSON calls. */
import type { SigningModule, SigningTools } from 'esign-conformance';

type Task = Parameters<SigningModule['act']>[0];

const person = '/_apis/sign/api/v2/requests/{requestId}/signatories/{signatoryId}';

/** Values of OTP.Type: the ways on which a code is sent, and the AccessCode, which is not. */
const [byEmail, bySms, accessCode] = [1, 2, 3];

/** Has the codes sent and reads them; an AccessCode is known already. */
async function rightCodes(task: Task, ids: Record<string, string>, { call, outbox }: SigningTools) {
  if (!task.otp) return {};
  if (task.otp.type === accessCode) return { accessCode: task.otp.accessCode };
  await call({ method: 'POST', url: `${person}/otp` }, ids, 'otp');
  const otp = task.otp.type === bySms ? undefined : await outbox?.code(task, 'email');
  const otpSms = task.otp.type === byEmail ? undefined : await outbox?.code(task, 'sms');
  return { otp: otp ?? otpSms, otpSms };
}

const signingModule: SigningModule = {
  async act(task, act, codes, tools) {
    const ids = { requestId: task.requestId, signatoryId: task.signatoryId ?? '' };
    let body: Record<string, unknown> = {};
    if (codes === 'right') body = await rightCodes(task, ids, tools);
    if (codes === 'wrong') body = { otp: 'wrong', accessCode: 'wrong' };
    const answer = await tools.call({ method: 'POST', url: `${person}/${act}`, body }, ids, act);
    if (answer.status === 200) return 'done';
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 401 && answer.status !== 404) {
      return { refused: `${answer.status} ${answer.text}` };
    }
    return { unknown: `${act} was answered with ${answer.status}` };
  },

  async view(task, { outbox }) {
    const link = await outbox?.link(task);
    if (link === undefined) return { unknown: 'no link was found in the outbox' };
    const page = await fetch(link);
    return { text: (await page.text()).replaceAll(/<[^>]*>/g, ' ') };
  },
};

export default signingModule;
