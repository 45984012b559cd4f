/** How bodies were sent when they were accepted: the encoding of uploads, and of creations in a form. */
import type { Run } from '../run.ts';
import { type Action, type JsonObject, placeOf, replace } from './action.ts';
import { answered, mediaType, observed } from './seen.ts';

/** The `content` of the bodies of uploads and auto stamping creations. */
export function requests(run: Run): Action[] {
  return [...uploads(run), ...stampedForm(run)];
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
    [...placeOf('uploadDocument'), 'requestBody', 'content'],
    content,
    'uploadDocument: the encoding in which uploads are accepted',
  );
}

/** The Content-Types of uploads that brought a token. */
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

/** Auto stamping creations whose JSON travels in a field of a form. */
function stampedForm(run: Run): Action[] {
  const accepted = answered(run, 'createStampedRequest').find(
    ({ request: { body }, response: { status } }) =>
      status < 300 && body !== null && mediaType(body) === 'multipart/form-data',
  );
  const field = /name="([^"]+)"/.exec(accepted?.request.body?.text ?? '')?.[1];
  if (field === undefined) return [];
  return replace(
    [...placeOf('createStampedRequest'), 'requestBody', 'content'],
    formOf(field, { $ref: '#/components/schemas/StampedRequest' }),
    'createStampedRequest: the JSON travels in a field of a form',
  );
}
