/** Validates a profile against its schema, and for rules that a schema cannot express. */
import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { valueAt } from '../../openapi/json-pointer.ts';
import { areas, catalogue, checked, isRequirementId } from '../../openapi/requirements/catalogue.ts';
import { ConfigurationError } from '../../record/errors.ts';
import { readOwnText } from '../../record/own-files.ts';
import { didYouMean, type Explained, explain, keyOf } from '../../record/schema-errors.ts';
import { base64Bytes } from '../untrusted/payload/base64.ts';
import { textsIn } from '../untrusted/payload/tree.ts';
import { foreignAddresses } from './addresses.ts';
import type { AuthOf, AuthSettings } from './auth-settings.ts';
import { literalSecrets } from './literal-secrets.ts';
import { type CallTemplate, isPattern, patternProblem } from './parts.ts';
import { type Profile, ProfileSchema } from './schema.ts';
import { isProduction } from './smoke.ts';
import { unknownVariables } from './variables.ts';

/**
 * The profile, once it is valid.
 * @param written the profile before its `${ENV}` references were filled in, for messages
 * @param file the name of the file in messages
 * @param unset what is said of references that could not be filled in; then only mistakes beside them are told
 * @throws ConfigurationError with a line for each mistake
 */
export function validProfile(
  filled: unknown,
  written: unknown,
  file: string,
  unset?: readonly string[],
): Profile {
  const check = profileCheck();
  const isComplete = check(filled) && unset === undefined;
  const wrong = isComplete
    ? [...meaningless(filled), ...wrongKey(filled)]
    : explained(check.errors, written, unset !== undefined);
  const problems = [...(unset ?? []), ...literalSecrets(written), ...wrong, ...unknownVariables(written)];
  if (problems.length === 0) return filled as Profile;
  throw new ConfigurationError(problems.map((line) => `${file}: ${line}`).join('\n'));
}

/** The profile of a recording, with invented secrets. @throws ConfigurationError with a line for each mistake */
export function profileByItsSchema(value: unknown, place: string): Profile {
  const check = profileCheck();
  const wrong = check(value) ? meaningless(value) : explained(check.errors, value);
  if (wrong.length === 0) return value as Profile;
  throw new ConfigurationError(wrong.map((line) => `${place}: ${line}`).join('\n'));
}

/** @param besides tells nothing of values that refer to the environment */
function explained(
  errors: readonly ErrorObject[] | null | undefined,
  written: unknown,
  besides = false,
): string[] {
  const isReference = (pointer: string) => String(valueAt(written, pointer)).includes('${');
  return explain(errors ?? [], written, ofProfile).flatMap(({ pointer, sentence }) =>
    besides && isReference(pointer) ? [] : [sentence],
  );
}

/** A sentence for mistakes in a place, a pattern, or the calls that give an access token, of which the schema says too little. */
function ofProfile({ keyword, key, value, params, data, parentSchema }: Explained): string | undefined {
  const known = Object.keys(parentSchema?.properties ?? {});
  if (keyword === 'oneGroup') return `${key} ${value} ${patternProblem(String(data))}`;
  if (keyword === 'format' && params.format === 'regex')
    return `${key} ${value} is no regular expression of JavaScript with the flag u: is a bracket left open, or a backslash before a character that needs none?`;
  if (keyword === 'additionalProperties') {
    if (params.additionalProperty !== 'encoding' || !known.includes('body')) return undefined;
    return `${key}.encoding is unknown; a body that is a text is sent as it stands, with the Content-Type of headers: a form as "a={x}&b=1"`;
  }
  if (parentSchema?.title !== 'place') return undefined;
  return keyword === 'not'
    ? `${key} names several places; keep one, or one and a pattern`
    : `${key} ${value} is no place; write a JSON Pointer such as /data/id, "text" for the whole body, or a mapping with one of ${known.join(', ')}`;
}

let compiled: ValidateFunction<Profile> | undefined;

/**
 * Compiled when the first profile is read, before the first call. The code is not optimised, which halves the time: a
 * run reads only a few profiles, so compiling better would take longer than it saves.
 */
function profileCheck(): ValidateFunction<Profile> {
  if (compiled) return compiled;
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
    inlineRefs: false,
  });
  ajvFormats.default(ajv);
  const validate = (_: true, pattern: string) => patternProblem(pattern) === undefined;
  ajv.addFormat('regex', isPattern);
  ajv.addKeyword({ keyword: 'oneGroup', type: 'string', validate });
  compiled = ajv.compile<Profile>(ProfileSchema);
  return compiled;
}

