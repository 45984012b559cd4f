/** Refusals that speak of what an account or a sandbox has used up. */
import type { Answer } from '../target/call.ts';

const limit = 'limit|maximum|allowance|credits?';
const spent = 'reached|exceeded|exhausted|used up|full';

/** Words for something that is used up. "Rate limit exceeded" is about the pace, and another answer follows soon. */
const usedUp = new RegExp(
  [
    '\\bquotas?\\b',
    '\\bpayment required\\b|\\bupgrade\\b.{0,20}\\bplan\\b',
    `\\b(sandbox|trial|account|tenant|storage|plan)\\b.{0,40}\\b(${spent})\\b`,
    `(?<!\\brate[ -])\\b(${limit})\\b.{0,40}\\b(${spent})\\b`,
    `\\b(${spent})\\b.{0,40}(?<!\\brate[ -])\\b(${limit})\\b`,
    '\\b(no|insufficient|not enough|out of)\\b.{0,20}\\bcredits?\\b',
  ].join('|'),
  'is',
);

const pace = /\bper[ -](second|minute|hour)\b|\/(s|sec|min)\b/i;

/** Whether a refusal says that something is used up, by its words or by 402 (Payment Required). */
export function speaksOfQuota({ status, reason, text }: Pick<Answer, 'status' | 'reason' | 'text'>): boolean {
  if (status === 402) return true;
  // A web page may carry any word.
  const words = `${reason} ${text.slice(0, 2_000)}`;
  return status >= 400 && status < 500 && usedUp.test(words) && !pace.test(words);
}
