/** Draws sequences by a seed, and changes one thing in them. Pure. */
import type { Draw } from '../../generators/seed.ts';
import {
  type Refusal,
  type RoleName,
  refusals,
  type Sequence,
  type SequencePerson,
  type Step,
} from '../../record/sequence.ts';
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
import { without } from './shrink.ts';

/** What can be done at a target with its profile. */
export interface Means {
  /** Whether the suite can sign for people, without asking anybody. */
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
  /** Most people in a request. */
  readonly people: number;
  readonly documents: number;
  /** Formats of documents that can be used. */
  readonly formats: readonly ('pdf' | 'docx' | 'doc')[];
  /** Types of further requests that can be created, with a body that the profile gives. */
  readonly creates: readonly (1 | 2)[];
}

const oneOf = <Value>(draw: Draw, values: readonly [Value, ...Value[]]): Value =>
  values[draw(values.length)] ?? values[0];

const chance = (draw: Draw, percent: number): boolean => draw(100) < percent;

/** Codes that are subscribed to together, a digit each. */
const subscriptions = ['123', '0', '1', '2', '3', '12', '13', '23'] as const;

const codesOf = (draw: Draw): readonly number[] => [...oneOf(draw, subscriptions)].map(Number);

/** Kinds drawn now and then though they show little new: of type 3, with two requests, deleted half way. */
export type Rare = 'stamped' | 'neighbour' | 'deleted';

/** The kinds of the next 24 sequences: one of each rare kind, but nine of type 3, since these cost few steps. */
export function nextKinds(draw: Draw, means: Means): readonly (Rare | undefined)[] {
  const rare = [...Array<'stamped'>(9).fill('stamped'), 'neighbour', 'deleted'] as const;
  const can = kindsWith(means);
  return shuffled(
    draw,
    Array.from({ length: 24 }, (_, at) => can.find((each) => each === rare[at])),
  );
}

export function kindsWith({ signs, stamps, neighbour, deletes }: Means): readonly (Rare | undefined)[] {
  const can = { stamped: stamps, neighbour, deleted: deletes };
  const rare = (['stamped', 'neighbour', 'deleted'] as const).filter((kind) => signs && can[kind]);
  return [undefined, ...rare];
}

type Kind = Sequence['documents'][number];

export function drawSequence(draw: Draw, means: Means, rare: Rare | undefined): Sequence {
  const people = peopleOf(
    draw,
    rare === 'neighbour' ? { ...means, people: Math.min(means.people, 3) } : means,
  );
  const stamped = rare === 'stamped' || undefined;
  const subscribes = means.callbacks && !stamped && chance(draw, 90);
  const attached = oneOf(draw, [undefined, true, true, false] as const);
  const other = oneOf(draw, ['docx', 'docx', 'doc'] as const);
  const word = means.formats.includes(other) ? other : 'page';
  const kinds = oneOf<readonly [Kind, ...Kind[]]>(draw, [['page', 'pages'], ['page', word], [word]]);
  const documents = Array.from(
    { length: Math.min(means.documents, oneOf(draw, [1, 2, 3, 3] as const)) },
    () => oneOf(draw, kinds),
  );
  const request = {
    people,
    documents,
    subscription: subscribes ? codesOf(draw) : undefined,
    attached: subscribes ? attached : undefined,
    listenerAway: subscribes && chance(draw, 8) ? 1 + draw(3) : undefined,
    stamped,
    neighbour: rare === 'neighbour' ? (true as const) : undefined,
    steps: [],
  };
  const steps = stepsOf(draw, means, request, rare === 'deleted');
  return { ...request, steps: rare === 'deleted' ? [...steps, ...deletion] : steps };
}

function peopleOf(draw: Draw, means: Means): readonly SequencePerson[] {
  const shape = oneOf(draw, ['parallel', 'parallel', 'sequence', 'sequence', 'sequence', 'mixed'] as const);
  const count = Math.max(1, Math.min(means.people, oneOf(draw, [2, 3])));
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
    otp: asked ? oneOf(draw, [first, ...more]) : undefined,
    privateMessage: chance(draw, 50) ? oneOf(draw, [true, true, true, 'de', 'el', 'ja']) : undefined,
    color: chance(draw, 10) || undefined,
  };
}

