/** Accepted calls: with which status and media type they are answered, and what their answers hold. */
import { operation as contractOperation } from '../../openapi/contract.ts';
import { fieldsOf } from '../../openapi/fields.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import type { Observation } from '../../openapi/observation.ts';
import type { OperationId } from '../../openapi/requirements/requirement.ts';
import { headerOf } from '../../record/exchange.ts';
import {
  type AnsweredCall,
  accepted,
  acceptedBy,
  answered,
  eachOf,
  fact,
  jsonOf,
  type Observer,
  type SeenRun,
  shapeOf,
  stable,
} from './seen.ts';

const statusGaps: Partial<Record<OperationId, GapId>> = {
  uploadDocument: 'upload.success-status',
  createSkeletonRequest: 'skeleton.success-status',
  addSignatory: 'signatory.success-status',
};

/** The 2xx statuses of endpoints 1, 4 and 5. */
export const successStatuses = eachOf(accepted, ({ operation, response: { status } }) => {
  const gap = statusGaps[operation];
  return gap ? [[gap, 'status', status]] : [];
});

/** The Content-Type of answers that are JSON, with its parameters. */
export const mediaTypes = eachOf(answered, (exchange) => {
  if (jsonOf(exchange) === undefined) return [];
  const { status, headers } = exchange.response;
  const said = status < 300 ? 'accepted' : 'refused';
  const type = headerOf(headers, 'content-type') ?? 'none';
  return [['service.answer-media-type', `${exchange.operation}, ${said}`, type]];
});

/** Operations for which the document shows a part of the answer. */
const shownOperations: readonly OperationId[] = ['createSkeletonRequest', 'addSignatory'];

/** Fields that answers of endpoints 4 and 5 carry beyond those that the document shows. */
export const answerFields: Observer = (seen) =>
  shownOperations.flatMap((operation): Observation[] => {
    const group = acceptedBy(operation)(seen);
    const [first] = group;
    if (!first) return [];
    const known = documented(operation);
    const extra = fieldsOf(group.map(jsonOf).filter((body) => body !== undefined)).filter(
      (line) => !known.some((name) => line.startsWith(`/${name}:`) || line.startsWith(`/${name}?:`)),
    );
    return [fact('service.answer-fields', operation, extra.length > 0 ? extra : 'no others', first)];
  });

/** The top-level fields of an answer that the contract shows. */
function documented(operation: OperationId): readonly string[] {
  const responses = contractOperation(operation).object.responses as Readonly<
    Record<string, { content?: Record<string, { schema?: { properties?: object } }> }>
  >;
  return Object.keys(responses['2XX']?.content?.['application/json']?.schema?.properties ?? {});
}

const shapeGaps: Partial<Record<OperationId, GapId>> = {
  uploadDocument: 'upload.token-place',
  createStampedRequest: 'stamping.response-body',
  createRequest: 'create.response-body',
};

/** The answers to creations of types 1 to 3 and to uploads: media type and top-level fields. */
export const answerShapes = eachOf(accepted, (exchange) => {
  const gap = shapeGaps[exchange.operation];
  const key = exchange.operation === 'createRequest' ? `type ${typeOf(exchange)}` : 'answer';
  return gap ? [[gap, key, shapeOf(exchange)]] : [];
});

/** Whether both paths of type 3 answer in the same way. */
export const twoPaths: Observer = (seen) => {
  const shared = accepted(seen).filter(({ purpose }) => purpose === 'shared');
  const own = shared.find(({ operation }) => operation === 'createStampedRequest');
  const unversioned = shared.find((each) => each.operation === 'createRequest' && typeOf(each) === '3');
  if (!own || !unversioned) return [];
  const tell = (each: AnsweredCall) => `${each.response.status} ${shapeOf(each)}`;
  const value = tell(own) === tell(unversioned) ? 'alike' : 'differently';
  return [fact('create.two-paths', 'the two paths answer', value, own, unversioned)];
};

/** The media types in which creations of types 1 to 3 were accepted. */
export const creationEncoding = eachOf(acceptedBy('createRequest'), (exchange) => {
  const type = headerOf(exchange.request.headers, 'content-type') ?? 'none';
  return [['create.encoding', `type ${typeOf(exchange)}`, type.split(';', 1)[0] ?? '']];
});

const spellings = [
  ['stamping.role-spelling', 'signatoryType, as in the sample', '"signatoryType":'],
  ['stamping.otp-type', 'OTP.Type as a string, as in the sample', '"Type":"1"'],
] as const;

/** Spellings of a type 3 body that were accepted as the sample of the document has them. */
export const stampedSpelling: Observer = (seen) => {
  const bodies = acceptedBy('createStampedRequest')(seen);
  return stable(
    spellings.flatMap(([gap, key, text]) => {
      const found = bodies.find(({ request }) => request.body?.text?.includes(text));
      return found ? [{ gap, key, value: `accepted (${found.response.status})`, exchange: found.index }] : [];
    }),
  );
};

/** The answers to the profile's calls, which stand for operations that the document does not show. */
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

function typeOf({ request }: Pick<AnsweredCall, 'request'>): string {
  return new URL(request.url).searchParams.get('type') ?? 'none';
}
