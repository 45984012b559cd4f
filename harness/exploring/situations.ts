/** Which situations sequences bring about: each statement that is judged in them, with the facts of its moment. Pure. */
import { event } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { isTwice, refusals, type Sequence, type SequencePerson, type Step } from '../../record/sequence.ts';
import {
  actors,
  after,
  asStated,
  atTurn,
  beginning,
  type Expectation,
  expects,
  isComplete,
  isParallel,
  type State,
} from './model.ts';

/** A statement of the document about a moment in a sequence. */
export interface Situation {
  /** Position of the step that shows it; absent: it shows at the end. */
  readonly at?: number;
  readonly statement: string;
  /** The requirement that is violated if the statement does not hold; absent if no single step decides that. */
  readonly violates?: RequirementId;
  /** The kinds of mistakes that it would show, more exactly than the statement; empty if it shows little. */
  readonly claims: readonly string[];
  /** What a mistake may depend on: facts of the moment, each as `name=value`; some are broader than others. */
  readonly aspects: readonly string[];
}

/** What was done before. */
interface Before {
  /** Kinds of steps that brought the request no nearer to its end, and whether who came too early is asked for a code. */
  readonly had: Set<string>;
  /** Who acted last. */
  latest?: number;
}

interface Note extends Pick<Situation, 'at' | 'violates'> {
  readonly who?: number;
  /** The statement itself if absent. */
  readonly claims?: readonly string[];
  readonly more?: readonly string[];
  /** It shows only where nobody is added afterwards and the request is not deleted. */
  readonly lasting?: true;
}

/** All situations of a sequence, if the target keeps to the document. */
export function situationsOf(sequence: Sequence): readonly Situation[] {
  const requests = sequence.neighbour ? [undefined, true as const] : [undefined];
  return requests.flatMap((beside) => new RequestOfSequence(sequence, beside).situations());
}

/** One of the requests of a sequence, followed from step to step. */
class RequestOfSequence {
  readonly #sequence: Sequence;
  readonly #beside: Step['beside'];
  readonly #aspects: readonly string[];
  readonly #before: Before = { had: new Set() };
  readonly #situations: Situation[] = [];
  readonly #lasting: Situation[] = [];
  #state = beginning;

  /** @param beside whether it is the second one */
  constructor(sequence: Sequence, beside: Step['beside']) {
    this.#sequence = sequence;
    this.#beside = beside;
    this.#aspects = requestAspects(sequence);
  }

