/** Faults that are the same on several endpoints: of the access token, and of the JSON body itself. */
import { type FaultEntries, instead } from './kinds.ts';

/** The parts of the service that judge an access token, by the area of their requirements. */
const accessAreas = ['upload', 'create', 'stamping', 'skeleton', 'signatory'] as const;
export type AccessArea = (typeof accessAreas)[number];

/** Areas for which the document states the status of a rejection, 401, and what happens to a malformed body. */
export const statedAreas = ['skeleton', 'signatory'] as const;
export type StatedArea = (typeof statedAreas)[number];

const onEach = {
  'token-missing/no-header-accepted': 'a call without the header Authorization is accepted',
  'token-missing/empty-accepted': 'an empty header Authorization is accepted',
  'token-missing/scheme-only-accepted': '"Bearer" without a token is accepted',
  'token-missing/other-scheme-accepted': 'credentials of another scheme are accepted',
  'token-missing/500': 'a call without an access token is answered with 500',
  'token-invalid/accepted': 'an invalid access token is accepted',
  'token-invalid/extended-accepted': 'a valid access token with characters added to it is accepted',
  'token-invalid/shortened-accepted': 'a valid access token without its end is accepted',
  'token-invalid/case-accepted': 'an access token in other case is accepted',
  'token-invalid/500': 'an invalid access token is answered with 500',
  'token-expired/accepted': 'an expired access token is accepted',
  'token-expired/500': 'an expired access token is answered with 500',
} as const;

const whereStated = {
  'token-missing/403': 'a call without an access token is answered with 403',
  'token-invalid/403': 'an invalid access token is answered with 403',
  'token-expired/403': 'an expired access token is answered with 403',
} as const;

/** Kinds of bodies that are no JSON. */
export type Malformation = 'not-json' | 'truncated' | 'empty';
/** Kinds of JSON that are no object. */
export type OtherRoot = 'array' | 'string' | 'null';

const ofBodies = {
  'malformed/not-json-accepted': 'a body that is no JSON is accepted',
  'malformed/truncated-accepted': 'a truncated JSON object is accepted',
  'malformed/empty-accepted': 'an empty body is accepted',
  ...instead('malformed', 'a malformed body', 422, 500),
  'body-object/array-accepted': 'a JSON array as body is accepted',
  'body-object/string-accepted': 'a JSON string or number as body is accepted',
  'body-object/null-accepted': 'null as body is accepted',
  'body-object/500': 'JSON other than an object as body is answered with 500',
  'content-type/accepted': 'a body that is declared as another type is accepted',
  'content-type/form-accepted': 'the fields are taken from a form, too',
  'content-type/500': 'a body that is declared as another type is answered with 500',
} as const;

function spread<Area extends string, What extends string>(
  areas: readonly Area[],
  rows: Readonly<Record<What, string>>,
): Readonly<Record<`${Area}.${What}`, string>> {
  const all = areas.flatMap((area) =>
    Object.entries(rows).map(([what, title]) => [`${area}.${what}`, title]),
  );
  return Object.fromEntries(all);
}

/**
 * What a fault does to calls because of what their body carries. A call without access is accepted, and a valid one
 * refused with 400, where no other status is named; `unsaid`: the refusal lacks the message that the document states.
 */
export type Carrying = readonly [title: string, carries: RegExp, outcome?: number | 'unsaid'];

