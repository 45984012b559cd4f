/** Signatories inside a creation body of types 1, 2 and 3, each with its stamps. */
import { type Role, role } from '../openapi/codes.ts';
import type { Fields } from './fields.ts';
import type { SignatoryFacts, Stamp } from './model.ts';
import { readOtp } from './otp.ts';
import type { Service } from './service.ts';
import { isRole, judgeEmail, judgeOrder, readHexColor } from './signatory-body.ts';

/** What differs between the types of request. */
export interface ParticipantKind {
  /** Reads the role, whose field has two spellings. */
  readonly role: (fields: Fields, service: Service) => Role;
  /** Reads OTP.Type, which has two types. */
  readonly otpType: (otp: Fields, service: Service) => number;
  readonly stamps: (fields: Fields, service: Service, role: Role) => readonly Stamp[];
  /** Whether Order may be left out: then all are asked at once. */
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
