/** What a person is asked to do by hand, in words and on the page of manual signing. */
import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { otpType, role } from '../../openapi/codes.ts';
import { visible } from '../../record/visible.ts';
import { wrongCodes } from './codes.ts';
import type { Codes, SigningStep, SigningTask } from './driver.ts';

export interface ManualTask extends SigningStep {
  /** Counted from 1, in the order in which the tasks came. */
  readonly number: number;
  /** The signing page, once it is known. */
  link?: string;
  /** When the task was put into the list, on the monotonic clock: from then on the person may do it. */
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
  // Anything else, such as an act before the person's turn, may be refused by the service.
  const plain = fits && codes === 'right';
  const verb = act === 'sign' ? 'sign' : 'approve';
  const doing = plain ? `${act === 'sign' ? 'Sign' : 'Approve'} as ${who}` : `Try to ${verb} as ${who}`;
  const how = codeInstruction(task, codes);
  const doubt = plain ? '' : ' The service may refuse it; to send no link is to refuse it, too.';
  return `${doing}${how ? `, ${how}` : ''}.${doubt}`;
}

function codeInstruction(task: SigningTask, codes: Codes): string {
  if (!task.otp) return '';
  if (codes === 'none') return 'without entering a code';
  if (codes === 'wrong') {
    const { email, sms, accessCode } = wrongCodes(task);
    return `with a wrong code, as ${accessCode ?? email ?? sms ?? '0'}`;
  }
  return {
    [otpType.email]: 'with the code from the e-mail',
    [otpType.sms]: `with the code that is sent to ${task.mobileNumber}`,
    [otpType.emailAndSms]: `with the codes from the e-mail and from ${task.mobileNumber}`,
    [otpType.accessCode]: `with the access code ${task.otp.accessCode ?? 'that was set'}`,
  }[task.otp.type];
}

/** Tasks by request, in the order of the requests; those of one request as they came, which is how they are to be done. */
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

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** How often the page reloads itself, to show new tasks and the time that is left. */
const reloadSeconds = 2;

/** The look of every page of the suite, and what this one adds. */
const style = `${readFileSync(new URL('../../reports/page/design.css', import.meta.url), 'utf8')}
body{max-width:52rem}ol{padding-left:1.5rem}li{margin:0 0 var(--far)}
form{display:flex;flex-wrap:wrap;gap:var(--close) var(--apart);align-items:center}button{min-height:2.75rem}
.answered,.later{margin-bottom:var(--apart);color:var(--quiet)}`;

const outcomeWords: Readonly<Record<ManualAnswer, string>> = {
  done: 'It went through.',
  refused: 'It was refused.',
  'could-not': 'It could not be tried.',
  'too-late': 'The time was up.',
  ended: 'The run ended before.',
};

export async function manualPage(tasks: readonly ManualTask[], nowMs: number): Promise<string> {
  const open = tasks.filter(({ answer }) => answer === undefined);
  const requests = [...new Set(inOrder(tasks).map(({ task }) => task.requestId))];
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${reloadSeconds}"><title>${open.length} to do – signing by hand</title>
<style>${raw(style)}</style></head><body><main><h1>Signing by hand</h1>
<p>${open.length === 0 ? 'There is nothing to do at the moment. More may come: leave this page open.' : 'Do these from top to bottom, and say of each what the service did.'}</p>
${requests.map((id) => html`<h2>Request ${id}</h2><ol>${inOrder(tasks.filter(({ task }) => task.requestId === id)).map((each) => item(each, nowMs))}</ol>`)}
</main></body></html>`;
  return visible(page.toString());
}

function item(each: ManualTask, nowMs: number): Html {
  const { number, link, answer, endMs } = each;
  const instruction = instructionOf(each);
  if (answer !== undefined)
    return html`<li class="answered">${instruction} <strong>${outcomeWords[answer]}</strong></li>`;
  if (endMs === undefined) return html`<li class="later">${instruction} <em>After the one above.</em></li>`;
  return html`<li><p>${instruction} <time>${countdown(endMs - nowMs)}</time> left</p>
<p>${link === undefined || !/^https?:/i.test(link) ? 'The link to the signing page is in the e-mail to this person.' : html`<a href="${link}" target="_blank" rel="noreferrer">Open the signing page</a>`}</p>
<form method="post" action="tasks/${number}">
<button class="first" name="answer" value="done">Done: it went through</button>
<button name="answer" value="refused">The service refused it</button>
<button class="other" name="answer" value="could-not">I could not try it</button>
</form></li>`;
}
