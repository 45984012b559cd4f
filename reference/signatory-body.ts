/** The body of a signatory: of endpoint 5 (section "Resources", signatory), and within bodies of types 1, 2 and 3. */
import { otpType, type Role, role } from '../openapi/codes.ts';
import { Fields, isObject, type JsonObject, type Leniency, leniently } from './fields.ts';
import type { SignatoryFacts, Stamp } from './model.ts';
import { integerOtpType, readOtp, requirementOf } from './otp.ts';
import { refuse, refuseEach, refuseFaultily } from './rules.ts';
import type { Service } from './service.ts';

const nobody = 'unknown@example.com';
const isOf =
  (part: Role): Leniency[3] =>
  ({ SignatoryType }) =>
    SignatoryType === part;

const lenient: readonly Leniency[] = [
  ['signatory.email-required/of-cc', 'Email', nobody, isOf(role.cc)],
  ['signatory.email-required/of-approver', 'Email', nobody, isOf(role.approver)],
  ['signatory.email-required/with-private-message', 'Email', nobody, (body) => 'PrivateMessage' in body],
  ['signatory.name-required/of-approver', 'Name', 'Approver', isOf(role.approver)],
  ['signatory.name-required/of-cc', 'Name', 'Copied', isOf(role.cc)],
  ['signatory.order-required/with-otp', 'Order', 1, ({ OTP }) => isObject(OTP) && OTP.IsRequired === true],
  ['signatory.order-required/of-cc', 'Order', 1, isOf(role.cc)],
  ['signatory.role-required/later-order', 'SignatoryType', role.signer, ({ Order }) => Number(Order) > 1],
  ['signatory.email-type/of-cc-accepted', 'Email', nobody, isOf(role.cc)],
  ['signatory.email-type/of-approver-accepted', 'Email', nobody, isOf(role.approver)],
];

/** Faults about the OTP object of an approver. */
const lenientOtp: readonly Leniency[] = [
  ['otp.is-required-required/of-approver', 'IsRequired', true, () => true],
  ['otp.type-required/of-approver', 'Type', otpType.email, () => true],
];

/** The body, with values filled in for fields that a fault accepts as missing or wrong. */
function asFaultsTakeIt(given: JsonObject, service: Service): JsonObject {
  const body = leniently(given, service, lenient);
  if (body.SignatoryType !== role.approver || !isObject(body.OTP)) return body;
  return { ...body, OTP: leniently(body.OTP, service, lenientOtp) };
}

/** @param beside whether the request has another signatory already */
export async function readSignatory(
  given: JsonObject,
  service: Service,
  beside: boolean,
): Promise<SignatoryFacts> {
  const fields = new Fields(asFaultsTakeIt(given, service), service);
  if (beside && !fields.has('Email') && service.faulty('signatory.email-required/second-422'))
    throw fields.refusal(422, 'Email is missing');
  const facts: SignatoryFacts = {
    email: readEmail(fields, service),
    name: fields.text('Name', 'signatory.name'),
    order: readOrder(fields, service),
    role: readRole(fields, service),
    privateMessage: fields.optionalText('PrivateMessage', 'signatory.private-message-type'),
    color: readColor(fields, service),
    otp: await readOtp(fields, service, integerOtpType),
    stamps: [],
  };
  fields.finish();
  const told = facts.privateMessage !== null;
  const approves = facts.role === role.approver;
  refuseEach(service, {
    'signatory.private-message/of-approver-refused': told && approves,
    'signatory.role-approver/coded-refused': approves && facts.otp?.isRequired === true,
    'signatory.role-approver/coded-first-refused':
      approves && facts.otp?.isRequired === true && facts.order === 1,
    'signatory.color/of-cc-refused': facts.color !== null && facts.role === role.cc,
    'signatory.role-approver/first-order-refused': approves && facts.order === 1,
    'signatory.role-cc/first-order-refused': facts.role === role.cc && facts.order === 1,
    ...(facts.otp?.isRequired ? { [`${requirementOf[facts.otp.type]}/of-approver-refused`]: approves } : {}),
    'signatory.private-message/refused': told,
    'signatory.private-message/of-cc-refused': told && facts.role === role.cc,
    'signatory.added/private-message-demanded': !told,
  });
  return facts;
}

function readEmail(fields: Fields, service: Service): string {
  const given = fields.raw('Email');
  const email = fields.text('Email', 'signatory.email');
  if (typeof given === 'string') judgeEmail(email, fields, service);
  return email;
}

/** Domains that nobody can have (RFC 2606): mail to them reaches nobody. */
const reserved = /@(?:.*\.)?(?:example\.(?:com|net|org)|example|test|invalid|localhost)$/i;

/** The form of an address is not shown: one @ between two parts is enough, and the first part may be in quotes. */
const address = /^(?:"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])+"|[^\s@]+)@[^\s@]+\.[^\s@.]+$/u;

