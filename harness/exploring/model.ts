/** What the document states about the next step of a sequence: what must happen, what must not, and what is open. Pure. */
import { otpType } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { isTwice, refusals, type Sequence, type Step } from '../../record/sequence.ts';

/** The state of a request, as far as the document tells. */
export interface State {
  readonly sent: boolean;
  readonly deleted: boolean;
  /** Somebody was added after the request was sent: the consequences are not shown. */
  readonly open: boolean;
  /** Positions of the people who have acted. */
  readonly done: ReadonlySet<number>;
  /** Attempts with a wrong code or none; how many a person may make is not shown. */
  readonly tried: readonly { readonly who: number; readonly none: boolean }[];
}

export const beginning: State = { sent: false, deleted: false, open: false, done: new Set(), tried: [] };

export type Expectation =
  /** The target has to let it happen; otherwise `blame` is violated. */
  | { readonly is: 'must'; readonly blame?: RequirementId }
  | { readonly is: 'may-not'; readonly requirement: RequirementId; readonly why: string }
  /** The document does not say: what happens is noted under the name of the situation. */
  | { readonly is: 'open'; readonly situation: string }
  /** The step does nothing. */
  | { readonly is: 'nothing' };

const nothing = { is: 'nothing' } as const;

const withArticle = (role: string) => (role === 'approver' ? `an ${role}` : `a ${role}`);

/** Positions of the people who can act: a CC cannot. */
export function actors({ people }: Sequence): readonly number[] {
  return [...people.keys()].filter((index) => people[index]?.role !== 'cc');
}

/** Positions of the people with the lowest Order among those who have not acted. */
export function atTurn(sequence: Sequence, { done }: Pick<State, 'done'>): readonly number[] {
  const left = actors(sequence).filter((index) => !done.has(index));
  const orderOf = (index: number) => sequence.people[index]?.order ?? 0;
  const lowest = Math.min(...left.map(orderOf));
  return left.filter((index) => orderOf(index) === lowest);
}

/** Whether everybody may act at once: that is stated of signers who all have Order 1. */
export function isParallel(sequence: Sequence): boolean {
  return actors(sequence).every((index) => {
    const person = sequence.people[index];
    return person?.role === 'signer' && person.order === 1;
  });
}

export function isComplete(sequence: Sequence, { done }: Pick<State, 'done'>): boolean {
  return actors(sequence).every((index) => done.has(index));
}

/** The requirement that is violated if the right codes are refused. */
const ofRightCodes = {
  1: 'otp.email-delivered',
  2: 'otp.sms-delivered',
  3: 'otp.access-code-asked',
  4: 'otp.email-and-sms-delivered',
} as const satisfies Readonly<Record<number, RequirementId>>;

/** What the document says about a step at this point. */
export function expects(sequence: Sequence, state: State, step: Step): Expectation {
  if (state.deleted)
    return step.do === 'add' && !sequence.stamped
      ? mayNot('signatory.deleted-request', 'an addition to the deleted request')
      : nothing;
  if (!state.sent && afterSending.includes(step.do)) return nothing;
  const must = (holds: boolean): Expectation => (holds ? { is: 'must' } : nothing);
  switch (step.do) {
    case 'send':
      return must(!state.sent);
    case 'act':
      return expectsAct(sequence, state, step);
    case 'together':
      return isTwice(step)
        ? expectsTwice(sequence, state, step.who[0] ?? 0)
        : expectsTogether(sequence, state, step.who);
    case 'code':
      return must(isAsked(sequence, state, step.who));
    case 'view':
      return must(isSurelyAtTurn(sequence, state, step.who));
    case 'add':
      return sequence.stamped
        ? nothing
        : open(`${withArticle(step.role)} is added ${momentOf(sequence, state)}`);
    case 'delete':
      return open(`the request is deleted ${momentOf(sequence, state)}`);
    case 'refused':
      // That somebody is added to a request of another type is not shown.
      return must(!sequence.stamped || refusals[step.call] !== 'addSignatory');
    case 'create':
    case 'lull':
      return { is: 'must' };
  }
}

/** Steps that do nothing before the request is sent. */
const afterSending: readonly Step['do'][] = ['act', 'together', 'code', 'view', 'add'];

