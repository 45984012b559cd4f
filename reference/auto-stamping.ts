/** The body of an auto stamping request (type 3): signatories as the sample spells them, each with AutoStamps. */
import { type Role, role, type StampType, stampTypes } from '../openapi/codes.ts';
import type { Fields } from './fields.ts';
import type { Stamp } from './model.ts';
import { isOn, Refusal, refuse, refuseEach, refuseFaultily } from './rules.ts';
import type { Service } from './service.ts';
import { knownRole, type ParticipantKind, readHexColor } from './signatory-body.ts';

/** How type 3 is read, on either path. Faults of endpoint 3 hold on its own path: `create.ts` sees to the other. */
export function autoStamping(service: Service): ParticipantKind {
  return {
    role: sampledRole,
    otpType: sampledOtpType,
    stamps: readStamps,
    orderOptional: service.dialect.stampingFields === 'few',
  };
}

/** Whether the fields belong to a signatory after the first. */
const isLater = (fields: Fields) => /^Signatories\/[1-9]/.test(fields.path(''));

/** The sample spells the role field signatoryType; the signatory table SignatoryType. */
function sampledRole(fields: Fields, service: Service): Role {
  const both = service.dialect.stampingRoleSpelling === 'both';
  const later = isLater(fields);
  const stamps = fields.raw('AutoStamps');
  const several = Array.isArray(stamps) && stamps.length > 1;
  const otp = fields.raw('OTP') as { Type?: unknown } | null;
  const isUnread = isOn(service, {
    'stamping.signatory-type-lower-case/refused': true,
    'stamping.signatory-type-lower-case/second-refused': later,
    'stamping.signatory-type-lower-case/several-stamps-refused': several,
  });
  const lower = isUnread ? null : 'signatoryType';
  const names = [...(lower ? [lower] : []), ...(both || !lower ? ['SignatoryType'] : [])];
  const name = names.find((each) => fields.has(each));
  if (name === undefined) {
    if (service.dialect.stampingFields === 'few' && lower) return role.signer;
    throw fields.refusal(400, `${fields.path(names[0] ?? '')} is missing`);
  }
  const part = knownRole(numeric(fields.raw(name), fields, name), fields, service);
  refuseEach(service, {
    'stamping.signatory-fields/private-message-refused': fields.has('PrivateMessage'),
    'stamping.signatory-fields/color-refused': fields.has('Color'),
    'stamping.signatory-fields/second-private-message-refused': later && fields.has('PrivateMessage'),
    'stamping.signatory-fields/second-color-refused': later && fields.has('Color'),
    'stamping.signatory-fields/several-stamps-refused': several && fields.has('PrivateMessage'),
    'stamping.otp-type-string/several-stamps-refused': several && typeof otp?.Type === 'string',
    'stamping.signatory-fields/order-refused': Number(fields.raw('Order')) > 1,
    'stamping.signatory-fields/later-cc-refused': part === role.cc && Number(fields.raw('Order')) > 1,
    'stamping.stamp-order/unsorted-refused':
      several && stamps.some(({ Order }, at) => Order < (stamps[at - 1]?.Order ?? Order)),
    'stamping.signatory-options/approver-refused': part === role.approver,
    'stamping.signatory-options/cc-refused': part === role.cc,
  });
  return part;
}

/** The sample sends OTP.Type as a string. */
function sampledOtpType(otp: Fields, service: Service): number {
  const given = otp.raw('Type');
  refuseEach(service, {
    'stamping.otp-type-string/refused': typeof given === 'string',
    'stamping.otp-type-string/second-refused': isLater(otp) && typeof given === 'string',
  });
  if (typeof given === 'number' && service.dialect.stampingOtpType === 'string')
    throw otp.wrongType('Type', 'a string');
  const type = numeric(given, otp, 'Type');
  if (type === 1 || type === 2 || type === 3 || type === 4) {
    const isRequired = otp.raw('IsRequired') === true;
    refuseEach(service, {
      [`stamping.signatory-options/otp-${type}-refused`]: isRequired,
      'stamping.signatory-options/idle-otp-2-refused': !isRequired && type === 2,
      'stamping.signatory-options/idle-otp-4-refused': !isRequired && type === 4,
      'stamping.signatory-options/second-sms-refused': isRequired && type === 2 && isLater(otp),
    });
  }
  return type;
}

/** An integer that may come as a string. */
function numeric(value: unknown, fields: Fields, name: string): number {
  const number = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number)) return number;
  throw fields.wrongType(name, 'an integer or a string of one');
}

