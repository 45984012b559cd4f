/** Endpoint 4: what is accepted, and the answer. */
import {
  type CallbackIngredients,
  maximalRequest,
  minimalRequest,
  type RequestRow,
  requestRows,
  type SkeletonRequest,
} from '../../generators/bodies/request.ts';
import { noOtp } from '../../generators/bodies/signatory.ts';
import type { Body } from '../../generators/row.ts';
import { decideShared } from '../../harness/judging/ask.ts';
import type { Choices } from '../../harness/judging/inputs.ts';
import type { CheckParts } from '../../harness/judging/parts.ts';
import { acceptedDocx, judgeFullRequestFound } from '../../harness/judging/prerequisites.ts';
import { differ, hasField, isJson } from '../../harness/judging/readings.ts';
import type { RunFacts } from '../../harness/judging/session.ts';
import { event, role } from '../../openapi/codes.ts';
import { covers, everyOne, test } from '../../running/fixtures.ts';

const about = (field: RequestRow['field']) => (given: CallbackIngredients) =>
  requestRows(given).filter((row) => row.field === field);

/** A request is found by its id: adding a signatory is not answered with 404. */
const found = { judged: 'signatory', expected: { is: 'success' }, convicts: [404] } as const;

/**
 * The rows with the other CallbackUrls of the run: a target may refuse a URL that it cannot reach.
 * @param decides whether the URL alone may be the reason of a refusal; otherwise other bodies show the reason
 */
const withUrls = (
  { callbackUrl, otherCallbackUrls, callbackUrlVouched }: RunFacts,
  rows: (given: CallbackIngredients) => readonly RequestRow[],
  decides = false,
): Choices<CallbackIngredients, Body> => ({
  rows: otherCallbackUrls.map((url) => (given) => rows({ ...given, callbackUrl: url })),
  excuses: decides && !callbackUrlVouched ? ['unreachable-url'] : [],
  urls: [callbackUrl, ...otherCallbackUrls],
});

/** A body with signatories, as a service may want it that needs them at once. */
const withSignatories = (given: CallbackIngredients) => ({
  title: 'Signatories in the body',
  outcome: 'silent' as const,
  input: {
    json: {
      ...minimalRequest({ ...given, documents: given.documents.slice(0, 1) }),
      Signatories: [
        { Email: 'signer@example.com', Name: 'A Signer', Order: 1, SignatoryType: role.signer, OTP: noOtp },
      ],
    },
  },
});

test(
  'a body with the four required fields creates a request',
  covers('skeleton.created'),
  async ({ skeleton }) => {
    await skeleton.succeeds('the four required fields', 'document', undefined, [withSignatories]);
  },
);

test('the answer to a creation is JSON', covers('skeleton.response-json'), async ({ skeleton }) => {
  await skeleton.answers('the answer to the four required fields', isJson);
});

test('the answer to a creation carries requestId', covers('skeleton.request-id'), async ({ skeleton }) => {
  await skeleton.answers('the answer to the four required fields', hasField('requestId'));
});

test('two requests have two ids', covers('skeleton.request-id-unique'), async ({ skeleton }) => {
  await skeleton.comparesAnswers('the same body twice', differ('requestId'));
});

test(
  'a created request is found by its id',
  covers('skeleton.request-id-usable'),
  async ({ skeleton, check, session, facts }) => {
    await check.row('a signatory for a request made before', (context) =>
      decideShared(session, found, context),
    );
    if (facts.smoke) return;
    const { rows, operation } = everything(skeleton, facts);
    const full = await operation.answerTo(rows);
    await check.row('a signatory for a request made with every field', (context) =>
      judgeFullRequestFound({ session, facts, check }, full, context),
    );
  },
);

test(
  'a request is created without signatories',
  covers('service.signatories-added-after'),
  async ({ skeleton }) => {
    await skeleton.acceptsRatherThan('a creation without signatories', withSignatories);
  },
);

const everything = (skeleton: CheckParts['skeleton'], facts: RunFacts) => {
  const rows = (given: CallbackIngredients) =>
    about('all')({ ...given, documents: given.documents.slice(0, facts.limits.documents) });
  return { rows, operation: skeleton.as('skeleton.connections') };
};

/** Whether every field at once is accepted: then a field of it needs no row of its own. */
const takesAll = (skeleton: CheckParts['skeleton'], facts: RunFacts) => {
  const { rows, operation } = everything(skeleton, facts);
  return operation.takes(rows);
};

/** The fields of which one is changed, beside all others. */
const oneChanged = {
  CompletedDocumentsAttached: () => undefined,
  Connections: () => undefined,
  CallbackTypes: () => [event.processCompleted],
  Documents: ({ documents }: CallbackIngredients) => documents.slice(0, 1),
} satisfies Partial<Record<keyof SkeletonRequest, (given: CallbackIngredients) => unknown>>;
type Changed = keyof typeof oneChanged;

/**
 * Every field at once is accepted; a refusal fails only where the same is accepted with this field changed. Where two
 * are not accepted beside each other, the first of the list is blamed.
 */
