/** Creation bodies of type 3, spelled as the sample of the document spells them. */
import { type OtpType, otpType, type Role, role, type StampType, stampTypes } from '../../openapi/codes.ts';
import type { Person } from '../people.ts';
import { acceptedBody, type Body, type Row, refusedBody } from '../row.ts';
import { withValue } from './edit.ts';
import { notANumber } from './otp.ts';
import { plainMessage } from './request.ts';

export interface StampedIngredients {
  /** The title; the caller puts the run id into it. */
  readonly title: string;
  /** At least one document token. */
  readonly documents: readonly string[];
  /** At least one person; each becomes a signatory with a stamp of their own. */
  readonly people: readonly Person[];
}

/** Section "AutoStamp"; unit and reference point of Offset and StampSize are not shown. */
export type AutoStamp = {
  readonly Identifier: string;
  readonly Color: string;
  readonly Order: number;
  readonly Offset: { readonly X_offset: number; readonly Y_offset: number };
  readonly StampSize: { readonly Height: number; readonly Width: number };
  readonly Type: StampType;
};

/** Section "Signatory in an auto stamping body": the role in lower case, OTP.Type as a string. */
type StampedSignatory = {
  readonly Email: string;
  readonly Name: string;
  readonly Order: number;
  readonly PrivateMessage: string;
  readonly signatoryType: Role;
  readonly Color: string;
  readonly OTP: {
    readonly IsRequired: boolean;
    readonly Type: string;
    readonly MobileNumber?: string;
    readonly AccessCode?: string;
  };
  readonly AutoStamps: readonly AutoStamp[];
};

/** Body of endpoint 3, and of endpoint 2 with type 3. */
type StampedRequest = {
  readonly Message: string;
  readonly Title: string;
  readonly Documents: readonly string[];
  readonly Signatories: readonly StampedSignatory[];
};

const color = '#1A73E8';

/** A body in which each person is a signer with one signature stamp. It has all fields, since it is not shown which may be left out. */
export function minimalStamped({ title, documents, people }: StampedIngredients): StampedRequest {
  return {
    Message: plainMessage,
    Title: title,
    Documents: documents,
    Signatories: people.map((person, index) => ({
      Email: person.email,
      Name: person.name,
      Order: index + 1,
      PrivateMessage: 'Please sign below your name.',
      signatoryType: role.signer,
      Color: person.color,
      OTP: { IsRequired: false, Type: String(otpType.email) },
      AutoStamps: [stamp('signature', index)],
    })),
  };
}

/**
 * A stamp with an Identifier of its own. `index`, from 0 to 4, moves it, so that stamps do not overlap. The unit of its
 * numbers is not shown: they are chosen so that it is on the page even if they are percent.
 */
export function stamp(type: StampType, index: number): AutoStamp {
  return {
    Identifier: `${type}-${index + 1}`,
    Color: color,
    Order: index + 1,
    Offset: { X_offset: 12, Y_offset: 10 + 17 * index },
    StampSize: { Height: 15, Width: 80 },
    Type: type,
  };
}

/** Every Identifier in bodies of type 3: the documents of these bodies show all of them as text. */
export const stampLabels: readonly string[] = stampTypes.flatMap((type) =>
  stampTypes.map((_, index) => stamp(type, index).Identifier),
);

export function severalStamps(given: StampedIngredients): StampedRequest {
  // The one with the highest Order is named first.
  const AutoStamps = [2, 0, 1].map((index) => stamp('signature', index));
  return leastBodyWith(given, [{ AutoStamps }]);
}

/** A body with several people in parallel; the rows about OTP and about roles have people one after the other. */
export function severalPeople(given: StampedIngredients): StampedRequest {
  return leastBodyWith(
    given,
    given.people.map(() => ({ Order: 1 })),
  );
}

/** Which stamps each of two people has, from the top of the page down. */
const typesOfTwo: readonly (readonly StampType[])[] = [
  ['text', 'signature', 'email'],
  ['initial', 'date', 'signature', 'text'],
];

