/**
 * Each dialect setting does what it says: what a call comes to with it, and without it. Settings that have a key in the profile
 * are left to the rows of the dialects, which can judge nothing where service and profile differ.
 */
import { expect, test } from '@playwright/test';
import { doc, encryptedPdf } from '../../generators/documents/committed.ts';
import { message, path } from '../../openapi/codes.ts';
import type { Dialect } from '../../reference/dialect.ts';
import { plainPdf } from '../../reference/plain-pdf.ts';
import { type Reference, startReference } from '../../reference/server.ts';
import {
  changed,
  ReferenceClient,
  type Reply,
  type Sending,
  signatoryBody,
  skeletonBody,
  stampedBody,
  withReference,
} from './reference-client.ts';
import { Flow, somebody } from './reference-flow.ts';

type Outcome = string | number;
/** A call counts by the status of its answer, where it tells nothing else. */
type Call = (client: ReferenceClient) => Promise<Outcome | Reply>;

interface Row {
  readonly dialect: Partial<Dialect>;
  readonly withIt: Outcome;
  readonly without: Outcome;
  readonly call: Call;
}

const when = (dialect: Partial<Dialect>, withIt: Outcome, without: Outcome, call: Call): Row => {
  return { dialect, withIt, without, call };
};

/** Refused with the setting and taken without it, or the other way round. */
const refused = (dialect: Partial<Dialect>, call: Call) => when(dialect, 400, 200, call);
const accepted = (dialect: Partial<Dialect>, call: Call) => when(dialect, 200, 400, call);

const pdf = plainPdf(['A document']);
const source = { run: 'r', seed: 1, name: 'n' };
const nobody = { authorization: 'Bearer nobody' };
const mobile = '+12025550123';
const bodyOf = async (client: ReferenceClient) => skeletonBody([await client.document()]);

/** The statuses of two requests over one document. */
const createdTwice: Call = async (client) => {
  const body = await bodyOf(client);
  return `${(await client.create(body)).status} ${(await client.create(body)).status}`;
};

/** Endpoint 4, 5 or 3 with one place of a valid body changed. */
const create =
  (pointer: string, value: unknown): Call =>
  async (client) =>
    client.create(changed(await bodyOf(client), pointer, value));
const add =
  (pointer: string, value: unknown): Call =>
  async (client) =>
    client.add(await client.request(), changed(signatoryBody, pointer, value));
/** A signatory with this OTP object. */
const addOtp = (IsRequired: boolean, Type: number, more: object = {}): Call =>
  add('/OTP', { IsRequired, Type, ...more });
const stamp =
  (pointer: string, value: unknown): Call =>
  async (client) => {
    const body = changed(stampedBody([await client.document()]), pointer, value);
    return client.json('POST', `${path.autoStamping}?type=3`, body);
  };
const created =
  (sending: Sending = {}): Call =>
  async (client) =>
    client.create(await bodyOf(client), sending);
const untyped: Call = async (client) => client.json('POST', path.skeleton, await bodyOf(client));

/** Whether a refusal carries its message in its body or in a header. */
const says =
  (where: 'text' | 'X-Error-Message'): Call =>
  async (client) => {
    const { status, text, headers } = await client.add('nobody-knows', signatoryBody);
    const place = where === 'text' ? text : headers.get(where);
    return `${status} ${place?.includes(message.requestNotFound) === true}`;
  };
const header =
  (name: string, sending: Sending = {}): Call =>
  async (client) =>
    (await client.create(await bodyOf(client), sending)).headers.get(name) ?? 'none';
const uploaded =
  (bytes: Uint8Array): Call =>
  (client) =>
    client.upload(bytes);
const hasToken =
  (form: RegExp): Call =>
  async (client) =>
    String(form.test((await client.upload(pdf)).text));
/** Two signatories of one request; the status of the second. */
const second =
  (more: object): Call =>
  async (client) => {
    const id = await client.request();
    await client.add(id, signatoryBody);
    return client.add(id, { ...signatoryBody, ...more });
  };

