/** Endpoint 5: what is refused with 400 and 404. */
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { alter, nearly } from '../../generators/ids.ts';
import type { PersonOf } from '../../generators/people.ts';
import { broken } from '../../harness/judging/broken.ts';
import { deletedRequest } from '../../harness/judging/prerequisites.ts';
import { message } from '../../openapi/codes.ts';
import { covers } from '../running/covers.ts';
import { everyOne, test } from '../running/fixtures.ts';

type Given = { readonly personOf: PersonOf };

const valid = ({ personOf }: Given) => minimalSignatory({ person: personOf('refused') });
const signatoryBody = broken('addSignatory', valid);

test('a body without Email is refused', covers('signatory.email-required'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.at('/Email', 'missing'), 400);
});

test('a body without Name is refused', covers('signatory.name-required'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.at('/Name', 'missing'), 400);
});

test('a body without Order is refused', covers('signatory.order-required'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.at('/Order', 'missing'), 400);
});

test('a body without SignatoryType is refused', covers('signatory.role-required'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.at('/SignatoryType', 'missing'), 400);
});

test('an Email that is no string is refused', covers('signatory.email-type'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.at('/Email', 'null', 'type'), '4xx');
});

test('a Name that is no string is refused', covers('signatory.name-type'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.at('/Name', 'null', 'type'), '4xx');
});

test('an Order that is no integer is refused', covers('signatory.order-type'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.at('/Order', 'null', 'type'), '4xx');
});

test(
  'a SignatoryType that is no integer is refused',
  covers('signatory.role-type'),
  async ({ signatory }) => {
    await signatory.refuses(signatoryBody.at('/SignatoryType', 'null', 'type'), '4xx');
  },
);

test(
  'a SignatoryType outside the table is refused',
  covers('signatory.role-values'),
  async ({ signatory }) => {
    await signatory.refuses(signatoryBody.at('/SignatoryType', 'value'), '4xx');
  },
);

test(
  'a PrivateMessage that is no string is refused',
  covers('signatory.private-message-type'),
  async ({ signatory }) => {
    await signatory.refuses(signatoryBody.ofWrongType('/PrivateMessage'), '4xx');
  },
);

test('a Color that is no string is refused', covers('signatory.color-type'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.ofWrongType('/Color'), '4xx');
});

test('a malformed body is refused', covers('signatory.malformed'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.unreadable, 400);
});

test('a body that is no JSON object is refused', covers('signatory.body-object'), async ({ signatory }) => {
  await signatory.refuses(signatoryBody.noObject, '4xx');
});

const asBefore = (title: string) => (given: Given) => [
  { title, outcome: 'refused' as const, input: { json: valid(given) } },
];

test('a JSON body sent as text/plain is refused', covers('signatory.content-type'), async ({ signatory }) => {
  await signatory.refuses(asBefore('Content-Type: text/plain'), '4xx', { contentType: 'text/plain' });
});

test(
  'an unknown requestId is answered with 404',
  covers('signatory.unknown-request'),
  async ({ signatory, session, facts, check }) => {
    const known = await check.prepare(() => session.request(0));
    const requestId = alter(known, facts.seed);
    const never = () => signatory.refuses(asBefore('a requestId that was never issued'), 404, { requestId });
    // What has not the form of an id may be refused for that.
    const near = nearly(known).map(
      ({ what, id }) =>
        () =>
          signatory.refuses(asBefore(`a requestId ${what}`), '4xx', { requestId: id }),
    );
    await everyOne([never, ...near], (refuses) => refuses());
  },
);

test(
  'the 404 says that the request was not found',
  covers('signatory.unknown-request-message'),
  async ({ signatory, session, facts, check }) => {
    const requestId = alter(await check.prepare(() => session.request(0)), facts.seed);
    await signatory.refusesSaying(
      asBefore('a requestId that was never issued'),
      404,
      message.requestNotFound,
      {
        requestId,
      },
    );
  },
);

test(
  'the requestId of a deleted request is answered with 404',
  covers('signatory.deleted-request'),
  async ({ signatory, session, facts, check }) => {
    const requestId = await check.prepare(() => deletedRequest({ session, facts, check }));
    await signatory.refuses(asBefore('the requestId of a deleted request'), 404, {
      requestId,
      endedIds: true,
    });
  },
);
