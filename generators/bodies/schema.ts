/** Completes a body from its schema, so that a field that the contract comes to require is sent at once. */
import type { JsonSchema } from '../../openapi/json-schema.ts';
import { isObject } from './edit.ts';

/**
 * `body` with each required field that it lacks, at any depth; its value is the first example, the first
 * listed value, or the simplest of the type in the schema. A body that lacks none comes back equal.
 */
export function completed(body: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(body)) {
    const { items } = schema;
    return items ? body.map((item) => completed(item, items)) : body;
  }
  if (!isObject(body)) return body;
  const own = Object.entries(body).map(([key, value]) => {
    const property = schema.properties?.[key];
    return [key, property ? completed(value, property) : value];
  });
  const lacking = (schema.required ?? [])
    .filter((key) => !(key in body))
    .map((key) => [key, sampleOf(schema.properties?.[key] ?? {})]);
  return Object.fromEntries([...own, ...lacking]);
}

function sampleOf(schema: JsonSchema): unknown {
  const [example = schema.const ?? schema.enum?.[0]] = schema.examples ?? [];
  if (example !== undefined) return example;
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}));
    case 'object':
      return completed({}, schema);
    default:
      return 'some text';
  }
}
