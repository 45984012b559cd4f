/** The answers of an operation as they were seen: statuses in place of ranges, media types and schemas. */
import { operations } from '../../openapi/contract.ts';
import type { OperationId } from '../../openapi/requirements/requirement.ts';
import type { Run } from '../run.ts';
import { type Action, at, type JsonObject, placeOf, remove, replace, update } from './action.ts';
import { type Answered, answered, contentOf, observed } from './seen.ts';

/** Schemas of the contract that answers have to keep to; what was seen beyond them is put beside. */
const stated: Partial<Record<OperationId, string>> = {
  createSkeletonRequest: '#/components/schemas/CreatedRequest',
  addSignatory: '#/components/schemas/AddedSignatory',
};

/** For each status of each operation what its bodies look like; success is no longer any 2xx status. */
export function responses(run: Run): Action[] {
  return operations.flatMap(({ id }) => {
    const exchanges = answered(run, id);
    const place = [...placeOf(id), 'responses'];
    const statuses = [...new Set(exchanges.map(({ response: { status } }) => status))]
      .filter((status) => (status >= 200 && status < 300) || (status >= 400 && status < 500))
      .sort((one, other) => one - other);
    const succeeded = statuses.some((status) => status < 300);
    const range = [...place, '2XX'];
    return [
      ...(succeeded && at(range) !== undefined
        ? [remove(range, `${id}: succeeds with what was seen, no longer with any 2xx status`)]
        : []),
      ...statuses.flatMap((status) =>
        response(
          run,
          id,
          status,
          exchanges.filter((each) => each.response.status === status),
        ),
      ),
    ];
  });
}

function response(run: Run, id: OperationId, status: number, exchanges: readonly Answered[]): Action[] {
  const place = [...placeOf(id), 'responses', String(status)];
  const reference = stated[id];
  const keeps = exchanges.every(({ violations }) => violations.length === 0);
  const content = contentOf(
    exchanges.map(({ response: { body } }) => body),
    (schema) =>
      status < 300 && reference !== undefined && keeps ? { allOf: [{ $ref: reference }, schema] } : schema,
  );
  const description = `${id}: ${status}, seen in exchange ${exchanges[0]?.index}`;
  const headers = id === 'uploadDocument' && status < 300 ? tokenHeader(run) : undefined;
  const shape: JsonObject = { ...(headers ? { headers } : {}) };
  if (at(place) === undefined) {
    const said = `Seen ${exchanges.length} times.`;
    return [
      update(
        place.slice(0, -1),
        { [status]: { description: said, ...shape, ...(content ? { content } : {}) } },
        description,
      ),
    ];
  }
  if (content) return replace([...place, 'content'], content, description);
  return [remove([...place, 'content'], description)];
}

/** The header that carries the document token, where it is one. */
function tokenHeader(run: Run): JsonObject | undefined {
  const [place = ''] = observed(run, 'upload.token-place', 'place of the token');
  const name = /^header (.+)$/.exec(place)?.[1];
  return name === undefined
    ? undefined
    : { [name]: { description: 'The document token.', required: true, schema: { type: 'string' } } };
}
