/** Draws sequences by a seed: of several, always the one that brings about most that was not seen yet. Pure. */
import { type Draw, drawing } from '../../generators/seed.ts';
import {
  lengthOf,
  type RoleName,
  refusals,
  type Sequence,
  type SequencePerson,
  type Step,
} from '../../record/sequence.ts';
import { Situations, situationsOf } from './coverage.ts';
import {
  actors,
  after,
  asStated,
  atTurn,
  beginning,
  expects,
  isComplete,
  isParallel,
  type State,
} from './model.ts';

/** What a target and its profile let happen. */
export interface Means {
  /** Whether people can be let act without anybody being asked. */
  readonly signs: boolean;
  readonly approves: boolean;
  readonly views: boolean;
  readonly deletes: boolean;
  /** Whether calls name requests and people by their ids, so that two requests can have the same people. */
  readonly neighbour: boolean;
  readonly callbacks: boolean;
  /** OTP Types whose codes can be had and entered. */
  readonly otp: readonly number[];
  /** Whether given codes can be entered. */
  readonly enters: boolean;
  /** At most, in a request. */
  readonly people: number;
  readonly documents: number;
}

/** Candidates of which the best is taken. */
const candidates = 40;
/** Sequences from which it is reckoned how many situations there are. */
const sample = 500;

/** Sequences, one after the other, for ever: the same for the same seed and means. */
export class Drawing {
  readonly situations = new Situations();
  readonly #means: Means;
  readonly #draw: Draw;
  /** How many situations these means can bring about, as far as many sequences show. */
  readonly possible: number;

  constructor(seed: number, means: Means) {
    this.#means = means;
    this.#draw = drawing(seed, 'sequences');
    const all = new Set<string>();
    const draw = drawing(1, 'situations');
    for (let count = 0; count < sample; count += 1) {
      for (const pair of situationsOf(sequenceOf(draw, means))) all.add(pair);
    }
    this.possible = all.size;
  }