/** Somebody of a request that was not sent yet signs. */
const tooEarly = async (client: ReferenceClient): Promise<Reply> =>
  (await Flow.create(client, [somebody('a')])).sign('a');

const tooEarlySays =
  (field: string): Call =>
  async (client) =>
    String((await tooEarly(client)).json[field]);

/** What a request over two documents came to once it was signed; `tell` is given the documents. */
const completed =
  (tell: (documents: readonly Buffer[]) => Outcome): Call =>
  async (client) => {
    const Documents = [await client.document('a'), await client.document('b')];
    const flow = await Flow.create(client, [somebody('only')], { Documents });
    await flow.send();
    await flow.sign('only');
    return tell(await flow.documents());
  };
const count = ({ length }: readonly Buffer[]) => length;
const isSigned = (documents: readonly Buffer[]) =>
  String(documents.every((bytes) => bytes.includes('/ByteRange')));

const afterwards: readonly Row[] = [
  when({ conflictStatus: 400 }, 400, 409, async (client) => (await Flow.create(client, [])).send()),
  when({ addAfterSend: 'accepted' }, '200 sent', '409 completed', async (client) => {
    const flow = await Flow.create(client, [somebody('one')]);
    await flow.send();
    const { status } = await flow.add(somebody('late'));
    await flow.sign('one');
    return `${status} ${(await flow.status()).json.status}`;
  }),
  when({ completedDocuments: 'merged' }, 1, 2, completed(count)),
  when({ auditTrail: true }, 3, 2, completed(count)),
  when({ signatureKind: 'visible' }, 'false', 'true', completed(isSigned)),
  when(
    { unstamped: 'nothing', signatureKind: 'visible' },
    'true',
    'false',
    completed(([first]) => String(first?.equals(plainPdf(['a'])))),
  ),
];

