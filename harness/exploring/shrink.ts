/** Makes a sequence that fails shorter, on the target itself, within a number of calls. */
import { lengthOf, type Sequence, type Step } from '../../record/sequence.ts';

/** Calls that one failure may take, the confirmation included. */
export const callsMost = 60;

/** Something that may go: gives the sequence without it. */
type Part = { readonly of: 'step' | 'person'; readonly index: number } | { readonly of: Detail };

const details = [
  'listenerAway',
  'otp',
  'person details',
  'documents',
  'kinds',
  'neighbour',
  'attached',
  'subscription',
] as const;
type Detail = (typeof details)[number];

/** What is left of a sequence without some of its parts; positions move up. */
export function without(sequence: Sequence, parts: readonly Part[]): Sequence {
  const gone = new Set(parts.flatMap((part) => (part.of === 'person' ? [part.index] : [])));
  const left = sequence.people.flatMap((_, index) => (gone.has(index) ? [] : [index]));
  const drops = (detail: Detail) => parts.some((part) => part.of === detail);
  const people = left.map((index) => {
    const { otp, idleOtp, privateMessage, color, ...least } = sequence.people[
      index
    ] as Sequence['people'][number];
    return {
      ...least,
      ...(otp === undefined || drops('otp') ? {} : { otp }),
      ...(idleOtp === undefined || drops('otp') ? {} : { idleOtp }),
      ...(privateMessage && !drops('person details') ? { privateMessage } : {}),
      ...(color && !drops('person details') ? { color } : {}),
    };
  });
  const steps = sequence.steps.flatMap((step, index) =>
    parts.some((part) => part.of === 'step' && part.index === index) || (step.beside && drops('neighbour'))
      ? []
      : moved(step, left),
  );
  const { documents, subscription, attached, listenerAway, neighbour } = sequence;
  const fewer = drops('documents') ? documents.slice(0, 1) : documents;
  return {
    people,
    documents: drops('kinds') ? fewer.map(() => 'page') : fewer,
    ...(subscription && !drops('subscription') ? { subscription } : {}),
    ...(subscription && attached !== undefined && !drops('attached') && !drops('subscription')
      ? { attached }
      : {}),
    ...(listenerAway && !drops('listenerAway') ? { listenerAway } : {}),
    ...(neighbour && !drops('neighbour') ? { neighbour } : {}),
    steps,
  };
}

/** The step with the positions that are left; nothing where somebody in it has gone. */
function moved(step: Step, left: readonly number[]): readonly Step[] {
  const at = (who: number) => left.indexOf(who);
  if (step.do === 'together') {
    const who = step.who.map(at).filter((index) => index >= 0);
    const [only, other] = who;
    if (only === undefined) return [];
    const side = step.beside ? { beside: true as const } : {};
    return [other === undefined ? { do: 'act', who: only, ...side } : { ...step, who }];
  }
  if (!('who' in step)) return [step];
  const of = 'of' in step && step.of !== undefined ? at(step.of) : undefined;
  if (at(step.who) < 0 || of === -1) return [];
  return [{ ...step, who: at(step.who), ...(of === undefined ? {} : { of }) } as Step];
}

/** Groups of parts that may go, those of which most is expected first. */
function groupsOf(sequence: Sequence, breaks: number | undefined): readonly (readonly Part[])[] {
  const steps = sequence.steps.map((step, index) => ({ step, part: { of: 'step' as const, index } }));
  const isExtra = ({ do: does, ...more }: Step) =>
    (does !== 'act' && does !== 'send' && does !== 'together') || 'code' in more || 'as' in more;
  const later = steps.filter(({ part }) => breaks !== undefined && part.index > breaks);
  const extra = steps.filter(
    ({ step, part }) => (breaks === undefined || part.index < breaks) && isExtra(step),
  );
  const people = sequence.people.map((_, index): Part => ({ of: 'person', index }));
  const acts = steps.filter(
    ({ step, part }) => step.do === 'act' && !isExtra(step) && (breaks === undefined || part.index < breaks),
  );
  const having = details.filter(
    (detail) => JSON.stringify(without(sequence, [{ of: detail }])) !== JSON.stringify(sequence),
  );
  return [
    later.map(({ part }) => part),
    extra.map(({ part }) => part),
    having.map((of): Part => ({ of })),
    people,
    acts.map(({ part }) => part),
  ].filter((group) => group.length > 0);
}

/** One run of a shorter sequence: whether it failed alike, and where. */
export interface Attempted {
  readonly breaks: number | undefined;
}

/**
 * The shortest sequence that was found, with what the last failing attempt gave.
 * @param attempt runs a sequence from nothing; `undefined` where it does not fail alike
 * @param spent calls that were made since shrinking began
 */
export async function shrunk<Result extends Attempted>(
  first: { readonly sequence: Sequence; readonly result: Result },
  attempt: (sequence: Sequence) => Promise<Result | undefined>,
  spent: () => number,
): Promise<{ readonly sequence: Sequence; readonly result: Result }> {
  let best = first;
  const tried = new Set([JSON.stringify(first.sequence)]);
  // The last of the calls are for the confirmation, which takes as many as the shortest one.
  const affords = (sequence: Sequence) => spent() + callsOf(sequence) + callsOf(best.sequence) <= callsMost;
  const takes = async (parts: readonly Part[]): Promise<boolean> => {
    const sequence = without(best.sequence, parts);
    const key = JSON.stringify(sequence);
    const acts = sequence.people.some(({ role }) => role !== 'cc');
    if (!acts || tried.has(key) || !affords(sequence)) return false;
    tried.add(key);
    const result = await attempt(sequence);
    if (result) best = { sequence, result };
    return result !== undefined;
  };
  /** Lets go of as much of the parts as may go: all of them, or each half by itself. */
  const letGo = async (pick: () => readonly Part[]): Promise<void> => {
    const parts = pick();
    if (parts.length === 0 || (await takes(parts)) || parts.length === 1) return;
    const middle = Math.ceil(parts.length / 2);
    // What stands later goes first, so that the positions of what stands before it stay.
    await letGo(() => parts.slice(middle));
    await letGo(() => parts.slice(0, middle));
  };
  const count = () => groupsOf(best.sequence, best.result.breaks).length;
  // All that is not needed to get there at once, then group by group.
  await takes(groupsOf(best.sequence, best.result.breaks).slice(0, 3).flat());
  for (let round = 0; round < 2; round += 1) {
    const known = lengthOf(best.sequence);
    for (let at = 0; at < count(); at += 1) {
      await letGo(() => groupsOf(best.sequence, best.result.breaks)[at] ?? []);
    }
    if (lengthOf(best.sequence) === known) break;
  }
  return best;
}

/** About how many calls a sequence takes. */
function callsOf({ documents, people, steps, neighbour }: Sequence): number {
  return (neighbour ? 2 : 1) * (documents.length + 1 + people.length) + steps.length + 1;
}