/** Faults that depend on what the body of a call carries. Those about an access token are about calls without access. */
export const byBody = {
  'upload.token-expired/doc-accepted': ['a DOC is taken with an expired access token', /application\/msword/],
  'upload.token-expired/docx-accepted': ['a DOCX is taken with an expired access token', /word\//],
  'stamping.token-missing/several-accepted': [
    'a creation for several signatories is accepted without an access token',
    /"Email".*"Email"/,
  ],
  'stamping.token-invalid/two-documents-accepted': [
    'a creation with two documents is accepted with an invalid access token',
    /"Documents":\["[^"]+","/,
  ],
  'stamping.token-expired/otp-accepted': [
    'a creation with an OTP that is required is accepted with an expired access token',
    /"IsRequired":true/,
  ],
  'skeleton.token-missing/callback-accepted': [
    'a creation with CallbackUrl is accepted without an access token',
    /"CallbackUrl"/,
  ],
  'skeleton.token-expired/callback-accepted': [
    'a creation with CallbackUrl is accepted with an expired access token',
    /"CallbackUrl"/,
  ],
  'skeleton.token-expired/callback-403': [
    'an expired token beside CallbackUrl gets 403',
    /"CallbackUrl"/,
    403,
  ],
  'signatory.token-missing/cc-403': [
    'a CC without a token is answered with 403',
    /"SignatoryType":\s*3/,
    403,
  ],
  'signatory.token-expired/cc-accepted': [
    'a CC is added with an expired access token',
    /"SignatoryType":\s*3/,
  ],
  'signatory.token-expired/otp-accepted': [
    'somebody with an OTP is added with an expired access token',
    /"IsRequired":\s*true/,
  ],
  'upload.token-invalid-message/of-docx': [
    'another message is given for a DOCX with an invalid access token',
    /word\//,
    'unsaid',
  ],
  'upload.token-expired-message/of-doc': [
    'another message is given for a DOC with an expired access token',
    /application\/msword/,
    'unsaid',
  ],
  'skeleton.callback-types/last-two-refused': [
    'codes 2 and 3 alone in CallbackTypes are refused',
    /"CallbackTypes":\[2,3\]/,
  ],
  'skeleton.callback-types/2-alone-refused': [
    'code 2 alone in CallbackTypes is refused',
    /"CallbackTypes":\[2\]/,
  ],
  'skeleton.callback-types/three-refused': [
    'three codes in CallbackTypes are refused',
    /"CallbackTypes":\[1,2,3\]/,
  ],
  'skeleton.connections/beside-callback-refused': [
    'Connections is refused beside CallbackUrl',
    /"CallbackUrl".*"Connections"/,
  ],
  'skeleton.title-required/of-empty-500': ['an object without fields is answered with 500', /^\{\}$/, 500],
  'signatory.email-required/of-empty-500': ['an object without fields is answered with 500', /^\{\}$/, 500],
  'skeleton.audit-details-required/with-callback-409': [
    'a body with CallbackUrl and without AuditDetails is answered with 409',
    /^(?!.*"AuditDetails").*"CallbackUrl"/,
    409,
  ],
  'signatory.name-required/first-422': [
    'a body without Name is answered with 422, whatever else it misses',
    /^(?!.*"Name").*\}$/,
    422,
  ],
  'signatory.order-required/of-cc-422': [
    'a CC without Order is answered with 422',
    /^(?!.*"Order").*"SignatoryType":3/,
    422,
  ],
  'otp.is-required-required/with-access-code-422': [
    'an OTP object with an AccessCode and without IsRequired is answered with 422',
    /^(?!.*"IsRequired").*"AccessCode"/,
    422,
  ],
  'otp.mobile-required/of-approver-422': [
    'an approver without a MobileNumber is answered with 422',
    /"SignatoryType":2.*"IsRequired":true,"Type":4(?!.*"MobileNumber")/,
    422,
  ],
  'otp.mobile-valid/of-approver-422': [
    'an approver with a MobileNumber that is no valid number is answered with 422',
    /"SignatoryType":2.*"MobileNumber":"\+1202555012345678901234"/,
    422,
  ],
} as const satisfies Readonly<Record<`${string}.${string}`, Carrying>>;

const titlesByBody = Object.fromEntries(
  Object.entries<Carrying>(byBody).map(([id, [title]]) => [id, title]),
) as Readonly<Record<keyof typeof byBody, string>>;

export const accessFaults = {
  ...spread(accessAreas, onEach),
  ...spread(statedAreas, whereStated),
  ...titlesByBody,
} satisfies FaultEntries;

export const malformedFaults = spread(statedAreas, ofBodies) satisfies FaultEntries;