/** The CA certificate that the profile names. @param folder from which a relative path starts */
export function readCa(path: string, folder: string, file: string): string {
  const place = resolve(folder, path);
  try {
    const pem = readOwnText('certificate', place, 'by-us');
    // Throws when the text is no certificate: TLS would silently ignore it.
    if (new X509Certificate(pem).fingerprint256) return pem;
    throw new Error('it has no fingerprint');
  } catch (error) {
    if (error instanceof ConfigurationError)
      throw new ConfigurationError(`${file}: address.ca "${path}" is no certificate: ${error.message}`);
    const why = `is no certificate in PEM: ${(error as Error).message}`;
    throw new ConfigurationError(`${file}: address.ca "${path}" ${why}`);
  }
}

function uploadBodyProblems({ encoding, body }: NonNullable<Profile['upload']> = {}): string[] {
  if (body === undefined) return [];
  if (encoding !== 'json') return ['upload.body is for JSON: it needs upload.encoding: json'];
  return textsIn(body).some(({ text }) => text.includes('{file}'))
    ? []
    : ['upload.body has no {file}, which stands for the file in base64'];
}

/** Mistakes in values that have the right form but make no sense. */
function meaningless(profile: Profile): string[] {
  return [
    ...wrongUrl('address.baseUrl', profile.address.baseUrl),
    ...(profile.address.query?.type === undefined
      ? []
      : ['address.query.type stands in the interface document; checks have to set it']),
    ...noUrl('callbacks.publicUrl', profile.callbacks?.publicUrl, 'https://hooks.example.com/esign'),
    ...authProblems(profile.auth),
    ...Object.entries(profile.calls ?? {}).flatMap(([name, { url }]) =>
      url.startsWith('{') ? [] : wrongPlace(`calls.${name}.url`, url),
    ),
    ...lackingSettings(profile),
    ...notDeleting(profile),
    ...exchanged(profile),
    ...strangers(profile),
    ...(isProduction(profile) && (profile.upload?.encoding ?? 'auto') === 'auto'
      ? [
          'upload.encoding is missing: with environment "production" nothing is tried out; use multipart, raw or json',
        ]
      : []),
    ...uploadBodyProblems(profile.upload),
    ...Object.keys(profile.create?.fields ?? {})
      .filter((field) => documented.has(field))
      .map((field) => `create.fields.${field} is a field of the interface document; checks have to set it`),
    ...(profile.create?.formFields && !profile.create.field
      ? ['create.formFields stands beside the JSON of a multipart body: create.field names its field']
      : []),
    ...Object.keys(profile.notApplicable ?? {}).flatMap((name) =>
      nobodys(`notApplicable.${name}`, name, 'all of them: esign-conformance list'),
    ),
    ...(profile.mustRun ?? []).flatMap((name) =>
      nobodys(`mustRun "${name}"`, name, `areas: ${areas.join(', ')}`),
    ),
    ...(profile.mustRun ?? [])
      .filter((name) => isRequirementId(name) && !checked.some(({ id }) => id === name))
      .map((name) => `mustRun "${name}" has no check that could run (esign-conformance list says why)`),
  ];
}

/** One call cannot delete a request and do something else as well: it was copied, and the request would still be there. */
function notDeleting({ calls = {} }: Profile): string[] {
  const { deleteRequest, ...others } = calls;
  return Object.entries(others)
    .filter(([, other]) => deleteRequest && isDeepStrictEqual(sentBy(other), sentBy(deleteRequest)))
    .map(([name]) => `calls.deleteRequest is the same call as calls.${name}; name the one that deletes`);
}

/** A GET only reads (RFC 9110, section 9.2.1): by it people look, and act by the other call; unless its answer tells that they acted. */
function exchanged({ calls = {} }: Profile): string[] {
  const { method = 'GET' } = calls.view ?? {};
  return (['sign', 'approve', 'complete'] as const)
    .filter((act) => method !== 'GET' && calls[act]?.method === 'GET' && !calls[act]?.result)
    .map(
      (act) =>
        `calls.view is a ${method} and calls.${act} a GET: is each the call of the other? If not, let calls.${act}.result find what says that it was done`,
    );
}

/** What a call sends, in which it differs from calls with another effect. */
const sentBy = ({ method, url, headers, body }: CallTemplate) => ({ method, url, headers, body });

/** A key for signatures that is not encoded as the profile says; the message shows nothing of the key. */
function wrongKey({ callbacks }: Profile): string[] {
  const { authenticity } = callbacks ?? {};
  if (authenticity?.kind !== 'hmac' && authenticity?.kind !== 'standard-webhooks') return [];
  const { secret } = authenticity;
  const encoding = authenticity.kind === 'hmac' ? authenticity.secretEncoding : 'base64';
  // Node reads digits up to the first character that is none: anybody knows a key without bytes.
  const isRight = {
    utf8: true,
    hex: /^(?:[\da-f]{2})+$/i.test(secret),
    base64: (base64Bytes(secret.replace(/^whsec_/, ''))?.length ?? 0) > 0,
  }[encoding ?? 'utf8'];
  if (isRight) return [];
  const key = authenticity.kind === 'hmac' ? ' (callbacks.authenticity.secretEncoding)' : '';
  return [
    `callbacks.authenticity.secret is no ${encoding}${key}: it holds another character, or part of it is missing`,
  ];
}