/** People act at the same time. If somebody acts twice, one of the two acts is refused. */
function expectsTogether(sequence: Sequence, state: State, all: readonly number[]): Expectation {
  const isOnceEach = new Set(all).size === all.length;
  const mayAct = (who: number) => expectsAct(sequence, state, { do: 'act', who }).is === 'must';
  return isOnceEach && isParallel(sequence) && all.every(mayAct)
    ? { is: 'must', blame: 'signing.parallel' }
    : nothing;
}

/** Trying twice at once must not keep somebody from acting, unless with a code that is sent, which may work only once. */
function expectsTwice(sequence: Sequence, state: State, who: number): Expectation {
  const otp = sequence.people[who]?.otp ?? 3;
  const expectation = otp === 3 ? expectsAct(sequence, state, { do: 'act', who }) : nothing;
  return expectation.is === 'must' ? expectation : nothing;
}

type ActStep = Extract<Step, { do: 'act' }>;

/** An act that is about to be tried, and what is known about the person by then. */
interface Attempt extends Pick<ActStep, 'who' | 'as' | 'code' | 'of'> {
  readonly sequence: Sequence;
  readonly state: State;
  readonly person: Sequence['people'][number];
  readonly approves: boolean;
  /** Positions of the people with the lowest Order among those who have not acted. */
  readonly turn: readonly number[];
  /** The person may act now, however a service treats equal Orders. */
  readonly surely: boolean;
}

/** The rules about acts, in the order in which they are asked: the first that gives an expectation decides. */
const rulesOfActs: readonly ((attempt: Attempt) => Expectation | undefined | false)[] = [
  ({ person }) => person.role === 'cc' && mayNot('signing.cc-cannot-act', 'who receives a copy only'),

  ({ sequence, state, who, person }) =>
    state.done.has(who) && open(`${withArticle(person.role)} acts again ${momentOf(sequence, state)}`),

  ({ approves, as, surely, state }) => {
    if (!approves || as !== 'sign') return undefined;
    return surely && !state.open ? mayNot('signing.approver-cannot-sign', 'who may only approve') : nothing;
  },

  // That a signer cannot approve is not stated.
  ({ approves, as }) => !approves && as === 'approve' && nothing,

  ({ turn, who, state }) => {
    if (turn.includes(who)) return undefined;
    return state.open ? nothing : mayNot('signing.lower-order-first', 'whose turn has not come');
  },

  ({ code, person }) => code === 'old' && openCode(person),

  ({ code, person, approves, sequence, state, who, of }) => {
    if (code === undefined || code === 'old') return undefined;
    if (person.otp === undefined || approves) return nothing;
    if (code === 'other' && !isEntered(sequence, state, who, of)) return nothing;
    const requirement = person.otp === 3 && code !== 'none' ? 'otp.access-code-asked' : 'otp.gates-signing';
    return mayNot(requirement, entered[code]);
  },

  ({ state, person }) => state.open && open(`${withArticle(person.role)} acts after somebody was added`),

  ({ surely, person, sequence, state }) =>
    !surely &&
    open(`${withArticle(person.role)} acts beside others with the same Order ${momentOf(sequence, state)}`),

  ({ state, who, person }) => {
    const tries = state.tried.filter((each) => each.who === who);
    const wrong = tries.filter(({ none }) => !none).length;
    return (
      (wrong > (person.otp === 3 ? 1 : 0) || tries.length > 2) && open('the right code after wrong ones')
    );
  },

  ({ person, approves }) =>
    person.otp !== undefined && !approves && must(ofRightCodes[person.otp as 1 | 2 | 3 | 4]),

  // An approver who cannot act is blamed on the requirement of the role.
  ({ approves }) => approves && must(),

  ({ turn }) => turn.length > 1 && must('signing.parallel'),

  ({ sequence }) => {
    const orders = new Set(actors(sequence).map((index) => sequence.people[index]?.order));
    return must(orders.size > 1 ? 'signing.lower-order-first' : undefined);
  },
];

