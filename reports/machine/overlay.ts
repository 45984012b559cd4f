/** observed.overlay.yaml: turns the contract into the one that a target was observed to keep (OpenAPI Overlay 1.0.0). */
import { stringify } from 'yaml';
import { event } from '../../openapi/codes.ts';
import { operations } from '../../openapi/contract.ts';
import { schemaOfFields } from '../../openapi/fields.ts';
import type { OperationId } from '../../openapi/requirements/requirement.ts';
import { counted } from '../../record/counted.ts';
import { visible } from '../../record/visible.ts';
import type { Run } from '../run/run.ts';
import {
  type Action,
  type Answered,
  answered,
  at,
  contentOf,
  type JsonObject,
  mediaType,
  observed,
  pathTo,
  remove,
  replace,
  update,
} from './overlay-seen.ts';

const remark = `What a run saw of a target where the interface document is silent, as an OpenAPI Overlay. Applied to
openapi/esign.openapi.yaml of the suite it gives the contract that this target was seen to keep.
It is a sample: what was not sent was not seen.`;

export function overlay(run: Run): string {
  const document = {
    overlay: '1.0.0',
    info: { title: `Observed: ${run.target.name}`, version: run.contract.version },
    actions: actions(run),
  };
  const comment = remark.replaceAll(/^/gm, '# ');
  // Some readers of YAML refuse a file with characters that nobody sees.
  const readable = (_: unknown, value: unknown) => (typeof value === 'string' ? visible(value) : value);
  return `${comment}\n${stringify(document, readable, { lineWidth: 110, aliasDuplicateObjects: false })}`;
}

const base = ['servers', '0', 'variables', 'baseUrl'];

function actions(run: Run): Action[] {
  const { target, startedAt, suite } = run;
  const origin = { target: target.name, startedAt, suite: `${suite.name} ${suite.version}` };
  return [
    update(['info'], { 'x-observed': origin }, 'where this was seen'),
    ...(target.baseUrl === ''
      ? []
      : [update(base, { default: target.baseUrl }, 'the base URL of the target')]),
    ...uploads(run),
    ...stampedForm(run),
    ...responses(run),
    ...callbacks(run),
  ];
}

function uploads(run: Run): Action[] {
  const [encoding] = observed(run, 'upload.encoding', 'accepted as');
  const [field] = observed(run, 'upload.field-name', 'accepted as');
  const content =
    field === undefined
      ? raw(run)
      : formOf(field, { type: 'string', contentMediaType: 'application/octet-stream' });
  if (encoding === undefined || Object.keys(content).length === 0) return [];
  return replace(
    [...pathTo('uploadDocument'), 'requestBody', 'content'],
    content,
    'uploadDocument: the encoding in which uploads are accepted',
  );
}

/** The Content-Types of uploads that returned a token. */
function raw(run: Run): JsonObject {
  const made = new Set(run.created.map(({ exchange }) => exchange));
  const types = answered(run, 'uploadDocument')
    .filter(({ index }) => made.has(index))
    .flatMap(({ request: { body } }) => (body ? [mediaType(body)] : []));
  return Object.fromEntries([...new Set(types)].sort().map((type) => [type, {}]));
}

function formOf(field: string, schema: JsonObject): JsonObject {
  return {
    'multipart/form-data': { schema: { type: 'object', required: [field], properties: { [field]: schema } } },
  };
}

/** Auto stamping creations whose JSON is sent in a field of a form. */
function stampedForm(run: Run): Action[] {
  const accepted = answered(run, 'createStampedRequest').find(
    ({ request: { body }, response: { status } }) =>
      status < 300 && body !== null && mediaType(body) === 'multipart/form-data',
  );
  const field = /name="([^"]+)"/.exec(accepted?.request.body?.text ?? '')?.[1];
  if (field === undefined) return [];
  return replace(
    [...pathTo('createStampedRequest'), 'requestBody', 'content'],
    formOf(field, { $ref: '#/components/schemas/StampedRequest' }),
    'createStampedRequest: the JSON travels in a field of a form',
  );
}

