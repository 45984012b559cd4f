/** Which situations sequences bring about: each statement that is judged in them, with the facts of its moment. Pure. */
import { event } from '../../openapi/codes.ts';
import { isTwice, type Sequence, type Step } from '../../record/sequence.ts';
import {
  actors,
  after,
  asStated,
  atTurn,
  beginning,
  expects,
  isComplete,
  momentOf,
  type State,
} from './model.ts';

/** A statement of the document about a moment in a sequence. */
export interface Situation {
  /** Position of the step that shows it; absent: it shows at the end. */
  readonly at?: number;
  readonly statement: string;
  /** The statement that it is counted as, where several ways show the same; which way it was is then a fact. */
  readonly family?: string | undefined;
  /** Each as `name=value`. */
  readonly facts: readonly string[];
}

/** What was done before. */
interface Before {
  /** By person, what they tried last. */
  readonly own: Map<number, string>;
  /** Steps that did not bring the request nearer to its end. */
  readonly had: Set<string>;
  /** Who acted last. */
  latest?: number | undefined;
}

/** All situations of a sequence where the target keeps to the document. */
export function situationsOf(sequence: Sequence): readonly Situation[] {
  const { people, subscription, attached, neighbour } = sequence;
  const hears = (code: number) => subscription?.some((each) => each === code || each === event.all) ?? false;
  const all: Situation[] = [];
  const whole = named(requestFacts(sequence));
  for (const side of neighbour ? [undefined, true] : [undefined]) {
    const before: Before = { own: new Map(), had: new Set() };
    let state = beginning;
    const note = (statement: string, at?: number, who?: number, family?: string) => {
      const facts = [...whole, ...momentFacts(sequence, state, before, who)];
      if (side) facts.push('beside=second');
      all.push({ at, statement, family, facts });
    };
    const comes = (code: number, who?: number) =>
      subscription && note(`event ${code} ${hears(code) ? 'comes' : 'does not come'}`, undefined, who);
    for (const [at, step] of sequence.steps.entries()) {
      const expectation = expects(sequence, state, step);
      if (expectation.is === 'nothing' || step.beside !== side) continue;
      const who = 'who' in step ? [step.who].flat() : [];
      const [first = 0] = who;
      const kind = kindOf(state, step);
      const [whose, person] = who.length > 0 ? [`, ${people[first]?.role}`, first] : ['', undefined];
      const isJudged = who.length > 0 || ['refused', 'create', 'add'].includes(step.do);
      const family =
        step.do === 'refused'
          ? step.do
          : expectation.is === 'must'
            ? `can${whose}`
            : step.do === 'act' && step.code && 'a code';
      if (isJudged && expectation.is !== 'open')
        note(`${kind}${whose}: ${expectation.is}`, at, person, family || undefined);
      const taken = asStated(step, expectation, state);
      const acted = [...taken.done].filter((each) => !state.done.has(each));
      const signed = acted.filter((each) => people[each]?.role === 'signer');
      if (!state.open) for (const each of signed) comes(event.signatoryCompleted, each);
      const isAgain = state.done.has(first) && who.length > 0;
      const isEarly = step.do === 'act' && !isAgain && !atTurn(sequence, state).includes(step.who);
      const what = isAgain ? 'again' : `${kind}${isEarly ? ', early' : ''}`;
      for (const each of who) before.own.set(each, what);
      if (acted.length > 0) before.latest = acted.at(-1);
      else if (step.do !== 'send') before.had.add(what);
      state = after(state, step, expectation, taken);
    }
    // A request that is not sent, as where nobody can act, shows only that people are added.
    if (!state.sent)
      for (const [who, { role }] of people.entries()) note(`a ${role} is added`, undefined, who);
    if (!state.sent || state.deleted || state.open) continue;
    comes(event.requestReceived);
    if (!isComplete(sequence, state)) continue;
    comes(event.processCompleted);
    if (attached && hears(event.processCompleted)) note('documents are attached');
    if (!neighbour)
      for (const [who, { role }] of people.entries()) note(`letters to a ${role}`, undefined, who);
  }
  return all;
}

function kindOf({ done }: State, step: Step): string {
  if (step.do === 'refused') return `refused, ${step.call}`;
  if (step.do === 'create') return `create, type ${step.type}`;
  if (step.do === 'together' && isTwice(step)) return 'twice';
  if (step.do !== 'act') return step.do;
  const { as, code, of } = step;
  const whose = of !== undefined && done.has(of) ? 'of who acted' : undefined;
  return ['act', as, code, whose].filter(Boolean).join(' ');
}

const named = (facts: Readonly<Record<string, unknown>>) =>
  Object.entries(facts).map(([name, value]) => `${name}=${value}`);

/** The orders of those who act, each once. */
function ordersOf(sequence: Sequence): readonly number[] {
  return [...new Set(actors(sequence).map((each) => sequence.people[each]?.order ?? 0))].sort(
    (a, b) => a - b,
  );
}

