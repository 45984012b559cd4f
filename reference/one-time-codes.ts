/** One-time passwords before signing (section "OTP object"): when they are required, sending, and checking. */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { type OtpType, otpType, role } from '../openapi/codes.ts';
import { alikeBy } from './alike.ts';
import type { StoredRequest, StoredSignatory } from './model.ts';
import type { Channel } from './outbox.ts';
import { faultsIn, isOn, isType3, Refusal } from './rules.ts';
import type { Service } from './service.ts';

/** What a signatory has to enter: nothing, the AccessCode, or a code from each of the channels. */
export type Demand =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'access-code' }
  | { readonly kind: 'code'; readonly channels: readonly Channel[]; readonly separate: boolean };

/** What a signatory entered. */
export interface Proof {
  /** The code from the e-mail or the SMS. */
  readonly otp?: string;
  /** The code from the SMS, where two codes are required. */
  readonly otpSms?: string;
  readonly accessCode?: string;
}

const tries = 5;

export function demandOf(service: Service, signatory: StoredSignatory): Demand {
  const stated = statedDemand(service, signatory);
  // If no code is required, only a fault asks for one.
  if (stated.kind === 'nothing') {
    if (signatory.otp === null) return stated;
    const { type } = signatory.otp;
    const asked = isOn(service, {
      'otp.not-asked/demanded': true,
      'otp.not-asked/later-orders': signatory.order > 1,
    });
    if (asked) return demandByType(service, otpType.email);
    const askedByType = isOn(service, {
      'otp.not-asked/type-2': type === otpType.sms,
      'otp.not-asked/later-type-4': type === otpType.emailAndSms && signatory.order > 1,
      'otp.not-asked/type-2-in-type-3': type === otpType.sms && isType3(service, signatory.requestId),
      'otp.not-asked/type-3': type === otpType.accessCode,
      'otp.not-asked/type-4': type === otpType.emailAndSms,
    });
    return askedByType ? demandByType(service, type) : stated;
  }
  const isForgotten = isOn(faultsIn(service, signatory.requestId), {
    'otp.gates-signing/not-demanded': true,
    'otp.gates-signing/looked': service.seen.has(signatory.id),
    'otp.gates-signing/after-another': service.store.people
      .all()
      .some(({ email, state }) => email === signatory.email && state === 'completed'),
    'otp.gates-signing/first-order-only': signatory.order > 1,
    'otp.gates-signing/email-later-unasked': isOfLaterMail(signatory),
    'otp.gates-signing/email-first-order-refused': isOfLaterMail(signatory),
    'otp.gates-signing/type-3-sms-not-demanded':
      isType3(service, signatory.requestId) && signatory.otp?.type === otpType.sms,
    'otp.gates-signing/attached-not-demanded':
      service.store.request(signatory.requestId)?.completedDocumentsAttached === true,
    'otp.gates-signing/not-with-several':
      (service.store.request(signatory.requestId)?.documents.length ?? 0) > 1,
    'otp.gates-signing/access-code-not-demanded': signatory.otp?.type === otpType.accessCode,
    'otp.gates-signing/numbered-access-code-not-demanded':
      signatory.otp?.type === otpType.accessCode && signatory.otp.mobileNumber !== null,
    'otp.gates-signing/sms-not-demanded': signatory.otp?.type === otpType.sms,
    'otp.gates-signing/both-not-demanded': signatory.otp?.type === otpType.emailAndSms,
  });
  return isForgotten ? { kind: 'nothing' } : stated;
}

const isOfLaterMail = ({ order, otp }: StoredSignatory) => order > 1 && otp?.type === otpType.email;

/** Section "OTP Type values". */
function statedDemand(service: Service, { otp, role: part }: StoredSignatory): Demand {
  if (otp?.isRequired !== true) return { kind: 'nothing' };
  if (part === role.approver && service.dialect.otpOfApprover === 'ignored') return { kind: 'nothing' };
  return demandByType(service, otp.type);
}

