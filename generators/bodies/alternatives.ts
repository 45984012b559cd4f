/** Bodies that differ from a shared call in one thing, to find out which requirement a refusal violates. */

import { otpType, role } from '../../openapi/codes.ts';
import type { PersonOf } from '../people.ts';
import { acceptedBody } from '../row.ts';
import { renamed, without, withValue } from './edit.ts';
import { minimalSignatory } from './signatory.ts';
import { minimalStamped, type StampedIngredients, stamp } from './stamping.ts';

type WithPeople = { readonly personOf: PersonOf };

/** The least signatory, but with an OTP that is required: a refusal of the other is about IsRequired false. */
export const withRequiredOtp = ({ personOf }: WithPeople) =>
  acceptedBody('OTP {IsRequired: true, Type: 1}', {
    ...minimalSignatory({ person: personOf('alternative') }),
    OTP: { IsRequired: true, Type: otpType.email },
  });

/** The least signatory, but an approver: a refusal of the other is about the role. */
export const withApprover = ({ personOf }: WithPeople) =>
  acceptedBody('SignatoryType 2', minimalSignatory({ person: personOf('alternative'), role: role.approver }));

/** The least signatory with another Order: a refusal of the other is about its place among the others. */
export const withOrder = ({ personOf }: WithPeople, order: number) =>
  acceptedBody(`Order ${order}`, minimalSignatory({ person: personOf(`alternative ${order}`), order }));

/** The least body of type 3, from which those below differ. */
export const least = (given: StampedIngredients) =>
  minimalStamped({ ...given, documents: given.documents.slice(0, 1), people: given.people.slice(0, 1) });

/** Where the only signatory of it stands. */
export const onlySignatory = '/Signatories/0';

type Stamped = ReturnType<typeof minimalStamped>;
type StampedPerson = Stamped['Signatories'][number];

/** Each signatory of a body otherwise: of the least one, or of another. */
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
export const noPrivateMessage = instead('signatories without PrivateMessage and Color', (signatory) =>
  without(without(signatory, '/PrivateMessage'), '/Color'),
);
export const textStamp = instead('a stamp of the type text', (signatory) => ({
  ...signatory,
  AutoStamps: [stamp('text', 0)],
}));

/** What one of these repairs is no matter of how many there are. */
export const partsOfSeveral = [upperCase, otpNumber, noColor, noOrder, noPrivateMessage];

/** All of them: what one of these repairs is no matter of the creation itself. */
export const partsOfStamped = [...partsOfSeveral, textStamp];
