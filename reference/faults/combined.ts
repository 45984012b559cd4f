/** Faults that only a combination shows: a role beside a number of people, a repeat before the last act. Checks do not find them, which `bench/exploring.ts --checks` shows. */
import { type EventCode, event, otpType, requestType, role } from '../../openapi/codes.ts';
import type { CompletedFile, StoredDocument, StoredRequest, StoredSignatory } from '../model.ts';
import type { Store } from '../store.ts';

/** The request, at the moment at which a fault is asked for. */
export interface Situation {
  readonly request: StoredRequest;
  readonly signatories: readonly StoredSignatory[];
  /** Who acts, is told of, or is written to. */
  readonly who?: StoredSignatory | undefined;
  readonly code?: EventCode;
  /** What was refused before: who tried to act, or what was called. */
  readonly refused: readonly string[];
  /** What is shown: the codes that somebody entered. */
  readonly shown?: string | undefined;
  /** Codes that were used in the request, the latest last. */
  readonly used: readonly string[];
  readonly documents: readonly (StoredDocument | undefined)[];
}

/** What is particular to the moment. */
type Particulars = Pick<Situation, 'who' | 'shown' | 'code'>;

/** What is done instead of what the rules say. */
type Twist =
  /** Who may act is refused; who may not is let; a code that is not theirs is enough, or none; a right one is not. */
  | { readonly does: 'refuses' | 'admits' | 'unlocks' | 'locks'; readonly when: When }
  /** An event is not sent, or sent though nobody asked for it. */
  | { readonly does: 'loses' | 'sends'; readonly when: When }
  /** After an act one more event is sent, about the person that is named. */
  | {
      readonly does: 'adds';
      readonly code: EventCode;
      readonly about: (s: Situation) => StoredSignatory | undefined;
    }
  | {
      readonly does: 'attaches';
      readonly files: (given: readonly CompletedFile[], s: Situation) => readonly CompletedFile[];
    }
  /** The copy, or the invitation, is not written; who was refused is added all the same. */
  | { readonly does: 'withholds' | 'uninvites' | 'keeps'; readonly when: When };

type When = (s: Situation) => boolean;

const having = (s: Situation, part: number) => s.signatories.filter((each) => each.role === part);
const acting = (s: Situation) => s.signatories.filter((each) => each.role !== role.cc);
const acted = (s: Situation) => acting(s).filter((each) => each.state === 'completed');
const orders = (s: Situation) => [...new Set(acting(s).map(({ order }) => order))].sort((a, b) => a - b);
/** From 0: which of the Orders of those who act somebody has. */
const place = (s: Situation) => orders(s).indexOf(s.who?.order ?? 0);
const isLast = (s: Situation) => orders(s).length > 1 && place(s) === orders(s).length - 1;
const parallel = (s: Situation) => orders(s).length === 1 && acting(s).length > 1;
const asked = (s: Situation) => s.who?.otp?.isRequired === true;
const ofType = (s: Situation, type: number) => asked(s) && s.who?.otp?.type === type;
const isRole = (s: Situation, part: number) => s.who?.role === part;
const latest = (s: Situation) =>
  acted(s)
    .toSorted((one, other) => (one.actedAt ?? 0) - (other.actedAt ?? 0) || one.order - other.order)
    .at(-1);
const rankAmong = (s: Situation, part: number) => having(s, part).findIndex(({ id }) => id === s.who?.id);
const again = (s: Situation) => s.refused.some((each) => each.startsWith('again '));

/** Somebody acts who is the only one left. */
const isOnlyOneLeft = (s: Situation) => acted(s).length === acting(s).length - 1;
const hasKind = (s: Situation, kind: string) => s.documents.some((each) => each?.kind === kind);
const isAutoStamping = (s: Situation) => s.request.type === requestType.autoStamping;
const subscribesTo = (s: Situation, code: EventCode) => s.request.callbackTypes.join() === String(code);
const cc = (s: Situation) => having(s, role.cc).length;
const approvers = (s: Situation) => having(s, role.approver).length;

type Entry = { readonly title: string } & Twist;
type Conditional = Extract<Twist, { readonly when: When }>['does'];