/**
 * Stamps of each type, of two people, at several places of the lists; each has a signature, which a signer may need.
 * @param only the type of all of them instead: how many stamps there may be is not shown
 */
export function eachType(given: StampedIngredients, only?: StampType): Row<Body> {
  let index = 0;
  const people = typesOfTwo.map((types) => {
    const AutoStamps = types.map((type): AutoStamp => {
      const at = index++;
      const { Offset, StampSize, ...own } = stamp(type, at % stampTypes.length);
      // All of them are on the page, also where they are measured in percent.
      const place = { Offset: { ...Offset, Y_offset: 5 + 13 * at }, StampSize: { ...StampSize, Height: 11 } };
      return { ...own, ...place, Type: only ?? type };
    });
    return { Order: 1, AutoStamps };
  });
  return acceptedBody(
    only ? `as many stamps of the type ${only}` : 'a stamp of each type',
    leastBodyWith(given, people),
  );
}

/** Several people one after the other, with nothing else special. */
export const peopleInTurn = (given: StampedIngredients): Row<Body> =>
  acceptedBody(
    'signatories one after the other',
    leastBodyWith(
      given,
      given.people.map(() => ({})),
    ),
  );

/** Two people one after the other, of whom the last one needs an OTP; with all documents. */
export function fullStamped(given: StampedIngredients): StampedRequest {
  return { ...leastBodyWith(given, [{}, required(otpType.email)]), Documents: given.documents };
}

/** A row for each thing that the document shows of type 3, with several people where one proves too little. Needs two documents and three people. */
export function stampedRows(given: StampedIngredients): readonly Row<Body>[] {
  const body = minimalStamped({
    ...given,
    documents: given.documents.slice(0, 1),
    people: given.people.slice(0, 1),
  });
  /** A row that changes the stamps of both of two people in the same way. */
  const ofTwo = (title: string, change: (stamp: AutoStamp) => AutoStamp) => {
    const both = [0, 1].map((index) => ({ Order: 1, AutoStamps: [change(stamp('signature', index))] }));
    return acceptedBody(title, leastBodyWith(given, both));
  };
  return [
    acceptedBody('one document, one signatory, one stamp', body),
    acceptedBody('several documents', { ...body, Documents: given.documents }),
    acceptedBody('several signatories', severalPeople(given)),
    acceptedBody('several stamps', severalStamps(given)),
    ofTwo('negative offsets', (stamp) => ({ ...stamp, Offset: { X_offset: -10, Y_offset: -15 } })),
    // Also an offset of 0, which a careless check may take for a missing number.
    ofTwo('fractional offsets and sizes', (stamp) => ({
      ...stamp,
      Offset: { X_offset: stamp.Order === 1 ? 0 : 12.5, Y_offset: stamp.Offset.Y_offset + 0.25 },
      StampSize: { Height: 15.5, Width: 80.75 },
    })),
  ];
}

/** The least body with people who differ from those in it. */
function leastBodyWith(
  given: StampedIngredients,
  changes: readonly Partial<StampedSignatory>[],
): StampedRequest {
  const people = given.people.slice(0, changes.length);
  const body = minimalStamped({ ...given, documents: given.documents.slice(0, 1), people });
  return { ...body, Signatories: body.Signatories.map((each, index) => ({ ...each, ...changes[index] })) };
}

const required = (type: OtpType, more: Partial<StampedSignatory['OTP']> = {}): Partial<StampedSignatory> => ({
  OTP: { IsRequired: true, Type: String(type), ...more },
});

/**
 * Rows with two people each who need an OTP, for every Type; a third one has one of the Types with a number and needs none.
 * @param number replaces those of the people, since it is not shown in which countries numbers are valid
 */
