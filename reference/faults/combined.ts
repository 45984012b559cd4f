/** Faults that show only in combinations, such as a role with a number of people. `bench/exploring.ts --checks` shows which of them the checks find, too. */
import { event, otpType, role } from '../../openapi/codes.ts';
import type { CompletedFile, StoredRequest } from '../model.ts';
import type { Store } from '../store.ts';
import { needsCode, type Situation, situationOf } from './situation.ts';

/** The facts that only some situations have. */
type Particulars = Pick<Situation, 'who' | 'shown' | 'code'>;

/** What a fault does instead of the rule. */
type Twist =
  /** A person who may act cannot; one who may not act can; no code, or that of somebody else, is enough; a right code is not. */
  | { readonly does: 'refuses' | 'admits' | 'unlocks' | 'locks'; readonly when: When }
  /** An event is not sent; or it is sent although nobody subscribed to it. */
  | { readonly does: 'loses' | 'sends'; readonly when: When }
  | {
      readonly does: 'attaches';
      readonly files: (given: readonly CompletedFile[], s: Situation) => readonly CompletedFile[];
    }
  /** The copy is not sent; a person whose addition was refused is added all the same. */
  | { readonly does: 'withholds' | 'keeps'; readonly when: When };

type When = (s: Situation) => boolean;

type Entry = { readonly title: string } & Twist;
type Conditional = Extract<Twist, { readonly when: When }>['does'];

const doing = (does: Conditional) => (title: string, when: When) => ({ title, does, when }) as Entry;
const refuses = doing('refuses');
const admits = doing('admits');
const withholds = doing('withholds');
const unlocks = doing('unlocks');
const locks = doing('locks');
const loses = doing('loses');
const sends = doing('sends');
const keeps = doing('keeps');

/** When the rule of a requirement applies; all its faults show only then. */
const about: Readonly<Record<string, When>> = {
  'signing.signer-signs': (s) => s.isRole(role.signer),
  'signing.approver-approves': (s) => s.isRole(role.approver),
  'signing.approver-cannot-sign': (s) => s.isRole(role.approver),
  'signing.parallel': (s) => s.isParallel,
  'otp.access-code-asked': (s) => s.isAskedFor(otpType.accessCode),
  'otp.email-delivered': (s) => s.isAskedFor(otpType.email),
  'otp.sms-delivered': (s) => s.isAskedFor(otpType.sms),
  'otp.email-and-sms-delivered': (s) => s.isAskedFor(otpType.emailAndSms),
  'events.request-received': (s) => s.code === event.requestReceived,
  'events.signatory-completed': (s) => s.code === event.signatoryCompleted,
  'events.process-completed': (s) => s.code === event.processCompleted,
};

