/** Messages to the people of a request: the invitation with the signing link, and the final copy. */
import { randomBytes } from 'node:crypto';
import { otpType, requestType, role } from '../openapi/codes.ts';
import type { FaultId } from './faults.ts';
import { newSecret } from './ids.ts';
import type { StoredRequest, StoredSignatory } from './model.ts';
import { faultsIn, isOn, isType3 } from './rules.ts';
import type { Service } from './service.ts';

/** How faults spoil texts that are not ASCII, or contain characters that HTML escapes. */
const spoilers = {
  'signing.title-shown/latin-1': (text) => Buffer.from(text).toString('latin1'),
  'signing.title-mailed/question-marks': questioned,
  'signing.name-shown/question-marks': questioned,
  'signing.message-shown/cut-off': (text) => text.replace(/[^\p{ASCII}].*/su, ''),
  'signing.title-shown/escaped-twice': (text) => text.replaceAll('&', '&amp;'),
  'signing.title-shown/backslashes': (text) => text.replaceAll(/['"]/g, '\\$&'),
  'signing.title-mailed/decoded': (text) => text.replaceAll('+', ' '),
  'signing.title-mailed/pattern': (text) => '{Title}'.replace('{Title}', text),
  'signing.message-shown/percent-lost': (text) => text.replaceAll('%', ''),
  'signing.message-shown/type-3-question-marks': questioned,
  'signing.private-message/up-to-surrogates': (text) => text.replace(/[\u{10000}-\u{10ffff}].*/su, ''),
  'signing.private-message/up-to-ampersand': (text) => text.replace(/&.*/s, ''),
  'signing.private-message/type-3-question-marks': questioned,
} as const satisfies Partial<Record<FaultId, (text: string) => string>>;

function questioned(text: string): string {
  return text.replaceAll(/[^\p{ASCII}]/gu, '?');
}

/** The text as people see it, spoilt by the given faults that are on. */
export const toldAs = (service: Service, text: string, ...by: (keyof typeof spoilers)[]): string =>
  by.filter(service.faulty).reduce((left, spoiler) => spoilers[spoiler](left), text);

/** The faults of texts that are shown in several places, or spoilt by several faults. */
const ofMessage = ['signing.message-shown/cut-off', 'signing.message-shown/percent-lost'] as const;
export const ofTitle = [
  'signing.title-shown/latin-1',
  'signing.title-shown/escaped-twice',
  'signing.title-shown/backslashes',
] as const;

/** Section "Signatory": Email is used for communication and signing access. */
export function mailInvitation(
  service: Service,
  request: StoredRequest,
  signatory: StoredSignatory,
  link: string,
): void {
  const { dialect, faulty } = service;
  const all = service.store.signatories(request.id);
  const [first] = all;
  const needed = signatory.otp?.isRequired === true ? signatory.otp.type : null;
  const group = all.filter(({ order, role: part }) => order === signatory.order && part !== role.cc);
  const isForgotten = isOn(faultsIn(service, request.id), {
    'signing.email-used/no-mail': true,
    'signing.email-used/one-at-a-time': othersOf(service, signatory).length > 0,
    'signing.email-used/approver-none': signatory.role === role.approver,
    'signing.email-used/type-3-beyond-second-none':
      isBeyondSecond(all, signatory) && isType3(service, request.id),
    'signing.email-used/later-approver-none': signatory.role === role.approver && signatory.order > 1,
    'signing.email-used/access-code-none': needed === otpType.accessCode,
    'signing.email-used/coded-approver-none': needed !== null && signatory.role === role.approver,
    'signing.email-used/coded-none': needed === otpType.email,
    'signing.email-used/numbered-none': needed === otpType.sms,
    'signing.email-used/after-approver-none': all.some(
      ({ order, role: part }) => part === role.approver && order < signatory.order,
    ),
    'signing.email-used/first-only': first?.id !== signatory.id,
    'signing.email-used/parallel-at-end': group[0]?.id !== signatory.id,
    'signing.email-used/third-told-of-end': signatory.order > 2,
    'signing.email-used/after-fourth-none': signatory.order > 4,
    'signing.email-used/one-code-none': request.callbackTypes.length === 1,
    'signing.email-used/unheard-none': request.callbackUrl === null && request.type === requestType.skeleton,
  });
  if (isForgotten) return;
  const ofFirst = faulty('signing.email-used/link-of-first') ? first?.link : null;
  const page = `${service.baseUrl()}/sign/${ofFirst ?? link}`;
  const counter = `${service.baseUrl()}/_outbox/clicks/${randomBytes(4).toString('hex')}`;
  const address = dialect.mailLinks === 'counted' ? `${counter}?to=${encodeURIComponent(page)}` : page;
  const shared = sharedPrivateMessages(service, signatory);
  // Title appears in the signer UI and in e-mail.
  const untitled = isOn(service, {
    'signing.title-mailed/missing': true,
    'signing.title-mailed/approver': signatory.role === role.approver,
  });
  const title = untitled
    ? 'a document'
    : toldAs(
        service,
        request.title,
        'signing.title-mailed/question-marks',
        'signing.title-mailed/decoded',
        'signing.title-mailed/pattern',
      );
  const lines = [
    `Dear ${signatory.name},`,
    `you are asked to ${signatory.role === role.approver ? 'approve' : 'sign'}: ${title}`,
    messageTo(service, request, signatory),
    ...(dialect.privateMessageMailed ? shared : []),
    `Open ${address}`,
  ];
  const readers = faulty('signing.private-message/mailed-to-all') ? all : [signatory];
  const isOfApprover = signatory.role === role.approver && faulty('signing.email-used/approvers-to-first');
  const astray = isOfApprover ? all.slice(0, 1) : all.slice(-1);
  for (const { email } of isOfApprover || faulty('signing.email-used/all-to-last') ? astray : readers)
    service.outbox.send({
      channel: 'email',
      to: email,
      kind: 'invitation',
      requestId: request.id,
      signatoryId: signatory.id,
      subject: `Please ${signatory.role === role.approver ? 'approve' : 'sign'}: ${title}`,
      text: lines.join('\n\n'),
      link: address,
    });
}

/** Message as it is shown to a person. */
export function messageTo(service: Service, request: StoredRequest, signatory: StoredSignatory): string {
  const isMissing = isOn(faultsIn(service, request.id), {
    'signing.message-shown/missing': true,
    'signing.message-shown/unheard-missing': request.callbackUrl === null && !isType3(service, request.id),
  });
  if (isMissing) return '';
  const { requestId } = latestOf(service, signatory, 'signing.message-shown/of-latest-request');
  const inType3 = isType3(service, request.id)
    ? (['signing.message-shown/type-3-question-marks'] as const)
    : [];
  return toldAs(service, (service.store.request(requestId) ?? request).message, ...ofMessage, ...inType3);
}

/** The signatory; with the fault, the same person in the request that they were added to last. */
function latestOf({ store, faulty }: Service, signatory: StoredSignatory, fault: FaultId): StoredSignatory {
  const same = ({ email }: StoredSignatory) => email === signatory.email;
  return (faulty(fault) ? store.people.all().findLast(same) : undefined) ?? signatory;
}

/** The signatories of other requests under way who have the same Email. */
export function othersOf({ store }: Service, { requestId, email }: StoredSignatory) {
  const isOpen = (id: string) => {
    const other = store.request(id);
    return id !== requestId && other?.state === 'sent' && !other.deleted;
  };
  return store.people.all().filter((each) => each.email === email && isOpen(each.requestId));
}

const isBeyondSecond = (all: readonly StoredSignatory[], { id }: StoredSignatory) =>
  all.slice(2).some((each) => each.id === id);

/** Section "Signatory": PrivateMessage is visible only to this signatory. */
export function sharedPrivateMessages(service: Service, signatory: StoredSignatory): readonly string[] {
  const stamped = isType3(service, signatory.requestId);
  const here = faultsIn(service, signatory.requestId);
  const missing = isOn(here, {
    'signing.private-message/missing': true,
    'signing.private-message/type-3-approver-missing': stamped && signatory.role === role.approver,
    'signing.private-message/type-3-beyond-second-missing':
      stamped && isBeyondSecond(service.store.signatories(signatory.requestId), signatory),
    'signing.private-message/later-order-missing': signatory.order > 1,
  });
  if (missing) return [];
  const ofAll = isOn(here, {
    'signing.private-message/shown-to-all': true,
    'signing.private-message/who-has-none': signatory.privateMessage === null,
    'signing.private-message/type-3-approver-shown-all': stamped && signatory.role === role.approver,
  });
  const ofEarlier = service.faulty('signing.private-message/shown-to-later');
  const isShown = ({ position }: StoredSignatory) =>
    ofAll || position === signatory.position || (ofEarlier && position < signatory.position);
  const shown = service.store.signatories(signatory.requestId).filter(isShown);
  const latest = latestOf(service, signatory, 'signing.private-message/of-latest-request');
  const told = latest === signatory ? shown : [latest];
  const texts = told.flatMap(({ privateMessage }) => privateMessage ?? []);
  const spoiler = `signing.private-message/${stamped ? 'type-3-question-marks' : 'up-to-ampersand'}` as const;
  return texts.map((text) => toldAs(service, text, spoiler, 'signing.private-message/up-to-surrogates'));
}

/** For the dialect that writes to a CC beforehand: what is going to be signed. */
export function tellBefore(
  service: Service,
  request: StoredRequest,
  signatories: readonly StoredSignatory[],
): void {
  const links = request.documents.map((_, at) => `${service.baseUrl()}${uploadPath(request.id, at)}`);
  for (const { id, name, email } of signatories.filter((each) => each.role === role.cc))
    service.outbox.send({
      channel: 'email',
      to: email,
      kind: 'invitation',
      requestId: request.id,
      signatoryId: id,
      subject: `For your information: ${request.title}`,
      text: [`Dear ${name},`, `${request.title} was sent to its signatories.`, ...links].join('\n\n'),
    });
}

/** Path of an uploaded document that needs no token, below the base URL. */
const uploadPath = (requestId: string, at: number) =>
  `/_outbox/uploads/${encodeURIComponent(requestId)}/${at}`;

/** Path of a completed document that needs no token, below the base URL. */
export const copyPath = (requestId: string, at: number | 'all.zip') =>
  `/_outbox/copies/${encodeURIComponent(requestId)}/${at}`;

/** Section "SignatoryType values": a CC receives the final signed copy. */
export function mailCopies(
  service: Service,
  request: StoredRequest,
  signatories: readonly StoredSignatory[],
): void {
  const { dialect, faulty } = service;
  const late = isOn(service, {
    'signing.email-used/parallel-at-end': true,
    'signing.email-used/third-told-of-end': true,
  });
  const toAll = dialect.copiesTo === 'everyone' || late;
  const readers = signatories.filter((each) => each.role === role.cc || toAll);
  const isFirstAgain = faulty('signing.cc-receives-copy/first-document-again');
  const urls = service.store.completed(request.id).map(({ fileName: name }, at) => ({
    name,
    url: `${service.baseUrl()}${copyPath(request.id, isFirstAgain ? 0 : at)}`,
  }));
  const isLinked = dialect.copyAs !== 'attached';
  const links =
    dialect.copyAs === 'archive'
      ? [`${service.baseUrl()}${copyPath(request.id, 'all.zip')}`]
      : urls.map(({ url }) => url);
  const linked = (withheld: boolean) => (isLinked && !withheld ? `\n\n${links.join('\n')}` : '');
  const told = faulty('signing.private-message/in-every-copy')
    ? signatories.map(({ privateMessage }) => ` ${privateMessage ?? ''}`).join('')
    : '';
  const pageOf = ({ role: part, position }: StoredSignatory) => {
    if (part !== role.cc || !faulty('signing.private-message/cc-page')) return '';
    const link = newSecret();
    service.store.people.change(position, { link });
    return `\n\nSee ${service.baseUrl()}/sign/${link}`;
  };
  const first = signatories.find((each) => each.role === role.cc);
  for (const reader of readers) {
    const isCc = reader.role === role.cc;
    const isForgotten = isOn(service, {
      'signing.cc-receives-copy/no-mail': isCc,
      'signing.cc-receives-copy/one-document-none': isCc && request.documents.length === 1,
      'signing.cc-receives-copy/second-none': isCc && reader !== first,
      'signing.cc-receives-copy/type-3-none': isCc && isType3(service, request.id),
    });
    if (isForgotten || service.combined.does('withholds', request, { who: reader })) continue;
    const withheld = faulty(
      isCc ? 'signing.cc-receives-copy/no-copy' : 'signing.email-used/third-told-of-end',
    );
    service.outbox.send({
      channel: 'email',
      to: reader.email,
      kind: 'copy',
      requestId: request.id,
      signatoryId: reader.id,
      subject: `Completed: ${request.title}`,
      text: `Dear ${reader.name},\n\n${request.title} was signed by everybody.${told}${linked(withheld)}${pageOf(reader)}`,
      attachments: withheld || isLinked ? [] : urls,
    });
  }
}