export function stampedOtpRows(
  given: StampedIngredients,
  accessCode: string,
  number?: string,
): readonly Row<Body>[] {
  const [first, second, third] = given.people.map((each) => ({ MobileNumber: number ?? each.mobileNumber }));
  const idle = { OTP: { IsRequired: false, Type: String(otpType.sms), ...third } };
  const code = required(otpType.accessCode, { AccessCode: accessCode });
  const idleBoth = { OTP: { IsRequired: false, Type: String(otpType.emailAndSms), ...third } };
  const sms = [required(otpType.emailAndSms, first), required(otpType.sms, second), idleBoth];
  return [
    acceptedBody(
      'OTP of Types 1 and 3, required',
      leastBodyWith(given, [required(otpType.email), code, idle]),
    ),
    acceptedBody('OTP of Types 2 and 4, required', leastBodyWith(given, sms)),
  ];
}

/**
 * A signer after an approver who enters a code, and beside a CC; the signer is listed first. It is not shown whether people who
 * do not sign have stamps.
 * @param order that of all of them instead
 */
export function stampedRolesRow(
  given: StampedIngredients,
  stamps: 'their own' | 'none',
  order?: Pick<StampedSignatory, 'Order'>,
): Row<Body> {
  const others = { ...(stamps === 'none' ? { AutoStamps: [] } : {}), ...order };
  const roles = [
    // Other rows require an OTP of this Type from a signer.
    { signatoryType: role.approver, ...required(otpType.email), Order: 1, ...others },
    // Only 1 is given as the Order of several people.
    { signatoryType: role.cc, Order: 3, ...others },
  ];
  const title = `a signer, an approver with an OTP, and a CC${order ? ', in parallel' : ''}`;
  return acceptedBody(title, leastBodyWith(given, [{ Order: 2, ...order }, ...roles]));
}

/** A row that should be refused, and the same with nothing broken. */
type BrokenRow = Row<Body> & { readonly whole: Row<Body> };

/** Rows that require an OTP by SMS without a valid number: it is not stated that endpoint 3 refuses them. */
export function stampedNumberRows(
  given: StampedIngredients,
  lacks: readonly ('a number' | 'a valid number')[],
): readonly BrokenRow[] {
  const row = (
    type: OtpType,
    what: string,
    number?: { readonly MobileNumber: string },
    before = 0,
    part: Role = role.signer,
  ) => {
    const title = `OTP of Type ${type}, required, `;
    const having = (own = number) =>
      leastBodyWith(given, [...Array(before).fill({}), { ...required(type, own), signatoryType: part }]);
    const valid = having({ MobileNumber: given.people[before]?.mobileNumber ?? '' });
    return {
      ...refusedBody(`${title}${what}`, `/Signatories/${before}/OTP/MobileNumber`, having()),
      whole: acceptedBody(`${title}a valid MobileNumber`, valid),
    };
  };
  const letters = { MobileNumber: notANumber };
  const rows = {
    'a number': [
      row(otpType.sms, 'no MobileNumber'),
      row(otpType.emailAndSms, 'no MobileNumber of the second signatory', undefined, 1),
    ],
    'a valid number': [
      row(otpType.sms, 'letters as MobileNumber', letters),
      row(otpType.emailAndSms, 'letters as MobileNumber of an approver', letters, 1, role.approver),
    ],
  };
  return lacks.flatMap((each) => rows[each]);
}

/** A stamp of an unknown type, behind another one of the second person. The five types are stated, the answer to another one is not. */
export function unknownStampType(given: StampedIngredients): BrokenRow {
  const pointer = '/Signatories/1/AutoStamps/1/Type';
  const AutoStamps = [1, 2].map((index) => stamp('signature', index));
  const body = leastBodyWith(given, [{ Order: 1 }, { Order: 1, AutoStamps }]);
  return {
    ...refusedBody('a stamp of the type hologram', pointer, withValue(body, pointer, 'hologram')),
    whole: acceptedBody('the same stamps of known types', body),
  };
}