/** Facts that hold from the beginning of a sequence to its end. */
function requestFacts(sequence: Sequence) {
  const { people, documents, subscription, attached, stamped } = sequence;
  const orders = ordersOf(sequence).length;
  const count = (role: string) => people.filter((each) => each.role === role).length;
  return {
    order: orders === 1 ? 'alike' : orders < actors(sequence).length ? 'shared' : 'mixed',
    subscription: subscription?.join(',') ?? 'none',
    documents: documents.length,
    kinds: [...new Set(documents.map((kind) => (kind.startsWith('doc') ? 'word' : 'pdf')))].sort().join('+'),
    formats: [...new Set(documents)].filter((kind) => kind.startsWith('doc')).join('+'),
    copies: count('cc'),
    approvers: count('approver'),
    attached: attached ?? 'absent',
    type: stamped ? 3 : 0,
    people: people.length,
    otps: people.filter(({ otp }) => otp !== undefined).length,
  };
}

/** @param who the person that the statement is about, if any */
function momentFacts(sequence: Sequence, state: State, before: Before, who: number | undefined): string[] {
  const had = [...before.had].map((what) => `had=${what}`);
  const person = who === undefined ? undefined : sequence.people[who];
  if (!person || who === undefined) return had;
  const orders = ordersOf(sequence);
  const place = orders.indexOf(person.order);
  const latest = before.latest === undefined ? undefined : sequence.people[before.latest];
  const facts = {
    place: orders.length === 1 ? 'alike' : place === orders.length - 1 ? 'last' : place,
    otp: person.otp ?? 'none',
    message: person.privateMessage !== undefined,
    language: person.privateMessage ?? 'none',
    rank: sequence.people.slice(0, who).filter(({ role }) => role === person.role).length,
    state: momentOf(sequence, state),
    own: before.own.get(who) ?? 'nothing',
    after: latest ? `${latest.role}${latest.otp ? ' with a code' : ''}` : 'nobody',
  };
  return [...named(facts), ...had];
}

/** Facts that are left out when seen situations are counted; when failures are made shorter, they count. */
const uncounted = /^(had|people|otps|rank|attached|language|formats)=/;

/** Facts of a person and the moment; the others are of the whole request. */
const personal = /^(place|otp|message|state|own|after|order|how)=/;

/** Whether a fact counts beside a statement. Subscriptions do so for callbacks only: acts hardly depend on them. */
function isCounted(statement: string, fact: string): boolean {
  const isAboutCallbacks = statement.startsWith('event') || statement.startsWith('documents');
  return !uncounted.test(fact) && (isAboutCallbacks || !fact.startsWith('subscription='));
}

/** Facts are numbered from 1; a key holds a statement and up to three of these numbers. */
const span = 2 ** 12;

/** Keys from here on hold three facts. They only say what is worth trying: there are too many to see them all. */
const triples = span ** 3;

export class Situations {
  readonly #numbers = new Map<string, number>();
  /** How often each known key was seen. */
  readonly #seen = new Map<number, number>();
  #count = 0;
  #possible = 0;

  /** How many statements with one fact or two were seen. */
  get count(): number {
    return this.#count;
  }

  /** How many of them the sequences can bring about whose keys were asked for. */
  get possible(): number {
    return this.#possible;
  }

  /**
   * Keys for each statement, or its family, with each fact of its moment and with each two of them. Where it is about a
   * person, one of the two facts has to be about them, too, and each three such facts make one more key.
   */
  keysOf(situations: readonly Situation[]): readonly number[] {
    const keys = new Set<number>();
    for (const { statement, family, facts } of situations) {
      const first = this.#numberOf(family ?? statement) * span * span;
      const counted = facts.filter((fact) => isCounted(statement, fact));
      const all = family === undefined ? counted : [...counted, `how=${statement}`];
      const numbers = all.map((fact) => this.#numberOf(fact));
      const own = all.map((fact) => personal.test(fact));
      const isPersonal = facts.some((fact) => fact.startsWith('own='));
      for (const [index, one] of numbers.entries()) {
        keys.add(first + one);
        for (let at = index + 1; at < numbers.length; at += 1) {
          if (isPersonal && !own[index] && !own[at]) continue;
          const key = first + one * span + (numbers[at] ?? 0);
          keys.add(key);
          if (!isPersonal || !own[index] || !own[at]) continue;
          for (const [third, number] of numbers.entries())
            if (third > at && own[third]) keys.add(key + number * triples);
        }
      }
    }
    for (const key of keys) {
      if (this.#seen.has(key)) continue;
      this.#seen.set(key, 0);
      if (key < triples) this.#possible += 1;
    }
    return [...keys];
  }

  #numberOf(fact: string): number {
    const known = this.#numbers.get(fact);
    if (known !== undefined) return known;
    this.#numbers.set(fact, this.#numbers.size + 1);
    return this.#numbers.size;
  }

  /** How much a sequence would add: what is new counts most, what is rare more than what is usual. */
  gain(keys: Iterable<number>): number {
    let sum = 0;
    for (const key of keys) sum += 1 / (1 + (this.#seen.get(key) ?? 0));
    return sum;
  }

  add(keys: Iterable<number>): void {
    for (const key of keys) {
      const times = this.#seen.get(key) ?? 0;
      if (times === 0 && key < triples) this.#count += 1;
      this.#seen.set(key, times + 1);
    }
  }
}
