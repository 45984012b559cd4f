/** Makes a sequence that fails shorter, on the target itself, within a number of calls. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { lengthOf, type Sequence, type SequencePerson, type Step } from '../../record/sequence.ts';
import { type Situation, situationsOf } from './situations.ts';

/** Calls that one failure may take, the confirmation included. */
export const callsMost = 60;
/** How many calls attempts are planned with: some take more than estimated, such as where a page is asked for again. */
const callsPlanned = callsMost - 5;
/** About how many more calls it takes if an act is refused, and repeated, or an e-mail is looked for in vain. */
const callsMore = { refusedAct: 6, missingCopy: 18 } as const;

type Detail = (typeof details)[number];

/** Something that can be left out of a sequence. */
type Part = { readonly of: 'step' | 'person'; readonly index: number } | { readonly of: Detail };

/** A sequence without some of its parts; positions move up. */
export function without(sequence: Sequence, parts: readonly Part[]): Sequence {
  const gone = new Set(parts.flatMap((part) => (part.of === 'person' ? [part.index] : [])));
  const left = sequence.people.flatMap((_, index) => (gone.has(index) ? [] : [index]));
  const drops = (detail: Detail) => parts.some((part) => part.of === detail);
  const unless = <Value>(detail: Detail, value: Value) => (drops(detail) ? undefined : value);
  const people = left.map((index) => {
    const { otp, idleOtp, privateMessage, color, ...least } = sequence.people[index] as SequencePerson;
    return {
      ...least,
      otp: unless('otp', otp),
      idleOtp: unless('otp', idleOtp),
      privateMessage: unless('person details', privateMessage),
      color: unless('person details', color),
    };
  });
  const steps = sequence.steps.flatMap((step, index) =>
    parts.some((part) => part.of === 'step' && part.index === index) || (step.beside && drops('neighbour'))
      ? []
      : moved(step, left),
  );
  const { documents, subscription, attached, listenerAway, neighbour, stamped } = sequence;
  const fewer = drops('documents') ? documents.slice(0, 1) : documents;
  return {
    people,
    documents: drops('kinds') ? fewer.map(() => 'page') : fewer,
    subscription: unless('subscription', subscription),
    attached: !subscription || drops('attached') || drops('subscription') ? undefined : attached,
    listenerAway: unless('listenerAway', listenerAway),
    neighbour: unless('neighbour', neighbour),
    stamped: unless('stamped', stamped),
    steps,
  };
}

/** The step with the positions that are left; nothing if somebody in it was left out. */
function moved(step: Step, left: readonly number[]): readonly Step[] {
  const at = (who: number) => left.indexOf(who);
  if (step.do === 'together') {
    const who = step.who.map(at).filter((index) => index >= 0);
    const [only, other] = who;
    if (only === undefined) return [];
    return [other === undefined ? { do: 'act', who: only, beside: step.beside } : { ...step, who }];
  }
  if (!('who' in step)) return [step];
  const of = 'of' in step && step.of !== undefined ? at(step.of) : undefined;
  if (at(step.who) < 0 || of === -1) return [];
  return [{ ...step, who: at(step.who), ...(of === undefined ? {} : { of }) } as Step];
}

/** A run of a shorter sequence that failed alike; `breaks` is the step that showed it. */
export interface FailingAttempt {
  readonly breaks: number | undefined;
}

interface Failing<Result> {
  readonly sequence: Sequence;
  readonly result: Result;
}

/** What is known when shrinking begins: the violated requirement, sequences without any failure, and others that failed alike. */
export interface KnownOfFailure {
  readonly requirement?: RequirementId;
  readonly held: readonly Sequence[];
  readonly alike: readonly Sequence[];
}

interface Shrinking<Result> {
  readonly attempt: (sequence: Sequence, forCertain: boolean) => Promise<Result | undefined>;
  readonly spent: () => number;
  readonly stop?: AbortSignal;
}

