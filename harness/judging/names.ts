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
 * The title of a request: it carries the run id, by which it can be found and removed. Where titles have to be
 * short, the end of a long one tells it apart from others.
 */
export function titleAt(facts: RunFacts, place: string): string {
  return shortened(`Conformance ${facts.runId} ${place}`, longestTitle(facts.limits.titleLength));
}

/** As `titleAt`, and no title of the run is longer: a target that accepts it refuses none for its length. */
export function longestTitleAt(facts: RunFacts, place: string): string {
  return titleAt(facts, place).padEnd(longestTitle(facts.limits.titleLength), '.');
}

/** The beginning of the suite's own titles. Any other title is what its row tests, and stays as it is. */
const ours = /^Conformance (?=\S+ .)/;

/**
 * The input with a mark in its Title; what has none is returned as it is.
 * @param mark 0 for the first row, whose Title stays
 */
export function ownTitle<Input>(input: Input, mark: number | string): Input {
  if (mark === 0 || !isObject(input) || !isObject(input.json)) return input;
  const { Title } = input.json;
  if (typeof Title !== 'string' || !ours.test(Title)) return input;
  const [first = '', run = '', ...rest] = Title.split(' ');
  // No longer than before, since the target may take no longer ones.
  const title = shortened([first, run, mark, ...rest].join(' '), [...Title].length);
  return { ...input, json: withValue(input.json, '/Title', title) } as Input;
}

/** The name for a round of confirmations: it differs in each, since a target may refuse the same name twice. */
export function inRound(name: string, round: number): string {
  return round > 0 ? `${name} round ${round}` : name;
}

// Digits in an address or a title could be taken for a one-time password, vowels make words.
const letters = 'bcdfghjklmnpqrstvwxz';
const length = 8;

/** Eight random small letters, 35 bits, so that no two runs against a target have the same id. */
export function newRunId(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

/**
 * A code that is hard to guess; it, its other forms and the wrong ones that checks send are shown nowhere.
 * @param given the code of the run that this one goes on with, or replays
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