/** Most steps beyond those that lead to the end of the request. */
const longest = 8;

const deletion: readonly Step[] = [{ do: 'delete' }, { do: 'add', role: 'signer', order: 1 }];

/** Collects steps one by one, and leaves out those that do nothing at their moment. */
function taking(sequence: Sequence) {
  const steps: Step[] = [];
  const states = { first: beginning, second: beginning };
  const sides = sequence.neighbour ? (['first', 'second'] as const) : (['first'] as const);
  const take = (step: Step): boolean => {
    const side = step.beside ? 'second' : 'first';
    const expectation = expects(sequence, states[side], step);
    if (expectation.is === 'nothing') return false;
    steps.push(step);
    states[side] = after(states[side], step, expectation, asStated(step, expectation, states[side]));
    return true;
  };
  return { steps, states, sides, take };
}

/** @param halfWay whether the sequence stops before the request completes, as a few always do */
function stepsOf(draw: Draw, means: Means, sequence: Sequence, halfWay: boolean): readonly Step[] {
  const { steps, states, sides, take } = taking(sequence);
  const on = (side: 'first' | 'second') => ({ beside: side === 'second' ? (true as const) : undefined });
  const refusal = (): Step => refusalOf(draw, means);
  if (chance(draw, 15)) take(refusal());
  if (!means.signs) {
    for (let more = draw(3); more > 0; more -= 1) take(refusal());
    return steps;
  }
  for (const side of sides) take({ do: 'send', ...on(side) });
  const until = halfWay || chance(draw, 3) ? 1 + draw(3) : Number.POSITIVE_INFINITY;
  let extra = 0;
  const probe = (side: 'first' | 'second') => {
    for (const [percent, step] of shuffled(draw, probesAt(draw, means, sequence, states[side]))) {
      if (extra < longest && chance(draw, percent) && take({ ...step, ...on(side) })) extra += 1;
    }
  };
  for (let acts = 0; acts < until; acts += 1) {
    const open = sides.filter((side) => !states[side].deleted && !isComplete(sequence, states[side]));
    const [firstOpen, ...others] = open;
    if (firstOpen === undefined) break;
    const side = oneOf(draw, [firstOpen, ...others]);
    probe(side);
    for (const step of actsAt(draw, sequence, states[side])) if (take({ ...step, ...on(side) })) break;
  }
  if (chance(draw, 25)) probe('first');
  return steps;
}

/** Who acts next, alone or beside another; before that, seldom, somebody twice at once. The first of these that does something is made. */
function actsAt(draw: Draw, sequence: Sequence, state: State): readonly Step[] {
  const turn = atTurn(sequence, state);
  const both = turn.length > 1 && isParallel(sequence) && chance(draw, 10);
  // Mostly the person who was added last acts first: acting in the order of additions shows little.
  const who = (chance(draw, 80) ? turn.at(-1) : turn[draw(turn.length)]) ?? 0;
  const other = turn.find((each) => each !== who) ?? 0;
  const twice = !both && chance(draw, 4);
  return [
    ...(twice ? [{ do: 'together', who: [who, who] } as const] : []),
    both ? { do: 'together', who: [who, other] } : { do: 'act', who },
  ];
}

/** @param operation half of the refusals are of this operation: a refused call on a request under way may change it */
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

/** Further steps that can be tried at this point, each with its chance in percent. */
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
    ...means.creates.map((type) => [3, { do: 'create', type } satisfies Step] as const),
    [2, { do: 'lull' }],
    [15, refusalOf(draw, means, 'addSignatory')],
    [3, { do: 'add', role: oneOf(draw, ['signer', 'cc', 'approver'] as const), order: 1 + draw(3) }],
  ];
}

