/** Makes a sequence that fails shorter, on the target itself, within a number of calls. */
import type { Sequence, Step } from '../../record/sequence.ts';
import { after, asStated, beginning, type Expectation, expects } from './model.ts';

/** Calls that one failure may take, the confirmation included. */
export const callsMost = 60;

/** Something that may go: gives the sequence without it. */
type Part = { readonly of: 'step' | 'person'; readonly index: number } | { readonly of: Detail };

type Detail =
  | 'listenerAway'
  | 'otp'
  | 'person details'
  | 'documents'
  | 'kinds'
  | 'neighbour'
  | 'attached'
  | 'subscription';

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

/** What the document says about each step, one after the other. */
function expectations(sequence: Sequence): readonly Expectation[] {
  const states = { first: beginning, second: beginning };
  return sequence.steps.map((step) => {
    const side = step.beside ? 'second' : 'first';
    const expectation = expects(sequence, states[side], step);
    states[side] = after(states[side], step, expectation, asStated(step, expectation, states[side]));
    return expectation;
  });
}

/** One run of a shorter sequence that failed alike, and the step in which that was seen. */
export interface Attempted {
  readonly breaks: number | undefined;
}

interface Failing<Result> {
  readonly sequence: Sequence;
  readonly result: Result;
}

/**
 * The shortest sequence that was found, with what the last failing attempt gave.
 * @param attempt runs a sequence from nothing; `undefined` where it does not fail alike
 * @param spent calls that were made since shrinking began
 */
export async function shrunk<Result extends Attempted>(
  { sequence: whole, result: seen }: Failing<Result>,
  attempt: (sequence: Sequence) => Promise<Result | undefined>,
  spent: () => number,
): Promise<Failing<Result>> {
  // What a step shows does not rest on those after it.
  const cut = (sequence: Sequence, { breaks }: Attempted) =>
    breaks === undefined ? sequence : { ...sequence, steps: sequence.steps.slice(0, breaks + 1) };
  let best = { sequence: cut(whole, seen), result: seen };
  const tried = new Set([JSON.stringify(best.sequence)]);
  const lastOf = (sequence: Sequence) => {
    const { do: does, ...more } = sequence.steps.at(-1) ?? { do: 'lull' };
    const { as, code } = { as: undefined, code: undefined, ...more };
    return JSON.stringify([does, as, code, expectations(sequence).at(-1)?.is]);
  };
  const decisive = lastOf(best.sequence);
  /** How many times the calls that were reckoned with it takes: messages that do not come are asked for again. */
  let dearer = 1;
  /** Whether it can fail in the same way, and calls are left for it and for its confirmation. */
  const isWorthIt = (sequence: Sequence) =>
    sequence.people.some(({ role }) => role !== 'cc') &&
    (seen.breaks === undefined || lastOf(sequence) === decisive) &&
    spent() + 2 * callsOf(sequence) * dearer <= callsMost;
  const letGo = async (...parts: readonly Part[]): Promise<boolean> => {
    const sequence = without(best.sequence, parts);
    const key = JSON.stringify(sequence);
    if (parts.length === 0 || tried.has(key) || !isWorthIt(sequence)) return false;
    tried.add(key);
    const from = spent();
    const result = await attempt(sequence);
    dearer = Math.max(dearer, (spent() - from) / callsOf(sequence));
    if (result) best = { sequence: cut(sequence, result), result };
    return result !== undefined;
  };
  /** All of them, or as much of each half as may go; what stands later goes first, so that positions stay. */
  const letGoOf = async (parts: readonly Part[]): Promise<void> => {
    if (parts.length === 0 || (await letGo(...parts)) || parts.length === 1) return;
    const middle = Math.ceil(parts.length / 2);
    await letGoOf(parts.slice(middle));
    await letGoOf(parts.slice(0, middle));
  };
  const steps = (wanted: (expectation: Expectation, step: Step) => boolean): Part[] => {
    const { sequence } = best;
    const known = expectations(sequence);
    const last = seen.breaks === undefined ? -1 : sequence.steps.length - 1;
    return sequence.steps.flatMap((step, index) =>
      index !== last && wanted(known[index] ?? { is: 'nothing' }, step)
        ? [{ of: 'step', index } as const]
        : [],
    );
  };
  const isAct = ({ do: does }: Step) => does === 'act' || does === 'together';
  const extra = (acts: boolean) =>
    steps(({ is }, step) => step.do !== 'send' && isAct(step) === acts && (is !== 'must' || !acts));
  const people = (wanted: (person: Sequence['people'][number]) => boolean): Part[] =>
    best.sequence.people.flatMap((each, index) => (wanted(each) ? [{ of: 'person', index } as const] : []));
  const copied = () => people(({ role }) => role === 'cc');
  const groups = (): readonly (readonly Part[])[] => [
    extra(true),
    extra(false),
    [{ of: 'documents' }, { of: 'kinds' }],
    copied(),
    [{ of: 'otp' }],
    (['listenerAway', 'person details', 'attached', 'subscription', 'neighbour'] as const).map((of) => ({
      of,
    })),
  ];
  // Mostly it needs none of what is beside the way to its end, or one kind of that.
  const but = (left: number | undefined) => groups().flatMap((group, index) => (index === left ? [] : group));
  for (const left of [undefined, ...groups().keys()]) if (await letGo(...but(left))) break;
  for (const part of people(() => true).toReversed()) await letGo(part);
  for (const group of groups().keys()) await letGoOf(groups()[group] ?? []);
  for (const part of steps((_, step) => isAct(step)).toReversed()) await letGo(part);
  return best;
}

/** About how many calls a sequence takes: a code takes some, and who is refused is asked once more. */
function callsOf({ documents, people, steps, neighbour }: Sequence): number {
  const made = (neighbour ? 2 : 1) * (documents.length + 1 + people.length);
  const coded = steps.filter(({ do: does, ...more }) => {
    const { who = [] } = { who: undefined, ...more };
    return does === 'code' || [who].flat().some((index) => people[index]?.otp !== undefined);
  });
  return made + steps.length + coded.length * 5 + 1;
}
