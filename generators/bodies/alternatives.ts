/** Bodies that differ from that of a shared call in one thing. Sending them shows which requirement a refusal violates. */
import { otpType, role } from '../../openapi/codes.ts';
import type { PersonOf } from '../people.ts';
import { acceptedBody } from '../row.ts';
import { renamed, without, withValue } from './edit.ts';
import { minimalSignatory } from './signatory.ts';
import { minimalStamped, type StampedIngredients, stamp } from './stamping.ts';

type WithPeople = { readonly personOf: PersonOf };

/** The least signatory with an OTP that is required: if it is accepted, the refusal of the usual one is about IsRequired false. */
export const withRequiredOtp = ({ personOf }: WithPeople) =>
  acceptedBody('OTP {IsRequired: true, Type: 1}', {
    ...minimalSignatory({ person: personOf('alternative') }),
    OTP: { IsRequired: true, Type: otpType.email },
  });

/** The least signatory as an approver: if it is accepted, the refusal of the usual one is about the role. */
export const withApprover = ({ personOf }: WithPeople) =>
  acceptedBody('SignatoryType 2', minimalSignatory({ person: personOf('alternative'), role: role.approver }));

/** The least signatory with another Order: if it is accepted, the refusal of the usual one is about its Order. */
export const withOrder = ({ personOf }: WithPeople, order: number) =>
  acceptedBody(`Order ${order}`, minimalSignatory({ person: personOf(`alternative ${order}`), order }));

/** The least body of type 3, from which the bodies below differ. */
export const least = (given: StampedIngredients) =>
  minimalStamped({ ...given, documents: given.documents.slice(0, 1), people: given.people.slice(0, 1) });

type Stamped = ReturnType<typeof minimalStamped>;
type StampedPerson = Stamped['Signatories'][number];

/** Makes a body with each signatory changed: the least body, or another one. */
const instead =
  (title: string, change: (signatory: StampedPerson) => unknown) =>
  (given: StampedIngredients, of: (given: StampedIngredients) => Stamped = least) => {
    const body = of(given);
    const json = { ...body, Signatories: body.Signatories.map(change) };
    return { title, outcome: 'silent' as const, input: { json } };
  };

const stampsWithout =
  (field: string) =>
  (signatory: StampedPerson): unknown => ({
    ...signatory,
    AutoStamps: signatory.AutoStamps.map((each) => without(each, field)),
  });

export const upperCase = instead('SignatoryType, with a capital first letter', (signatory) =>
  renamed(signatory, '/signatoryType', 'SignatoryType'),
);
export const otpNumber = instead('OTP.Type as a number', (signatory) =>
  withValue(signatory, '/OTP/Type', otpType.email),
);
export const noColor = instead('stamps without Color', stampsWithout('/Color'));
export const noOrder = instead('stamps without Order', stampsWithout('/Order'));
/** Where each stamp needs an Order. */
export const firstOrder = instead('stamps with Order 1', (signatory) => ({
  ...signatory,
  AutoStamps: signatory.AutoStamps.map((each) => ({ ...each, Order: 1 })),
}));
export const noPrivateMessage = instead('signatories without PrivateMessage and Color', (signatory) =>
  without(without(signatory, '/PrivateMessage'), '/Color'),
);
export const textStamp = instead('a stamp of the type text', (signatory) => ({
  ...signatory,
  AutoStamps: [stamp('text', 0)],
}));

/** If one of these changes makes a body with several signatories or stamps accepted, their number is not what was refused. */
export const partsOfSeveral = [upperCase, otpNumber, noColor, noOrder, firstOrder, noPrivateMessage];

/** All of them: if one of these makes a body accepted, the creation itself is not what was refused. */
export const partsOfStamped = [...partsOfSeveral, textStamp];