  /** @param longest steps, its creation and people among them */
  next(longest: number): Sequence {
    let best: { sequence: Sequence; pairs: ReadonlySet<string>; gain: number } | undefined;
    for (let count = 0; count < candidates; count += 1) {
      const sequence = sequenceOf(this.#draw, this.#means);
      const pairs = situationsOf(sequence);
      // By step: a long one is not better for being long alone.
      const gain = this.situations.gain(pairs) / (6 + lengthOf(sequence));
      const fits = best === undefined || (lengthOf(sequence) <= longest && gain > best.gain);
      if (fits) best = { sequence, pairs, gain };
    }
    if (!best) throw new Error('at least one candidate is drawn');
    this.situations.add(best.pairs);
    return best.sequence;
  }
}

const one = <Value>(draw: Draw, values: readonly [Value, ...Value[]]): Value =>
  values[draw(values.length)] ?? values[0];

const chance = (draw: Draw, percent: number): boolean => draw(100) < percent;

const subscriptions = [
  [1, 2, 3],
  [1, 2, 3],
  [1, 2, 3],
  [0],
  [0],
  [1],
  [2],
  [3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const;

function sequenceOf(draw: Draw, means: Means): Sequence {
  const people = peopleOf(draw, means);
  const subscribes = means.callbacks && chance(draw, 90);
  const attached = one(draw, [undefined, true, true, false] as const);
  const documents = Array.from({ length: 1 + draw(Math.min(3, means.documents)) }, () =>
    one(draw, ['page', 'page', 'pages', 'docx'] as const),
  );
  const request = {
    people,
    documents,
    ...(subscribes ? { subscription: [...one(draw, [...subscriptions])] } : {}),
    ...(subscribes && attached !== undefined ? { attached } : {}),
    ...(subscribes && chance(draw, 8) ? { listenerAway: 1 + draw(3) } : {}),
    ...(means.neighbour && people.length < 4 && chance(draw, 15) ? { neighbour: true as const } : {}),
    steps: [],
  };
  return { ...request, steps: stepsOf(draw, means, request) };
}

function peopleOf(draw: Draw, means: Means): readonly SequencePerson[] {
  const shape = one(draw, ['parallel', 'parallel', 'sequence', 'sequence', 'sequence', 'mixed'] as const);
  const count = Math.max(1, Math.min(means.people, one(draw, [1, 2, 2, 2, 2, 3, 3, 3, 3, 4])));
  const orders = shuffled(draw, count).map((index) => index + 1);
  const people = orders.map((order): SequencePerson => {
    const approver = means.approves && chance(draw, shape === 'parallel' ? 10 : 25);
    const role: RoleName = approver ? 'approver' : 'signer';
    const at = shape === 'parallel' ? 1 : shape === 'sequence' ? order : 1 + draw(2);
    return personOf(draw, means, role, at);
  });
  const acting = people.some(({ role }) => role === 'signer') ? people : [personOf(draw, means, 'signer', 1)];
  const copies = chance(draw, 45) && acting.length < means.people ? 1 + draw(2) : 0;
  const highest = Math.max(...acting.map(({ order }) => order));
  const all = [...acting];
  for (let count = 0; count < copies && all.length < means.people; count += 1) {
    all.splice(draw(all.length + 1), 0, personOf(draw, means, 'cc', 1 + draw(highest)));
  }
  return all;
}

function personOf(draw: Draw, { otp }: Means, role: RoleName, order: number): SequencePerson {
  const [first, ...more] = otp;
  const asked = role === 'signer' && first !== undefined && chance(draw, 30);
  return {
    role,
    order,
    ...(asked ? { otp: one(draw, [first, ...more]) } : {}),
    ...(chance(draw, 25) ? { privateMessage: true as const } : {}),
    ...(chance(draw, 10) ? { color: true as const } : {}),
  };
}

function shuffled(draw: Draw, length: number): readonly number[] {
  const order = Array.from({ length }, (_, index) => index);
  for (let at = length - 1; at > 0; at -= 1) {
    const other = draw(at + 1);
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return chance(draw, 50) ? order.toSorted((a, b) => a - b) : order;
}

/** Steps beyond those that bring the request to its end. */
const longest = 7;

function stepsOf(draw: Draw, means: Means, sequence: Sequence): readonly Step[] {
  const steps: Step[] = [];
  const states = { first: beginning, second: beginning };
  const take = (step: Step): boolean => {
    const side = step.beside ? 'second' : 'first';
    const expectation = expects(sequence, states[side], step);
    if (expectation.is === 'nothing') return false;
    steps.push(step);
    states[side] = after(states[side], step, expectation, asStated(step, expectation, states[side]));
    return true;
  };
  const sides = sequence.neighbour ? (['first', 'second'] as const) : (['first'] as const);
  const on = (side: 'first' | 'second') => (side === 'second' ? { beside: true as const } : {});
  const refusal = (): Step => ({ do: 'refused', call: one(draw, [...refusals]) });
  if (chance(draw, 15)) take(refusal());
  if (!means.signs) {
    for (let more = draw(3); more > 0; more -= 1) take(refusal());
    return steps;
  }
  for (const side of sides) take({ do: 'send', ...on(side) });
  // Some requests are left half way.
  const until = chance(draw, 12) ? 1 + draw(3) : Number.POSITIVE_INFINITY;
  const illegal = one(draw, [20, 40, 60] as const);
  let extra = 0;
  for (let acts = 0; acts < until && steps.length < longest + sequence.people.length * 2; ) {
    const open = sides.filter((side) => !states[side].deleted && !isComplete(sequence, states[side]));
    const [firstOpen, ...others] = open;
    if (firstOpen === undefined) break;
    const side = one(draw, [firstOpen, ...others]);
    if (extra < longest && chance(draw, illegal)) {
      if (take({ ...extraStep(draw, means, sequence, states[side]), ...on(side) })) extra += 1;
      continue;
    }
    const turn = atTurn(sequence, states[side]);
    const both = turn.length > 1 && isParallel(sequence) && chance(draw, 25);
    const [who = 0] = [turn[draw(turn.length)] ?? 0];
    const other = turn.find((each) => each !== who) ?? 0;
    take(both ? { do: 'together', who: [who, other], ...on(side) } : { do: 'act', who, ...on(side) });
    acts += 1;
  }
  if (chance(draw, 25)) take(extraStep(draw, means, sequence, states.first));
  return steps;
}

/** Something beside the way to the end; where it cannot be done at this point, nothing comes of it. */
function extraStep(draw: Draw, means: Means, sequence: Sequence, state: State): Step {
  const pick = (from: readonly number[]) => from[draw(Math.max(from.length, 1))] ?? 0;
  const turn = atTurn(sequence, state);
  const current = pick(turn);
  const later = actors(sequence).filter((index) => !state.done.has(index) && !turn.includes(index));
  const copied = sequence.people.flatMap(({ role }, index) => (role === 'cc' ? [index] : []));
  const other = sequence.people.findIndex(({ otp }, index) => otp !== undefined && index !== current);
  const kinds: readonly (readonly [weight: number, step: Step, possible: boolean])[] = [
    [16, { do: 'act', who: pick(later) }, later.length > 0],
    [12, { do: 'act', who: pick(copied) }, copied.length > 0],
    [8, { do: 'act', who: pick([...state.done]) }, state.done.size > 0],
    [4, { do: 'act', who: pick(copied), as: 'approve' }, copied.length > 0 && means.approves],
    [10, { do: 'act', who: current, as: 'sign' }, sequence.people[current]?.role === 'approver'],
    [10, { do: 'act', who: current, code: 'none' }, sequence.people[current]?.otp !== undefined],
    [10, { do: 'act', who: current, code: 'wrong' }, sequence.people[current]?.otp !== undefined],
    [16, { do: 'act', who: current, code: 'other', of: other }, other >= 0 && means.enters],
    [4, { do: 'act', who: current, code: 'old' }, means.enters],
    [8, { do: 'code', who: current }, true],
    [6, { do: 'view', who: current }, means.views],
    [6, { do: 'lull' }, true],
    [14, { do: 'refused', call: one(draw, [...refusals]) }, true],
    [4, { do: 'add', role: one(draw, ['signer', 'cc', 'approver'] as const), order: 1 + draw(3) }, true],
    [4, { do: 'delete' }, means.deletes],
  ];
  const possible = kinds.filter(([, , can]) => can);
  let at = draw(possible.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, step] of possible) {
    if (at < weight) return step;
    at -= weight;
  }
  return { do: 'lull' };
}