export const combinedFaults = {
  'signing.lower-order-first/second-beside-two': refuses(
    'the second of two who sign one after the other cannot act, where two CCs are in the request',
    (s) => s.ccs === 2 && s.place === 1,
  ),
  'signing.lower-order-first/last-beside-two': admits(
    'beside two CCs who comes last may act before their turn',
    (s) => s.ccs > 1 && s.isLast && !s.isAsked && s.isRole(role.signer),
  ),
  'signing.lower-order-first/turn-lost': refuses(
    'once somebody has tried to act again, the next Order never has its turn',
    (s) => s.hasActedAgain && s.place > 0,
  ),
  'signing.parallel/beside-code': refuses(
    'who signs without a code waits for those with the same Order who are asked for one',
    (s) => !s.isAsked && s.acting.some((each) => each.state !== 'completed' && needsCode(each)),
  ),
  'signing.parallel/one-cc': refuses(
    'beside one CC two with the same Order act one after the other only',
    (s) =>
      s.ccs === 1 &&
      s.acting.length === 2 &&
      s.acting.find(({ state }) => state !== 'completed')?.id !== s.who?.id,
  ),
  'signing.parallel/message-beside-docx': refuses(
    'beside a DOCX who has a PrivateMessage cannot act first of several with the same Order',
    (s) => s.hasMessage && s.acted.length === 0 && s.hasKind('docx'),
  ),
  'signing.signer-signs/after-refused-addition': refuses(
    'no signer can sign once an addition was refused after sending, but for those in parallel',
    (s) => s.refused.includes('addition when sent') && !s.isParallel,
  ),
  'signing.approver-cannot-sign/three-documents': admits(
    'with three documents an approver who comes first may sign',
    (s) => s.place === 0 && s.orders.length > 1 && s.documents.length === 3,
  ),
  'otp.gates-signing/three-documents': unlocks(
    'with three documents nobody is asked for a code that is sent',
    (s) => s.documents.length === 3 && !s.isAskedFor(otpType.accessCode),
  ),
  'otp.email-delivered/after-approver': locks(
    'the code of an e-mail is of no use after an approver',
    (s) => s.latest?.role === role.approver,
  ),
  'events.signatory-completed/after-first-approver': loses(
    'with three documents event 2 is not sent for the signer who follows an approver that came first',
    (s) =>
      s.documents.length === 3 &&
      s.place === 1 &&
      s.having(role.approver).some(({ order }) => order === s.orders[0]),
  ),
  'events.process-completed/docx-alone': loses(
    'event 3 is not sent where several documents are all DOCX',
    (s) => s.documents.length > 1 && s.documents.every((each) => each?.kind === 'docx'),
  ),
  'events.process-completed/after-repeat': loses(
    'event 3 is not sent once somebody tried to act again',
    (s) => s.hasActedAgain,
  ),
  'events.process-completed/two-codes': loses(
    'event 3 is not sent where exactly two are asked for a code, and a CC takes part',
    (s) => s.ccs > 0 && s.signatories.filter(needsCode).length === 2,
  ),
  'events.request-received/two-kinds': loses(
    'event 1 is not sent where a PDF and a DOCX are signed together',
    (s) => s.hasKind('pdf') && s.hasKind('docx'),
  ),
  'events.only-subscribed/3-with-approver': sends(
    'with code 3 event 1 is sent, too, where an approver takes part',
    (s) => s.subscribesTo(event.processCompleted) && s.code === event.requestReceived && s.approvers > 0,
  ),
  'events.documents-attached/beside-docx': {
    title: 'where a DOCX is among several documents, the PDFs among them are not attached',
    does: 'attaches',
    files: (files, s) =>
      s.hasKind('docx') ? files.filter((_, at) => s.documents[at]?.kind !== 'pdf') : files,
  },
  'signatory.refused-without-effect/when-sent': keeps(
    'who is refused after sending is waited for all the same',
    (s) => s.request.state === 'sent',
  ),
  'signing.parallel/after-access-code': refuses(
    'after somebody with an AccessCode nobody with the same Order can act',
    (s) => needsCode(s.latest) && s.latest?.otp?.type === otpType.accessCode,
  ),
  'signing.cc-receives-copy/parallel-with-message': withholds(
    'a CC with a PrivateMessage gets no copy of what was signed in parallel with a code',
    (s) => s.used.length > 0 && s.isRole(role.cc) && s.isParallel && s.hasMessage,
  ),
  'otp.gates-signing/last-in-parallel': unlocks(
    'the last of several with the same Order is asked for no code',
    (s) => s.isParallel && s.isOnlyOneLeft && s.shown === undefined,
  ),
  'otp.sms-delivered/second-code': locks(
    'beside a CC the code of an SMS is of no use once somebody has entered theirs',
    (s) => s.ccs > 0 && s.used.length > 0,
  ),
  'otp.email-and-sms-delivered/two-kinds': locks(
    'the codes of OTP Type 4 are of no use where a PDF and a DOCX are signed together',
    (s) => s.hasKind('pdf') && s.hasKind('docx'),
  ),
  'events.process-completed/approver-after-code': loses(
    'event 3 is not sent where an approver acts last and somebody was asked for a code',
    (s) => s.used.length > 0 && s.latest?.role === role.approver,
  ),
  'events.only-subscribed/2-with-code': sends(
    'with code 2 event 3 is sent, too, where the last to act was asked for a code',
    (s) =>
      s.subscribesTo(event.signatoryCompleted) && s.code === event.processCompleted && needsCode(s.latest),
  ),
  'signing.approver-approves/beside-docx': refuses('beside a DOCX an approver cannot approve', (s) =>
    s.hasKind('docx'),
  ),
  'signing.cc-receives-copy/beside-docx': withholds('beside a DOCX a CC gets no copy', (s) =>
    s.hasKind('docx'),
  ),
  'otp.sms-delivered/after-approver': locks(
    'the code of an SMS is of no use after an approver',
    (s) => s.latest?.role === role.approver,
  ),
  'events.process-completed/docx-with-approver': loses(
    'event 3 is not sent where an approver approves a DOCX',
    (s) => s.approvers > 0 && s.hasKind('docx'),
  ),
  'signing.parallel/after-repeat': refuses(
    'once one of three with the same Order has tried to act again, the others cannot act',
    (s) => s.hasActedAgain && s.acting.length > 2,
  ),
  'signing.cc-receives-copy/two-with-code': withholds(
    'of two CCs none gets a copy of what was signed with a code',
    (s) => s.isRole(role.cc) && s.ccs > 1 && s.used.length > 0,
  ),
  'signing.lower-order-first/free-after-wrong-code': admits(
    'once the first has entered a wrong code, the second may act',
    (s) =>
      s.place === 1 &&
      !s.isAsked &&
      s.acted.length === 0 &&
      s.refused.some((each) => each.startsWith('code ')),
  ),
  'otp.gates-signing/access-code-beside-docx': unlocks(
    'where a DOCX is among several documents, nobody is asked for an AccessCode',
    (s) =>
      s.isAskedFor(otpType.accessCode) &&
      s.documents.length > 1 &&
      s.hasKind('docx') &&
      s.shown === undefined,
  ),
  'events.only-subscribed/2-in-parallel': sends(
    'with code 1 event 2 is sent, too, for those who act in parallel on several documents',
    (s) =>
      s.subscribesTo(event.requestReceived) &&
      s.code === event.signatoryCompleted &&
      s.isParallel &&
      s.documents.length > 1,
  ),
  'otp.email-delivered/three-documents': locks(
    'the code of an e-mail is of no use where three documents are signed',
    (s) => s.documents.length === 3,
  ),
  'signing.approver-approves/second-of-three': refuses(
    'an approver who comes second of three cannot approve several documents',
    (s) => s.place === 1 && s.orders.length === 3 && s.documents.length > 1,
  ),
  'signing.lower-order-first/beside-three-documents': admits(
    'with three documents and a CC who comes second may act at once',
    (s) => s.place === 1 && !s.isAsked && s.documents.length === 3 && s.ccs > 0,
  ),
  'signing.cc-receives-copy/after-refused-addition': withholds(
    'a CC gets no copy once an addition was refused after sending',
    (s) => s.isRole(role.cc) && s.refused.includes('addition when sent'),
  ),
  'otp.gates-signing/after-repeat': unlocks(
    'once somebody has tried to act again, nobody is asked for a code',
    (s) => s.hasActedAgain && s.shown === undefined,
  ),
  'events.process-completed/after-wrong-code': loses(
    'event 3 is not sent where a CC takes part and somebody entered a wrong code',
    (s) => s.ccs > 0 && s.refused.some((each) => each.startsWith('code ')),
  ),
  'otp.sms-delivered/docx-in-turn': locks(
    'the code of an SMS is of no use for who signs a DOCX and does not come first',
    (s) => s.place > 0 && s.hasKind('docx'),
  ),
  'events.only-subscribed/1-beside-cc': sends(
    'with code 2 event 1 is sent, too, for three documents beside a CC',
    (s) =>
      s.subscribesTo(event.signatoryCompleted) &&
      s.code === event.requestReceived &&
      s.documents.length === 3 &&
      s.ccs > 0,
  ),
  'events.signatory-completed/second-of-three-documents': loses(
    'event 2 is not sent for who comes second, where three documents are signed',
    (s) => s.documents.length === 3 && s.place === 1,
  ),
} satisfies Readonly<Record<`${string}.${string}/${string}`, Entry>>;