const acceptsAll = async (skeleton: CheckParts['skeleton'], facts: RunFacts, field: Changed) => {
  const { rows, operation } = everything(skeleton, facts);
  const changing = (changed: Changed) => (given: CallbackIngredients) =>
    rows(given).map((row) => ({
      ...row,
      title: `the other fields than ${changed}`,
      input: { json: { ...maximalRequest(given), [changed]: oneChanged[changed](given) } },
    }));
  const fields = Object.keys(oneChanged) as Changed[];
  const earlier = (await operation.takes(rows)) ? [] : fields.slice(0, fields.indexOf(field));
  const taken = await Promise.all(earlier.map((each) => operation.takes(changing(each))));
  const others = {
    rows: taken.includes(true) ? () => [] : changing(field),
    blames: 'if-accepted',
    optional: true,
  } as const;
  return operation.accepts(rows, others, withUrls(facts, rows));
};

test(
  'several documents are accepted',
  covers('skeleton.several-documents'),
  async ({ skeleton, session, facts, check }) => {
    const docx = await check.prepare(() => acceptedDocx({ session, facts, check }));
    const plain = () =>
      skeleton.accepts((given) =>
        about('Documents')(given).map((row, index) => ({
          ...row,
          input: async () => {
            const [first = '', second = ''] = given.documents;
            // Where a token can be used only so often, that of the DOCX was used up before.
            const other = (await session.tokensEnd()) ? first : (docx ?? first);
            return about('Documents')({ ...given, documents: [other, second] })[index]?.input ?? row.input;
          },
        })),
      );
    const besides = () => acceptsAll(skeleton, facts, 'Documents');
    await everyOne([plain, besides], (accepts) => accepts());
  },
);

const withQuery = about('CallbackUrl with a query');

test('CallbackUrl is accepted', covers('skeleton.callback-url'), async ({ skeleton, facts }) => {
  const others = { rows: about('CallbackTypes'), blames: 'unless-accepted' } as const;
  const plain = () =>
    skeleton.accepts(about('CallbackUrl'), others, withUrls(facts, about('CallbackUrl'), true));
  // The other body has the same URL without a query.
  const queried = () =>
    skeleton
      .as('skeleton.callback-url')
      .accepts(
        withQuery,
        { rows: about('CallbackUrl'), blames: 'if-accepted' },
        withUrls(facts, withQuery, true),
      );
  const isTaken = await skeleton.as('skeleton.callback-url').takes(withQuery);
  await everyOne(isTaken ? [queried] : [plain, queried], (accepts) => accepts());
});

test('CallbackTypes is accepted', covers('skeleton.callback-types'), async ({ skeleton, facts }) => {
  const others = { rows: about('CallbackTypes'), blames: 'if-accepted' } as const;
  // The row for CallbackUrl has code 3 alone. Where it is not accepted, code 3 is judged here.
  const isTaken = await skeleton.as('skeleton.callback-url').takes(withQuery);
  const rows = (given: CallbackIngredients) => [
    ...about('CallbackTypes')(given),
    ...(isTaken ? [] : about('CallbackUrl')(given).map((row) => ({ ...row, title: 'CallbackTypes [3]' }))),
  ];
  const ways = [
    () => skeleton.accepts(rows, others, withUrls(facts, rows)),
    () => acceptsAll(skeleton, facts, 'CallbackTypes'),
  ];
  await everyOne(ways, (accepts) => accepts());
});

test(
  'CompletedDocumentsAttached is accepted',
  covers('skeleton.completed-documents-attached'),
  async ({ skeleton, facts }) => {
    // True is among every field, and has a row of its own only where these are not accepted.
    const from = (await takesAll(skeleton, facts)) ? 1 : 0;
    const rows = (given: CallbackIngredients) => about('CompletedDocumentsAttached')(given).slice(from);
    // Each row has the codes of a row without CompletedDocumentsAttached.
    const without = (given: CallbackIngredients) => [
      ...about('CallbackTypes')(given).slice(0, 1),
      ...about('CallbackUrl')(given),
    ];
    const others = {
      rows: (given: CallbackIngredients, _: number, index: number) =>
        without(given).slice(from + index, from + index + 1),
      blames: 'if-accepted',
    } as const;
    const ways = [
      () => skeleton.accepts(rows, others, withUrls(facts, rows)),
      () => acceptsAll(skeleton, facts, 'CompletedDocumentsAttached'),
    ];
    await everyOne(ways, (accepts) => accepts());
  },
);

test(
  'an IPv6 address as AuthorIPAddress is accepted',
  covers('skeleton.author-ip-address-v6'),
  async ({ skeleton }) => {
    await skeleton.accepts(about('AuthorIPAddress'));
  },
);

test('Connections is accepted', covers('skeleton.connections'), async ({ skeleton, facts }) => {
  const besides = () => acceptsAll(skeleton, facts, 'Connections');
  const alone = () => skeleton.accepts(about('Connections'));
  const ways = (await takesAll(skeleton, facts)) ? [besides] : [besides, alone];
  await everyOne(ways, (accepts) => accepts());
});