function judgeEmail(email: string, fields: Fields, { dialect }: Service): void {
  const isUnreachable = dialect.emailForm === 'reachable' && reserved.test(email);
  if (dialect.emailForm === 'any' || (!isUnreachable && address.test(email))) return;
  if (email === '' && dialect.emptyText === 'accepted') return;
  throw fields.unlike('emailForm', `${fields.path('Email')} is no e-mail address`);
}

function readOrder(fields: Fields, service: Service): number {
  const order = fields.integer('Order', 'signatory.order');
  judgeOrder(order, fields, service);
  refuseEach(service, {
    'signatory.sequential-orders/refused': order > 1,
    'signatory.sequential-orders/even-above-2-refused': order > 2 && order % 2 === 0,
    'signatory.sequential-orders/odd-refused': order > 1 && order % 2 === 1,
  });
  return order;
}

/** Orders below 1 are not shown. */
function judgeOrder(order: number, fields: Fields, { dialect }: Service): void {
  if (dialect.orders === 'any' || order >= (dialect.orders === 'from-zero' ? 0 : 1)) return;
  throw fields.unlike('orders', `${fields.path('Order')} is too low`, dialect.valueStatus);
}

const roleFaults = {
  1: 'signatory.role-signer/refused',
  2: 'signatory.role-approver/refused',
  3: 'signatory.role-cc/refused',
} as const;

const swapped: Readonly<Record<Role, Role>> = { 1: role.signer, 2: role.cc, 3: role.approver };

function readRole(fields: Fields, service: Service): Role {
  const given = fields.integer('SignatoryType', 'signatory.role');
  if (!isRole(given)) {
    const refused = fields.refusal(service.dialect.valueStatus, 'SignatoryType is none of 1 to 3');
    refuse(service, refused, `signatory.role-values/${given < role.signer ? 'below' : 'above'}-accepted`);
    return role.signer;
  }
  refuseFaultily(service, roleFaults[given], fields.has('SignatoryType'));
  if (service.faulty('signing.approver-cannot-sign/everybody-signs')) return role.signer;
  return service.faulty('signing.cc-cannot-act/roles-swapped') ? swapped[given] : given;
}

const isRole = (value: number): value is Role => Object.values<number>(role).includes(value);

function readColor(fields: Fields, service: Service): string | null {
  const color = readHexColor(fields, service);
  refuseEach(service, { 'signatory.color/refused': color !== null, 'signatory.color/500': color !== null });
  return color;
}

const colorForms = {
  hex: /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
  'six-digits': /^#[0-9a-f]{6}$/i,
  bare: /^[0-9a-f]{6}$/i,
  small: /^#?[0-9a-f]{6}$/,
  any: /^/,
};

/** An optional hex color; which forms there are is not shown. */
export function readHexColor(fields: Fields, { dialect }: Service): string | null {
  const color = fields.optionalText('Color', 'signatory.color-type');
  if (color === null || colorForms[dialect.colorForm].test(color)) return color;
  throw fields.unlike('colorForm', `${fields.path('Color')} is no hex color`);
}

/** The differences between the types of request. */
export interface ParticipantKind {
  /** Reads the role, whose field is spelled in two ways. */
  readonly role: (fields: Fields, service: Service) => Role;
  /** Reads OTP.Type, which may be a number or a string. */
  readonly otpType: (otp: Fields, service: Service) => number;
  readonly stamps: (fields: Fields, service: Service, role: Role) => readonly Stamp[];
  /** Whether Order may be left out: then all signatories are asked at once. */
  readonly orderOptional: boolean;
}

export async function readParticipant(
  fields: Fields,
  service: Service,
  kind: ParticipantKind,
): Promise<SignatoryFacts> {
  const email = fields.text('Email');
  judgeEmail(email, fields, service);
  const order = kind.orderOptional ? (fields.optionalInteger('Order') ?? 1) : fields.integer('Order');
  judgeOrder(order, fields, service);
  const name = fields.text('Name');
  const part = kind.role(fields, service);
  const facts: SignatoryFacts = {
    email,
    name,
    order,
    role: part,
    privateMessage: fields.optionalText('PrivateMessage'),
    color: readHexColor(fields, service),
    otp: await readOtp(fields, service, (otp) => kind.otpType(otp, service)),
    stamps: kind.stamps(fields, service, part),
  };
  fields.finish();
  return facts;
}

/** SignatoryType as endpoint 5 spells it; a signer where it is left out. */
export function upperCaseRole(fields: Fields, service: Service): Role {
  return knownRole(fields.optionalInteger('SignatoryType') ?? role.signer, fields, service);
}

export function knownRole(value: number, fields: Fields, service: Service): Role {
  if (isRole(value)) return value;
  throw fields.refusal(service.dialect.valueStatus, `${fields.path('SignatoryType')} is none of 1 to 3`);
}
