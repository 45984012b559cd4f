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

const instead = (title: string, change: (body: unknown) => unknown) => (given: StampedIngredients) => ({
  title,
  outcome: 'silent' as const,
  input: { json: change(least(given)) },
});

export const upperCase = instead('SignatoryType, with a capital first letter', (body) =>
  renamed(body, `${onlySignatory}/signatoryType`, 'SignatoryType'),
);
export const otpNumber = instead('OTP.Type as a number', (body) =>
  withValue(body, `${onlySignatory}/OTP/Type`, otpType.email),
);
export const noColor = instead('stamps without Color', (body) =>
  without(body, `${onlySignatory}/AutoStamps/0/Color`),
);
export const noOrder = instead('stamps without Order', (body) =>
  without(body, `${onlySignatory}/AutoStamps/0/Order`),
);
export const noPrivateMessage = instead('signatories without PrivateMessage and Color', (body) =>
  without(without(body, `${onlySignatory}/PrivateMessage`), `${onlySignatory}/Color`),
);
export const textStamp = instead('a stamp of the type text', (body) =>
  withValue(body, `${onlySignatory}/AutoStamps`, [stamp('text', 0)]),
);

/** All of them: what one of these repairs is no matter of the creation itself. */
export const partsOfStamped = [upperCase, otpNumber, noColor, noOrder, noPrivateMessage, textStamp];
