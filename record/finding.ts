/** The shape of a finding: what follows from what was seen, as data. Words are made by whoever shows it. */
import { type Static, Type } from '@sinclair/typebox';
import { flowBecause, flowExcuses, flowOutcome } from './flow-finding.ts';
import { count, type DeepReadonly, list, literals, object, optional, text } from './schema-parts.ts';
import { verdicts } from './verdict.ts';

const exchange = count('Index into the list of exchanges.');

/**
 * What an answer says, by one table (`harness/judging/classify.ts`):
 * - `accepted`: the call succeeded
 * - `refused`: the target refuses what was sent
 * - `redirected`: it points elsewhere
 * - `not-there`: the address, or what the call names, is not found
 * - `access`: it refuses the access token; `quota`: something is used up; `rate`: calls came too fast;
 *   `conflict`: another call was at work on the same object; `early`: what the call names is not known yet
 * - `trouble`: an error of the target, or a connection that broke; `busy`: it asks to be called later;
 *   `silent`: no answer within the deadline
 * - `foreign`: a success that something on the way may have given, such as a login page
 * - `unreadable`: a success in which what it has to carry was not found
 * - `unsent`: nothing was sent, since the target is taken as gone
 */
const answerClasses = [
  'accepted',
  'refused',
  'redirected',
  'not-there',
  'access',
  'quota',
  'rate',
  'conflict',
  'early',
  'trouble',
  'busy',
  'silent',
  'foreign',
  'unreadable',
  'unsent',
] as const;
export type AnswerClass = (typeof answerClasses)[number];

/**
 * What a run makes once, for all checks that need no object of their own:
 * - `document`: an upload of a plain PDF; finds out how the target wants files when the profile does not say
 * - `docx`: an upload of a DOCX, which vouches for a target that is in trouble with each PDF
 * - `skeleton`: a type 0 creation with the required fields only
 * - `signatory`: a signatory with the least that every target takes, added to a request
 * - `stamped`, `stamped-unversioned`: an auto stamping creation on its own path, and on the unversioned one
 * - `template`, `fixed`: creations of types 1 and 2 with the bodies of the profile
 */
const sharedCalls = [
  'document',
  'docx',
  'skeleton',
  'signatory',
  'stamped',
  'stamped-unversioned',
  'template',
  'fixed',
] as const;
export type SharedCall = (typeof sharedCalls)[number];

/** What every compliant service answers. `at` is a JSON Pointer into the body of the answer. */
const expected = Type.Union([
  object({ is: Type.Literal('status'), status: Type.Integer() }),
  object({ is: Type.Literal('success') }, 'A 2xx status.'),
  object({ is: Type.Literal('refusal') }, 'A 4xx status.'),
  object({ is: Type.Literal('rejection') }, 'A 3xx or 4xx status but 429.'),
  object({ is: Type.Literal('no-token') }, 'A rejected upload.'),
  object({ is: Type.Literal('message'), text: text() }),
  object({ is: Type.Literal('json') }),
  object({ is: Type.Literal('text'), at: text() }, 'Not empty.'),
  object({ is: Type.Literal('value'), at: text(), value: text() }),
  object({ is: Type.Literal('two-values'), at: text() }),
  object({ is: Type.Literal('token') }),
  object({ is: Type.Literal('token-text'), instead: text() }),
]);

/** An answer by the place where it is kept. `also`: a second answer that decides together with it. */
const received = object({ exchange, answer: literals(answerClasses), also: optional(exchange) });

/** The place in the received answer that decides. */
const decisive = object({
  in: literals(['status', 'header', 'body']),
  at: optional(text('Name of the header, or JSON Pointer into the body.')),
});

/**
 * Why something proves nothing although it was seen:
 * - `two-minds`: the same call was answered in two ways
 * - `closed-early`: the same people are taken when they are added at the same time
 * - `other-requirement`: a body that differs in something else decides, so another requirement is to blame
 * - `not-accepted-either`: nor are bodies accepted that lack the thing in question
 * - `guess`: a choice of ours that the profile could have made may be the reason
 * - `invented-number`: the number is one to which nobody answers
 * - `unreachable-url`: nothing shows that the target can reach the CallbackUrl
 * - `other-path`: type 3 is found on the other of its two paths
 * - `tokens-unknown`: creations know no token of an upload, which is a requirement of its own
 * - `token-used-up`: accepted with a document token that had not been used before
 * - `hidden-token`: the answer may hold a document token where none was looked for
 * - `lacks`: the answer lacks what is needed
 * - and those of flows
 */
