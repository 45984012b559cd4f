/** Accepted calls: with which status and media type they are answered, and what their answers hold. */
import { operation as contractOperation } from '../../openapi/contract.ts';
import { fieldsOf } from '../../openapi/fields.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import type { Observation } from '../../openapi/observation.ts';
import type { OperationId } from '../../openapi/requirements/requirement.ts';
import { headerOf } from '../../record/exchange.ts';
import {
  type Answered,
  accepted,
  answered,
  isJson,
  jsonOf,
  mediaTypeOf,
  type Observer,
  type SeenRun,
  type Sighting,
  stable,
} from './seen.ts';

const statusGaps: Partial<Record<OperationId, GapId>> = {
  uploadDocument: 'upload.success-status',
  createSkeletonRequest: 'skeleton.success-status',
  addSignatory: 'signatory.success-status',
};

/** The 2xx statuses of endpoints 1, 4 and 5. */
export const successStatuses: Observer = (seen) =>
  stable(
    accepted(seen).flatMap(({ operation, response, index }) => {
      const gap = statusGaps[operation];
      return gap ? [{ gap, key: 'status', value: response.status, exchange: index }] : [];
    }),
  );

/** The Content-Type of answers that are JSON, with its parameters. */
export const mediaTypes: Observer = (seen) =>
  stable(
    answered(seen).flatMap((exchange) => {
      if (jsonOf(exchange) === undefined) return [];
      const said = exchange.response.status < 300 ? 'accepted' : 'refused';
      const value = headerOf(exchange.response.headers, 'content-type') ?? 'none';
      const key = `${exchange.operation}, ${said}`;
      return [{ gap: 'service.answer-media-type' as const, key, value, exchange: exchange.index }];
    }),
  );

/** Operations whose answer the document shows in part. */
const shown: readonly OperationId[] = ['createSkeletonRequest', 'addSignatory'];

/** Fields that answers of endpoints 4 and 5 carry beyond those that the document shows. */
export const answerFields: Observer = (seen) =>
  shown.flatMap((operation): Observation[] => {
    const group = accepted(seen).filter((each) => each.operation === operation);
    const [first] = group;
    if (!first) return [];
    const known = documented(operation);
    const extra = fieldsOf(group.map(jsonOf).filter((body) => body !== undefined)).filter(
      (line) => !known.some((name) => line.startsWith(`/${name}:`) || line.startsWith(`/${name}?:`)),
    );
    return [
      {
        gap: 'service.answer-fields',
        key: operation,
        value: extra.length > 0 ? extra : 'no others',
        stability: 'stable',
        exchanges: [first.index],
      },
    ];
  });

/** The top-level fields of an answer that the contract shows. */
function documented(operation: OperationId): readonly string[] {
  const responses = contractOperation(operation).object.responses as Readonly<
    Record<string, { content?: Record<string, { schema?: { properties?: object } }> }>
  >;
  return Object.keys(responses['2XX']?.content?.['application/json']?.schema?.properties ?? {});
}

/** What creations of types 1 to 3 and uploads are answered with: media type and fields at the top. */
export const answerShapes: Observer = (seen) =>
  stable(
    accepted(seen).flatMap((exchange): Sighting[] => {
      const { index, operation } = exchange;
      const value = shapeOf(exchange);
      if (operation === 'uploadDocument') {
        return [{ gap: 'upload.token-place', key: 'answer', value, exchange: index }];
      }
      if (operation === 'createStampedRequest') {
        return [{ gap: 'stamping.response-body', key: 'answer', value, exchange: index }];
      }
      if (operation !== 'createRequest') return [];
      const key = `type ${typeOf(exchange)}`;
      return [{ gap: 'create.response-body', key, value, exchange: index }];
    }),
  );

/** Whether both paths of type 3 answer in the same way. */
export const twoPaths: Observer = (seen) => {
  const shared = accepted(seen).filter(({ purpose }) => purpose === 'shared');
  const own = shared.find(({ operation }) => operation === 'createStampedRequest');
  const unversioned = shared.find((each) => each.operation === 'createRequest' && typeOf(each) === '3');
  if (!own || !unversioned) return [];
  const tell = (each: Answered) => `${each.response.status} ${shapeOf(each)}`;
  const value = tell(own) === tell(unversioned) ? 'alike' : 'differently';
  const exchanges = [own.index, unversioned.index];
  return [{ gap: 'create.two-paths', key: 'the two paths answer', value, stability: 'stable', exchanges }];
};

/** In which encoding creations of types 1 to 3 were accepted. */
export const creationEncoding: Observer = (seen) =>
  stable(
    accepted(seen)
      .filter(({ operation }) => operation === 'createRequest')
      .map((exchange) => ({
        gap: 'create.encoding' as const,
        key: `type ${typeOf(exchange)}`,
        value: (headerOf(exchange.request.headers, 'content-type') ?? 'none').split(';', 1)[0] ?? '',
        exchange: exchange.index,
      })),
  );

/** Spellings of a type 3 body that were accepted as the sample of the document has them. */
export const stampedSpelling: Observer = (seen) => {
  const bodies = accepted(seen).filter(({ operation }) => operation === 'createStampedRequest');
  const having = (text: string) => bodies.find(({ request }) => request.body?.text?.includes(text));
  const rows = [
    ['stamping.role-spelling', 'signatoryType, as in the sample', '"signatoryType":'],
    ['stamping.otp-type', 'OTP.Type as a string, as in the sample', '"Type":"1"'],
  ] as const;
  return stable(
    rows.flatMap(([gap, key, text]) => {
      const found = having(text);
      if (!found) return [];
      return [{ gap, key, value: `accepted (${found.response.status})`, exchange: found.index }];
    }),
  );
};

/** What the calls of the profile are answered with, which stand for operations that the document does not show. */
export const otherOperations: Observer = ({ exchanges }: SeenRun) => {
  const gaps: Readonly<Record<string, GapId>> = {
    send: 'operations.send',
    stamps: 'operations.stamps',
    status: 'operations.track',
    deleteRequest: 'operations.delete',
    completedDocuments: 'operations.completed-documents',
    invalidateDocument: 'upload.token-validity',
  };
  return stable(
    exchanges.flatMap(({ template, response, index }) => {
      const gap = template === undefined ? undefined : gaps[template];
      if (!gap || !response) return [];
      const value = `${response.status} ${shapeOf({ response })}`;
      return [{ gap, key: `calls.${template}`, value, exchange: index }];
    }),
  );
};

/** Media type and the top-level keys of a body: `application/json {error, message}`. */
export function shapeOf(exchange: Pick<Answered, 'response'>): string {
  if (!exchange.response.body) return 'no body';
  const mediaType = mediaTypeOf(exchange) || 'no Content-Type';
  const json = jsonOf(exchange);
  if (json === undefined) return mediaType;
  if (Array.isArray(json)) return `${mediaType} [ ]`;
  if (json !== null && typeof json === 'object')
    return `${mediaType} {${Object.keys(json).sort().join(', ')}}`;
  return isJson(exchange) ? `${mediaType} (JSON ${json === null ? 'null' : typeof json})` : mediaType;
}

/** The query parameter `type` of a call. */
export function typeOf({ request }: Pick<Answered, 'request'>): string {
  return new URL(request.url).searchParams.get('type') ?? 'none';
}