/** A sequence with a smaller chance to fail in the same way is not tried. */
const leastChance = 0.1;
/** If a shorter sequence has this chance, it is tried at last instead of repeating the longer one. */
const likely = 0.5;

/** For violations that show only at the end: the beginning of the requirement's id, and the statements that show it. */
const seenBy: readonly (readonly [requirement: string, statement: RegExp])[] = [
  ['events.request-received', /^event 1 comes/],
  ['events.signatory-completed', /^event 2 comes/],
  ['events.process-completed', /^event 3 comes/],
  ['events.only-subscribed', /^event . does not come/],
  ['events.documents', /^documents/],
  ['signing.cc-receives-copy', /^letters to a cc/],
  ['signing.email-used', /^letters/],
];

/**
 * The shortest failing sequence that was found, with the result of its last run, and whether that run confirmed it. The next
 * sequence to try is the one that promises to save most for its calls, by what all earlier runs say about the cause.
 * @param attempt runs a sequence anew, at last with full waiting times; `undefined` where it does not fail alike
 * @param spent calls that were made since shrinking began
 */
export async function shrunk<Result extends FailingAttempt>(
  { sequence: whole, result: seen }: Failing<Result>,
  { attempt, spent, stop }: Shrinking<Result>,
  known: KnownOfFailure = { held: [], alike: [] },
): Promise<Failing<Result> & { readonly confirmed: boolean }> {
  // Steps after the one that shows the violation cannot be its cause.
  const cut = (sequence: Sequence, { breaks }: FailingAttempt) =>
    breaks === undefined ? sequence : { ...sequence, steps: sequence.steps.slice(0, breaks + 1) };
  // What a step shows is certain at once: only what is missing at the end has to be awaited.
  const isCertain = seen.breaks !== undefined;
  let best = { sequence: cut(whole, seen), result: seen, confirmed: false };
  const causes = new Causes(best.sequence, seen.breaks, known);
  const tried = new Set([JSON.stringify(best.sequence)]);
  /** The factor by which runs exceed the estimated calls. */
  let dearer = 1;
  const perCopy = known.requirement === 'signing.cc-receives-copy' ? callsMore.missingCopy : 0;
  const estimated = (sequence: Sequence): number =>
    callsOf(sequence) +
    (isCertain ? callsMore.refusedAct : perCopy * sequence.people.filter(({ role }) => role === 'cc').length);
  /** The shorter sequence that promises most, of those with at least this chance to fail alike. */
  const nextWith = (least: number): Sequence | undefined =>
    mostPromising(best.sequence, seen.breaks !== undefined, (sequence) => {
      const saved = sizeOf(best.sequence) - sizeOf(sequence);
      const chance = causes.chance(sequence, saved);
      const acts = sequence.people.some(({ role }) => role !== 'cc');
      const isOpen = acts && chance >= least && !tried.has(JSON.stringify(sequence));
      return isOpen ? (chance * saved) / estimated(sequence) : 0;
    });
  const costOf = (sequence: Sequence | undefined) => (sequence ? estimated(sequence) * dearer : 0);
  /** Whether the calls are enough for a sequence. Some are kept for the confirmation: of many, a shorter one is worth more. */
  const isAffordable = (sequence: Sequence): boolean => {
    const needed = Math.max(costOf(sequence), costOf(best.sequence));
    const kept = best.confirmed ? 0 : Math.min(needed, callsPlanned / 4 + perCopy / 2);
    return spent() + costOf(sequence) + kept <= callsPlanned;
  };
  let next = nextWith(leastChance);
  while (!stop?.aborted && next && isAffordable(next)) {
    tried.add(JSON.stringify(next));
    const from = spent();
    const result = await attempt(next, isCertain);
    dearer = Math.max(dearer, (spent() - from) / estimated(next));
    causes.learn(next, result !== undefined);
    if (result) best = { sequence: cut(next, result), result, confirmed: isCertain };
    next = nextWith(leastChance);
  }
  if (best.confirmed || stop?.aborted) return best;
  // If too few calls are left to repeat the shortest one, they may do for the next one.
  const costs = costOf(best.sequence);
  const isNext = next && costOf(next) < costs && spent() + costs > callsPlanned;
  /** Tried at last, with full waiting times. */
  const final = (isNext ? next : nextWith(likely)) ?? best.sequence;
  if (spent() + costOf(final) > callsPlanned) return best;
  const again = await attempt(final, true);
  if (again) return { sequence: cut(final, again), result: again, confirmed: true };
  // A sequence that does not fail again is dropped, and the original one is told, which surely failed.
  const isDropped = final === best.sequence && !stop?.aborted;
  return isDropped ? { sequence: cut(whole, seen), result: seen, confirmed: false } : best;
}

