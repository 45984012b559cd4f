/** The stated rules about bodies, as tiny services check them; each service chooses what is not stated. */
import { isObject } from '../../../../openapi/dereference.ts';
import { Refused } from './host.ts';

export interface Choices {
  /** Status of a value of the wrong type or outside a table. */
  readonly wrong: number;
  /** Status of an empty list of documents. */
  readonly emptyList?: number;
  /** Whether every known scalar is turned into a text or a number, as some parsers do. */
  readonly coerces?: boolean;
  /** Status of a field that is not shown; absent: such fields are accepted. */
  readonly unknown?: number;
  /** Most characters of a text; absent: any number. */
  readonly longest?: number;
  /** Status of another type than 3 in the query of endpoints 2 and 3. */
  readonly otherType?: number;
  /** What a mobile number looks like. */
  readonly mobile: RegExp;
}

export type Body = Record<string, unknown>;

const shown = {
  skeleton:
    'Title Message Documents CallbackUrl CallbackTypes CompletedDocumentsAttached AuditDetails Connections',
  signatory: 'Email Name Order PrivateMessage SignatoryType Color OTP',
  stamped: 'Message Title Documents Signatories',
};

/** A body of endpoint 4; returns its tokens. */
export function judgeSkeleton(body: Body, choices: Choices): readonly string[] {
  required(body, ['Title', 'Message', 'Documents', 'AuditDetails']);
  known(body, shown.skeleton, choices);
  texts(body, ['Title', 'Message'], choices);
  if (!isObject(body.AuditDetails)) throw new Refused(choices.wrong, 'AuditDetails is no object');
  required(body.AuditDetails, ['AuthorType', 'AuthorIPAddress', 'Device']);
  noObjects(body.AuditDetails, ['AuthorType', 'AuthorIPAddress', 'Device'], choices);
  noObjects(body, ['CallbackUrl', 'CallbackTypes', 'CompletedDocumentsAttached', 'Connections'], choices);
  if (Array.isArray(body.CallbackTypes)) noObjects({ ...body.CallbackTypes }, ['0', '1', '2'], choices);
  return judgeTokens(body.Documents, choices);
}

function judgeTokens(given: unknown, choices: Choices): readonly string[] {
  if (!Array.isArray(given)) throw new Refused(choices.wrong, 'Documents is no list');
  if (given.length === 0) throw new Refused(choices.emptyList ?? 400, 'Documents is empty');
  return given.map((token) => text('Documents', token, choices));
}

export function judgeSignatory(body: Body, choices: Choices): void {
  required(body, ['Email', 'Name', 'Order', 'SignatoryType']);
  known(body, shown.signatory, choices);
  texts(body, ['Email', 'Name'], choices);
  integer('Order', body.Order, choices);
  const role = integer('SignatoryType', body.SignatoryType, choices);
  if (role < 1 || role > 3) throw new Refused(choices.wrong, 'SignatoryType is none of 1 to 3');
  noObjects(body, ['PrivateMessage', 'Color'], choices);
  if (body.PrivateMessage) text('PrivateMessage', body.PrivateMessage, { ...choices, coerces: true });
  if (body.OTP !== undefined) judgeOtp(body.OTP, choices);
}

function judgeOtp(otp: unknown, choices: Choices): void {
  if (!isObject(otp)) throw new Refused(choices.wrong, 'OTP is no object');
  required(otp, ['IsRequired', 'Type']);
  known(otp, 'IsRequired AccessCode Type MobileNumber', choices);
  noObjects(otp, ['AccessCode', 'MobileNumber'], choices);
  if (typeof otp.IsRequired !== 'boolean') throw new Refused(choices.wrong, 'IsRequired is no boolean');
  const type = integer('Type', otp.Type, choices);
  if (type < 1 || type > 4) throw new Refused(choices.wrong, 'OTP Type is none of 1 to 4');
  judgeMobile({ ...otp, Type: type }, choices);
}

/** Checks the MobileNumber where a code is sent to it; in bodies of type 3 the Type is a string. */
function judgeMobile(
  { IsRequired: isRequired, Type: type, MobileNumber: mobile }: Body,
  choices: Choices,
): void {
  if (isRequired !== true || !['2', '4'].includes(String(type))) return;
  if (typeof mobile !== 'string' || !choices.mobile.test(mobile)) {
    throw new Refused(400, 'MobileNumber is no valid number');
  }
}

/** A body of type 3 with every field of the sample; returns its tokens. */
export function judgeStamped(body: Body, choices: Choices): readonly string[] {
  required(body, ['Message', 'Title', 'Documents', 'Signatories']);
  known(body, shown.stamped, choices);
  texts(body, ['Title', 'Message'], choices);
  if (!Array.isArray(body.Signatories) || body.Signatories.length === 0) {
    throw new Refused(choices.wrong, 'Signatories is empty');
  }
  for (const signatory of body.Signatories) {
    if (!isObject(signatory)) throw new Refused(choices.wrong, 'a signatory is no object');
    required(signatory, ['Email', 'Name', 'Order', 'signatoryType', 'OTP', 'AutoStamps']);
    if (isObject(signatory.OTP)) judgeMobile(signatory.OTP, choices);
    if (!Array.isArray(signatory.AutoStamps)) throw new Refused(choices.wrong, 'AutoStamps is no list');
    for (const stamp of signatory.AutoStamps) {
      if (!isObject(stamp)) throw new Refused(choices.wrong, 'a stamp is no object');
      required(stamp, ['Identifier', 'Color', 'Order', 'Offset', 'StampSize', 'Type']);
      const types = ['signature', 'text', 'email', 'date', 'initial'];
      if (!types.includes(String(stamp.Type))) throw new Refused(choices.wrong, 'the Type of a stamp');
    }
  }
  return judgeTokens(body.Documents, choices);
}

function required(body: Body, names: readonly string[]): void {
  const missing = names.find((name) => !(name in body));
  if (missing) throw new Refused(400, `Bad Request: ${missing} is missing`);
}

/** Refuses optional fields that hold an object. */
function noObjects(body: Body, names: readonly string[], { wrong }: Choices): void {
  const bad = names.find((name) => isObject(body[name]));
  if (bad) throw new Refused(wrong, `${bad} is an object`);
}

function known(body: Body, names: string, { unknown }: Choices): void {
  const other = Object.keys(body).find((name) => !names.split(' ').includes(name));
  if (unknown !== undefined && other) throw new Refused(unknown, `${other} is not known`);
}

function texts(body: Body, names: readonly string[], choices: Choices): void {
  for (const name of names) text(name, body[name], choices);
}

function text(name: string, value: unknown, { wrong, coerces, longest }: Choices): string {
  const scalar = typeof value === 'number' || typeof value === 'boolean';
  const read = coerces && scalar ? String(value) : value;
  if (typeof read !== 'string' || read === '') throw new Refused(wrong, `${name} is no text`);
  if (longest !== undefined && read.length > longest) throw new Refused(wrong, `${name} is too long`);
  return read;
}

function integer(name: string, value: unknown, { wrong, coerces }: Choices): number {
  const read = coerces && typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof read !== 'number' || !Number.isInteger(read)) throw new Refused(wrong, `${name} is no integer`);
  return read;
}

/** A body that is a JSON object; `root` is the status of another JSON value. */
export function objectIn(text: string, root: number): Body {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused(400, 'Bad Request: the body is malformed');
  }
  if (!isObject(value)) throw new Refused(root, 'Bad Request: the body is no object');
  return value;
}
