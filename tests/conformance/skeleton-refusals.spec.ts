/** Endpoint 4: what is refused with 400 and 404. */

import {
  type CallbackIngredients,
  maximalRequest,
  minimalRequest,
  requestRows,
} from '../../generators/bodies/request.ts';
import { alter, isUnmistakable, nearly } from '../../generators/ids.ts';
import {
  broken,
  otherContentTypes,
  type RefusedRows,
  refusalsWithout,
} from '../../harness/judging/broken-rows.ts';
import type { CheckParts } from '../../harness/judging/parts.ts';
import { invalidatedDocument, invalidatedDocx } from '../../harness/judging/prerequisites.ts';
import { type Reading, says } from '../../harness/judging/readings.ts';
import type { RunFacts } from '../../harness/judging/session.ts';
import { event, message } from '../../openapi/codes.ts';
import { CouldNotRun, ifCouldNotRun } from '../../record/errors.ts';
import { covers, everyOne, test } from '../../running/fixtures.ts';

const valid = (given: CallbackIngredients) =>
  minimalRequest({ ...given, documents: given.documents.slice(0, 1) });
const all = 'with all that is optional';
const everything = (given: CallbackIngredients) =>
  maximalRequest({ ...given, documents: given.documents.slice(0, 1) });
const usual = broken('createSkeletonRequest', valid, { [all]: everything });

const required = [
  ['skeleton.title-required', 'Title'],
  ['skeleton.message-required', 'Message'],
  ['skeleton.audit-details-required', 'AuditDetails'],
  ['skeleton.documents-required', 'Documents'],
] as const;

for (const [id, field] of required) {
  test(`a body without ${field} is refused`, covers(id), async ({ skeleton, facts }) => {
    const full = broken('createSkeletonRequest', (given: CallbackIngredients) =>
      maximalRequest({ ...given, documents: given.documents.slice(0, facts.limits.documents) }),
    );
    const others = { [all]: full };
    const refusals = refusalsWithout(skeleton, `/${field}`, usual, others, { andAll: field === 'Title' });
    await everyOne(refusals, (refuses) => refuses());
  });
}

test(
  'Documents that are no list of strings are refused',
  covers('skeleton.documents-type'),
  async ({ skeleton, facts }) => {
    const row = (title: string, documents: (given: CallbackIngredients) => readonly unknown[]) => {
      return (given: CallbackIngredients) => [
        {
          title,
          outcome: 'refused' as const,
          breaks: '/Documents',
          input: { json: { ...valid(given), Documents: documents(given) } },
        },
      ];
    };
    const beside = row('Documents.1 is an object', ({ documents: [known] }) => [known, { unexpected: true }]);
    // A service may skip a null beside a token; alone, skipping it leaves no document.
    const nothing = row('Documents.0 is null', () => [null]);
    const alone = async () => {
      await skeleton.refuses(usual.at('/Documents', 'null', 'type'), '4xx');
      await skeleton.refuses(nothing, '4xx');
    };
    const besideAnother = () => skeleton.refuses(beside, '4xx', { rows: several, blames: 'if-accepted' });
    const ways = facts.limits.documents === 1 ? [alone] : [alone, besideAnother];
    await everyOne(ways, (refuses) => refuses());
  },
);

