/** The shape of a finding: what a row showed, as data. Whoever shows it makes the words. */
import { type Static, Type } from '@sinclair/typebox';
import { flowBecause, flowExcuses, flowOutcome } from './flow-finding.ts';
import { count, type DeepReadonly, list, literals, object, optional, text } from './schema-parts.ts';
import { verdicts } from './verdict.ts';

const exchange = count('Index into the list of exchanges.');

/** What an answer says, by one table (`harness/judging/classify.ts`). */
const answerClasses = [
  'accepted', // The call succeeded.
  'refused', // The target refuses what was sent.
  'redirected', // It points elsewhere.
  'not-there', // The address, or what the call names, is not found.
  'access', // It refuses the access token.
  'quota', // Something is used up.
  'rate', // Calls came too fast.
  'conflict', // Another call was at work on the same object.
  'early', // What the call names is not known yet.
  'trouble', // An error of the target, or a connection that broke.
  'busy', // It asks to be called later.
  'silent', // No answer within the deadline.
  'foreign', // A success that something on the way may have given, such as a login page.
  'unreadable', // A success in which what it has to carry was not found.
  'unsent', // Nothing was sent, since the target is taken as gone or its certificate is not trusted.
] as const;
export type AnswerClass = (typeof answerClasses)[number];

/** Calls that a run makes once, for all checks that need no objects of their own. */
const sharedCalls = [
  'document', // An upload of a plain PDF; finds out how the target wants files when the profile does not say.
  'docx', // An upload of a DOCX: the twin where the target is in trouble with each PDF.
  'skeleton', // A type 0 creation with the required fields only.
  'signatory', // A signatory with the least that every target takes, added to a request.
  'stamped', // An auto stamping creation on its own path.
  'stamped-unversioned', // One on the unversioned path.
  'template', // A creation of type 1 with the body of the profile.
  'fixed', // One of type 2.
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

/** The answer that decided, by the index of its exchange. `also`: a second answer that decides together with it. */
const received = object({ exchange, answer: literals(answerClasses), also: optional(exchange) });

/** The place in the received answer that decides. */
const decisive = object({
  in: literals(['status', 'header', 'body']),
  at: optional(text('Name of the header, or JSON Pointer into the body.')),
});

/** Excuses: why something proves nothing although it was seen. */
const excuseIds = [
  'two-minds', // The same call was answered in two ways.
  'alone', // Somebody was refused beside others, and not alone in a request.
  'closed-early', // The same people are accepted when they are added at the same time.
  'other-requirement', // Another body is accepted: what it differs in is to blame, or, of a row that failed, nothing else can be.
  'not-accepted-either', // Bodies that differ in the thing in question are not accepted either.
  'guess', // The suite had to guess where the profile says nothing, and the guess may be the reason.
  'invented-number', // The number is one to which nobody answers, or that the profile may have wrong.
  'unreachable-url', // Nothing shows that the target can reach the CallbackUrl.
  'other-path', // Type 3 is found on the other of its two paths.
  'tokens-unknown', // Creations accept no token of an upload, which is a requirement of its own.
  'token-used-up', // Accepted with a document token that had not been used before.
  'hidden-token', // The answer may hold a document token in a place where none was looked for.
  'lacks', // The answer lacks an id or another part that a later call needs.
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

/** Why a row failed, or why nothing is proved by a row that could not run. */
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
    // What every compliant service answers, and the answer that decided; both absent where no answer was judged.
    expected: optional(expected),
    received: optional(received),
    // The accepted call that is as near to the judged one as every service accepts.
    twin: optional(exchange),
    // JSON Pointer to the part of the request that is wrong or missing on purpose.
    breaks: optional(text()),
    decisive: optional(decisive),
    // What a flow was to show, and what it showed instead.
    flow: optional(flowOutcome),
    // Why nothing is proved. Of a row that failed: what else was tried that points at this requirement.
    cause: optional(causeSchema),
    // The exchanges and deliveries that it rests on, in the order in which they came, the decisive one last.
    evidence: object({ exchanges: list(exchange), deliveries: optional(list(text())) }),
  },
  'What a row found, as data; message says the same in words.',
);

/**
 * What one row of a check found. It refers to exchanges by their index, and holds no words of the target. It has no
 * words of the suite either, except for a need that was not met: `record/finding-text.ts` makes them.
 */
export type Finding = DeepReadonly<Static<typeof findingSchema>>;
export type Expected = DeepReadonly<Static<typeof expected>>;
export type Received = DeepReadonly<Static<typeof received>>;
export type Cause = DeepReadonly<Static<typeof causeSchema>>;
export type Because = DeepReadonly<Static<typeof because>>;

/** The place of an answer that decides whether it is what was expected. */
export function decisivePlace(of: Expected): NonNullable<Finding['decisive']> {
  if ('status' in of || of.is === 'success' || of.is === 'refusal' || of.is === 'rejection')
    return { in: 'status' };
  return { in: 'body', at: 'at' in of ? of.at : '' };
}

/** The part of a finding that is known before it belongs to a row. */
export type Found = Pick<Finding, 'expected' | 'received' | 'twin' | 'flow' | 'cause'>;
