/** Says why a shared call failed, which is the one reason for all checks that depend on it. */
import { CouldNotRun } from '../../record/errors.ts';
import { is2xx } from '../../record/exchange.ts';
import type { Cause, Found, Received, SharedCall } from '../../record/finding.ts';
import { findingText, hintFor as hintOf } from '../../record/finding-text.ts';
import type { Answer } from '../target/call.ts';
import { classify, transient } from './classify.ts';

/** An error that names the call, its answer, and what is likely to help. */
export function unavailable(name: SharedCall, answer: Answer): CouldNotRun {
  return couldNotRun({ cause: whyUnavailable(name, answer) }, answer);
}

/** Why nothing can be built on a shared call. */
export function whyUnavailable(call: SharedCall, answer: Answer): Cause {
  const { documentToken, guess } = answer;
  const own = classify(answer);
  const because = (what: string) => ({ exchange: answer.exchange.index, call, what });
  const plain = ![...transient, 'access', 'quota', 'redirected', 'foreign'].includes(own);
  if (plain && guess !== undefined) return { excuse: 'guess', because: because(guess) };
  const other = own === 'access' || own === 'foreign';
  if (!other && is2xx(answer) && documentToken && 'missing' in documentToken) {
    const { missing, place } = documentToken;
    const what =
      place === 'auto'
        ? `${missing}: say in the profile where the document token stands (upload.token)`
        : `${missing}: is upload.token of the profile right?`;
    return { excuse: 'lacks', because: because(what) };
  }
  if (documentToken && 'wrongType' in documentToken) {
    const what = `the document token is a JSON ${documentToken.wrongType} and no string`;
    return { excuse: 'lacks', because: because(what) };
  }
  return { answer: own, of: answer.exchange.index, call };
}

/** The error for an answer that lacks `what`, in words; without words, for one that is no success. */
export function lacks(what: string | undefined, answer: Answer): CouldNotRun {
  const because = { exchange: answer.exchange.index, what };
  return couldNotRun({ cause: { excuse: 'lacks', because } }, answer);
}

/** @param answer the answer that the finding refers to */
export function couldNotRun(found: Found, answer?: Answer): CouldNotRun {
  return new CouldNotRun(findingText(found, () => answer?.exchange) ?? '', found);
}

/** The answer as a finding refers to it. */
export function receivedOf(answer: Answer): Received {
  return { exchange: answer.exchange.index, answer: classify(answer) };
}

/** What is likely to help; `null` where the answer says nothing about it. */
export function hintForShared(name: SharedCall, answer: Answer): string | null {
  return answer.guess ?? hintOf(classify(answer), answer.exchange, name);
}
