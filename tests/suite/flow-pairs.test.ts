/** The flows put pairs of situations to the test: what goes wrong only with the second or third is seen with them. */
import { expect, test } from '@playwright/test';
import { withNeighbours } from '../../harness/flows/flow.ts';
import type { FlowPlan, FlowSignatory } from '../../harness/flows/flow-plan.ts';
import { otpType, role } from '../../openapi/codes.ts';
import { flows } from '../flows/all.ts';
import { namesColor } from '../flows/people.ts';

const named = (values: Readonly<Record<string, number>>, wanted: number | undefined) =>
  Object.keys(values).find((name) => values[name] === wanted) ?? 'none';

/** Where somebody stands among those of their request. */
function placeOf({ order }: FlowSignatory, { signatories }: FlowPlan): string {
  if (signatories.length === 1) return 'alone';
  const orders = [...new Set(signatories.map((each) => each.order))].sort((one, other) => one - other);
  if (orders.length === 1) return 'parallel';
  return order === orders[0] ? 'first' : order === orders.at(-1) ? 'last' : 'between';
}

function situationsOf(person: FlowSignatory, plan: FlowPlan): readonly string[] {
  const { subscription, attached, stamped, refused, documents } = plan;
  const unasked = person.idleOtp ? ` unasked ${named(otpType, person.idleOtp)}` : '';
  const code = `OTP ${named(otpType, person.otp)}${unasked}`;
  return [
    named(role, person.role),
    placeOf(person, plan),
    code,
    `documents ${documents.join(' ')}`,
    `attached ${attached ?? 'unsaid'}`,
    `codes ${subscription ?? 'none'}`,
    ...(person.privateMessage ? ['PrivateMessage'] : []),
    ...(stamped ? ['in type 3'] : []),
    ...(refused ? ['refused before'] : []),
    ...(flows.some(({ neighbour }) => neighbour === plan) ? ['neighbour'] : []),
  ];
}

const seen = new Set(
  withNeighbours(flows.filter(({ explores }) => !explores)).flatMap((plan) =>
    plan.signatories.flatMap((person) => {
      const situations = situationsOf(person, plan);
      return situations.flatMap((one) =>
        situations.filter((other) => other !== one).map((other) => `${one} × ${other}`),
      );
    }),
  ),
);

const wanted: readonly (readonly [string, readonly string[]])[] = [
  ['signer', ['alone', 'parallel', 'first', 'between', 'last']],
  ['approver', ['first', 'last', 'PrivateMessage', 'documents page pages', 'attached true', 'in type 3']],
  ['cc', ['first', 'last', 'PrivateMessage', 'documents page pages', 'attached true', 'in type 3']],
  ['parallel', ['OTP email', 'OTP sms', 'OTP accessCode', 'OTP emailAndSms']],
  ['in type 3', ['first', 'last', 'PrivateMessage', 'OTP accessCode', 'documents page page']],
  ['OTP email', ['between']],
  ['OTP sms', ['between']],
  ['OTP emailAndSms', ['between']],
  ['OTP accessCode', ['first', 'last']],
  ['alone', ['OTP none unasked sms', 'OTP none unasked accessCode', 'OTP none unasked emailAndSms']],
  [
    'attached true',
    ['documents page', 'documents page pages', 'documents docx', 'neighbour', 'codes 3', 'codes 0'],
  ],
  ['attached false', ['codes 1,2,3', 'codes 2', 'codes 0', 'between']],
  ['codes none', ['alone', 'in type 3']],
  ['refused before', ['alone']],
];

for (const [one, others] of wanted) {
  test(`pairs with ${one}`, () => {
    expect(others.filter((other) => !seen.has(`${one} × ${other}`))).toEqual([]);
  });
}

test('a Color is written where it stands as it was sent or alone, and not by chance within an id or a hash', () => {
  for (const text of ['Color: #b5e61d', 'Anna#B5E61Dsigned', 'Color B5E61D', 'B5E61D'])
    expect(namesColor(text)).toBe(true);
  for (const text of ['', 'SHA-256 00b5e61d9f3c', 'id 9b5e61d', 'B5E61D7A-0000'])
    expect(namesColor(text)).toBe(false);
});