function demandByType(service: Service, type: OtpType): Demand {
  if (type === otpType.accessCode) return { kind: 'access-code' };
  if (type !== otpType.emailAndSms)
    return { kind: 'code', channels: [type === otpType.sms ? 'sms' : 'email'], separate: false };
  const asTwo = isOn(service, {
    'otp.gates-signing/of-either-channel': true,
    'otp.gates-signing/sms-alone': true,
    'otp.gates-signing/beside-right-sms': true,
  });
  const separate = asTwo || service.dialect.otpBoth === 'two-codes';
  return { kind: 'code', channels: ['email', 'sms'], separate };
}

/** Sends the codes that the OTP object of the signatory requires, or that a fault requires; returns whether there are any. */
export function sendCodes(service: Service, request: StoredRequest, signatory: StoredSignatory): boolean {
  const stated = statedDemand(service, signatory);
  if (service.faulty('otp.gates-signing/email-first-order-refused') && isOfLaterMail(signatory))
    throw new Refusal(409, { detail: 'No code is asked for.' });
  const demand = stated.kind === 'nothing' ? demandOf(service, signatory) : stated;
  if (demand.kind !== 'code') return false;
  if (isLocked(service, signatory) && service.dialect.codeTries === 'three-of-all') return true;
  if (service.faulty('otp.email-delivered/until-anothers')) forgetOthers(service, signatory);
  const shared = newCode(service);
  for (const channel of demand.channels) {
    const code = demand.separate ? newCode(service) : shared;
    const expiresAt = service.now() + service.dialect.otpLifetimeSeconds * 1000;
    const row = { signatory: signatory.position, channel, code, expiresAt, tries: 0 };
    service.store.codes.put(keyOf(signatory, channel), row);
    const route = routeOf(service, signatory, channel);
    if (route) deliver(service, request, signatory, route, code);
  }
  return true;
}

/** For a fault: the codes of all others in the request who get theirs by e-mail. */
function forgetOthers({ store }: Service, { id, requestId }: StoredSignatory): void {
  for (const other of store.signatories(requestId).filter((each) => each.id !== id)) {
    if (other.otp?.type !== otpType.email) continue;
    forgetCodes(store, other);
  }
}

const codeWords = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron', 'islet', 'jetty'];

function newCode({ dialect }: Service): string {
  if (dialect.otpSigns === 'words') return [0, 1, 2, 3].map(() => codeWords[randomInt(0, 10)]).join('-');
  return String(randomInt(0, 10 ** dialect.otpDigits)).padStart(dialect.otpDigits, '0');
}

interface Route {
  readonly channel: Channel;
  readonly to: string;
}

/** Where a code goes; `null` where a fault loses it. */
function routeOf(service: Service, signatory: StoredSignatory, channel: Channel): Route | null {
  const here = faultsIn(service, signatory.requestId);
  const { faulty } = here;
  const { otp, order } = signatory;
  const mobile = otp?.mobileNumber ?? '';
  const [first = signatory] = service.store.signatories(signatory.requestId);
  const { email } = faulty('otp.email-delivered/to-first') ? first : signatory;
  const isLost = isOn(here, {
    'otp.email-delivered/none': otp?.type === otpType.email,
    'otp.sms-delivered/type-3-none': channel === 'sms' && isType3(service, signatory.requestId),
    'otp.email-delivered/later-orders-none': otp?.type === otpType.email && order > 1,
    ...(otp?.type === otpType.emailAndSms && {
      'otp.email-and-sms-delivered/email-only': channel === 'sms',
      'otp.email-and-sms-delivered/later-orders-email-only': channel === 'sms' && order > 1,
      'otp.email-and-sms-delivered/sms-only': channel === 'email',
    }),
  });
  if (isLost) return null;
  if (otp?.type === otpType.email && mobile !== '' && faulty('otp.email-delivered/to-number'))
    return { channel: 'sms', to: mobile };
  if (otp?.type === otpType.sms) {
    if (faulty('otp.sms-delivered/by-email')) return { channel: 'email', to: email };
    if (faulty('otp.sms-delivered/other-number'))
      return { channel, to: `${mobile.slice(0, -1)}${(Number(mobile.at(-1)) + 1) % 10}` };
  }
  const others = service.store.signatories(signatory.requestId).filter(({ state }) => state === 'completed');
  const isAstray = otp?.type === otpType.emailAndSms && channel === 'email' && others.length > 1;
  if (isAstray && faulty('otp.email-and-sms-delivered/email-astray-after-two'))
    return { channel, to: 'office@example.org' };
  return { channel, to: channel === 'sms' ? mobile : email };
}

