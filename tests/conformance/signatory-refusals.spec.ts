/** Endpoint 5: what is refused with 400 and 404. */
import { type OtpIngredients, otherSignatories } from '../../generators/bodies/otp.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { alter, isUnmistakable, nearly } from '../../generators/ids.ts';
import { broken, otherContentTypes, refusalsWithout } from '../../harness/judging/broken-rows.ts';
import type { Draft } from '../../harness/judging/kinds.ts';
import { deletedRequest } from '../../harness/judging/prerequisites.ts';
import { message, otpType } from '../../openapi/codes.ts';
import { ifCouldNotRun } from '../../record/errors.ts';
import { covers, everyOne, test } from '../../running/fixtures.ts';

const valid = ({ personOf }: OtpIngredients) => minimalSignatory({ person: personOf('refused') });
const signatoryBody = broken('addSignatory', valid);

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
    // Without SignatoryType nobody is a CC.
    const carriers = others.filter(([whose]) => field !== 'SignatoryType' || whose !== 'of a CC');
    const refusals = refusalsWithout(signatory, `/${field}`, signatoryBody, Object.fromEntries(carriers));
    await everyOne(refusals, (refuses) => refuses());
  });
}

const typed = [
  ['signatory.email-type', 'Email', 'an Email that is no string'],
  ['signatory.name-type', 'Name', 'a Name that is no string'],
  ['signatory.order-type', 'Order', 'an Order that is no integer'],
  ['signatory.role-type', 'SignatoryType', 'a SignatoryType that is no integer'],
] as const;

for (const [id, field, what] of typed) {
  test(`${what} is refused`, covers(id), async ({ signatory }) => {
    await signatory.refuses(signatoryBody.at(`/${field}`, 'null', 'type'), '4xx');
  });
}

const optional = [
  ['signatory.private-message-type', '/PrivateMessage', 'a PrivateMessage that is no string', undefined],
  ['signatory.color-type', '/Color', 'a Color that is no string', undefined],
  ['otp.object-type', '/OTP', 'an OTP that is no object', undefined],
  ['otp.access-code-type', '/OTP/AccessCode', 'an AccessCode that is no string', otpType.accessCode],
  ['otp.mobile-number-type', '/OTP/MobileNumber', 'a MobileNumber that is no string', otpType.sms],
] as const;

for (const [id, pointer, what, method] of optional) {
  test(`${what} is refused`, covers(id), async ({ signatory }) => {
    // Where a field is not needed, nothing of it may be read.
    const needed = method === undefined ? {} : { OTP: { IsRequired: true, Type: method } };
    await signatory.refuses(signatoryBody.ofWrongType(pointer, needed), '4xx');
  });
}

test(
  'a SignatoryType outside the table is refused',
  covers('signatory.role-values'),
  async ({ signatory }) => {
    await signatory.refuses(signatoryBody.at('/SignatoryType', 'value'), '4xx');
  },
);

test('a malformed body is refused', covers('signatory.malformed'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.unreadable, 400);
});

test('a body that is no JSON object is refused', covers('signatory.body-object'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.noObject, '4xx');
});

/** A valid body, in a call that differs elsewhere. */
const asBefore =
  (title: string, differs: Partial<Draft>, body: (given: OtpIngredients) => object = valid) =>
  (given: OtpIngredients) => [{ title, outcome: 'refused' as const, input: { json: body(given) }, differs }];

/** By what they are: people of other roles, with an OTP or what else is optional. */
const people = Object.entries({ 'of a signer': valid, ...otherSignatories });

test(
  'a body that is not sent as JSON is refused',
  covers('signatory.content-type'),
  async ({ signatory }) => {
    await signatory.refuses((given) => otherContentTypes(valid(given)), '4xx');
  },
);

const neverIssued = (requestId: string) => asBefore('a requestId that was never issued', { requestId });

test(
  'an unknown requestId is answered with 404',
  covers('signatory.unknown-request'),
  async ({ signatory, session, facts, check }) => {
    const known = await check.prepare(() => session.request(0));
    const never = () => signatory.refuses(neverIssued(alter(known, facts.seed)), 404);
    const [token = ''] = await check.prepare(() => session.documents(1));
    const { signatoryId = '' } = (await check.prepare(() => session.shared('signatory'))).ids;
    const others = [
      { title: 'a document token', id: token },
      { title: 'a signatoryId', id: signatoryId },
    ].filter(({ id }) => isUnmistakable(id));
    const near = nearly(known).map(({ what, id }) => ({ title: `a requestId ${what}`, id }));
    // What has not the form of an id may be refused for that, and some of the people for what else they have.
    const refused = [...near, ...others].map(({ title, id }, index) => {
      const [whose, body] = people[index % people.length] ?? ['', valid];
      return () =>
        signatory.refuses(asBefore(`${title}, ${whose}`, { requestId: id, freshIds: false }, body), '4xx');
    });
    await everyOne([never, ...refused], (refuses) => refuses());
  },
);

test(
  'the 404 says that the request was not found',
  covers('signatory.unknown-request-message'),
  async ({ signatory, session, facts, check }) => {
    const says = (rows: ReturnType<typeof asBefore>) =>
      signatory.refusesSaying(rows, 404, message.requestNotFound);
    const never = async () => {
      const requestId = alter(await check.prepare(() => session.request(0)), facts.seed);
      await says(neverIssued(requestId));
    };
    const ended = async () => {
      // Where none can be deleted, the requirement about that says so.
      const deleted = deletedRequest({ session, facts, check }).then((requestId) => [requestId]);
      await everyOne(await deleted.catch(ifCouldNotRun(() => [])), (requestId) =>
        says(asBefore('the requestId of a deleted request', { requestId, endedIds: true })),
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
    const requestId = await check.prepare(() => deletedRequest({ session, facts, check }));
    await everyOne(people, ([whose, body]) => {
      const title = `the requestId of a deleted request, ${whose}`;
      const ended = asBefore(title, { requestId, endedIds: true }, body);
      // Others may be refused for what else they have.
      return signatory.refuses(ended, body === valid ? 404 : '4xx');
    });
  },
);