/** Leaves out the most promising parts, one by one, as long as each promises more. */
function mostPromising(
  sequence: Sequence,
  endsInBreak: boolean,
  promise: (sequence: Sequence) => number,
): Sequence | undefined {
  let most = 0;
  let chosen: readonly Part[] = [];
  let left = partsOf(sequence, endsInBreak);
  for (;;) {
    const [next] = left
      .map((part) => ({ part, worth: promise(without(sequence, [...chosen, part])) }))
      .sort((one, other) => other.worth - one.worth);
    if (!next || next.worth <= most) return chosen.length > 0 ? without(sequence, chosen) : undefined;
    most = next.worth;
    chosen = [...chosen, next.part];
    left = left.filter((part) => part !== next.part);
  }
}

const details = [
  'listenerAway',
  'otp',
  'person details',
  'documents',
  'kinds',
  'neighbour',
  'attached',
  'subscription',
  'stamped',
] as const;

function partsOf(sequence: Sequence, endsInBreak: boolean): readonly Part[] {
  const steps = sequence.steps.slice(0, endsInBreak ? -1 : undefined);
  const parts: readonly Part[] = [
    ...sequence.people.map((_, index) => ({ of: 'person', index }) as const),
    ...steps.map((_, index) => ({ of: 'step', index }) as const),
    ...details.map((of) => ({ of })),
  ];
  const whole = JSON.stringify(sequence);
  return parts.filter((part) => JSON.stringify(without(sequence, [part])) !== whole);
}

/** The size of a sequence: its steps, and with less weight the fields of its request. */
function sizeOf(sequence: Sequence): number {
  const { people, documents, subscription, attached, listenerAway, stamped } = sequence;
  const more = [
    subscription,
    stamped,
    attached,
    listenerAway,
    ...people.flatMap((each) => [each.otp, each.privateMessage, each.color]),
  ];
  const kinds = documents.filter((kind) => kind !== 'page');
  return (
    lengthOf(sequence) +
    0.2 * (more.filter((each) => each !== undefined).length + documents.length + kinds.length)
  );
}

/** Weights of causes of a statement and one, two or three aspects: each kind as a whole is about equally likely. */
const weights = [1, 1 / 8, 1 / 40] as const;
/** How much more likely a cause is if another sequence that failed in the same way has it, too. */
const sharing = 4;
/** The likelihood of any other cause, as a share of all these. */
const other = 0.05;

/** The possible causes of a failure: a statement with up to three aspects that no sequence had which did not fail. */
class Causes {
  readonly #suspects: readonly { readonly situation: Situation; causes: readonly Cause[] }[];
  readonly #other: number;