const refused: readonly RefusedRows<CallbackIngredients>[] = [
  ['skeleton.title-type', 'a Title that is no string is', usual.at('/Title', 'null', 'type')],
  ['skeleton.message-type', 'a Message that is no string is', usual.at('/Message', 'null', 'type')],
  [
    'skeleton.audit-details-type',
    'AuditDetails that are no object are',
    usual.at('/AuditDetails', 'null', 'type'),
  ],
  ['skeleton.callback-url-type', 'a CallbackUrl that is no string is', usual.ofWrongType('/CallbackUrl')],
  [
    'skeleton.completed-documents-attached-type',
    'CompletedDocumentsAttached that is no boolean is',
    usual.ofWrongType('/CompletedDocumentsAttached'),
  ],
  ['skeleton.connections-type', 'Connections that are no list are', usual.ofWrongType('/Connections')],
  [
    'skeleton.author-type-type',
    'an AuthorType that is no integer is',
    usual.ofWrongType('/AuditDetails/AuthorType'),
  ],
  [
    'skeleton.author-ip-address-type',
    'an AuthorIPAddress that is no string is',
    usual.ofWrongType('/AuditDetails/AuthorIPAddress'),
  ],
  ['skeleton.device-type', 'a Device that is no string is', usual.ofWrongType('/AuditDetails/Device')],
  [
    'skeleton.callback-types-type',
    'CallbackTypes that are no list of integers are',
    usual.ofWrongType(['/CallbackTypes', '/CallbackTypes/1'], () => ({
      CallbackTypes: [event.requestReceived, event.processCompleted],
    })),
  ],
  [
    'skeleton.documents-not-empty',
    'an empty list of documents is',
    (given) =>
      Object.entries({ '': valid(given), [`, ${all}`]: everything(given) }).map(([whose, body]) => ({
        title: `Documents is an empty list${whose}`,
        outcome: 'refused',
        breaks: '/Documents',
        input: { json: { ...body, Documents: [] } },
      })),
  ],
  ['skeleton.malformed', 'a malformed body is', usual.unreadable, 400],
  ['skeleton.body-object', 'a body that is no JSON object is', usual.noObject],
  ['skeleton.content-type', 'a body that is not sent as JSON is', (given) => otherContentTypes(valid(given))],
];

for (const [id, what, rows, refusal = '4xx'] of refused) {
  test(`${what} refused`, covers(id), async ({ skeleton }) => {
    await skeleton.refuses(rows, refusal);
  });
}

const several = (given: CallbackIngredients) =>
  requestRows(given).filter(({ field }) => field === 'Documents');

const ofDocuments = (given: CallbackIngredients, documents: readonly string[], isFull: boolean) =>
  (isFull ? maximalRequest : minimalRequest)({ ...given, documents });

/** Documents with a token of the same shape as a real one, alone and beside a real one. */
const unknownDocuments =
  ({ seed, limits }: RunFacts, requestId = '') =>
  (given: CallbackIngredients) => {
    const [known, other] = given.documents;
    if (known === undefined || other === undefined) throw new CouldNotRun('needs two document tokens');
    const unknown = alter(known, seed);
    const row = (title: string, documents: readonly string[], isFull = false) => ({
      title: isFull ? `${title}, with every field` : title,
      outcome: 'refused' as const,
      breaks: '/Documents',
      input: { json: ofDocuments(given, documents, isFull) },
      // The token was never issued, so the client need not wait until it is known.
      differs: { freshIds: false },
    });
    const alone = [row('a token that was never issued', [unknown])];
    const near = nearly(known).map(({ what, id }, index) => row(`a token ${what}`, [id], index % 2 === 1));
    const isOf = isUnmistakable(requestId);
    const [what, id] = isOf ? ['the id of a request', requestId] : ['a token that was never issued', unknown];
    const isAmong = (limits.documents ?? 3) > 2;
    return {
      alone,
      // Not every kind of token has others that look alike.
      near: near.length ? near : alone,
      beside: isAmong
        ? [
            row(`${what}, between two valid tokens`, [known, id, other]),
            row('a token that was never issued, after two valid ones', [known, other, unknown]),
          ]
        : [row(what, [id])],
      after: [row('a token that was never issued, after a valid one', [other, unknown])],
      before: [row('a token that was never issued, before a valid one', [unknown, other], true)],
    };
  };

type Skeleton = CheckParts['skeleton'];

/** The same body with valid tokens: a service may accept no second document, or not all optional fields. */
const asWhole = (isFull: boolean) =>
  ({
    rows: (given: CallbackIngredients) =>
      several(given).map((row) => (isFull ? { ...row, input: { json: maximalRequest(given) } } : row)),
    blames: 'if-accepted',
    optional: isFull,
  }) as const;

/** Checks that tokens which were never issued, or are no longer valid, are refused with 404, and say what `reading` asks for. */
function refusals(
  skeleton: Skeleton,
  limits: RunFacts['limits'],
  ways: readonly (readonly [rows: Parameters<Skeleton['refuses']>[0], others?: ReturnType<typeof asWhole>])[],
  reading?: Reading,
) {
  return ways
    .filter(([, others]) => limits.documents !== 1 || !others)
    .map(
      ([rows, others]) =>
        () =>
          skeleton.refuses(rows, 404, others, reading),
    );
}

