/** The JSON Schema of a profile as it is written, before `extends` and `${ENV}` are resolved: for editors. */
import { ProfileSchema } from './schema.ts';

type Tree = { readonly [key: string]: unknown };

const reference = '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}';

/**
 * A profile that extends another one need not have the required keys, and a text may be a reference to the
 * environment wherever it has to have a form, and a secret has to be one. All else is as in `ProfileSchema`.
 */
export function writtenProfileSchema(): Tree {
  const { required, properties, ...rest } = withReferences(JSON.parse(JSON.stringify(ProfileSchema))) as Tree;
  const parts = Object.entries(properties as { readonly [key: string]: Tree });
  // What a part needs may stand in the profile that is extended.
  const needed = parts.flatMap(([key, part]) => (part.required ? [[key, { required: part.required }]] : []));
  const open = parts.map(([key, { required: _, ...part }]) => [key, part]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...rest,
    properties: Object.fromEntries(open),
    if: { required: ['extends'] },
    else: { required, properties: Object.fromEntries(needed) },
  };
}

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (value === null || typeof value !== 'object') return value;
  const tree = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withReferences(item)]));
  if (tree.writeOnly === true) return { ...tree, pattern: reference };
  if (typeof tree.pattern !== 'string') return tree;
  return { ...tree, pattern: `(?:${tree.pattern})|${reference}` };
}
