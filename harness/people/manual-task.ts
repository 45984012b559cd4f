/** What a person is asked to do, in words. */
import { otpType, role } from '../../openapi/codes.ts';
import { wrongCodes } from './codes.ts';
import type { Act, Codes, SigningStep, SigningTask } from './driver.ts';

/** One act that a person is asked for. */
export interface ManualTask {
  /** From 1, in the order in which they came. */
  readonly number: number;
  readonly task: SigningTask;
  readonly act: Act;
  readonly codes: Codes;
  /** The signing page, once it is known. */
  link?: string;
  /** Since when it stands in the list, on the monotonic clock: from then on the person may do it. */
  readonly listedMs: number;
  /** Until when an answer is waited for; absent while the flow has not come so far. */
  endMs?: number;
  /** What the person said; absent while they have not. */
  answer?: ManualAnswer;
}

/** `done`: the target let them; `refused`: it did not; `could-not`: they could not try. */
export type ManualAnswer = 'done' | 'refused' | 'could-not' | 'too-late' | 'ended';

const roleNames = {
  [role.signer]: 'a signer',
  [role.approver]: 'an approver',
  [role.cc]: 'in copy only',
} as const;

/** `Sign as Anna Example <anna@example.com>, a signer.` and how. */
export function instructionOf({ task, act, codes }: SigningStep): string {
  const who = `${task.name} <${task.email}>, ${roleNames[task.role]}`;
  const fits = act === (task.role === role.approver ? 'approve' : 'sign') && task.role !== role.cc;
  const plain = fits && (codes === 'right' || !task.otp);
  const verb = act === 'sign' ? 'sign' : 'approve';
  const doing = plain ? `${act === 'sign' ? 'Sign' : 'Approve'} as ${who}` : `Try to ${verb} as ${who}`;
  const how = codeInstruction(task, codes);
  const doubt = plain ? '' : ' It may be that the service does not let you: say what it did.';
  return `${doing}${how ? `, ${how}` : ''}.${doubt}`;
}

function codeInstruction(task: SigningTask, codes: Codes): string {
  if (!task.otp) return '';
  if (codes === 'none') return 'without entering a code';
  if (codes === 'wrong') {
    const { email, sms, accessCode } = wrongCodes(task);
    return `with a wrong code, as ${accessCode ?? email ?? sms ?? '0'}`;
  }
  switch (task.otp.type) {
    case otpType.email:
      return 'with the code from the e-mail';
    case otpType.sms:
      return `with the code that is sent to ${task.mobileNumber}`;
    case otpType.emailAndSms:
      return `with the codes from the e-mail and from ${task.mobileNumber}`;
    case otpType.accessCode:
      return `with the access code ${task.otp.accessCode ?? 'that was set'}`;
  }
}

/** By request, in the order in which these came; within each as the tasks came, which is how they are to be done. */
export function inOrder(tasks: readonly ManualTask[]): readonly ManualTask[] {
  const requests = [...new Set(tasks.map(({ task }) => task.requestId))];
  const place = ({ task }: ManualTask) => requests.indexOf(task.requestId);
  return tasks.toSorted((one, other) => place(one) - place(other) || one.number - other.number);
}

/** `9:05` */
export function countdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