function expectsAct(sequence: Sequence, state: State, step: ActStep): Expectation {
  const person = sequence.people[step.who];
  if (!person) return nothing;
  const turn = atTurn(sequence, state);
  const attempt: Attempt = {
    who: step.who,
    as: step.as,
    code: step.code,
    of: step.of,
    sequence,
    state,
    person,
    approves: person.role === 'approver',
    turn,
    surely: isSurelyAmong(turn, sequence, step.who),
  };
  for (const rule of rulesOfActs) {
    const said = rule(attempt);
    if (said) return said;
  }
  return nothing;
}

/** Whether somebody can enter another's code: both were sent one, or both have an AccessCode, and the codes differ. */
function isEntered(sequence: Sequence, state: State, who: number, of = who): boolean {
  const [own, other] = [who, of].map((index) => sequence.people[index]?.otp);
  if (own === undefined || other === undefined || who === of) return false;
  if (own === otpType.accessCode || other === otpType.accessCode)
    return own === other && hasOtherAccessCode(who) !== hasOtherAccessCode(of);
  const isSent = (index: number) => state.done.has(index) || isSurelyAtTurn(sequence, state, index);
  return isSent(who) && isSent(of);
}

/** People who follow each other in the list have different AccessCodes. */
export const hasOtherAccessCode = (who: number): boolean => who % 2 === 1;

const entered = {
  none: 'who entered no code',
  wrong: 'who entered a wrong code',
  other: 'who entered the code of somebody else',
} as const;

const open = (situation: string): Expectation => ({ is: 'open', situation });

const must = (blame?: RequirementId): Expectation => ({ is: 'must', blame });

const openCode = ({ otp }: Sequence['people'][number]): Expectation =>
  otp === undefined || otp === 3 ? nothing : open('a code is entered after a newer one was sent');

function mayNot(requirement: RequirementId, why: string): Expectation {
  return { is: 'may-not', requirement, why };
}

/** How far the request is, in words. */
export function momentOf(
  sequence: Sequence,
  state: State,
): 'before sending' | 'before anybody acted' | 'half way' | 'after the last act' {
  if (!state.sent) return 'before sending';
  if (isComplete(sequence, state)) return 'after the last act';
  return state.done.size > 0 ? 'half way' : 'before anybody acted';
}

/** Whether somebody may act now, however a service treats equal Orders. */
export function isSurelyAtTurn(sequence: Sequence, state: State, who: number): boolean {
  return isSurelyAmong(atTurn(sequence, state), sequence, who);
}

const isSurelyAmong = (turn: readonly number[], sequence: Sequence, who: number): boolean =>
  turn.includes(who) && (turn.length === 1 || isParallel(sequence));

/** Whether a code can be asked for: it is the person's turn, and their codes are sent. */
function isAsked(sequence: Sequence, state: State, who: number): boolean {
  const person = sequence.people[who];
  const sends = person?.otp !== undefined && person.otp !== 3 && person.role === 'signer';
  return sends && !state.done.has(who) && isSurelyAtTurn(sequence, state, who);
}

/** What came of a step: who has acted by now, and whether the target accepted it. */
interface StepOutcome {
  readonly done: ReadonlySet<number>;
  readonly taken: boolean;
}

/** The state after a step. */
export function after(
  state: State,
  step: Step,
  expectation: Expectation,
  { done, taken }: StepOutcome,
): State {
  const next = { ...state, done };
  if (expectation.is === 'nothing') return state;
  if (step.do === 'send') return { ...next, sent: true };
  if (step.do === 'delete' && taken) return { ...next, deleted: true };
  if (step.do === 'add' && taken) return { ...next, open: true };
  if (step.do !== 'act' || step.code === undefined) return next;
  return { ...next, tried: [...state.tried, { who: step.who, none: step.code === 'none' }] };
}

/** What a compliant target makes of a step. Of open steps, acts without a code of their own and deletions count as accepted. */
export function asStated(step: Step, expectation: Expectation, { done }: State): StepOutcome {
  const isOpenAct = step.do === 'delete' || (step.do === 'act' && step.code === undefined);
  const isTaken = expectation.is === 'must' || (expectation.is === 'open' && isOpenAct);
  if (!isTaken) return { done, taken: false };
  if (step.do === 'act') return { done: new Set([...done, step.who]), taken: true };
  if (step.do === 'together') return { done: new Set([...done, ...step.who]), taken: true };
  return { done, taken: true };
}