const excuseIds = [
  'two-minds',
  'closed-early',
  'other-requirement',
  'not-accepted-either',
  'guess',
  'invented-number',
  'unreachable-url',
  'other-path',
  'tokens-unknown',
  'token-used-up',
  'hidden-token',
  'lacks',
  ...flowExcuses,
] as const;
export type ExcuseId = (typeof excuseIds)[number];

/** What an excuse rests on. */
const because = object({
  exchange: optional(exchange),
  call: optional(literals(sharedCalls, 'The shared call of that exchange.')),
  bodies: optional(list(text(), 'Titles of bodies that were tried.')),
  urls: optional(list(text(), 'CallbackUrls that were tried.')),
  what: optional(text('What is lacking, was guessed, or cannot be read.')),
  ...flowBecause,
});

const outcome = object(
  { expected: optional(expected), received: optional(received) },
  'A finding that another one rests on, in short.',
);

/** Why a finding is what it is; of a finding that could not run, why nothing is proved. */
export const causeSchema = Type.Union([
  object({ finding: outcome, lacking: text() }),
  object({ answer: literals(answerClasses), of: exchange, call: optional(literals(sharedCalls)) }),
  object({ excuse: literals(excuseIds), because }),
  object({ needs: text('What was not to be had, in words.') }),
]);

export const findingSchema = object(
  {
    requirement: text(),
    row: text(),
    verdict: literals(verdicts),
    expected: optional(expected),
    received: optional(received),
    twin: optional(exchange),
    breaks: optional(text()),
    decisive: optional(decisive),
    flow: optional(flowOutcome),
    cause: optional(causeSchema),
    evidence: object({ exchanges: list(exchange), deliveries: optional(list(text())) }),
  },
  'What a row found, as data; message says the same in words.',
);

/**
 * What one row of a check found. It refers to exchanges by their index and holds no words of the target, and of
 * ours only what could not be had: `record/finding-text.ts` makes the others.
 *
 * - `expected` what every compliant service answers; `received` the answer that decided, with its class, and
 *   `decisive` the place in it that decided. Absent where no answer was judged.
 * - `breaks` JSON Pointer to the place of the request that is wrong on purpose, or lacking
 * - `twin` the accepted call that is as near to the judged one as every service takes it
 * - `flow` of a flow: what it was to show, and what it showed instead
 * - `cause` of `could-not-run`: why nothing is proved. Of `failed`: what else was tried and points at the requirement
 * - `evidence` all that it rests on, in the order in which it came, the decisive one last
 */
export type Finding = DeepReadonly<Static<typeof findingSchema>>;
export type Expected = DeepReadonly<Static<typeof expected>>;
export type Received = DeepReadonly<Static<typeof received>>;
export type Cause = DeepReadonly<Static<typeof causeSchema>>;
export type Because = DeepReadonly<Static<typeof because>>;

/** The finding with its exchanges elsewhere in a list, so many places further on. */
export function movedBy(offset: number, finding: Finding): Finding {
  const { received, twin, cause, evidence } = finding;
  return {
    ...finding,
    ...(received ? { received: movedAnswer(offset, received) } : {}),
    ...(twin === undefined ? {} : { twin: twin + offset }),
    ...(cause ? { cause: movedCause(offset, cause) } : {}),
    evidence: { ...evidence, exchanges: evidence.exchanges.map((index) => index + offset) },
  };
}

function movedAnswer(offset: number, { exchange: index, also, ...answer }: Received): Received {
  return { ...answer, exchange: index + offset, ...(also === undefined ? {} : { also: also + offset }) };
}

function movedCause(offset: number, cause: Cause): Cause {
  if ('of' in cause) return { ...cause, of: cause.of + offset };
  if ('excuse' in cause && cause.because.exchange !== undefined) {
    return { ...cause, because: { ...cause.because, exchange: cause.because.exchange + offset } };
  }
  if (!('finding' in cause) || !cause.finding.received) return cause;
  return { ...cause, finding: { ...cause.finding, received: movedAnswer(offset, cause.finding.received) } };
}

/** The place of an answer that decides whether it is what was expected. */
export function decisivePlace(of: Expected): NonNullable<Finding['decisive']> {
  if ('status' in of || of.is === 'success' || of.is === 'refusal' || of.is === 'rejection') {
    return { in: 'status' };
  }
  return { in: 'body', at: 'at' in of ? of.at : '' };
}

/** What a finding rests on, before it is known whose it is. */
export type Found = Pick<Finding, 'expected' | 'received' | 'twin' | 'flow' | 'cause'>;