export type CombinedFaultId = keyof typeof combinedFaults;

export const isCombinedFault = (id: string): id is CombinedFaultId => Object.hasOwn(combinedFaults, id);

/** The combined faults that are on. Rules ask it what these faults do. */
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

  /** Whether any of them is on; if not, nothing is looked up. */
  get any(): boolean {
    return this.#on.length > 0;
  }

  noteRefused(requestId: string, what: string): void {
    this.#refused.set(requestId, [...(this.#refused.get(requestId) ?? []), what]);
  }

  timesRefused(requestId: string, what: string): number {
    return this.#refused.get(requestId)?.filter((each) => each === what).length ?? 0;
  }

  noteUsed(requestId: string, code: string): void {
    this.#used.set(requestId, [...(this.#used.get(requestId) ?? []), code]);
  }

  #situation(given: StoredRequest, more: Particulars = {}): Situation {
    const { id } = given;
    const request = this.#store.request(id) ?? given;
    return situationOf({
      request,
      signatories: this.#store.signatories(id),
      documents: request.documents.map((token) => this.#store.document(token)),
      refused: this.#refused.get(id) ?? [],
      used: this.#used.get(id) ?? [],
      ...more,
    });
  }

  /** Whether a fault that is on does this now. */
  does(what: Conditional, request: StoredRequest, more: Particulars = {}): boolean {
    const rows = this.#on.flatMap((twist) => ('when' in twist && twist.does === what ? [twist] : []));
    if (rows.length === 0) return false;
    const seen = this.#situation(request, more);
    return rows.some(({ isAbout, when }) => isAbout(seen) && when(seen));
  }

  attached(files: readonly CompletedFile[], request: StoredRequest): readonly CompletedFile[] {
    return this.#on.reduce(
      (all, twist) => (twist.does === 'attaches' ? twist.files(all, this.#situation(request)) : all),
      files,
    );
  }
}