/** E-mail addresses in bodies that belong to somebody whom the profile does not name as its people. */
function strangers(profile: Profile): string[] {
  const { create: { requestId: _, signatoryId: __, ...create } = {}, calls = {} } = profile;
  const sent = Object.entries(calls).map(([name, { body }]) => [name, { body }]);
  const bodies = { create, calls: Object.fromEntries(sent) };
  return foreignAddresses(bodies, profile).map(
    ({ pointer }) =>
      `${keyOf(pointer)} is an address outside of the domains that may be written to; write {email}, or an address at the domain of people.email or at a reserved one such as example.com`,
  );
}

/** Fields of the bodies of types 1 to 3 that the interface document shows. */
const documented = new Set(['Title', 'Message', 'Documents', 'Signatories']);

const ids = catalogue.map(({ id }) => id as string);

/** A line where a name is neither an area nor a requirement. */
function nobodys(key: string, name: string, where: string): string[] {
  if (isRequirementId(name) || areas.includes(name)) return [];
  return [`${key} is no area and no requirement${didYouMean(name, [...areas, ...ids])} (${where})`];
}

/** A line where the URL of a call is no URL. */
function wrongPlace(key: string, url: string): string[] {
  if (/^(\/|https?:\/\/)/.test(url)) return [];
  return [`${key} "${url}" is no URL; begin it with / (below the base URL) or https://`];
}

function noUrl(key: string, value = '', example = 'https://sandbox.example.com'): string[] {
  return value === '' || URL.canParse(value)
    ? []
    : [`${key} "${value}" is no URL; write for example ${example}`];
}

function wrongUrl(key: string, value: string): string[] {
  if (!URL.canParse(value)) return noUrl(key, value);
  const url = new URL(value);
  if (url.username || url.password) return [`${key} carries a user name; credentials belong under auth`];
  if (key === 'address.baseUrl' && (url.search || url.hash))
    return [`${key} "${value}" carries a query or a fragment; put query parameters under address.query`];
  return [];
}

function authProblems(auth: AuthSettings): string[] {
  const urls = (['tokenEndpoint', 'authorizationEndpoint'] as const).flatMap((key) => {
    const value = (auth as Partial<Record<typeof key, string>>)[key];
    return value === undefined || value.startsWith('/') ? [] : wrongUrl(`auth.${key}`, value);
  });
  return [
    ...urls,
    ...(auth.kind === 'static' && auth.token === auth.expiredToken
      ? [
          'auth.expiredToken is the same as auth.token, which has not expired; leave it out, or give one that has',
        ]
      : []),
    ...('call' in auth && auth.call ? wrongPlace('auth.call.url', auth.call.url) : []),
    ...(auth.kind === 'refresh-token' || auth.kind === 'client-credentials' ? incomplete(auth) : []),
  ];
}

function incomplete({
  call,
  tokenEndpoint,
  clientId,
  clientSecret,
}: AuthOf<'refresh-token' | 'client-credentials'>): string[] {
  if (clientSecret !== undefined && clientId === undefined && !call)
    return [
      'auth.clientSecret belongs to a client: add auth.clientId, or leave the secret out where the refresh token is enough',
    ];
  if (!call && tokenEndpoint === undefined)
    return ['auth.tokenEndpoint is missing (or auth.call, where a call of your own gives the token)'];
  return call && tokenEndpoint !== undefined
    ? ['auth has tokenEndpoint and call; keep the one by which the token is to be had']
    : [];
}

/** The lacking keys with the fix, without the name of the file; empty when nothing is lacking. */
export function lackingSettings({ signing, calls = {} }: Pick<Profile, 'signing' | 'calls'>): string[] {
  const lacks = {
    http:
      !(calls.sign || calls.complete) && 'calls.sign (or calls.complete), the call by which a person signs',
    browser: !signing?.page && 'signing.page, the selectors of the signing page',
    module: !signing?.module && 'signing.module, the path of a file relative to the profile',
    manual: false,
  };
  const lack = signing && lacks[signing.driver];
  return [
    ...(lack ? [`signing.driver "${signing.driver}" needs ${lack}`] : []),
    // Without the delay, every request would count as sent at once, and hardly any could get a second person.
    ...(signing?.send === 'delay' && signing.delayMs === undefined
      ? ['signing.send "delay" needs signing.delayMs, how long after its last signatory a request is sent']
      : []),
  ];
}
