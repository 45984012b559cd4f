/** Tells why requirements could not run: each cause once, with all requirements that it stopped. */
import { areaOf } from '../../openapi/requirements/catalogue.ts';
import { type Exchange, isPage } from '../../record/exchange.ts';
import { callLine } from '../../record/exchange-text.ts';
import type { AnswerClass, Cause, Finding } from '../../record/finding.ts';
import { findingText } from '../../record/finding-text.ts';
import { grouped } from '../../record/grouped.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { firstOf } from '../run/words.ts';
import { allOf } from './outcome.ts';

type StoppedBy = NonNullable<Run['causes']>[number];

interface Stopped {
  readonly id: string;
  readonly found?: Finding;
  readonly cause: Cause;
  readonly said: string;
}

/** Answers that speak of the account or the way to the target, whatever was called. */
const ofAccount: readonly AnswerClass[] = ['access', 'quota', 'rate'];

/** Excuses about an answer that other calls depend on, whatever was to be shown by it. */
const ofAnswerBuiltOn = ['guess', 'lacks', 'other-path', 'tokens-unknown', 'token-used-up'];

/** Excuses that concern one requirement alone. */
const ofOneRequirement = [
  'two-minds',
  'alone',
  'closed-early',
  'other-requirement',
  'not-accepted-either',
  'hidden-token',
];

/** Excuses about somebody who could not act. */
const ofWhoCannotAct = ['stuck', 'misread'];

/** Excuses about what did not happen or could not be read: if the account or the way stopped most of the run, it is why. */
const ofWhatDidNotHappen = [
  ...ofWhoCannotAct,
  'unread',
  'unread-messages',
  'unsent',
  'undecided',
  'no-documents',
  'not-arrived',
  'nothing-arrived',
];

/** Operations that a service need not offer, and the requirement that its profile then names. */
const optional: Readonly<Record<string, string>> = {
  'createRequest 1': 'create.template-200',
  'createRequest 2': 'create.fixed-200',
  'createRequest 3': 'create.stamping-200',
  'createStampedRequest 3': 'stamping',
};

/** The causes of requirements that could not run; first the one that stopped the most. */
export function causesOf({
  exchanges,
  ...run
}: Pick<Run, 'requirements' | 'own' | 'exchanges'>): StoppedBy[] {
  const all = allOf(run)
    .filter(({ verdict }) => verdict === 'could-not-run')
    .map(stoppedAt);
  const keys = all.map((each) => keyOf(each, exchanges));
  const mostFrequent = ['access', 'no answer'].find(
    (key) => keys.filter((each) => each === key).length > all.length / 2,
  );
  const groups = grouped(all, (stopped, index) => {
    const underlying = underlyingKey(stopped, exchanges, mostFrequent);
    return underlying !== undefined && keys.includes(underlying) ? underlying : (keys[index] ?? '');
  });
  return largestFirst(groups).map((group) => {
    const { found, said, ...most } = mostHelpful(group, exchanges);
    const cause = withAllEvents(most.cause, group);
    const notApplicable = declaredBy(exchangeOf(cause, exchanges));
    return {
      cause,
      says: (found && findingText({ ...found, cause }, (index) => exchanges[index])) ?? said,
      requirements: group.map(({ id }) => id),
      notApplicable,
    };
  });
}

const largestFirst = <Item>(groups: ReadonlyMap<string, Item[]>) =>
  [...groups.values()].sort((one, other) => other.length - one.length);

/** The causes of sequences that could not go on to their end, the most frequent one first. */
export function stuckCauses({ explored, exchanges }: Pick<Run, 'explored' | 'exchanges'>) {
  const all = (explored?.stuck ?? []).map((found) => ({ cause: found.cause, found }));
  return largestFirst(grouped(all, (each) => keyOf(each, exchanges))).map((group) => ({
    says: group.flatMap(({ found }) => findingText(found, (index) => exchanges[index]) ?? [])[0] ?? '',
    sequences: group.length,
  }));
}

/** The line for the profile where the target does not offer the operation. */
export function profileLine({ notApplicable }: StoppedBy): string | undefined {
  if (notApplicable === undefined) return undefined;
  return `if it is not offered, the profile says so: notApplicable: { ${notApplicable}: not offered }`;
}

/** `16 requirements: stamping.placed, …`. */
export function stoppedLine({ requirements }: StoppedBy): string {
  const { length } = requirements;
  const areas = [...new Set(requirements.map(areaOf))];
  if (length === 1) return requirements.join();
  return `${length} requirements: ${length > 12 ? `of ${areas.join(', ')}` : firstOf(requirements, 3)}`;
}

function stoppedAt({ id, reason = '', checks }: RunRequirement): Stopped {
  const rows = checks.flatMap((check) => check.rows).filter(({ verdict }) => verdict === 'could-not-run');
  const row = rows.find(({ finding }) => finding?.cause);
  const said = row?.message ?? rows[0]?.message ?? reason;
  // Runs of earlier versions, and checks without such a row, have only words.
  return { id, found: row?.finding, said, cause: row?.finding?.cause ?? { needs: said } };
}