/** Makes the faults of one kind: their title, and when they do it. */
const doing = (does: Conditional) => (title: string, when: When) => ({ title, does, when }) as Entry;
const refuses = doing('refuses');
const admits = doing('admits');
const withholds = doing('withholds');
const uninvites = doing('uninvites');
const unlocks = doing('unlocks');
const locks = doing('locks');
const loses = doing('loses');
const sends = doing('sends');
const keeps = doing('keeps');

/** What a requirement is about, of which all its faults speak. */
const about: Readonly<Record<string, When>> = {
  'signing.signer-signs': (s) => isRole(s, role.signer),
  'signing.approver-approves': (s) => isRole(s, role.approver),
  'signing.approver-cannot-sign': (s) => isRole(s, role.approver),
  'signing.cc-cannot-act': (s) => isRole(s, role.cc),
  'signing.parallel': parallel,
  'otp.access-code-asked': (s) => ofType(s, otpType.accessCode),
  'otp.email-delivered': (s) => ofType(s, otpType.email),
  'otp.sms-delivered': (s) => ofType(s, otpType.sms),
  'otp.email-and-sms-delivered': (s) => ofType(s, otpType.emailAndSms),
  'events.request-received': (s) => s.code === event.requestReceived,
  'events.signatory-completed': (s) => s.code === event.signatoryCompleted,
  'events.process-completed': (s) => s.code === event.processCompleted,
};