function deliver(
  service: Service,
  { title }: StoredRequest,
  signatory: StoredSignatory,
  { channel, to }: Route,
  code: string,
): void {
  const linked = channel === 'email' && service.dialect.otpSigns === 'words';
  service.outbox.send({
    channel,
    to,
    kind: 'code',
    requestId: signatory.requestId,
    signatoryId: signatory.id,
    subject: channel === 'email' ? `Your code for ${title}` : '',
    text: `Your one-time password is ${code}${linked ? `\n\nOr open ${service.baseUrl()}/code?c=${code}` : ''}`,
    code,
  });
}

export function proves(service: Service, signatory: StoredSignatory, proof: Proof): boolean {
  const demand = demandOf(service, signatory);
  if (demand.kind === 'nothing' || isSpared(service, signatory, proof)) return true;
  if (isLocked(service, signatory)) return false;
  const isRight =
    demand.kind === 'access-code'
      ? provesAccessCode(service, signatory, proof)
      : provesCodes(service, signatory, demand, proof);
  if (isRight || isTakenAtTry(service, signatory, proof)) return true;
  noteTry(service, signatory);
  return false;
}

/** Whether a fault takes a wrong code for how many of them the person has entered. Blanks are none. */
function isTakenAtTry(
  { combined, faulty }: Service,
  { id, requestId }: StoredSignatory,
  proof: Proof,
): boolean {
  if (!Object.values(proof).some((code: string) => code.trim() !== '')) return false;
  const wrong = [requestId, `wrong code of ${id}`] as const;
  combined.noteRefused(...wrong);
  const times = combined.timesRefused(...wrong);
  return isOn(
    { faulty },
    { 'otp.gates-signing/second-try': times === 2, 'otp.gates-signing/third-try': times === 3 },
  );
}

const everybody = 'everybody';

const isLocked = ({ locked }: Service, { id }: StoredSignatory) => locked.has(id) || locked.has(everybody);

/** Counts an attempt without the right code; locks the person, or everybody, if it was the last one. */
function noteTry({ combined, dialect, locked }: Service, signatory: StoredSignatory): void {
  const isOfAll = dialect.codeTries === 'three-of-all';
  const id = isOfAll ? everybody : signatory.id;
  const tries = [isOfAll ? '' : signatory.requestId, `attempt of ${id}`] as const;
  combined.noteRefused(...tries);
  const most = { five: Number.POSITIVE_INFINITY, one: 1, three: 3, 'three-of-all': 3 }[dialect.codeTries];
  if (combined.timesRefused(...tries) >= most) locked.add(id);
}

/** Whether a fault lets somebody act without the code that is required. */
function isSpared(service: Service, signatory: StoredSignatory, proof: Proof): boolean {
  const { store, combined } = service;
  return (
    Object.keys(proof).length === 0 &&
    isOn(service, {
      'otp.gates-signing/sent-is-enough': store.codes
        .all()
        .some(({ signatory: of }) => of === signatory.position),
      'otp.gates-signing/none-after-wrong':
        combined.timesRefused(signatory.requestId, `code ${signatory.id}`) > 0,
    })
  );
}

function provesAccessCode(service: Service, signatory: StoredSignatory, { accessCode }: Proof): boolean {
  const { store } = service;
  const { faulty } = faultsIn(service, signatory.requestId);
  if (faulty('otp.gates-signing/blank-access-code') && accessCode?.trim() === '') return true;
  if (faulty('otp.access-code-asked/any-accepted')) return accessCode !== undefined;
  if (faulty('otp.access-code-asked/refused')) return false;
  if (faulty('otp.access-code-asked/of-neighbour')) {
    const all = store.signatories(signatory.requestId);
    return all.some(({ otp }) => same(otp?.accessCode ?? '', accessCode ?? ''));
  }
  const isRight = fits(service, 'otp.access-code-asked', signatory.otp?.accessCode ?? '', accessCode);
  if (isRight || !faulty('otp.access-code-asked/after-tries')) return isRight;
  const { combined } = service;
  const wrong = [signatory.requestId, `AccessCode of ${signatory.id}`] as const;
  if (accessCode !== undefined && combined.timesRefused(...wrong) >= 3) return true;
  combined.noteRefused(...wrong);
  return false;
}

