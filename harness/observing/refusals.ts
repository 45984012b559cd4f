/** Refused calls: with which status, in what shape, and where the stated messages stand. */
import type { GapId } from '../../openapi/gaps/register.ts';
import { placesOfText } from '../untrusted/places-of-text.ts';
import { leaves } from '../untrusted/pointer.ts';
import { shapeOf } from './answers.ts';
import { type Answered, eachOf, jsonOf, type Observer, ofChecks, refused, stable } from './seen.ts';

/** Status of each call that was rejected for its token on endpoints 1, 2 and 3. */
export const rejectionStatuses = eachOf(
  ofChecks(/^(upload|create|stamping)\.token-(missing|invalid|expired)/),
  ({ operation, check = '', response: { status } }) => {
    const [, which = ''] = /token-([a-z]+)/.exec(check) ?? [];
    if (operation === 'uploadDocument') return [['upload.error-status', `token ${which}`, status]];
    return [['auth.rejection-status', `${operation}, token ${which}`, status]];
  },
);

/** What an upload without any access token is answered: the message of such an upload is not in the table. */
export const messageWithoutToken: Observer = (seen) =>
  ofChecks(/^upload\.token-missing$/)(seen)
    .filter(({ response: { status } }) => status >= 400)
    .slice(0, 1)
    .map(({ index, response: { body } }) => ({
      gap: 'upload.token-missing-message',
      key: 'text',
      value: body?.text ?? '',
      stability: 'volatile',
      exchanges: [index],
    }));

/** Requirements about the types of optional fields. */
const optionalTypes =
  /^(skeleton\.(callback-|completed-|connections-|author-|device-)|signatory\.(private-|color-)|otp\.(object-|access-|mobile-number-)).*type$/;

/** Gaps about the status of a refusal, by the check that earns it. */
const byCheck: readonly (readonly [RegExp, GapId, (exchange: Answered) => string])[] = [
  [/^upload\.other-formats$/, 'upload.other-format-status', ({ row = '' }) => row],
  [/\.content-type$/, 'errors.content-type-status', ({ operation }) => operation],
  [
    /^(signatory\.role-values|otp\.type-values|stamping\.stamp-type-values)$/,
    'errors.enumeration-status',
    ({ row = '' }) => row,
  ],
  [/^skeleton\.documents-not-empty$/, 'errors.empty-documents-status', ({ operation }) => operation],
  [optionalTypes, 'errors.wrong-type-optional', ({ row = '' }) => row],
  [/^(skeleton|signatory|otp)\..*-type$/, 'errors.wrong-type-status', ({ operation }) => operation],
];

/** What is answered to mistakes whose refusal is stated and whose status is not. */
export const refusalStatuses = eachOf(ofChecks(/./), (exchange) => {
  const { check = '' } = exchange;
  const isOptional = optionalTypes.test(check) || check.endsWith('content-type');
  return byCheck.flatMap(([pattern, gap, keyOf]) =>
    pattern.test(check) && !(gap === 'errors.wrong-type-status' && isOptional)
      ? [[gap, keyOf(exchange), outcomeOf(exchange)] as const]
      : [],
  );
});

function outcomeOf({ response: { status } }: Answered): string {
  return `${status < 300 ? 'accepted' : 'refused'} (${status})`;
}

/** Media type and fields of refusals, by operation and status; and the field that carries a code for programs. */
export const errorShapes: Observer = (seen) => {
  const all = refused(seen);
  const shapes = eachOf(refused, (exchange) => [
    ['errors.body-shape', `${exchange.operation} ${exchange.response.status}`, shapeOf(exchange)],
  ]);
  const sight = (value: string, exchange: number) => ({
    gap: 'errors.body-shape' as const,
    key: 'fields with a code for programs',
    value,
    exchange,
  });
  const codes = all.flatMap((each) => codesIn(jsonOf(each)).map((place) => sight(place, each.index)));
  const none = all.slice(0, 1).map(({ index }) => sight('none', index));
  return [...shapes(seen), ...stable(codes.length > 0 ? codes : none)];
};

/** Pointers of fields that are named like an error code and hold one word or a number; list positions as `*`. */
function codesIn(body: unknown): string[] {
  if (body === null || typeof body !== 'object') return [];
  return leaves(body)
    .filter(
      ({ pointer, value }) =>
        /(^|[a-z_-])(code|errno|number)$|^error_?(type|id)$|^(type|error|errors)$/i.test(
          pointer
            .replace(/(\/\d+)+$/, '')
            .split('/')
            .at(-1) ?? '',
        ) &&
        /^[\w.:/#-]+$/.test(String(value)) &&
        // Says of problem details that there is no type (RFC 9457, 4.2.1).
        value !== 'about:blank',
    )
    .map(({ pointer }) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'));
}

/** The stated messages, by the checks whose refusals carry them. */
const messages: readonly (readonly [RegExp, string])[] = [
  [/^(skeleton|signatory)\..*(required|malformed|bad-request-message)$/, 'Bad Request'],
  [/^(skeleton|signatory)\.(token-(missing|invalid|expired)|unauthorized-message)$/, 'Unauthorized'],
  [/^skeleton\.unknown-document/, 'Document Token Not Found'],
  [/^signatory\.unknown-request/, 'Request ID not found'],
  [/^upload\.token-invalid/, 'Invalid access token'],
  [/^upload\.token-expired/, 'Access token is expired'],
];

/** Where the stated messages are found. */
export const messagePlaces = eachOf(ofChecks(/./), ({ check = '', response }) => {
  const { status, headers, reason, body } = response;
  if (status < 400) return [];
  return messages
    .filter(([pattern]) => pattern.test(check))
    .flatMap(([, message]) => {
      const places = placesOfText(message, { text: body?.text ?? '', headers, reason });
      return places.map((place) => ['errors.message-place', message, place] as const);
    });
});

/** Statuses with which creations of types 1 to 3 were refused. */
export const creationErrors = eachOf(refused, ({ operation, response: { status } }) =>
  operation === 'createRequest' || operation === 'createStampedRequest'
    ? [['errors.create', `${operation}, statuses`, status]]
    : [],
);

/** Parameters of WWW-Authenticate of answers with 401. */
export const challenges = eachOf(refused, ({ operation, response: { status, headers } }) => {
  const fields = headers.filter(([name]) => name.toLowerCase() === 'www-authenticate');
  const told = fields.map(([, value]) => namesIn(value)).join(', ');
  return status === 401
    ? [['auth.challenge', operation, fields.length === 0 ? 'no WWW-Authenticate' : told]]
    : [];
});

/** `Bearer realm, error="invalid_token"`: what is named, and the value of `error`, which is one of a few. */
function namesIn(challenge: string): string {
  const [scheme = '', rest = ''] = challenge.trim().split(/\s+(.*)/s);
  const names = [...rest.matchAll(/(?<![\w-])([\w-]+)\s*=\s*("[^"]*"|[^\s,]+)/g)].map(
    ([, name = '', value = '']) =>
      name.toLowerCase() === 'error' ? `error=${value.replaceAll('"', '')}` : name,
  );
  return [scheme, names.join(' ')].filter(Boolean).join(' ');
}