  constructor(failing: Sequence, breaks: number | undefined, { requirement, held, alike }: KnownOfFailure) {
    const all = situationsOf(failing);
    const [, seen] = seenBy.find(([start]) => requirement?.startsWith(start)) ?? [];
    const own = all.filter(
      ({ at, statement }) => at === breaks && (seen?.test(statement) ?? at !== undefined),
    );
    const suspected = own.length === 0 ? all : own;
    this.#suspects = suspected.map((situation) => ({
      situation,
      causes: causesOf(situation.aspects.length),
    }));
    for (const sequence of held) this.learn(sequence, false);
    for (const sequence of alike) this.#weigh(sequence, sharing);
    this.#other = Math.max(other * this.#sum(() => true), Number.MIN_VALUE);
  }

  /** Learns from a run: if it failed in the same way, the cause is in it; if it did not fail, none of its causes is. */
  learn(sequence: Sequence, failed: boolean): void {
    this.#weigh(sequence, failed ? 1 : 0, failed ? 0 : 1);
  }

  /** The chance that a sequence fails alike, 0 to 1; `saved`: how much shorter it is. */
  chance(sequence: Sequence, saved: number): number {
    const has = this.#holding(sequence);
    const inIt = this.#sum((cause, suspect) => has(suspect).some((those) => isAmong(cause, those)));
    return (inIt + this.#other / 2 ** saved) / (this.#sum(() => true) + this.#other);
  }

  #sum(wanted: (cause: Cause, situation: Situation) => boolean): number {
    let sum = 0;
    for (const { situation, causes } of this.#suspects)
      for (const cause of causes) if (wanted(cause, situation)) sum += cause.weight;
    return sum;
  }

  /** Multiplies the weights of causes: those that a sequence has by `having`, the others by `lacking`. */
  #weigh(sequence: Sequence, having: number, lacking = 1): void {
    const has = this.#holding(sequence);
    for (const suspect of this.#suspects) {
      const those = has(suspect.situation);
      suspect.causes = suspect.causes.flatMap((cause) => {
        const times = those.some((each) => isAmong(cause, each)) ? having : lacking;
        return times === 0 ? [] : [{ ...cause, weight: cause.weight * times }];
      });
    }
  }

  /** Which aspects of a suspect stand beside its statement in a sequence, each time that it would violate the same. */
  #holding(sequence: Sequence): (suspect: Situation) => readonly Having[] {
    const there = situationsOf(sequence);
    const known = new Map<Situation, readonly Having[]>();
    return (suspect) => {
      const those =
        known.get(suspect) ??
        there
          .filter(
            ({ statement, violates }) => statement === suspect.statement && violates === suspect.violates,
          )
          .map(({ aspects }) => suspect.aspects.map((each) => aspects.includes(each)));
      known.set(suspect, those);
      return those;
    };
  }
}

/** Up to three aspects of a situation, by their positions, that may be why it failed. */
interface Cause {
  readonly aspects: readonly number[];
  readonly weight: number;
}

/** For each aspect of a situation, whether it stands beside another one. */
type Having = readonly boolean[];

const isAmong = ({ aspects }: Cause, those: Having): boolean => aspects.every((each) => those[each]);

/** All sets of up to three aspects. */
function causesOf(count: number): readonly Cause[] {
  const [few, two, three] = weights;
  const causes: Cause[] = [{ aspects: [], weight: few }];
  for (let first = 0; first < count; first += 1) {
    causes.push({ aspects: [first], weight: few });
    for (let second = first + 1; second < count; second += 1) {
      causes.push({ aspects: [first, second], weight: two });
      for (let third = second + 1; third < count; third += 1)
        causes.push({ aspects: [first, second, third], weight: three });
    }
  }
  return causes;
}

/** About how many calls a sequence takes without its clean-up. Codes take some, and a refused act at one's turn is repeated. */
export function callsOf({ documents, people, steps, neighbour }: Sequence): number {
  const made = (neighbour ? 2 : 1) * (documents.length + 1 + people.length);
  const codes = steps.flatMap((step) => {
    const who = 'who' in step ? [step.who].flat() : [];
    const sent = who.filter((index) => people[index]?.otp !== undefined && people[index]?.otp !== 3);
    return sent.length === 0 ? [] : [step.do === 'act' && step.code === 'other' ? 5 : 3 * sent.length];
  });
  return made + steps.length + codes.reduce((sum, calls) => sum + calls, 1);
}