/** A code works once, and no longer after five wrong tries. */
function provesCodes(
  service: Service,
  signatory: StoredSignatory,
  { channels, separate }: Extract<Demand, { kind: 'code' }>,
  proof: Proof,
): boolean {
  const { faulty } = service;
  const type = signatory.otp?.type;
  const isAnyTaken = isOn(faultsIn(service, signatory.requestId), {
    'otp.gates-signing/any-accepted': true,
    'otp.gates-signing/both-later-any-accepted': signatory.order > 1 && type === otpType.emailAndSms,
  });
  if (isAnyTaken) return proof.otp !== undefined;
  const isUseless = isOn(faultsIn(service, signatory.requestId), {
    'otp.email-delivered/of-no-use': type === otpType.email,
    'otp.sms-delivered/of-no-use': type === otpType.sms,
    'otp.email-and-sms-delivered/of-no-use': type === otpType.emailAndSms,
  });
  if (isUseless) return false;
  // Where one code is asked for, either field may hold it.
  const { otp, otpSms } = proof;
  const given = (channel: Channel) =>
    (separate ? { email: otp, sms: otpSms }[channel] : (otp ?? otpSms)) ?? '';
  const isRight = (channel: Channel) => {
    if (channel === 'email' && faulty('otp.gates-signing/beside-right-sms') && separate) return otp?.trim();
    const isOfEither = channel === 'sms' && faulty('otp.gates-signing/of-either-channel');
    const sentBy = isOfEither ? channels : [channel];
    return sentBy.some((each) => codeFits(service, signatory, each, given(channel)));
  };
  const [first = 'email'] = channels;
  const isSmsEnough = separate && faulty('otp.gates-signing/sms-alone');
  const asked = isSmsEnough ? (['sms'] as const) : separate ? channels : [first];
  // All are checked, so that a wrong one counts even if another one is wrong, too.
  if (asked.filter(isRight).length < asked.length) return false;
  forgetCodes(service.store, signatory);
  return true;
}

const keyOf = ({ position }: StoredSignatory, channel: Channel) => `${position} ${channel}`;

function forgetCodes({ codes }: Service['store'], signatory: StoredSignatory): void {
  for (const channel of ['email', 'sms'] as const) codes.put(keyOf(signatory, channel), undefined);
}

function codeFits(service: Service, signatory: StoredSignatory, channel: Channel, given: string): boolean {
  const { codes } = service.store;
  const key = keyOf(signatory, channel);
  const row = codes.get(key);
  const left = isOn(service, {
    'otp.gates-signing/blanks': /^\s+$/.test(given),
    'otp.gates-signing/testers': given === '123456',
    'otp.gates-signing/zeros': /^0+$/.test(given),
    'otp.gates-signing/after-tries': Number(row?.tries) >= 3,
  });
  if (left) return true;
  if (!row || row.tries >= tries || row.expiresAt <= service.now()) return false;
  if (fits(service, 'otp.gates-signing', row.code, given)) return true;
  if (service.faulty('otp.gates-signing/of-anybody') && codes.all().some(({ code }) => code === given))
    return true;
  codes.change(key, { tries: row.tries + 1 });
  return false;
}

/** Whether a code is the right one; for some faults a nearly right one counts. */
function fits(
  service: Service,
  rule: 'otp.gates-signing' | 'otp.access-code-asked',
  known: string,
  given = '',
): boolean {
  if (known === '' || given === '') return false;
  return alikeBy(service, rule)?.(known, given) || same(known, given);
}

function same(known: string, given: string): boolean {
  const [one, other] = [Buffer.from(known), Buffer.from(given)];
  return known !== '' && one.length === other.length && timingSafeEqual(one, other);
}
