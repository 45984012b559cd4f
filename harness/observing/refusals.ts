/** Observations of refused calls: their status, their shape, and where the stated messages stand. */
import { message } from '../../openapi/codes.ts';
import { isRequirementId, requirement } from '../../openapi/requirements/catalogue.ts';
import type { OperationId, StatusGap } from '../../openapi/requirements/requirement.ts';
import { waysWithoutAccess } from '../judging/access-ways.ts';
import { leaves } from '../untrusted/payload/tree.ts';
import { placesOfText } from '../untrusted/places-of-text.ts';
import {
  type AnsweredCall,
  answered,
  eachOf,
  jsonOf,
  judged,
  type Observer,
  refused,
  shapeOf,
  stable,
  volatile,
} from './seen.ts';

type KeyAndValue = readonly [key: string, value: string | number];

const byRow = (exchange: AnsweredCall): KeyAndValue => [exchange.row ?? '', outcomeOf(exchange)];
const byOperation = (exchange: AnsweredCall): KeyAndValue => [exchange.operation, outcomeOf(exchange)];

/** Key and value for a refusal whose status is not stated, by its gap. */
const toldByGap: Readonly<Record<StatusGap, (exchange: AnsweredCall) => KeyAndValue>> = {
  'upload.error-status': (exchange) => [`token ${lackIn(exchange)}`, exchange.response.status],
  'auth.rejection-status': (exchange) => [
    `${exchange.operation}, token ${lackIn(exchange)}`,
    exchange.response.status,
  ],
  'upload.other-format-status': byRow,
  'errors.enumeration-status': byRow,
  'errors.wrong-type-optional': byRow,
  'errors.wrong-type-status': byOperation,
  'errors.content-type-status': byOperation,
  'errors.empty-documents-status': byOperation,
};

/** The statuses of refusals that are stated without a status. */
export const refusalStatuses = eachOf(judged, (exchange) => {
  const gap = statusGapOf(exchange);
  return gap ? [[gap, ...toldByGap[gap](exchange)]] : [];
});

function statusGapOf({ check }: AnsweredCall): StatusGap | undefined {
  return check !== undefined && isRequirementId(check) ? requirement(check).statusGap : undefined;
}

function outcomeOf({ response: { status } }: AnsweredCall): string {
  return `${status < 300 ? 'accepted' : 'refused'} (${status})`;
}

/** What was wrong with the access token of a call, by the name of the requirement. */
function lackIn({ check = '' }: AnsweredCall) {
  return waysWithoutAccess.find(({ is }) => check.includes(`token-${is}`))?.is;
}

/** The answer to an upload without an access token, for which the document has no message. */
export const messageWithoutToken: Observer = (seen) =>
  judged(seen)
    .filter((each) => statusGapOf(each) === 'upload.error-status' && lackIn(each) === 'missing')
    .filter(({ response: { status } }) => status >= 400)
    .slice(0, 1)
    .map((each) => volatile('upload.token-missing-message', 'text', each.response.body?.text ?? '', each));

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
        // The value for problem details without a type (RFC 9457, 4.2.1).
        value !== 'about:blank',
    )
    .map(({ pointer }) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'));
}

const always = { 400: 'Bad Request', 401: 'Unauthorized' };

/** The messages of endpoints 4 and 5, by status. */
const messages: Partial<Record<OperationId, Readonly<Record<number, string>>>> = {
  createSkeletonRequest: { ...always, 404: message.documentNotFound },
  addSignatory: { ...always, 404: message.requestNotFound },
};

/** Where the stated messages are found. */
export const messagePlaces = eachOf(answered, (exchange) => {
  const { operation, response } = exchange;
  const { status, headers, reason, body } = response;
  const ofUploads = { missing: undefined, invalid: message.invalidToken, expired: message.expiredToken };
  const lack = operation === 'uploadDocument' && status >= 400 ? lackIn(exchange) : undefined;
  const stated = lack ? ofUploads[lack] : messages[operation]?.[status];
  if (stated === undefined) return [];
  const places = placesOfText(stated, { text: body?.text ?? '', headers, reason });
  return places.map((place) => ['errors.message-place', stated, place] as const);
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

/** A challenge in short, such as `Bearer realm, error=invalid_token`: the names of its parameters, and the value of `error`. */
function namesIn(challenge: string): string {
  const [scheme = '', rest = ''] = challenge.trim().split(/\s+(.*)/s);
  const names = [...rest.matchAll(/(?<![\w-])([\w-]+)\s*=\s*("[^"]*"|[^\s,]+)/g)].map(
    ([, name = '', value = '']) =>
      name.toLowerCase() === 'error' ? `error=${value.replaceAll('"', '')}` : name,
  );
  return [scheme, names.join(' ')].filter(Boolean).join(' ');
}
