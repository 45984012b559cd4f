/** The names of a run: its id, and those of its people, requests and documents. Each place in the run has its own. */
import { randomBytes, randomInt } from 'node:crypto';
import { withValue } from '../../generators/bodies/edit.ts';
import { longestTitle, shortened } from '../../generators/bodies/title.ts';
import { person } from '../../generators/people.ts';
import { seedOf } from '../../generators/seed.ts';
import { isObject } from '../../openapi/dereference.ts';
import { backwards, nearlyRight, otherBeginning } from '../people/codes.ts';
import type { Redactor } from '../recording/redact.ts';
import { codeForms } from '../target/forms.ts';
import type { RunFacts } from './session.ts';

/** The person of a place in the run; two places give two people. */
export function personAt(facts: RunFacts, ...place: readonly string[]): ReturnType<typeof person> {
  const { runId, seed, people } = facts;
  const { email: emailTemplate, mobileNumbers } = people;
  return person(seedOf(seed, ...place), { run: runId, seed, emailTemplate, mobileNumbers });
}

/**
 * The title of a request. It carries the run id, by which the request can be found and removed. A title
 * that is too long is cut, and ends with letters that tell it apart from others.
 */
export function titleAt(facts: RunFacts, place: string): string {
  return shortened(`Conformance ${facts.runId} ${place}`, longestTitle(facts.limits.titleLength));
}

/** As `titleAt`, but as long as the longest title of the run: whoever accepts it refuses no other for its length. */
export function longestTitleAt(facts: RunFacts, place: string): string {
  return titleAt(facts, place).padEnd(longestTitle(facts.limits.titleLength), '.');
}

/** The beginning of the titles that the suite gives. Any other title is what its row tests, and stays as it is. */
const ours = /^Conformance (?=\S+ .)/;

/** The input with a mark in its Title; one without a title of the suite stays. @param mark 0 for the first row, which stays */
export function ownTitle<Input>(input: Input, mark: number | string): Input {
  if (mark === 0 || !isObject(input) || !isObject(input.json)) return input;
  const { Title } = input.json;
  if (typeof Title !== 'string' || !ours.test(Title)) return input;
  const [first = '', run = '', ...rest] = Title.split(' ');
  // No longer than before, since the target may refuse longer ones.
  const title = shortened([first, run, mark, ...rest].join(' '), [...Title].length);
  return { ...input, json: withValue(input.json, '/Title', title) } as Input;
}

/** The name for a round of confirmations: it differs in each, since a target may refuse the same name twice. */
export const inRound = (name: string, round: number): string => (round > 0 ? `${name} round ${round}` : name);

// Digits in an address or a title could be taken for a one-time password, vowels make words.
const letters = 'bcdfghjklmnpqrstvwxz';
const length = 8;

/** Eight random small letters, 35 bits, so that no two runs against a target have the same id. */
export function newRunId(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

/**
 * An access code that is hard to guess. Reports show neither it nor its other forms, nor the wrong codes that checks
 * send.
 * @param given the code of the run that this one resumes or replays
 */
export function accessCodeFor(given: string | undefined, redactor: Redactor): string {
  const code = given ?? randomBytes(6).toString('hex');
  for (const each of codeForms(code)) {
    redactor.add(each, 'access code');
    for (const wrong of [nearlyRight, otherBeginning]) redactor.add(wrong(each), 'wrong access code');
    redactor.add(backwards(each), 'another access code');
  }
  return code;
}
