/** Endpoint 5: what is refused with 400 and 404. */
import { type OtpIngredients, otherSignatories, otherSignatory } from '../../generators/bodies/otp.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { alter, isUnmistakable, nearly } from '../../generators/ids.ts';
import { fictionalMobiles } from '../../generators/people.ts';
import {
  broken,
  otherContentTypes,
  type RefusedRows,
  refusalsWithout,
} from '../../harness/judging/broken-rows.ts';
import type { Draft } from '../../harness/judging/kinds.ts';
import type { CheckParts } from '../../harness/judging/parts.ts';
import { deletedRequest } from '../../harness/judging/prerequisites.ts';
import { says } from '../../harness/judging/readings.ts';
import { message, otpType } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { ifCouldNotRun } from '../../record/errors.ts';
import { covers, everyOne, test } from '../../running/fixtures.ts';

const valid = ({ personOf }: OtpIngredients) => minimalSignatory({ person: personOf('refused') });
const usual = broken('addSignatory', valid, otherSignatories);

/** An OTP of a Type with all that it needs. */
const needing =
  (type: number, field: 'AccessCode' | 'MobileNumber') =>
  ({ accessCode, mobileNumbers = fictionalMobiles }: OtpIngredients) => {
    const [number] = Object.values(mobileNumbers);
    return {
      OTP: { IsRequired: true, Type: type, [field]: field === 'AccessCode' ? accessCode : number },
    };
  };

const others = Object.entries(otherSignatories).map(
  ([whose, body]) => [whose, broken('addSignatory', body)] as const,
);

const required = [
  ['signatory.email-required', 'Email'],
  ['signatory.name-required', 'Name'],
  ['signatory.order-required', 'Order'],
  ['signatory.role-required', 'SignatoryType'],
] as const;

for (const [id, field] of required) {
  test(`a body without ${field} is refused`, covers(id), async ({ signatory }) => {
    // Without SignatoryType, the body of a CC would not be that of a CC.
    const carriers = others.filter(([whose]) => field !== 'SignatoryType' || whose !== 'of a CC');
    const andAll = field === 'Email';
    const refusals = refusalsWithout(signatory, `/${field}`, usual, Object.fromEntries(carriers), { andAll });
    await everyOne(refusals, (refuses) => refuses());
  });
}

const refused: readonly RefusedRows<OtpIngredients>[] = [
  ['signatory.email-type', 'an Email that is no string is', usual.at('/Email', 'null', 'type')],
  ['signatory.name-type', 'a Name that is no string is', usual.at('/Name', 'null', 'type')],
  ['signatory.order-type', 'an Order that is no integer is', usual.at('/Order', 'null', 'type')],
  [
    'signatory.role-type',
    'a SignatoryType that is no integer is',
    usual.at('/SignatoryType', 'null', 'type'),
  ],
  [
    'signatory.private-message-type',
    'a PrivateMessage that is no string is',
    usual.ofWrongType('/PrivateMessage'),
  ],
  ['signatory.color-type', 'a Color that is no string is', usual.ofWrongType('/Color')],
  ['otp.object-type', 'an OTP that is no object is', usual.ofWrongType('/OTP')],
  // A service may ignore a field that is not needed, so it is broken where it is needed.
  [
    'otp.access-code-type',
    'an AccessCode that is no string is',
    usual.ofWrongType('/OTP/AccessCode', needing(otpType.accessCode, 'AccessCode')),
  ],
  [
    'otp.mobile-number-type',
    'a MobileNumber that is no string is',
    usual.ofWrongType('/OTP/MobileNumber', needing(otpType.sms, 'MobileNumber')),
  ],
  ['signatory.role-values', 'a SignatoryType outside the table is', usual.at('/SignatoryType', 'value')],
  ['signatory.malformed', 'a malformed body is', usual.unreadable, 400],
  ['signatory.body-object', 'a body that is no JSON object is', usual.noObject],
  [
    'signatory.content-type',
    'a body that is not sent as JSON is',
    (given) => otherContentTypes(valid(given)),
  ],
];

for (const [id, what, rows, refusal = '4xx'] of refused) {
  test(`${what} refused`, covers(id), async ({ signatory }) => {
    await signatory.refuses(rows, refusal);
  });
}

/** A valid body, in a call that differs in something else. */
const asBefore =
  (title: string, differs: Partial<Draft>, body: (given: OtpIngredients) => object) =>
  (given: OtpIngredients) => [{ title, outcome: 'refused' as const, input: { json: body(given) }, differs }];

/** Valid bodies by what they are: a signer, and people of other roles, with an OTP or other optional fields. */
const people = Object.entries({ 'of a signer': valid, ...otherSignatories });

