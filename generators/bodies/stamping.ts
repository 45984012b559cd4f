/** Creation bodies of type 3, spelled as the sample of the document spells them. */
import { otpType, role, type StampType, stampTypes } from '../../openapi/codes.ts';
import type { Person } from '../people.ts';
import type { Body, Row } from '../row.ts';
import { withValue } from './edit.ts';
import { plainMessage } from './request.ts';

/** What a caller gives to a body of type 3. */
export interface StampedIngredients {
  /** Tagged with the run id by the caller. */
  readonly title: string;
  /** At least one document token. */
  readonly documents: readonly string[];
  /** At least one; each becomes a signatory with a stamp of their own. */
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
export type StampedSignatory = {
  readonly Email: string;
  readonly Name: string;
  readonly Order: number;
  readonly PrivateMessage: string;
  readonly signatoryType: number;
  readonly Color: string;
  readonly OTP: { readonly IsRequired: boolean; readonly Type: string };
  readonly AutoStamps: readonly AutoStamp[];
};

/** Body of endpoint 3, and of endpoint 2 with type 3. */
export type StampedRequest = {
  readonly Message: string;
  readonly Title: string;
  readonly Documents: readonly string[];
  readonly Signatories: readonly StampedSignatory[];
};

const color = '#1A73E8';

/** Each person a signer with one signature stamp. Which fields may be left out is not shown: none is. */
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
      Color: color,
      OTP: { IsRequired: false, Type: String(otpType.email) },
      AutoStamps: [stamp('signature', index)],
    })),
  };
}

/** A stamp with an Identifier of its own; `index` from 0 moves it down, so that stamps do not overlap. */
export function stamp(type: StampType, index: number): AutoStamp {
  return {
    Identifier: `${type}-${index + 1}`,
    Color: color,
    Order: index + 1,
    Offset: { X_offset: 60, Y_offset: 100 + 60 * index },
    StampSize: { Height: 40, Width: 120 },
    Type: type,
  };
}

/** Every Identifier that bodies of type 3 use: the documents they name show them all. */
export const stampLabels: readonly string[] = stampTypes.flatMap((type) =>
  stampTypes.map((_, index) => stamp(type, index).Identifier),
);

/** What the document shows of type 3, one thing a row. Needs two documents and three people. */
export function stampedRows(given: StampedIngredients): readonly Row<Body>[] {
  const body = minimalStamped({
    ...given,
    documents: given.documents.slice(0, 1),
    people: given.people.slice(0, 1),
  });
  const first = stamp('signature', 0);
  const row = (title: string, json: unknown): Row<Body> => ({ title, outcome: 'accepted', input: { json } });
  const stamps = (title: string, value: readonly unknown[]) =>
    row(title, withValue(body, '/Signatories/0/AutoStamps', value));
  return [
    row('one document, one signatory, one stamp', body),
    row('several documents', { ...body, Documents: given.documents }),
    row('several signatories', minimalStamped({ ...given, documents: body.Documents })),
    stamps('several stamps', [stamp('signature', 0), stamp('signature', 1), stamp('signature', 2)]),
    stamps('negative offsets', [{ ...first, Offset: { X_offset: -10, Y_offset: -15 } }]),
    stamps('fractional offsets and sizes', [
      { ...first, Offset: { X_offset: 60.5, Y_offset: 100.25 }, StampSize: { Height: 40.5, Width: 120.75 } },
    ]),
  ];
}

/** A stamp of a type that is none of the five: stated, but not what happens. */
export function unknownStampType(given: StampedIngredients): Row<Body> {
  const pointer = '/Signatories/0/AutoStamps/0/Type';
  return {
    title: 'a stamp of the type hologram',
    outcome: 'refused',
    breaks: pointer,
    input: { json: withValue(minimalStamped(given), pointer, 'hologram') },
  };
}