export function exchangeOf(cause: Cause, exchanges: readonly Exchange[]): Exchange | undefined {
  if ('needs' in cause) return undefined;
  if ('answer' in cause) return exchanges[cause.of];
  return exchanges[('excuse' in cause ? cause.because : cause.finding.received)?.exchange ?? -1];
}

/** A key that is equal for equal causes: it has the operation and the answer, not the single call. */
function keyOf(
  { cause, found }: Pick<Stopped, 'cause'> & { found?: Pick<Finding, 'flow'> | undefined },
  exchanges: readonly Exchange[],
): string {
  if ('needs' in cause) return JSON.stringify(cause);
  const exchange = exchangeOf(cause, exchanges);
  const answer = exchange && `${operationOf(exchange)} ${exchange.response?.status ?? 'no answer'}`;
  if ('finding' in cause) return JSON.stringify([cause.lacking, cause.finding.expected, answer]);
  if ('excuse' in cause && !(exchange && ofAnswerBuiltOn.includes(cause.excuse)))
    return keyOfExcuse(cause, answer, [
      found?.flow?.expected.is,
      exchange ? wordsOf(exchange) : found?.flow?.seen?.how,
    ]);
  if (!exchange) return JSON.stringify(cause);
  if (!exchange.response) return 'no answer';
  if ('answer' in cause && ofAccount.includes(cause.answer)) return cause.answer;
  return exchange.response.status === 401 ? 'access' : (answer ?? '');
}

/** @param inability what somebody should have done, and what they were told */
function keyOfExcuse(
  cause: Extract<Cause, { readonly excuse: unknown }>,
  answer: string | undefined,
  inability: readonly unknown[],
): string {
  if (ofOneRequirement.includes(cause.excuse)) return JSON.stringify(cause);
  const { what, urls, requirement, loss } = cause.because;
  const why = loss && [loss.of, 'what' in loss ? loss.what : ''];
  const who = ofWhoCannotAct.includes(cause.excuse) ? inability : [];
  return JSON.stringify([cause.excuse, what, urls, requirement, why, answer, ...who]);
}

/** What an answer says. The same words mean the same reason, so people who got them are in one group. */
function wordsOf({ response }: Exchange): string | undefined {
  const { text, sha256 } = response?.body ?? {};
  return text === undefined ? sha256 : withoutIds(text);
}

/** Leaves out words with a digit, which may be ids that differ in each answer. */
const withoutIds = (text: string) => text.replaceAll(/[\w-]+/g, (word) => (/\d/.test(word) ? '' : word));

/** The cause of a group: with the codes of all missing events in the group, and without the names of people. */
function withAllEvents(cause: Cause, group: readonly Stopped[]): Cause {
  if (!('excuse' in cause) || group.length === 1 || !cause.because.codes) return cause;
  const { people: _, ...because } = cause.because;
  const codes = group.flatMap((each) => ('excuse' in each.cause && each.cause.because.codes) || []);
  return { ...cause, because: { ...because, codes: [...new Set(codes)].sort() } };
}

/** The key of a problem behind the cause: a flow may have met what stops others too, such as an expired token. */
function underlyingKey(
  { cause, found }: Stopped,
  exchanges: readonly Exchange[],
  mostFrequent: string | undefined,
): string | undefined {
  if (mostFrequent && 'excuse' in cause && ofWhatDidNotHappen.includes(cause.excuse)) return mostFrequent;
  const met = found?.received?.exchange ?? found?.evidence.exchanges.at(-1) ?? -1;
  const exchange = exchangeOf(cause, exchanges) ?? exchanges[met];
  if (!exchange || (exchange.purpose !== 'flow' && exchange.template === undefined)) return undefined;
  if (!exchange.response) return 'no answer';
  return exchange.response.status === 401 ? 'access' : undefined;
}

/** The member of a group whose cause is the best hint; the first one of several. */
function mostHelpful(group: readonly Stopped[], exchanges: readonly Exchange[]): Stopped {
  const rank = ({ cause }: Stopped): number => {
    if ('excuse' in cause) return cause.excuse === 'guess' ? 4 : cause.because.call ? 3 : 1;
    if (!('answer' in cause)) return 0;
    const wasSent = exchanges[cause.of]?.failure?.code !== 'NOT_SENT';
    return (cause.call ? 3 : 1) + (wasSent ? 1 : 0);
  };
  return group.reduce((best, each) => (rank(each) > rank(best) ? each : best));
}

/** Statuses of refusals that say nothing against the operation: for the token, a quota, an object at work, the size or the pace. */
const ofSomethingElse = [401, 402, 408, 409, 413, 423, 425, 429];

function declaredBy(exchange: Exchange | undefined): string | undefined {
  const { status = 0, body } = exchange?.response ?? {};
  const isElse = ofSomethingElse.includes(status) || (status === 403 && isPage(body?.text));
  const refuses = (status >= 400 && status < 500 && !isElse) || status === 501;
  return exchange && refuses ? optional[operationOf(exchange)] : undefined;
}

/** The operation, with the type where one path has several. */
function operationOf(exchange: Exchange): string {
  const { operation, template, request } = exchange;
  const type = URL.canParse(request.url) ? new URL(request.url).searchParams.get('type') : null;
  return operation ? `${operation} ${type}` : (template ?? callLine(exchange));
}