export const combinedFaults = {
  'signing.lower-order-first/second-beside-two': refuses(
    'the second of two who sign one after the other cannot act, where two CCs are in the request',
    (s) => cc(s) === 2 && place(s) === 1,
  ),
  'signing.lower-order-first/message-beside-cc': refuses(
    'who comes last and has a PrivateMessage cannot act beside a CC',
    (s) => isLast(s) && cc(s) > 0 && s.who?.privateMessage !== null,
  ),
  'signing.lower-order-first/last-beside-two': admits(
    'beside two CCs who comes last may act before their turn',
    (s) => cc(s) > 1 && isLast(s) && !asked(s) && isRole(s, role.signer),
  ),
  'signing.lower-order-first/turn-lost': refuses(
    'once somebody has tried to act again, the next Order never has its turn',
    (s) => again(s) && place(s) > 0,
  ),
  'signing.lower-order-first/free-after-approval': admits(
    'once an approver has approved who came first, everybody may act',
    (s) =>
      isRole(s, role.signer) &&
      !asked(s) &&
      latest(s)?.role === role.approver &&
      latest(s)?.order === orders(s)[0],
  ),
  'signing.parallel/beside-code': refuses(
    'who signs without a code waits for those with the same Order who are asked for one',
    (s) => !asked(s) && acting(s).some(({ state, otp }) => state !== 'completed' && otp?.isRequired),
  ),
  'signing.parallel/one-cc': refuses(
    'beside one CC two with the same Order act one after the other only',
    (s) =>
      cc(s) === 1 &&
      acting(s).length === 2 &&
      acting(s).find(({ state }) => state !== 'completed')?.id !== s.who?.id,
  ),
  'signing.parallel/three-documents': refuses(
    'with three documents signers with the same Order act one after the other only',
    (s) => s.documents.length === 3 && acting(s).find(({ state }) => state !== 'completed')?.id !== s.who?.id,
  ),
  'signing.parallel/message-beside-docx': refuses(
    'beside a DOCX who has a PrivateMessage cannot act first of several with the same Order',
    (s) => s.who?.privateMessage !== null && acted(s).length === 0 && hasKind(s, 'docx'),
  ),
  'signing.signer-signs/after-refused-addition': refuses(
    'no signer can sign once an addition was refused after sending, but for those in parallel',
    (s) => s.refused.includes('addition when sent') && !parallel(s),
  ),
  'signing.approver-approves/second': refuses(
    'the second approver of a request cannot approve',
    (s) => rankAmong(s, role.approver) === 1,
  ),
  'signing.approver-approves/after-code': refuses(
    'an approver cannot approve after somebody who was asked for a code',
    (s) => latest(s)?.otp?.isRequired === true,
  ),
  'signing.approver-cannot-sign/three-documents': admits(
    'with three documents an approver who comes first may sign',
    (s) => place(s) === 0 && orders(s).length > 1 && s.documents.length === 3,
  ),
  'signing.approver-cannot-sign/alone-left': admits(
    'with several documents an approver who comes last may sign',
    (s) => isLast(s) && isOnlyOneLeft(s) && s.documents.length > 1,
  ),
  'signing.approver-cannot-sign/auto-stamping': admits(
    'in a request of type 3 an approver who is the only one left may sign',
    (s) => isAutoStamping(s) && isOnlyOneLeft(s),
  ),
  'signing.cc-cannot-act/three-documents': admits(
    'with three documents a CC may sign',
    (s) => s.documents.length === 3,
  ),
  'signing.cc-cannot-act/second': admits(
    'where an approver takes part the second CC may act',
    (s) => rankAmong(s, role.cc) === 1 && approvers(s) > 0,
  ),
  'signing.cc-receives-copy/second': withholds(
    'where an approver takes part the second CC gets no copy',
    (s) => rankAmong(s, role.cc) === 1 && approvers(s) > 0,
  ),
  'signing.cc-receives-copy/three-documents': withholds(
    'with three documents a CC gets no copy',
    (s) => s.documents.length === 3,
  ),
  'signing.email-used/after-approver': uninvites(
    'who comes after an approver is not written to',
    (s) => isRole(s, role.signer) && latest(s)?.role === role.approver,
  ),
  'otp.gates-signing/of-the-one-before': unlocks(
    'the code of the one who signed before is accepted',
    (s) => !ofType(s, otpType.accessCode) && s.shown !== undefined && s.used.at(-1) === s.shown,
  ),
  'otp.gates-signing/beside-cc': unlocks(
    'beside a CC nobody is asked for the code of an e-mail',
    (s) => ofType(s, otpType.email) && cc(s) > 0,
  ),
  'otp.gates-signing/after-wrong': unlocks(
    'who has entered a wrong code is let without any',
    (s) => s.shown === undefined && s.refused.includes(`code ${s.who?.id}`),
  ),
  'otp.gates-signing/three-documents': unlocks(
    'with three documents nobody is asked for a code that is sent',
    (s) => s.documents.length === 3 && !ofType(s, otpType.accessCode),
  ),
  'otp.gates-signing/first-of-sequence': unlocks(
    'who comes first of several is asked for no code by SMS',
    (s) => ofType(s, otpType.sms) && orders(s).length > 1 && place(s) === 0,
  ),
  'otp.gates-signing/auto-stamping': unlocks(
    'in a request of type 3 nobody is asked for the code of an e-mail',
    (s) => ofType(s, otpType.email) && isAutoStamping(s),
  ),
  'otp.access-code-asked/beside-approver': unlocks(
    'beside an approver any AccessCode is taken',
    (s) => approvers(s) > 0 && s.shown !== undefined,
  ),
  'otp.email-delivered/after-approver': locks(
    'the code of an e-mail is of no use after an approver',
    (s) => latest(s)?.role === role.approver,
  ),
  'events.signatory-completed/after-first-approver': loses(
    'with three documents event 2 is not sent for the signer who follows an approver that came first',
    (s) =>
      s.documents.length === 3 &&
      place(s) === 1 &&
      having(s, role.approver).some(({ order }) => order === orders(s)[0]),
  ),
  'events.signatory-completed/with-message': loses(
    'event 2 is not sent for who has a PrivateMessage and does not come first',
    (s) => place(s) > 0 && s.who?.privateMessage !== null,
  ),
  'events.signatory-completed/three-documents': loses(
    'with three documents event 2 is sent for the first only',
    (s) => s.documents.length === 3 && acted(s).length > 1,
  ),
  'events.process-completed/two-approvers': loses(
    'event 3 is not sent where two approvers take part',
    (s) => approvers(s) > 1,
  ),
  'events.process-completed/docx-alone': loses(
    'event 3 is not sent where several documents are all DOCX',
    (s) => s.documents.length > 1 && s.documents.every((each) => each?.kind === 'docx'),
  ),
  'events.process-completed/after-repeat': loses(
    'event 3 is not sent once somebody tried to act again',
    (s) => again(s),
  ),
  'events.process-completed/two-codes': loses(
    'event 3 is not sent where exactly two are asked for a code, and a CC takes part',
    (s) => cc(s) > 0 && s.signatories.filter(({ otp }) => otp?.isRequired).length === 2,
  ),
  'events.request-received/first-with-code': loses(
    'event 1 is not sent where the first signatory is asked for a code',
    (s) => s.signatories[0]?.otp?.isRequired === true,
  ),
  'events.request-received/two-kinds': loses(
    'event 1 is not sent where a PDF and a DOCX are signed together',
    (s) => hasKind(s, 'pdf') && hasKind(s, 'docx'),
  ),
  'events.none-for-cc/second': {
    title: 'where an approver takes part event 2 is sent for the second CC',
    does: 'adds',
    code: event.signatoryCompleted,
    about: (s) =>
      approvers(s) > 0 && acted(s).length === acting(s).length ? having(s, role.cc)[1] : undefined,
  },
  'events.only-subscribed/3-with-documents': sends(
    'with code 3 event 2 is sent, too, where there are several documents',
    (s) =>
      subscribesTo(s, event.processCompleted) &&
      s.code === event.signatoryCompleted &&
      s.documents.length > 1,
  ),
  'events.only-subscribed/3-with-approver': sends(
    'with code 3 event 1 is sent, too, where an approver takes part',
    (s) => subscribesTo(s, event.processCompleted) && s.code === event.requestReceived && approvers(s) > 0,
  ),
  'events.documents-attached/beside-docx': {
    title: 'where a DOCX is among several documents, the PDFs among them are not attached',
    does: 'attaches',
    files: (files, s) =>
      hasKind(s, 'docx') ? files.filter((_, at) => s.documents[at]?.kind !== 'pdf') : files,
  },
  'events.process-completed-last/two-documents': {
    title:
      'event 3 is sent after the first of several signers in parallel, where there are several documents',
    does: 'adds',
    code: event.processCompleted,
    about: (s) => (parallel(s) && s.documents.length > 1 && acted(s).length === 1 ? s.who : undefined),
  },
  'events.signatory-completed-after-action/after-approval': {
    title: 'event 2 of a signer is sent when an approver before them approves who came first',
    does: 'adds',
    code: event.signatoryCompleted,
    about: (s) =>
      isRole(s, role.approver) && place(s) === 0
        ? having(s, role.signer).find(
            ({ state, order }) => state !== 'completed' && order > (s.who?.order ?? 0),
          )
        : undefined,
  },
  'signatory.refused-without-effect/when-sent': keeps(
    'who is refused after sending is waited for all the same',
    (s) => s.request.state === 'sent',
  ),
  'signing.lower-order-first/after-shared-order': refuses(
    'a signer who comes after two with the same Order cannot act',
    (s) =>
      isRole(s, role.signer) && acting(s).filter(({ order }) => order === orders(s)[place(s) - 1]).length > 1,
  ),
  'signing.lower-order-first/third-after-first': admits(
    'with several documents and an approver a signer who comes third may act as soon as the first has',
    (s) =>
      isRole(s, role.signer) &&
      s.documents.length > 1 &&
      approvers(s) > 0 &&
      place(s) === 2 &&
      !asked(s) &&
      acted(s).length > 0,
  ),
  'signing.parallel/after-access-code': refuses(
    'after somebody with an AccessCode nobody with the same Order can act',
    (s) => latest(s)?.otp?.isRequired === true && latest(s)?.otp?.type === otpType.accessCode,
  ),
  'signing.approver-approves/after-early': refuses(
    'approvers cannot approve once somebody with a code has tried before their turn',
    (s) => s.signatories.some(({ id, otp }) => otp?.isRequired && s.refused.includes(`early ${id}`)),
  ),
  'signing.cc-receives-copy/parallel-with-message': withholds(
    'a CC with a PrivateMessage gets no copy of what was signed in parallel with a code',
    (s) => s.used.length > 0 && isRole(s, role.cc) && parallel(s) && s.who?.privateMessage !== null,
  ),
  'otp.gates-signing/last-in-parallel': unlocks(
    'the last of several with the same Order is asked for no code',
    (s) => parallel(s) && isOnlyOneLeft(s) && s.shown === undefined,
  ),
  'otp.access-code-asked/with-message': unlocks(
    'of who has a PrivateMessage and does not come first any AccessCode is taken',
    (s) => place(s) > 0 && s.who?.privateMessage !== null && s.shown !== undefined,
  ),
  'otp.sms-delivered/second-code': locks(
    'beside a CC the code of an SMS is of no use once somebody has entered theirs',
    (s) => cc(s) > 0 && s.used.length > 0,
  ),
  'otp.email-and-sms-delivered/two-kinds': locks(
    'the codes of OTP Type 4 are of no use where a PDF and a DOCX are signed together',
    (s) => hasKind(s, 'pdf') && hasKind(s, 'docx'),
  ),
  'events.process-completed/approver-after-code': loses(
    'event 3 is not sent where an approver acts last and somebody was asked for a code',
    (s) => s.used.length > 0 && latest(s)?.role === role.approver,
  ),
  'events.only-subscribed/2-with-code': sends(
    'with code 2 event 3 is sent, too, where the last to act was asked for a code',
    (s) =>
      subscribesTo(s, event.signatoryCompleted) &&
      s.code === event.processCompleted &&
      latest(s)?.otp?.isRequired === true,
  ),
  'events.documents-attached/approver-last': {
    title: 'where an approver acts last, of three documents only the first is attached',
    does: 'attaches',
    files: (files, s) => (latest(s)?.role === role.approver && files.length > 2 ? files.slice(0, 1) : files),
  },
} satisfies Readonly<Record<`${string}.${string}/${string}`, Entry>>;

