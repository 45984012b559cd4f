/** Which situations sequences bring about, and how many of those that can be have been seen: as pairs of facts. Pure. */
import { pairsOf } from '../../generators/pairwise.ts';
import type { Sequence, Step } from '../../record/sequence.ts';
import { actors, after, asStated, atTurn, beginning, expects, momentOf, type State } from './model.ts';

/** What was done before a step: the latest of all, and the latest of each person. */
interface Before {
  readonly previous: string;
  readonly own: ReadonlyMap<number, string>;
}

/** The facts of one step in its sequence. */
function situationOf(sequence: Sequence, state: State, step: Step, { previous, own }: Before) {
  const { people, documents, subscription, attached, neighbour } = sequence;
  const index = 'who' in step ? (typeof step.who === 'number' ? step.who : step.who[0]) : undefined;
  const person = index === undefined ? undefined : people[index];
  const orders = actors(sequence).map((each) => people[each]?.order ?? 0);
  const [first, last] = [Math.min(...orders), Math.max(...orders)];
  const place = (order: number) => (order === first ? 'first' : order === last ? 'last' : 'between');
  return {
    role: person?.role ?? '-',
    order: first === last ? 'all alike' : person ? place(person.order) : '-',
    otp: person?.otp ?? 'none',
    subscription: subscription?.join(',') ?? 'none',
    documents: documents.length,
    kinds: [...new Set(documents.map((kind) => (kind === 'docx' ? kind : 'pdf')))].sort().join('+'),
    message: person?.privateMessage ?? false,
    copies: people.filter((each) => each.role === 'cc').length,
    approvers: people.filter((each) => each.role === 'approver').length,
    attached: attached ?? 'absent',
    people: Math.min(people.length, 5),
    beside: step.beside ? 'second' : neighbour ? 'first' : 'alone',
    state: momentOf(sequence, state),
    step: kindOf(step),
    previous,
    own: (index === undefined ? undefined : own.get(index)) ?? 'nothing',
  };
}

function kindOf(step: Step): string {
  if (step.do === 'act') return ['act', step.as, step.code].filter(Boolean).join(' ');
  return step.do === 'refused' ? `refused, ${step.call}` : step.do;
}

/** All pairs of facts that a sequence brings about where the target keeps to the document. */
export function situationsOf(sequence: Sequence): ReadonlySet<string> {
  const pairs = new Set<string>();
  const states = { first: beginning, second: beginning };
  let previous = 'none';
  const own = new Map<number, string>();
  for (const step of sequence.steps) {
    const side = step.beside ? 'second' : 'first';
    const state = states[side];
    const expectation = expects(sequence, state, step);
    if (expectation.is === 'nothing') continue;
    for (const pair of pairsOf(situationOf(sequence, state, step, { previous, own }))) pairs.add(pair);
    states[side] = after(state, step, expectation, asStated(step, expectation, state));
    const isEarly = step.do === 'act' && !atTurn(sequence, state).includes(step.who);
    previous = `${kindOf(step)}${isEarly ? ', out of turn' : ''}`;
    if ('who' in step) for (const who of [step.who].flat()) own.set(who, previous);
  }
  return pairs;
}

export class Situations {
  readonly #seen = new Map<string, number>();

  get count(): number {
    return this.#seen.size;
  }

  /** How much a sequence would add: pairs that are new count most, rare ones more than usual ones. */
  gain(pairs: Iterable<string>): number {
    let sum = 0;
    for (const pair of pairs) sum += 1 / (1 + (this.#seen.get(pair) ?? 0)) ** 2;
    return sum;
  }

  add(pairs: Iterable<string>): void {
    for (const pair of pairs) this.#seen.set(pair, (this.#seen.get(pair) ?? 0) + 1);
  }
}
