/**
 * Asks the questions of a judgement until it gives a verdict. What is repeated for other reasons stands elsewhere:
 * in `judged-row.ts` for a document token that is used up, or a refusal that does not say what it has to; in
 * `harness/target/budgets/retry.ts` what the client repeats by itself, before anybody sees an answer.
 */
import type { Purpose } from '../../record/exchange.ts';
import type { SharedCall } from '../../record/finding.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import type { Case, Judged, Question, Reply } from './case.ts';
import type { RowContext } from './check.ts';
import { callWithoutAccess } from './excuses.ts';
import { judge } from './judge.ts';
import type { Session } from './session.ts';

/** Another body and its answer. */
export type Tried = Required<Pick<Reply, 'answer' | 'title'>>;

export interface Asking {
  readonly call: (purpose: Purpose) => Promise<Answer>;
  /**
   * `choice` sends the row again with the next value that the suite may choose freely, such as another mobile number;
   * `other` sends the next other body. Both give `null` when none is left.
   */
  readonly choice?: (() => Promise<Tried | null>) | undefined;
  readonly other?: (() => Promise<Tried | null>) | undefined;
  /** Sends the row and those before it to a fresh request at once. Gives the first refusal, or the answer to the row. */
  readonly company?: (() => Promise<Answer>) | undefined;
  /** Sends the row to a fresh request, after one addition and before another; `null` unless both additions are accepted. */
  readonly between?: (() => Promise<Answer | null>) | undefined;
  /** Checks an assumption of the case, such as that an access token has expired; `null` where that cannot be asked. */
  readonly basis?: (() => Promise<Answer | null>) | undefined;
  /** In production: no call is made that is meant to be refused. */
  readonly smoke?: boolean;
}

/**
 * Asks and judges by turns until there is a verdict; what was asked is noted in the context of the row.
 * @throws CouldNotRun when something that the call needs, such as a document token, cannot be had
 */
export async function decide(
  session: Session,
  of: Case,
  asking: Asking,
  context: RowContext,
): Promise<Judged> {
  const replies: Reply[] = [];
  for (;;) {
    const step = judge(of, replies);
    if ('verdict' in step) {
      const { received } = step.found;
      if (step.verdict === 'failed' && received) context.decidedBy(received.exchange);
      return step;
    }
    const { answer, title } = await answerTo(step, session, of, asking);
    replies.push({ asked: step, answer, title });
    if (answer && isShown(step, answer))
      context.exchanges.push(answer.exchange.index, ...(answer.tried ?? []));
  }
}

export function decideShared(
  session: Session,
  of: Case & { readonly judged: SharedCall },
  context: RowContext,
  asking: Omit<Asking, 'call'> = {},
): Promise<Judged> {
  const call = (purpose: Purpose) =>
    purpose === 'judged' ? session.shared(of.judged) : session.repeat(of.judged);
  return decide(session, of, { ...asking, call }, context);
}

async function answerTo(
  question: Question,
  session: Session,
  { vouching }: Case,
  { call, choice, other, company, between, basis, smoke = false }: Asking,
): Promise<{ readonly answer: Answer | null; readonly title?: string }> {
  const none = { answer: null };
  switch (question.ask) {
    case 'call':
      return { answer: await call('judged') };
    case 'call again':
      return { answer: await call('cross-check') };
    case 'vouching':
      return vouching ? { answer: await session.shared(vouching) } : none;
    case 'vouching again':
      return vouching ? { answer: await session.repeat(vouching) } : none;
    case 'shared':
      return { answer: await session.shared(question.call) };
    case 'repeated':
      return smoke ? none : { answer: await session.repeat(question.call) };
    case 'no access':
      return smoke ? none : { answer: await session.call(callWithoutAccess) };
    case 'basis':
      return { answer: (await basis?.()) ?? null };
    case 'company':
      return (company && { answer: await company() }) ?? none;
    case 'between':
      return { answer: (!smoke && (await between?.())) || null };
    case 'choice':
      return (!smoke && (await choice?.())) || none;
    case 'other':
      return (!smoke && (await other?.())) || none;
  }
}

/** Whether the report shows an answer with the row: the twin's only where it was refused, never other shared ones. */
function isShown({ ask }: Question, answer: Answer): boolean {
  if (ask === 'vouching' || ask === 'vouching again') return !isAccepted(answer);
  return ask !== 'shared' && ask !== 'no access';
}