/** The sequence with one thing changed, which is drawn; undefined if the change does nothing, or too much. */
export function withOneChange(draw: Draw, means: Means, sequence: Sequence): Sequence | undefined {
  const { people, documents, subscription, steps } = sequence;
  const who = draw(people.length);
  const other = draw(people.length);
  const at = draw(steps.length + 1);
  const person = people[who];
  const role = oneOf(draw, ['signer', means.approves ? 'approver' : 'signer', 'cc'] as const);
  const drawn = personOf(draw, means, role, 1 + draw(3));
  const withPerson = (more: Partial<SequencePerson>) =>
    madeFit({
      ...sequence,
      people: people.map((each, index) => (index === who ? { ...each, ...more } : each)),
    });
  const withSteps = (start: number, removed: number, ...added: readonly Step[]) =>
    madeFit({ ...sequence, steps: steps.toSpliced(start, removed, ...added) });
  const beside = sequence.neighbour && chance(draw, 50) ? (true as const) : undefined;
  const words = means.formats.flatMap((format) => (format === 'pdf' ? [] : [format]));
  const kind = oneOf<Kind>(draw, ['page', 'pages', ...words]);
  const withDocuments = (changed: readonly Kind[]) => ({ ...sequence, documents: changed });
  const withStep = () => withSteps(at, 0, { ...stepOf(draw, means, sequence, who, other), beside });
  const most = Math.min(means.people, sequence.neighbour ? 3 : 5);
  const changes: readonly (() => Sequence | undefined | false)[] = [
    () => person?.role === 'signer' && withPerson({ otp: personOf(draw, means, 'signer', 1).otp }),
    () => withPerson({ privateMessage: person?.privateMessage ? undefined : true }),
    () => withPerson({ role, otp: role === 'signer' ? person?.otp : undefined }),
    () => withPerson({ order: drawn.order }),
    () => withDocuments(documents.map((each, index) => (index === at || chance(draw, 50) ? kind : each))),
    () =>
      documents.length < means.documents && chance(draw, 50)
        ? withDocuments([...documents, kind])
        : withDocuments(documents.slice(0, Math.max(1, documents.length - 1))),
    () => subscription && { ...sequence, subscription: codesOf(draw) },
    () => withSteps(at, 1),
    withStep,
    withStep,
    () => people.length < most && madeFit({ ...sequence, people: [...people, drawn] }),
    () => people.length > 1 && madeFit(without(sequence, [{ of: 'person', index: who }])),
  ];
  return changes[draw(changes.length)]?.() || undefined;
}

/** A step that a person may try, in their turn or not, or a call that is refused. */
function stepOf(draw: Draw, means: Means, { people }: Sequence, who: number, of: number): Step {
  const person = people[who];
  const act = { do: 'act', who } as const;
  const isCoded = person?.otp !== undefined;
  const entered = means.enters && isCoded && who !== of && people[of]?.otp !== undefined;
  return oneOf<Step>(draw, [
    act,
    act,
    person?.role === 'approver' ? { ...act, as: 'sign' } : act,
    isCoded ? { ...act, code: 'none' } : act,
    isCoded ? { ...act, code: 'wrong' } : act,
    entered ? { ...act, code: 'other', of } : act,
    refusalOf(draw, means, 'addSignatory'),
  ]);
}

/** Most steps of a sequence that was changed. */
const stepsMost = 25;

/** A changed sequence made whole: with Orders from 1 on, without steps that do nothing now, and with acts up to its end. */
function madeFit(sequence: Sequence): Sequence | undefined {
  if (!sequence.people.some(({ role }) => role === 'signer')) return undefined;
  const acting = actors(sequence).map((index) => sequence.people[index]?.order ?? 1);
  const orders = [...new Set(acting)].sort((one, other) => one - other);
  const people = sequence.people.map((person) => ({
    ...person,
    order: person.role === 'cc' ? Math.min(person.order, orders.length) : orders.indexOf(person.order) + 1,
  }));
  const next = { ...sequence, people };
  const { steps, states, sides, take } = taking(next);
  for (const step of sequence.steps) take(step);
  const isLeft = sequence.steps.some((step) => step.do === 'delete' || step.do === 'add');
  for (const side of isLeft ? [] : sides) {
    const beside = side === 'second' || undefined;
    for (const who of actors(next)) {
      const turn = states[side].sent && !states[side].done.has(who) ? atTurn(next, states[side]) : [];
      for (const each of turn.toReversed()) take({ do: 'act', who: each, beside });
    }
  }
  return steps.length > stepsMost ? undefined : { ...next, steps };
}