const everyCall: readonly Row[] = [
  when({ actRefusedAs: 'flag' }, 200, 409, tooEarly),
  when({ actRefusedAs: 'own-words' }, 'ZURÜCKGESTELLT', 'undefined', tooEarlySays('folge')),
  when({ actRefusedAs: 'code' }, '30012', 'undefined', tooEarlySays('code')),
  when({ actRefusedAs: 'graphql' }, '[{"act":null},true]', '[null,false]', async (client) => {
    const { data, errors } = (await tooEarly(client)).json;
    return JSON.stringify([data, Array.isArray(errors)]);
  }),
  when({ actRefusedAs: 'json-rpc' }, '2.0', 'undefined', tooEarlySays('jsonrpc')),
  when({ errorShape: 'header' }, '404 true', '404 false', says('X-Error-Message')),
  when({ visibleAfterMs: 60_000 }, 404, 200, add('/Name', 'A name')),
  when({ contentTypeStatus: 415 }, 415, 400, (client) => client.create({}, { contentType: 'text/plain' })),
  accepted({ contentTypeMissing: 'accepted' }, created({ contentType: null })),
  refused({ contentTypeParameters: 'refused' }, created({ contentType: 'application/json; charset=utf-8' })),
  refused({ byteOrderMark: 'refused' }, async (client) =>
    client.create(`\uFEFF${JSON.stringify(await bodyOf(client))}`),
  ),
  accepted({ lenientJson: 'accepted' }, async (client) =>
    client.create(JSON.stringify(await bodyOf(client)).replace(/\}$/, ',}')),
  ),
  when({ requestIdBeforeBody: true }, 404, 400, (client) => client.add('nobody-knows', {})),
  when({ documentsBeforeBody: true }, 404, 400, (client) => client.create({ Documents: ['x'] })),
  when({ jsonBeforeAccess: true }, 400, 401, (client) => client.create('{', nobody)),
  accepted({ typeQuery: 'optional' }, untyped),
  when({ unknownTypeStatus: 404 }, 404, 400, untyped),
  when({ createRefusedStatus: 422 }, 422, 400, stamp('/Title', undefined)),
  when({ createRefusedAs: 'code' }, '200 40000', '400 undefined', async (client) => {
    const { status, json } = (await stamp('/Title', undefined)(client)) as Reply;
    return `${status} ${json.code}`;
  }),
  when({ createUnknownDocumentStatus: 422 }, 422, 404, stamp('/Documents', ['x'])),
  when({ uploadAuthStatus: 200 }, '200 true', '401 true', async (client) => {
    const reply = await client.upload(pdf, { authorization: `Bearer ${client.reference.tokens.expired}` });
    return `${reply.status} ${reply.text.includes(message.expiredToken)}`;
  }),
  when({ createAuthStatus: 403 }, 403, 401, (client) =>
    client.json('POST', `${path.create}?type=3`, {}, { authorization: null }),
  ),
  when({ bearerCase: 'exact' }, 401, 400, (client) =>
    client.create({}, { authorization: `bearer ${client.reference.tokens.valid}` }),
  ),
  when({ challenge: 'none' }, 'none', 'Bearer', header('www-authenticate', nobody)),
  when(
    { challenge: 'error' },
    'Bearer realm="esign", error="invalid_token"',
    'Bearer',
    header('www-authenticate', nobody),
  ),
  when({ maxJsonBytes: 1000 }, 413, 200, create('/Title', 'x'.repeat(2000))),
  when({ rateLimit: 2 }, 429, 404, async (client) => {
    const all = Array.from({ length: 6 }, () => client.add('nobody-knows', signatoryBody));
    return Math.max(...(await Promise.all(all)).map(({ status }) => status));
  }),
  when({ pathCase: 'any', basePath: '/base' }, 200, 404, async (client) =>
    client.json('POST', `${path.skeleton.toUpperCase()}?type=0`, await bodyOf(client)),
  ),
  when({ answerCoding: 'gzip' }, 'gzip', 'none', header('content-encoding')),
  when({ connection: 'closed' }, 'close', 'none', header('connection')),
  when({ keyOrder: 'reversed', extraFields: true }, '{"crea', '{"requ', async (client) =>
    (await client.create(await bodyOf(client))).text.slice(0, 6),
  ),
  when({ deprecation: 'announced' }, '@1767225600', 'none', header('deprecation')),
  when({ gatewayHeaders: true }, '1.1 gateway', 'none', header('via')),
  when({ malformedIdStatus: 400 }, 400, 404, (client) => client.add('no-uuid', signatoryBody)),
];