  situations(): readonly Situation[] {
    for (const [at, step] of this.#sequence.steps.entries()) {
      if (step.beside === this.#beside) this.#take(step, at);
    }
    const { sent, deleted, open } = this.#state;
    // A request that is not sent, for instance since nobody can act, shows only that people are added.
    if (!sent) this.#noteOfEach((role) => `a ${role} is added`);
    return deleted || open ? this.#situations : [...this.#situations, ...this.#lasting];
  }

  #note(statement: string, { at, who, violates, claims = [statement], more = [], lasting }: Note = {}): void {
    const moment = momentAspects(this.#sequence, this.#state, this.#before, who);
    const aspects = [...this.#aspects, ...moment, ...more];
    (lasting ? this.#lasting : this.#situations).push({ at, statement, violates, claims, aspects });
  }

  #hears(code: number): boolean {
    return this.#sequence.subscription?.some((each) => each === code || each === event.all) ?? false;
  }

  #noteEvent(code: number, note: Note): void {
    const { subscription } = this.#sequence;
    if (!subscription) return;
    const more = [
      `codes=${subscription}`,
      `codes=${subscription.includes(event.all) ? 3 : subscription.length} of 3`,
    ];
    this.#note(`event ${code} ${this.#hears(code) ? 'comes' : 'does not come'}`, { ...note, more });
  }

  /** How long ago somebody acted whose code is entered. */
  #nearnessOf(who: number): string {
    if (who === this.#before.latest) return 'latest';
    return this.#state.done.has(who) ? 'earlier' : 'later';
  }

  #take(step: Step, at: number): void {
    const state = this.#state;
    const expectation = expects(this.#sequence, state, step);
    if (expectation.is === 'nothing') return;
    if (expectation.is !== 'open') this.#noteStep(step, at, expectation);
    const taken = asStated(step, expectation, state);
    const acted = [...taken.done].filter((each) => !state.done.has(each));
    if (!state.open)
      for (const each of acted)
        if (this.#sequence.people[each]?.role === 'signer')
          this.#noteEvent(event.signatoryCompleted, { who: each });
    this.#remember(step, acted.at(-1));
    this.#state = after(state, step, expectation, taken);
    // Noted with the facts of the moment that causes it: what comes later is no reason.
    if (step.do === 'send') this.#noteEvent(event.requestReceived, { lasting: true });
    if (acted.length > 0 && isComplete(this.#sequence, this.#state)) this.#noteCompletion();
  }

  /** Notes what a step itself shows. */
  #noteStep(step: Step, at: number, expectation: Decided): void {
    const [who] = peopleOf(step);
    if (who === undefined && !['refused', 'create', 'add'].includes(step.do)) return;
    const sequence = this.#sequence;
    const state = this.#state;
    const whose = who === undefined ? '' : `, ${sequence.people[who]?.role}`;
    const claims = claimsOf(sequence, state, step, expectation);
    const violates = expectation.is === 'must' ? expectation.blame : expectation.requirement;
    const more = step.do === 'act' && step.of !== undefined ? [`of=${this.#nearnessOf(step.of)}`] : [];
    this.#note(`${kindOf(state, step)}${whose}: ${expectation.is}`, { at, who, violates, claims, more });
  }

  /** @param acted who has acted by the step, the last of several */
  #remember(step: Step, acted: number | undefined): void {
    const state = this.#state;
    const people = peopleOf(step);
    const isAgain = people[0] !== undefined && state.done.has(people[0]);
    const isEarly = step.do === 'act' && !isAgain && !atTurn(this.#sequence, state).includes(step.who);
    const what = isAgain ? 'again' : `${kindOf(state, step)}${isEarly ? ', early' : ''}`;
    if (acted !== undefined) this.#before.latest = acted;
    else if (step.do !== 'send') this.#before.had.add(what);
    if (isEarly && this.#sequence.people[step.who]?.otp !== undefined) this.#before.had.add('early, asked');
  }

  #noteOfEach(what: (role: string) => string, note: Note = {}): void {
    for (const [who, { role }] of this.#sequence.people.entries())
      this.#note(what(role), { who, claims: role === 'cc' ? ['copy'] : [], ...note });
  }

  #noteCompletion(): void {
    const { attached, neighbour } = this.#sequence;
    const lasting = { lasting: true } as const;
    this.#noteEvent(event.processCompleted, lasting);
    if (attached && this.#hears(event.processCompleted)) this.#note('documents are attached', lasting);
    if (!neighbour) this.#noteOfEach((role) => `letters to a ${role}`, lasting);
  }
}

/** What the document decides about a step. */
type Decided = Extract<Expectation, { readonly is: 'must' | 'may-not' }>;

const peopleOf = (step: Step): readonly number[] => ('who' in step ? [step.who].flat() : []);

/** The kinds of mistakes that a step would show; none if it hardly depends on anything. */
function claimsOf(sequence: Sequence, { done }: State, step: Step, expectation: Decided): readonly string[] {
  if (step.do === 'refused') return refusals[step.call] === 'addSignatory' ? ['refused addition'] : [];
  const [first = -1] = peopleOf(step);
  const person = sequence.people[first];
  if (!person || step.do === 'code' || step.do === 'view') return [];
  if (expectation.is === 'may-not') return claimsOfRefusal(person, step, expectation.requirement);
  // What sends a request of type 3 is not shown: as long as nobody has acted, a person may not have been asked yet.
  if (sequence.stamped && done.size === 0) return [];
  const { blame = '' } = expectation;
  const turn = isParallel(sequence) ? 'signing.parallel' : 'signing.lower-order-first';
  const claims = [person.role, actors(sequence).length > 1 && turn, blame.startsWith('otp.') && blame];
  return claims.filter(Boolean).map((each) => `can: ${each}`);
}

/** Who is asked for a code, has none, and acts too early may be refused for either reason, so that shows nothing about turns. */
function claimsOfRefusal({ role, otp }: SequencePerson, step: Step, requirement: RequirementId) {
  const isEarly = requirement === 'signing.lower-order-first';
  if (isEarly && otp !== undefined) return [];
  const code = step.do === 'act' ? step.code : undefined;
  return [['may not:', requirement, isEarly && role, code].filter(Boolean).join(' ')];
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

/** The Orders of the people who act, each once. */
function ordersOf(sequence: Sequence): readonly number[] {
  return [...new Set(actors(sequence).map((each) => sequence.people[each]?.order ?? 0))].sort(
    (a, b) => a - b,
  );
}

/** A number as it is, and whether there are some or several. */
const howMany = (name: string, count: number): readonly string[] => [
  `${name}=${count}`,
  ...(count > 0 ? [`${name}=some`] : []),
  ...(count > 1 ? [`${name}=several`] : []),
];

/** Aspects that hold from the beginning of a sequence to its end. */
function requestAspects(sequence: Sequence): readonly string[] {
  const { people, documents, attached, stamped, neighbour } = sequence;
  const count = (role: string) => people.filter((each) => each.role === role).length;
  const acting = actors(sequence).length;
  const [lowest, ...higher] = ordersOf(sequence);
  const isShared = higher.length > 0 && higher.length + 1 < acting;
  const begins = people.some(({ role, order }) => role === 'approver' && order === lowest);
  const formats = [...new Set(documents.map((kind) => (kind.startsWith('doc') ? kind : 'pdf')))].sort();
  return [
    ...howMany('copies', count('cc')),
    ...howMany('approvers', count('approver')),
    ...howMany('documents', documents.length),
    ...howMany('asked', people.filter(({ otp }) => otp !== undefined).length),
    ...formats.filter((format) => format !== 'pdf').map((format) => `with=${format}`),
    `formats=${formats.join('+')}`,
    ...(acting > 1
      ? [`order=${isParallel(sequence) ? 'parallel' : higher.length === 0 ? 'alike' : 'in turn'}`]
      : []),
    ...(isShared ? ['order=shared'] : []),
    `acting=${acting}`,
    `first=${begins ? 'approver' : 'signer'}`,
    ...(attached ? ['attached=true'] : []),
    ...(stamped ? ['type=3'] : []),
    ...(neighbour ? ['requests=2'] : []),
  ];
}

/** @param who the person that the statement is about, if any */
function momentAspects(
  sequence: Sequence,
  state: State,
  { latest: last = -1, had }: Before,
  who: number | undefined,
): readonly string[] {
  const { people } = sequence;
  const left = actors(sequence).filter((each) => !state.done.has(each));
  const latest = people[last];
  const done = [...state.done];
  return [
    ...howMany('acted', done.length),
    ...(left.length === 1 ? ['left=1'] : []),
    ...(latest
      ? [`latest=${latest.role}`, `latest=${latest.otp === undefined ? 'not asked' : 'asked'}`]
      : []),
    ...(latest?.otp === undefined ? [] : [`latest=OTP ${latest.otp}`]),
    ...(latest?.privateMessage ? ['latest=message'] : []),
    ...[...had].map((what) => `had=${what.startsWith('refused') ? 'refused' : what}`),
    ...(done.some((each) => people[each]?.otp !== undefined) ? ['had=code'] : []),
    ...(who === undefined ? [] : personAspects(sequence, who, left[0] === who)),
  ];
}

function personAspects(sequence: Sequence, who: number, isFirst: boolean): readonly string[] {
  const person = sequence.people[who];
  if (!person) return [];
  const { order, role, otp, privateMessage } = person;
  const orders = ordersOf(sequence);
  const place = orders.indexOf(order);
  return [
    ...(orders.length > 1 ? [`place=${place}`] : []),
    ...(orders.length > 1 && place === orders.length - 1 ? ['place=last'] : []),
    `role=${role}`,
    `message=${privateMessage !== undefined}`,
    `otp=${otp === undefined ? 'none' : 'some'}`,
    `rank=${isFirst ? 'first' : 'later'}`,
    ...(otp === undefined ? [] : [`otp=${otp}`]),
  ];
}