/** Schemas of the contract that answers have to keep to; what was observed beyond them is added. */
const statedSchemas: Partial<Record<OperationId, string>> = {
  createSkeletonRequest: '#/components/schemas/CreatedRequest',
  addSignatory: '#/components/schemas/AddedSignatory',
};

/** The bodies for each status of each operation; success is then no longer any 2xx status. */
function responses(run: Run): Action[] {
  return operations.flatMap(({ id }) => {
    const exchanges = answered(run, id);
    const place = [...pathTo(id), 'responses'];
    const statuses = [...new Set(exchanges.map(({ response: { status } }) => status))]
      .filter((status) => (status >= 200 && status < 300) || (status >= 400 && status < 500))
      .sort((one, other) => one - other);
    const succeeded = statuses.some((status) => status < 300);
    const range = [...place, '2XX'];
    return [
      ...(succeeded && at(range) !== undefined
        ? [remove(range, `${id}: succeeds with what was seen, no longer with any 2xx status`)]
        : []),
      ...statuses.flatMap((status) => {
        const same = exchanges.filter((each) => each.response.status === status);
        return response(run, id, status, same);
      }),
    ];
  });
}

function response(run: Run, id: OperationId, status: number, exchanges: readonly Answered[]): Action[] {
  const place = [...pathTo(id), 'responses', String(status)];
  const reference = statedSchemas[id];
  const keeps = exchanges.every(({ violations }) => violations.length === 0);
  const content = contentOf(
    exchanges.map(({ response: { body } }) => body),
    (schema) =>
      status < 300 && reference !== undefined && keeps ? { allOf: [{ $ref: reference }, schema] } : schema,
  );
  const description = `${id}: ${status}, seen in exchange ${exchanges[0]?.index}`;
  if (at(place) !== undefined) {
    const there = [...place, 'content'];
    return content ? replace(there, content, description) : [remove(there, description)];
  }
  const headers = id === 'uploadDocument' && status < 300 ? tokenHeader(run) : undefined;
  const seen = {
    description: `Seen ${counted(exchanges.length, 'time')}.`,
    ...(headers ? { headers } : {}),
    ...(content ? { content } : {}),
  };
  return [update(place.slice(0, -1), { [status]: seen }, description)];
}

function tokenHeader(run: Run): JsonObject | undefined {
  const [place = ''] = observed(run, 'upload.token-place', 'place of the token');
  const name = /^header (.+)$/.exec(place)?.[1];
  return name === undefined
    ? undefined
    : { [name]: { description: 'The document token.', required: true, schema: { type: 'string' } } };
}

const callbackNames = {
  [event.requestReceived]: 'requestReceived',
  [event.signatoryCompleted]: 'signatoryCompleted',
  [event.processCompleted]: 'processCompleted',
};

/** Where the contract says that callbacks go. */
const expression = '{$request.body#/CallbackUrl}';

/** The body of each observed event. The open entry for all events is removed when no event needs it any more. */
function callbacks(run: Run): Action[] {
  const types = observed(run, 'events.payload', 'media type').filter((type) => type.includes('/'));
  const seen = Object.entries(callbackNames).flatMap(([code, name]): Action[][] => {
    const fields = observed(run, 'events.payload', `fields of event ${code}`);
    if (fields.length === 0 || types.length === 0) return [];
    const place = [...pathTo('createSkeletonRequest'), 'callbacks', name, expression, 'post', 'requestBody'];
    const schema = schemaOfFields(fields) as JsonObject;
    const body: JsonObject = {
      description: 'As seen in the deliveries of a run.',
      required: true,
      content: Object.fromEntries(types.map((type) => [type, { schema }])),
    };
    return [replace(place, body, `event ${code}: its payload`)];
  });
  const open = ['components', 'requestBodies', 'Notification'];
  const needless = seen.length === Object.keys(callbackNames).length && at(open) !== undefined;
  return [...seen.flat(), ...(needless ? [remove(open, 'every event has a body of its own')] : [])];
}