const uploads: readonly Row[] = [
  when({ documentTokenForm: 'digits' }, 'true', 'false', hasToken(/"\d{20}"/)),
  when({ documentTokenForm: 'hex' }, 'true', 'false', hasToken(/"[0-9a-f]{24}"/)),
  when({ documentTokenForm: 'slash' }, 'true', 'false', hasToken(/"\w+\/[^"]+"/)),
  when(
    { equalDocuments: 'one-token' },
    1,
    2,
    async (client) => new Set([await client.document('x'), await client.document('x')]).size,
  ),
  refused({ encryptedPdf: 'refused' }, async (client) => client.upload((await encryptedPdf(source)).bytes)),
  refused({ uploadEncoding: 'multipart' }, (client) => client.send('POST', path.upload, new Uint8Array(pdf))),
  refused({ uploadEncoding: 'multipart' }, (client) => client.upload(pdf, {}, 'a.pdf', 'contract')),
  refused({ uploadEncoding: 'json' }, uploaded(pdf)),
  accepted({ uploadEncoding: 'json' }, (client) =>
    client.send(
      'POST',
      path.upload,
      Buffer.from(JSON.stringify({ fileName: 'a.pdf', file: pdf.toString('base64') })),
    ),
  ),
  accepted({ truncatedPdf: 'accepted' }, uploaded(pdf.subarray(0, pdf.length - 200))),
  when({ uploadMediaType: 'judged', uploadRefusedStatus: 415 }, 415, 200, async (client) =>
    client.upload((await doc(source)).bytes),
  ),
  when({ maxUploadBytes: 100 }, 413, 200, uploaded(pdf)),
  when({ documentTokenUses: 1 }, '200 404', '200 200', createdTwice),
  when({ documentTokenRequests: 1 }, '200 404', '200 200', createdTwice),
  when({ documentsVisibleAfterMs: 60_000 }, 404, 200, create('/Title', 'A title')),
];

const creations: readonly Row[] = [
  when({ skeletonStatus: 201 }, 201, 200, create('/Title', 'A title')),
  refused({ unknownFields: 'refused' }, create('/Unknown', 1)),
  refused({ unknownFields: 'refused' }, add('/OTP/Unknown', 1)),
  when({ emptyTextStatus: 422 }, 422, 400, create('/Title', '')),
  accepted({ emptyText: 'accepted' }, create('/Title', '')),
  refused({ characters: 'printable' }, create('/Title', '<b>bold</b>')),
  refused({ nullOptional: 'refused' }, create('/CallbackUrl', null)),
  when({ emptyDocumentsStatus: 404 }, 404, 400, create('/Documents', [])),
  refused({ authorTypes: 'one' }, create('/AuditDetails/AuthorType', 2)),
  refused({ auditSubfields: 'required' }, create('/AuditDetails/Device', undefined)),
  refused({ authorAddress: 'ip' }, create('/AuditDetails/AuthorIPAddress', 'here')),
  refused({ connectionElements: 'none' }, create('/Connections', [{}])),
  refused({ callbackTypesWithoutUrl: 'refused' }, create('/CallbackTypes', [1])),
  refused({ callbackTypesMissing: 'refused' }, create('/CallbackUrl', 'https://example.com/')),
  refused({ callbackUrlSchemes: 'https' }, create('/CallbackUrl', 'http://example.com/')),
  refused({ callbackUrlCheck: 'called' }, create('/CallbackUrl', 'http://127.0.0.1:9/')),
  refused({ maxTitleLength: 5 }, create('/Title', 'too long')),
  refused({ maxDocuments: 1 }, async (client) =>
    client.create(skeletonBody([await client.document('a'), await client.document('b')])),
  ),
  refused({ repeatedDocuments: 'refused' }, async (client) => {
    const token = await client.document();
    return client.create(skeletonBody([token, token]));
  }),
  accepted({ keyCase: 'any', unknownFields: 'refused' }, async (client) => {
    const fields = Object.entries(await bodyOf(client)).map(([key, value]) => [key.toUpperCase(), value]);
    return client.create(Object.fromEntries(fields));
  }),
];

const signatories: readonly Row[] = [
  when({ signatoryStatus: 202 }, 202, 200, add('/Name', 'A name')),
  when({ wrongTypeStatus: 422 }, 422, 400, add('/Order', '1')),
  accepted({ coercion: 'strings' }, add('/Order', '1')),
  when({ valueStatus: 422 }, 422, 400, add('/SignatoryType', 4)),
  refused({ otp: 'required' }, add('/OTP', undefined)),
  refused({ mobileNumberWithoutOtp: 'required' }, addOtp(false, 2)),
  refused({ mobileNumberElsewhere: 'refused' }, addOtp(true, 1, { MobileNumber: mobile })),
  refused({ mobileNumberElsewhere: 'judged' }, addOtp(true, 1, { MobileNumber: 'x' })),
  refused({ mobileNumberForm: 'e164' }, addOtp(true, 2, { MobileNumber: '+1 202 555 0123' })),
  // A number of examples, which nobody has.
  refused({ mobileNumberForm: 'e164' }, addOtp(true, 2, { MobileNumber: '+1 (555) 123-4567' })),
  accepted({ mobileNumberForm: 'digits' }, addOtp(true, 2, { MobileNumber: '0012025550123' })),
  refused({ mobileNumberCountries: 'north-america' }, addOtp(true, 2, { MobileNumber: '+4915555123456' })),
  refused({ mobileNumberCountries: 'elsewhere' }, addOtp(true, 2, { MobileNumber: mobile })),
  accepted({ accessCode: 'optional' }, addOtp(true, 3)),
  refused({ accessCodeElsewhere: 'refused' }, addOtp(true, 1, { AccessCode: 'x' })),
  accepted({ accessCodeElsewhere: 'unread' }, addOtp(true, 1, { AccessCode: { unexpected: true } })),
  accepted({ mobileNumberElsewhere: 'unread' }, addOtp(true, 1, { MobileNumber: { unexpected: true } })),
  refused({ mobileNumberForm: 'without-plus' }, addOtp(true, 2, { MobileNumber: mobile })),
  accepted({ mobileNumberForm: 'national' }, addOtp(true, 2, { MobileNumber: '2025550123' })),
  refused({ accessCodeForm: 'digits' }, addOtp(true, 3, { AccessCode: 'open sesame' })),
  refused({ accessCodeForm: 'four-digits' }, addOtp(true, 3, { AccessCode: '12345' })),
  refused({ accessCodeForm: 'password' }, addOtp(true, 3, { AccessCode: 'open sesame' })),
  refused({ accessCodeIdle: 'refused' }, addOtp(false, 3, { AccessCode: 'open sesame' })),
  refused({ accessCodeIdle: 'required' }, addOtp(false, 3)),
  refused({ accessCodeEmpty: 'refused' }, addOtp(false, 1, { AccessCode: '' })),
  accepted({ emailForm: 'any' }, add('/Email', 'nobody')),
  refused({ emailForm: 'reachable' }, add('/Email', 'somebody@example.com')),
  refused({ colorForm: 'six-digits' }, add('/Color', '#abc')),
  refused({ colorForm: 'bare' }, add('/Color', '#1A73E8')),
  refused({ colorForm: 'small' }, add('/Color', '#1A73E8')),
  accepted({ orders: 'from-zero' }, add('/Order', 0)),
  accepted({ orders: 'any' }, add('/Order', -1)),
  when({ sameEmail: 'refused' }, 409, 200, second({})),
  refused({ maxSignatories: 1 }, second({ Email: 'other@example.com' })),
  refused(
    { stampingRoleSpelling: 'lower', unknownFields: 'refused' },
    stamp('/Signatories/0/SignatoryType', 1),
  ),
  refused({ stampingOtpType: 'string' }, stamp('/Signatories/0/OTP/Type', 1)),
  refused({ stampingSignature: 'needed' }, stamp('/Signatories/0/AutoStamps/0/Type', 'text')),
  refused(
    { stampsBeyond: 'refused', stampUnit: 'percent' },
    stamp('/Signatories/0/AutoStamps/0/Offset/X_offset', 99),
  ),
  refused({ stampingFields: 'sampled' }, stamp('/Signatories/0/AutoStamps/0/Color', undefined)),
  when({ createAnswer: 'empty' }, '', '{"r', async (client) => {
    const body = stampedBody([await client.document()]);
    return (await client.json('POST', `${path.create}?type=3`, body)).text.slice(0, 3);
  }),
];

/** The service with the default of each setting. */
let usual: Reference;
test.beforeAll(async () => {
  usual = await startReference();
});
test.afterAll(() => usual.close());

const rows = [...everyCall, ...uploads, ...creations, ...signatories, ...afterwards];
for (const [at, { dialect, withIt, without, call }] of rows.entries()) {
  test(`${at}: at ${JSON.stringify(dialect)} a call comes to ${withIt}, and to ${without} elsewhere`, async () => {
    const told = async (client: ReferenceClient) => {
      const came = await call(client);
      return typeof came === 'object' ? came.status : came;
    };
    const found = [await withReference({ dialect }, told), await told(new ReferenceClient(usual))];
    expect(found).toEqual([withIt, without]);
  });
}