function readStamps(fields: Fields, service: Service, part: Role): readonly Stamp[] {
  const few = service.dialect.stampingFields === 'few';
  const signs = part === role.signer && service.dialect.stampingSignature === 'needed';
  if (few && !signs && !fields.has('AutoStamps')) return [];
  const stamps = fields.objects('AutoStamps').map((stamp, at) => readStamp(stamp, service, at));
  if (signs && !stamps.some(({ type }) => type === 'signature'))
    throw fields.refusal(400, `${fields.path('AutoStamps')} has no signature`);
  refuseFaultily(service, 'stamping.several-stamps/refused', stamps.length > 1);
  return stamps;
}

/** Width and height of an A4 page, by unit. */
const sheets = {
  points: [595, 842],
  pixels: [794, 1123],
  millimetres: [210, 297],
  percent: [100, 100],
} as const;

/** Section "AutoStamp", which does not show which fields are required. */
function readStamp(stamp: Fields, service: Service, at: number): Stamp {
  const few = service.dialect.stampingFields === 'few';
  const order = few ? stamp.optionalInteger('Order') : stamp.integer('Order');
  refuseEach(service, {
    'stamping.stamp-order/refused': order !== null,
    'stamping.stamp-order/above-1-refused': (order ?? 1) > 1,
  });
  if (!few) stamp.text('Color');
  const color = readHexColor(stamp, service);
  refuseEach(service, {
    'stamping.stamp-color/refused': color !== null,
    'stamping.stamp-color/second-refused': isLater(stamp) && color !== null,
    'stamping.stamp-color/further-refused': at > 0 && color !== null,
  });
  const identifier = stamp.text('Identifier');
  const type = readStampType(stamp, at, service);
  const offset = stamp.object('Offset');
  const size = stamp.object('StampSize');
  const read: Stamp = {
    identifier,
    type,
    color,
    order: order ?? at + 1,
    x: offset.number('X_offset'),
    y: offset.number('Y_offset'),
    width: size.number('Width'),
    height: size.number('Height'),
    document: null,
    page: null,
  };
  if (read.width <= 0 || read.height <= 0) throw size.refusal(400, `${stamp.path('StampSize')} is no size`);
  for (const each of [offset, size, stamp]) each.finish();
  if (service.dialect.stampsBeyond === 'refused') {
    const [across, up] = sheets[service.dialect.stampUnit];
    const beyond = read.x + read.width > across || read.y + read.height > up;
    if (beyond) throw offset.refusal(400, `${stamp.path('Offset')} leads beyond the page`);
  }
  judgeNumbers(read, service, isLater(stamp));
  return read;
}

function judgeNumbers({ x, y, width, height }: Stamp, service: Service, later: boolean): void {
  const fractional = (...values: number[]) => values.some((value) => !Number.isInteger(value));
  refuseEach(service, {
    'stamping.negative-offset/x-refused': x < 0,
    'stamping.negative-offset/y-refused': y < 0,
    'stamping.negative-offset/second-refused': later && (x < 0 || y < 0),
    'stamping.fractional-numbers/second-refused': later && fractional(x, width),
    'stamping.fractional-numbers/x-refused': fractional(x),
    'stamping.fractional-numbers/zero-refused': x === 0,
    'stamping.fractional-numbers/size-refused': fractional(width, height),
  });
}

function readStampType(stamp: Fields, at: number, service: Service): StampType {
  const type = stamp.text('Type');
  const known = stampTypes.find((each) => each === type);
  if (known === undefined) {
    const detail = `${stamp.path('Type')} is none of ${stampTypes.join(', ')}`;
    const refused = new Refusal(service.dialect.valueStatus, { detail });
    const isTaken = isOn(service, {
      'stamping.stamp-type-values/second-accepted': at > 0,
      'stamping.stamp-type-values/of-second-accepted': isLater(stamp),
    });
    if (!isTaken) refuse(service, refused, 'stamping.stamp-type-values/accepted');
    return 'text';
  }
  refuseEach(service, {
    [`stamping.stamp-types/${known}-refused`]: true,
    'stamping.stamp-types/first-text-refused': known === 'text' && at === 0,
    'stamping.stamp-types/second-text-refused': known === 'text' && isLater(stamp),
    'stamping.stamp-types/third-text-refused': known === 'text' && at > 1,
  });
  return known;
}