export type CombinedFaultId = keyof typeof combinedFaults;

export function isCombinedFault(id: string): id is CombinedFaultId {
  return Object.hasOwn(combinedFaults, id);
}

/** Asked where a rule stands: what the combined faults that are on make of it. */
export class Combined {
  readonly #on: readonly (Twist & { readonly isAbout: When })[];
  readonly #refused = new Map<string, string[]>();
  readonly #used = new Map<string, string[]>();

  readonly #store: Store;

  constructor(on: readonly CombinedFaultId[], store: Store) {
    this.#on = on.map((id) => {
      const isAbout = about[id.slice(0, id.indexOf('/'))] ?? (() => true);
      return { ...combinedFaults[id], isAbout };
    });
    this.#store = store;
  }

  /** Whether any is on: without, nothing is looked up. */
  get any(): boolean {
    return this.#on.length > 0;
  }

  /** Takes note of something that was refused in a request. */
  noteRefused(requestId: string, what: string): void {
    this.#refused.set(requestId, [...(this.#refused.get(requestId) ?? []), what]);
  }

  noteUsed(requestId: string, code: string): void {
    this.#used.set(requestId, [...(this.#used.get(requestId) ?? []), code]);
  }

  /** A request as it is now. */
  #situation(given: StoredRequest, more: Particulars = {}): Situation {
    const { id } = given;
    const request = this.#store.request(id) ?? given;
    return {
      request,
      signatories: this.#store.signatories(id),
      documents: request.documents.map((token) => this.#store.document(token)),
      refused: this.#refused.get(id) ?? [],
      used: this.#used.get(id) ?? [],
      ...more,
    };
  }

  /** Whether one that is on does that now. */
  does(what: Conditional, request: StoredRequest, more: Particulars = {}): boolean {
    const rows = this.#on.flatMap((twist) => ('when' in twist && twist.does === what ? [twist] : []));
    if (rows.length === 0) return false;
    const seen = this.#situation(request, more);
    return rows.some(({ isAbout, when }) => isAbout(seen) && when(seen));
  }

  /** Events that are sent beside those of an act. */
  added(
    request: StoredRequest,
    who: StoredSignatory,
  ): readonly { readonly code: EventCode; readonly about: StoredSignatory }[] {
    return this.#on.flatMap((twist) => {
      const about = twist.does === 'adds' ? twist.about(this.#situation(request, { who })) : undefined;
      return twist.does === 'adds' && about ? [{ code: twist.code, about }] : [];
    });
  }

  attached(files: readonly CompletedFile[], request: StoredRequest): readonly CompletedFile[] {
    return this.#on.reduce(
      (all, twist) => (twist.does === 'attaches' ? twist.files(all, this.#situation(request)) : all),
      files,
    );
  }
}
