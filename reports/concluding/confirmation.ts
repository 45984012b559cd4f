/** Puts the results of failed checks that were asked again at the end of a run beside their first results. */
import type { CheckResult } from '../../record/check-result.ts';
import { counted } from '../../record/counted.ts';
import type { Exchange } from '../../record/exchange.ts';
import type { AnswerClass } from '../../record/finding.ts';
import { findingText } from '../../record/finding-text.ts';
import { type Verdict, worst } from '../../record/verdict.ts';
import type { Confirmation, RunCheck } from '../run/run.ts';

export interface Round {
  /** Index of the first exchange of the round. */
  readonly from: number;
  readonly results: readonly CheckResult[];
}

export interface ConfirmationRecord {
  readonly rounds: readonly Round[];
  /** Why a requirement was not asked about again, by its id. */
  readonly notes: Readonly<Record<string, string>>;
}

type Attempt = Confirmation['attempts'][number];

const madeOnce = 'not asked again: it rests on calls that a run makes only once';

/** A check whose verdict is never better than the worst of its rows. */
export function atItsWorst({ id: _, ...result }: CheckResult): Omit<RunCheck, 'id'> {
  return { ...result, verdict: worst([result.verdict, ...result.rows.map(({ verdict }) => verdict)]) };
}

/** The confirmation of a failed check; nothing for other checks, or when the run confirms nothing. */
export function confirmationOf(
  check: RunCheck,
  record: ConfirmationRecord | undefined,
): { readonly confirmation?: Confirmation } {
  if (!record || check.verdict !== 'failed') return {};
  const again = record.rounds.flatMap(({ from, results }) =>
    results
      .filter(({ id, title }) => id === check.id && title === check.title)
      .map((result) => ({ from, attempt: attemptOf(result) })),
  );
  const attempts = again.filter(({ from, attempt }) => isNew(attempt, from)).map(({ attempt }) => attempt);
  const note = record.notes[check.id] ?? (again.length > 0 ? madeOnce : undefined);
  return { confirmation: { attempts, note: attempts.length === 0 ? note : undefined } };
}

/**
 * Answers that a row may meet by chance: they may come from the network and not from the target, or be about a request
 * that has ended meanwhile, since how long one exists that is not sent is not shown.
 */
const mayPass: readonly AnswerClass[] = ['trouble', 'busy', 'silent', 'foreign', 'redirected', 'not-there'];

/** The check, in which rows that failed only by such trouble, and passed when they were asked about again, could not run. */
export function withoutChance(check: RunCheck, exchanges: readonly Exchange[]): RunCheck {
  const attempts = check.confirmation?.attempts ?? [];
  if (attempts.length === 0) return check;
  const again = attempts.flatMap((attempt) => attempt.rows);
  const rows = check.rows.map((row) => {
    const { title, verdict, finding } = row;
    const { received } = finding ?? {};
    if (verdict !== 'failed' || !finding || !received || !mayPass.includes(received.answer)) return row;
    const verdicts = again.filter((each) => each.title === title).map((each) => each.verdict);
    // An attempt that could not run proves nothing.
    if (verdicts.includes('failed') || !verdicts.includes('passed')) return row;
    const excused = {
      ...finding,
      verdict: 'could-not-run' as const,
      cause: { answer: received.answer, of: received.exchange },
    };
    const message = findingText(excused, (index) => exchanges[index]);
    return { ...row, verdict: excused.verdict, message, finding: excused };
  });
  return rows.some((row, index) => row !== check.rows[index])
    ? { ...check, rows, verdict: worst(rows.map(({ verdict }) => verdict)) }
    : check;
}

function attemptOf(result: CheckResult): Attempt {
  const { verdict, message, durationMs, rows } = atItsWorst(result);
  return { verdict, message, durationMs, rows };
}

/** Whether an attempt made calls of its own, or could not make any. */
function isNew({ verdict, rows }: Attempt, from: number): boolean {
  if (verdict !== 'failed' && verdict !== 'passed') return true;
  return rows.some(({ exchanges }) => exchanges.some((index) => index >= from));
}

/**
 * The confirmation of an answer that breaks the contract: whether answers of the same operation and status broke it
 * in each round, too. A round without such an answer proves nothing.
 */
export function contractConfirmation(
  check: RunCheck,
  first: Exchange,
  exchanges: readonly Exchange[],
  record: ConfirmationRecord | undefined,
): { readonly confirmation?: Confirmation } {
  if (!record) return {};
  const [begin] = record.rounds;
  if (begin && first.index >= begin.from)
    return { confirmation: { attempts: [], note: 'seen only while other failures were asked about again' } };
  const attempts = record.rounds.flatMap(({ from }, index): Attempt[] => {
    const to = record.rounds[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    const alike = exchanges.filter(
      (each) =>
        each.index >= from &&
        each.index < to &&
        each.operation === first.operation &&
        each.response?.status === first.response?.status,
    );
    if (alike.length === 0) return [];
    const broken = alike.filter(({ violations }) =>
      violations.some(({ requirement }) => requirement === check.id),
    );
    const verdict: Verdict = broken.length > 0 ? 'failed' : 'passed';
    const [title = check.title] = check.rows.map((row) => row.title);
    const message = broken[0]?.violations.find(({ requirement }) => requirement === check.id)?.message;
    const shown = (broken.length > 0 ? broken : alike).map((each) => each.index);
    return [{ verdict, durationMs: 0, rows: [{ title, verdict, message, exchanges: shown }] }];
  });
  const note = record.notes[check.id] ?? madeOnce;
  return { confirmation: { attempts, note: attempts.length === 0 ? note : undefined } };
}

/** `asked again: failed again`, in words for people; nothing when the failure was not to be confirmed. */
export function confirmationWords(check: Pick<RunCheck, 'confirmation'>): string | undefined {
  const { confirmation } = check;
  if (!confirmation) return undefined;
  const { attempts, note } = confirmation;
  if (attempts.length === 0) return note;
  if (attempts.length > 1) {
    const failed = attempts.filter(({ verdict }) => verdict === 'failed').length;
    return `asked ${attempts.length} times more: failed ${counted(failed, 'time')}`;
  }
  const [{ verdict } = { verdict: 'error' }] = attempts;
  if (verdict === 'failed') return 'asked again at the end of the run: failed again';
  if (verdict === 'passed')
    return 'asked again at the end of the run: passed this time, so it does not always fail (it may be listed as flaky)';
  return `asked again at the end of the run: ${verdict === 'could-not-run' ? 'could not run' : verdict}`;
}