const neverIssued = (skeleton: Skeleton, facts: RunFacts, reading?: Reading) => {
  const rows = (which: 'alone' | 'before' | 'after') => (given: CallbackIngredients) =>
    unknownDocuments(facts)(given)[which];
  const ways = [[rows('alone')], [rows('after'), asWhole(false)], [rows('before'), asWhole(true)]] as const;
  return refusals(skeleton.as('skeleton.unknown-document'), facts.limits, ways, reading);
};

const madeInvalid = (skeleton: Skeleton, { limits }: RunFacts, token: string, reading?: Reading) => {
  const ways = [
    [invalidated('a token that was made invalid', token)],
    [
      invalidated('a token that was made invalid, after a valid one, with every field', token, true),
      asWhole(true),
    ],
  ] as const;
  return refusals(skeleton.as('skeleton.invalidated-document'), limits, ways, reading);
};

test(
  'an unknown document token is answered with 404',
  covers('skeleton.unknown-document'),
  async ({ skeleton, session, facts, check }) => {
    const rows = unknownDocuments(facts, await check.prepare(() => session.request(0)));
    // A value without the form of a token may be refused for its form, with another status.
    const near = () => skeleton.refuses((given) => rows(given).near, '4xx');
    const others = facts.limits.documents === 1 ? undefined : asWhole(false);
    const beside = () => skeleton.refuses((given) => rows(given).beside, '4xx', others);
    await everyOne([...neverIssued(skeleton, facts), near, beside], (refuses) => refuses());
  },
);

/** A creation with a document token that was made invalid, alone, or after a valid one in a body with every field. */
const invalidated =
  (title: string, token: string, isFull = false) =>
  (given: CallbackIngredients) => [
    {
      title,
      outcome: 'refused' as const,
      input: { json: ofDocuments(given, [...given.documents.slice(0, isFull ? 1 : 0), token], isFull) },
      ended: ['invalidateDocument', { documentToken: token }] as const,
    },
  ];

test(
  'the 404 says that the document token was not found',
  covers('skeleton.unknown-document-message'),
  async ({ skeleton, session, facts, check }) => {
    const reading = says(message.documentNotFound);
    const ended = async () => {
      // Where no token can be made invalid, the requirement about invalid tokens reports it.
      const made = invalidatedDocument({ session, facts, check }).then((token) =>
        madeInvalid(skeleton, facts, token, reading),
      );
      await everyOne(await made.catch(ifCouldNotRun(() => [])), (saying) => saying());
    };
    const isEnding = facts.notApplicable['skeleton.invalidated-document'] === undefined;
    const never = neverIssued(skeleton, facts, reading);
    await everyOne(isEnding ? [...never, ended] : never, (saying) => saying());
  },
);

test(
  'a document token that is no longer valid is answered with 404',
  covers('skeleton.invalidated-document'),
  async ({ skeleton, session, facts, check }) => {
    const token = await check.prepare(() => invalidatedDocument({ session, facts, check }));
    // Where a token that never was gets the same wrong status, an invalid one is no mistake of its own.
    const never = (which: 'alone' | 'before') => (given: CallbackIngredients) =>
      unknownDocuments(facts)(given)[which];
    const alike = { rows: never('alone'), blames: 'unless-alike' } as const;
    const alone = () =>
      skeleton
        .as('skeleton.invalidated-document')
        .refuses(invalidated('a token that was made invalid', token), 404, alike);
    const { status } = await skeleton.as('skeleton.unknown-document').answerTo(never('before'));
    const [, ...beside] = madeInvalid(skeleton, facts, token);
    const ways = [alone, ...(status === 404 ? beside : [])];
    const docx = await check.prepare(() =>
      invalidatedDocx({ session, facts, check }).catch(ifCouldNotRun(() => token)),
    );
    // A service that takes two documents at most may refuse three with another status.
    const between = (given: CallbackIngredients) => {
      const [first = '', ...others] = given.documents.slice(0, 2);
      return invalidated(
        'a DOCX whose token was made invalid before it was used, between two valid ones',
        docx,
      )(given).map((row) => ({
        ...row,
        input: { json: ofDocuments(given, [first, docx, ...others], false) },
      }));
    };
    const isAmong = (facts.limits.documents ?? 3) > 2;
    await everyOne(
      isAmong ? [...ways, () => skeleton.refuses(between, '4xx', asWhole(false))] : ways,
      (refuses) => refuses(),
    );
  },
);
