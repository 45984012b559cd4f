/** Says why a shared call gives nothing to build on: the one reason that all who depend on it share. */
import { CouldNotRun, type Found } from '../../record/errors.ts';
import type { Expected, Received, SharedCall } from '../../record/finding.ts';
import { type Exchanges, findingText, hintFor as hintOf } from '../../record/finding-text.ts';
import { isPage } from '../target/answers/stray.ts';
import { type Answer, is2xx } from '../target/call.ts';
import { Violation } from './check.ts';
import { classify, explained, troubled } from './classify.ts';

/** Whether an answer speaks of the credentials of the run: by its status, or in words for them. */
export function blamesCredentials(answer: Answer): boolean {
  return classify(answer) === 'access';
}

/** Whether an answer speaks of the account of the run, of its access token or of what it has used up. */
export function blamesAccount(answer: Answer): boolean {
  return ['access', 'quota'].includes(classify(answer));
}

/** The call, what came of it, and what is likely to help. */
export function unavailable(name: SharedCall, answer: Answer): CouldNotRun {
  return couldNotRun({ cause: whyUnavailable(name, answer) }, answer);
}

/** The same as data. */
function whyUnavailable(call: SharedCall, answer: Answer): NonNullable<Found['cause']> {
  const { exchange, documentToken, guess } = answer;
  const { index } = exchange;
  const own = classify(answer);
  const because = (what: string) => ({ exchange: index, call, what });
  // Whatever else it may hold: a page is no answer of the service.
  if (is2xx(answer) && isPage(answer.text)) return { answer: 'foreign', of: index, call };
  const open = ![...explained, ...troubled, 'redirected', 'foreign'].includes(own) || own === 'conflict';
  if (open && guess !== undefined) return { excuse: 'guess', because: because(guess) };
  if (is2xx(answer) && documentToken && 'missing' in documentToken && own !== 'access') {
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
  return { answer: own, of: index, call };
}

/** That nothing is proved, for this cause; `answers` are those to which it refers. */
export function couldNotRun(found: Found, ...answers: readonly Answer[]): CouldNotRun {
  return new CouldNotRun(findingText(found, exchangesOf(answers)) ?? '', found);
}

/** That an answer, which is not the one that is judged, proves nothing. */
export function refersTo(answer: Answer): CouldNotRun {
  return couldNotRun({ cause: { answer: classify(answer), of: answer.exchange.index } }, answer);
}

/** That the same call was answered in two ways. */
export function twoMinds(expected: Expected, first: Answer, again: Answer): CouldNotRun {
  const cause = { excuse: 'two-minds', because: { exchange: again.exchange.index } } as const;
  return couldNotRun({ expected, received: receivedOf(first), cause }, first, again);
}

/** That an answer lacks what is needed: `what` in words. */
export function lacks(what: string, answer: Answer): CouldNotRun {
  return couldNotRun(
    { cause: { excuse: 'lacks', because: { exchange: answer.exchange.index, what } } },
    answer,
  );
}

/** That the target did something that no compliant service does. */
export function violation(found: Found, ...answers: readonly Answer[]): Violation {
  return new Violation(found, findingText(found, exchangesOf(answers)) ?? '', answers);
}

/** What was expected of an answer that is another one. */
export function unmet(expected: Expected, answer: Answer): Violation {
  return violation({ expected, received: receivedOf(answer) }, answer);
}

/** The answer as a finding refers to it. */
export function receivedOf(answer: Answer): Received {
  return { exchange: answer.exchange.index, answer: classify(answer) };
}

/** Looks exchanges up by their index. */
function exchangesOf(answers: readonly Answer[]): Exchanges {
  return (index) => answers.find(({ exchange }) => exchange.index === index)?.exchange;
}

/** What is likely to help; `null` where the answer says nothing about it. */
export function hintFor(name: SharedCall, answer: Answer): string | null {
  return answer.guess ?? hintOf(classify(answer), answer.exchange, name);
}