/** The same body for a request that exists: where it is refused there, too, something else in it is the reason. */
const elsewhere = (
  body: (given: OtpIngredients) => object,
  blames: 'if-accepted' | 'unless-alike' = 'if-accepted',
) =>
  body === valid
    ? undefined
    : ({
        rows: broken('addSignatory', body).whole,
        apart: true,
        blames,
        optional: true,
      } as const);

/** Each of the people, for a request that does not exist. */
const forNobody = (what: string, differs: Partial<Draft>) =>
  people.map(([whose, body]) => [asBefore(`${what}, ${whose}`, differs, body), elsewhere(body)] as const);

/** Adds people of other roles to a request that exists first, to find out the forms of numbers and codes that are accepted. */
const withForms = (signatory: CheckParts['signatory']) => {
  const optional = signatory.as('signatory.private-message');
  return Promise.all([
    optional.takes(otherSignatory('of a CC')),
    optional.takes(otherSignatory('of an approver')),
  ]);
};

const neverIssued = (known: string, seed: number) =>
  forNobody('a requestId that was never issued', { requestId: alter(known, seed) });

const ofDeleted = (requestId: string) =>
  forNobody('the requestId of a deleted request', { requestId }).map(([rows, others]) => {
    const ended = ['deleteRequest', { requestId }] as const;
    return [(given: OtpIngredients) => rows(given).map((row) => ({ ...row, ended })), others] as const;
  });

test(
  'an unknown requestId is answered with 404',
  covers('signatory.unknown-request'),
  async ({ signatory, session, facts, check }) => {
    await withForms(signatory);
    const known = await check.prepare(() => session.request(0));
    const never = neverIssued(known, facts.seed).map(
      ([rows, vouching]) =>
        () =>
          signatory.as('signatory.unknown-request').refuses(rows, 404, vouching),
    );
    const [token = ''] = await check.prepare(() => session.documents(1));
    const { signatoryId = '' } = (await check.prepare(() => session.shared('signatory'))).ids;
    const others = [
      { title: 'a document token', id: token },
      { title: 'a signatoryId', id: signatoryId },
      // A signatory may have the id of the request.
    ].filter(({ id }) => id !== known && isUnmistakable(id));
    const near = nearly(known).map(({ what, id }) => ({ title: `a requestId ${what}`, id }));
    // A value without the form of an id may be refused for its form, and some of the people for something else in the body.
    const refused = [...near, ...others].map(({ title, id }, index) => {
      const [whose, body] = people[index % people.length] ?? ['', valid];
      return () =>
        signatory.refuses(
          asBefore(`${title}, ${whose}`, { requestId: id, freshIds: false }, body),
          '4xx',
          elsewhere(body, 'unless-alike'),
        );
    });
    await everyOne([...never, ...refused], (refuses) => refuses());
  },
);

test(
  'the 404 says that the request was not found',
  covers('signatory.unknown-request-message'),
  async ({ signatory, session, facts, check }) => {
    await withForms(signatory);
    const reading = says(message.requestNotFound);
    const saying = (owner: RequirementId, rows: ReturnType<typeof forNobody>) =>
      everyOne(rows, ([row, vouching]) => signatory.as(owner).refuses(row, 404, vouching, reading));
    const never = async () => {
      const known = await check.prepare(() => session.request(0));
      await saying('signatory.unknown-request', neverIssued(known, facts.seed));
    };
    const ended = async () => {
      // Where no request can be deleted, the requirement about deleted requests reports it.
      const deleted = deletedRequest({ session, facts, check }).then((requestId) => [requestId]);
      await everyOne(await deleted.catch(ifCouldNotRun(() => [])), (requestId) =>
        saying('signatory.deleted-request', ofDeleted(requestId)),
      );
    };
    const isDeleting = facts.notApplicable['signatory.deleted-request'] === undefined;
    await everyOne(isDeleting ? [never, ended] : [never], (saying) => saying());
  },
);

test(
  'the requestId of a deleted request is answered with 404',
  covers('signatory.deleted-request'),
  async ({ signatory, session, facts, check }) => {
    await withForms(signatory);
    const requestId = await check.prepare(() => deletedRequest({ session, facts, check }));
    const known = await check.prepare(() => session.request(0));
    const never = neverIssued(known, facts.seed);
    const all = ofDeleted(requestId).map((one, index) => [...one, never[index]?.[0] ?? one[0]] as const);
    await everyOne(all, async ([rows, vouching, unknown]) => {
      // Where a request that never was gets the same wrong status, a deleted one is no mistake of its own.
      const alike = { rows: unknown, blames: 'unless-alike' } as const;
      const { status } = await signatory.as('signatory.unknown-request').answerTo(unknown);
      if (vouching && status !== 404) return;
      await signatory.as('signatory.deleted-request').refuses(rows, 404, vouching ?? alike);
    });
  },
);
