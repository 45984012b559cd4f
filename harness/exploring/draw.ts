/** Draws sequences by a seed: of several, always the one that brings about most that was not seen yet. Pure. */
import { type Draw, drawing } from '../../generators/seed.ts';
import {
  lengthOf,
  type Refusal,
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
  /** Whether a request of type 3 can be made. */
  readonly stamps: boolean;
  /** Whether an expired access token can be had. */
  readonly expires: boolean;
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

const reckoned = new Map<string, number>();

/** How many situations there are, as far as many sequences show. */
function possibleWith(means: Means): number {
  const key = JSON.stringify(means);
  const all = new Situations();
  const draw = drawing(1, 'situations');
  for (let count = 0; count < sample && !reckoned.has(key); count += 1) {
    all.add(all.keysOf(situationsOf(sequenceOf(draw, means, kindOf(draw, means)))));
  }
  const possible = reckoned.get(key) ?? all.count;
  reckoned.set(key, possible);
  return possible;
}

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
    this.possible = possibleWith(means);
  }

  /** @param longest steps at most, its creation and people among them; at least 2 */
  next(longest: number): Sequence {
    let best: { sequence: Sequence; keys: ReadonlySet<number>; gain: number } | undefined;
    const kind = kindOf(this.#draw, this.#means);
    for (let count = 0; count < candidates; count += 1) {
      const sequence = within(sequenceOf(this.#draw, this.#means, kind), longest);
      const keys = this.situations.keysOf(situationsOf(sequence));
      // By step: a long one is not better for being long alone.
      const gain = this.situations.gain(keys) / (3 + lengthOf(sequence));
      if (best === undefined || gain > best.gain) best = { sequence, keys, gain };
    }
    if (!best) throw new Error('at least one candidate is drawn');
    this.situations.add(best.keys);
    return best.sequence;
  }
}

/** Whether so many steps leave no room for one more sequence: its creation and somebody. */
export function isFull(made: number, steps: number): boolean {
  return made > Math.max(0, steps - 2);
}

/** As much of a sequence as so many steps allow. */
function within(sequence: Sequence, longest: number): Sequence {
  const { people, documents, steps } = sequence;
  const room = longest - lengthOf({ ...sequence, steps: [] });
  if (room >= 0) return { ...sequence, steps: steps.slice(0, room) };
  return { people: people.slice(0, Math.max(1, longest - 1)), documents, steps: [] };
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

/** What is drawn now and then, however little of it is new by step: of type 3, two requests, deleted half way. */
type Rare = 'stamped' | 'neighbour' | 'deleted';

/** One of 24 sequences is of each rare kind, two are of type 3. */
function kindOf(draw: Draw, means: Means): Rare | undefined {
  const kind = (['stamped', 'stamped', 'neighbour', 'deleted'] as const)[draw(24)];
  const can = { stamped: means.stamps, neighbour: means.neighbour, deleted: means.deletes };
  return kind && means.signs && can[kind] ? kind : undefined;
}

type Kind = Sequence['documents'][number];

function sequenceOf(draw: Draw, means: Means, rare: Rare | undefined): Sequence {
  const people = peopleOf(
    draw,
    rare === 'neighbour' ? { ...means, people: Math.min(means.people, 3) } : means,
  );
  const stamped = rare === 'stamped';
  const subscribes = means.callbacks && !stamped && chance(draw, 90);
  const attached = one(draw, [undefined, true, true, false] as const);
  const kinds = one<readonly [Kind, ...Kind[]]>(draw, [['page', 'pages'], ['page', 'docx'], ['docx']]);
  const documents = Array.from({ length: Math.min(means.documents, one(draw, [1, 2, 3, 3] as const)) }, () =>
    one(draw, kinds),
  );
  const request = {
    people,
    documents,
    ...(subscribes ? { subscription: [...one(draw, [...subscriptions])] } : {}),
    ...(subscribes && attached !== undefined ? { attached } : {}),
    ...(subscribes && chance(draw, 8) ? { listenerAway: 1 + draw(3) } : {}),
    ...(stamped ? { stamped } : {}),
    ...(rare === 'neighbour' ? { neighbour: true as const } : {}),
    steps: [],
  };
  const steps = stepsOf(draw, means, request, rare === 'deleted');
  return { ...request, steps: rare === 'deleted' ? [...steps, ...deletion] : steps };
}

function peopleOf(draw: Draw, means: Means): readonly SequencePerson[] {
  const shape = one(draw, ['parallel', 'parallel', 'sequence', 'sequence', 'sequence', 'mixed'] as const);
  const count = Math.max(1, Math.min(means.people, one(draw, [2, 3])));
  const sorted = Array.from({ length: count }, (_, index) => index + 1);
  const orders = chance(draw, 50) ? sorted : shuffled(draw, sorted);
  const people = orders.map((order): SequencePerson => {
    const approver = means.approves && chance(draw, shape === 'parallel' ? 10 : 45);
    const role: RoleName = approver ? 'approver' : 'signer';
    const at = shape === 'parallel' ? 1 : shape === 'sequence' ? order : 1 + draw(2);
    return personOf(draw, means, role, at);
  });
  const acting = people.some(({ role }) => role === 'signer') ? people : [personOf(draw, means, 'signer', 1)];
  const copies = chance(draw, 55) && acting.length < means.people ? 1 + draw(2) : 0;
  const highest = Math.max(...acting.map(({ order }) => order));
  const all = [...acting];
  for (let count = 0; count < copies && all.length < means.people; count += 1) {
    all.splice(draw(all.length + 1), 0, personOf(draw, means, 'cc', 1 + draw(highest)));
  }
  return all;
}

function personOf(draw: Draw, { otp }: Means, role: RoleName, order: number): SequencePerson {
  const [first, ...more] = otp;
  const asked = role === 'signer' && first !== undefined && chance(draw, 60);
  return {
    role,
    order,
    ...(asked ? { otp: one(draw, [first, ...more]) } : {}),
    ...(chance(draw, 50) ? { privateMessage: true as const } : {}),
    ...(chance(draw, 10) ? { color: true as const } : {}),
  };
}

/** Steps at most, the way to the end of the request not counted. */
const longest = 8;

const deletion: readonly Step[] = [{ do: 'delete' }, { do: 'add', role: 'signer', order: 1 }];

/** @param halfWay whether the request is left before it completes, as some are in any case */
function stepsOf(draw: Draw, means: Means, sequence: Sequence, halfWay: boolean): readonly Step[] {
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
  const refusal = (): Step => refusalOf(draw, means);
  if (chance(draw, 15)) take(refusal());
  if (!means.signs) {
    for (let more = draw(3); more > 0; more -= 1) take(refusal());
    return steps;
  }
  for (const side of sides) take({ do: 'send', ...on(side) });
  const until = halfWay || chance(draw, 3) ? 1 + draw(3) : Number.POSITIVE_INFINITY;
  const share = one(draw, [30, 60, 100]);
  let extra = 0;
  const probe = (side: 'first' | 'second') => {
    for (const [percent, step] of shuffled(draw, probesAt(draw, means, sequence, states[side]))) {
      if (extra < longest && chance(draw, (percent * share) / 100) && take({ ...step, ...on(side) }))
        extra += 1;
    }
  };
  for (let acts = 0; acts < until; acts += 1) {
    const open = sides.filter((side) => !states[side].deleted && !isComplete(sequence, states[side]));
    const [firstOpen, ...others] = open;
    if (firstOpen === undefined) break;
    const side = one(draw, [firstOpen, ...others]);
    probe(side);
    const turn = atTurn(sequence, states[side]);
    const both = turn.length > 1 && isParallel(sequence) && chance(draw, 10);
    // Whoever was added last goes first most times: that the others act in their order shows little.
    const who = (chance(draw, 80) ? turn.at(-1) : turn[draw(turn.length)]) ?? 0;
    const other = turn.find((each) => each !== who) ?? 0;
    const twice = !both && chance(draw, 4) && take({ do: 'together', who: [who, who], ...on(side) });
    if (!twice)
      take(both ? { do: 'together', who: [who, other], ...on(side) } : { do: 'act', who, ...on(side) });
  }
  if (chance(draw, 25)) probe('first');
  return steps;
}

/** @param operation to which half of them go: what is refused of a request under way may change it */
function refusalOf(draw: Draw, { expires }: Means, operation?: 'addSignatory'): Step {
  const half = chance(draw, 50);
  const calls = (Object.keys(refusals) as [Refusal, ...Refusal[]]).filter(
    (each) =>
      (expires || each !== 'an expired access token') &&
      (!operation || !half || (refusals[each] === operation && !each.endsWith('access token'))),
  );
  return { do: 'refused', call: calls[draw(calls.length)] ?? 'no Name' };
}

function shuffled<Value>(draw: Draw, values: readonly Value[]): readonly Value[] {
  return values
    .map((value) => ({ value, at: draw(2 ** 30) }))
    .sort((one, other) => one.at - other.at)
    .map(({ value }) => value);
}

type ActStep = Extract<Step, { do: 'act' }>;

/** What can be tried beside the way to the end at this point, each with its chance in percent. */
function probesAt(
  draw: Draw,
  means: Means,
  sequence: Sequence,
  state: State,
): readonly (readonly [percent: number, step: Step])[] {
  const { people } = sequence;
  const turn = atTurn(sequence, state);
  const having = (wanted: (person: SequencePerson) => boolean) =>
    [...people.entries()].flatMap(([index, person]) => (wanted(person) ? [index] : []));
  const later = actors(sequence).filter((index) => !state.done.has(index) && !turn.includes(index));
  const coded = having(({ otp }) => otp !== undefined);
  const asked = turn.filter((index) => coded.includes(index));
  const tries = (percent: number, from: readonly number[], more: Partial<ActStep> = {}) =>
    from.map((who) => [percent, { do: 'act', who, ...more } satisfies Step] as const);
  const codes = asked.flatMap((who) =>
    coded.flatMap((of) => (of === who ? [] : tries(40, [who], { code: 'other', of }))),
  );
  return [
    ...tries(50, later),
    ...having(({ role }) => role === 'cc').flatMap((who) =>
      tries(25, [who], means.approves && chance(draw, 25) ? { as: 'approve' } : {}),
    ),
    ...tries(20, [...state.done]),
    ...tries(
      70,
      turn.filter((index) => people[index]?.role === 'approver'),
      { as: 'sign' },
    ),
    ...tries(60, asked, { code: 'none' }),
    ...tries(12, asked, { code: 'wrong' }),
    ...(means.enters ? [...codes, ...tries(4, asked, { code: 'old' })] : []),
    ...asked.map((who) => [3, { do: 'code', who } satisfies Step] as const),
    ...(means.views ? turn.map((who) => [2, { do: 'view', who } satisfies Step] as const) : []),
    [2, { do: 'lull' }],
    [15, refusalOf(draw, means, 'addSignatory')],
    [3, { do: 'add', role: one(draw, ['signer', 'cc', 'approver'] as const), order: 1 + draw(3) }],
  ];
}
