/** Bodies of type 3 with one thing otherwise that has a requirement of its own, to see whether it is to blame. */
import { renamed, without, withValue } from '../../generators/bodies/edit.ts';
import { minimalStamped, type StampedIngredients, stamp } from '../../generators/bodies/stamping.ts';
import { otpType } from '../../openapi/codes.ts';

/** The least body, from which each of them differs. */
export const least = (given: StampedIngredients) =>
  minimalStamped({ ...given, documents: given.documents.slice(0, 1), people: given.people.slice(0, 1) });

/** Where the only signatory of it stands. */
export const signatory = '/Signatories/0';

const instead = (title: string, change: (body: unknown) => unknown) => (given: StampedIngredients) => ({
  title,
  outcome: 'silent' as const,
  input: { json: change(least(given)) },
});

export const upperCase = instead('SignatoryType, with a capital first letter', (body) =>
  renamed(body, `${signatory}/signatoryType`, 'SignatoryType'),
);
export const otpNumber = instead('OTP.Type as a number', (body) =>
  withValue(body, `${signatory}/OTP/Type`, otpType.email),
);
export const noColor = instead('stamps without Color', (body) =>
  without(body, `${signatory}/AutoStamps/0/Color`),
);
export const noOrder = instead('stamps without Order', (body) =>
  without(body, `${signatory}/AutoStamps/0/Order`),
);
export const noPrivateMessage = instead('signatories without PrivateMessage and Color', (body) =>
  without(without(body, `${signatory}/PrivateMessage`), `${signatory}/Color`),
);
export const textStamp = instead('a stamp of the type text', (body) =>
  withValue(body, `${signatory}/AutoStamps`, [stamp('text', 0)]),
);

/** All of them: what one of these repairs is no matter of the creation itself. */
export const partsOfStamped = [upperCase, otpNumber, noColor, noOrder, noPrivateMessage, textStamp];
