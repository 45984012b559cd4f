/** The tables of docs/profile.md, written from the schema of the profile: what requirements need, and what each key means. */
import { checked } from '../../openapi/requirements/catalogue.ts';
import { type Need, type NeedId, needs, signed } from '../../openapi/requirements/needs.ts';
import { grouped } from '../../record/grouped.ts';
import { isKeys } from './needs.ts';
import { CallTemplate } from './parts.ts';
import { ProfileSchema } from './schema.ts';

interface Part {
  readonly description?: string;
  readonly type?: string;
  readonly $ref?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Part[];
  readonly items?: Part;
}

/** The requirements that need keys, grouped by the keys; the keys that all signing needs stand in one row. */
function needsTable(): string {
  const signing = checked.filter(({ needs: wanted = [] }) => isSigned(wanted));
  const ofOwn = grouped(checked, ({ needs: wanted = [] }) => {
    const own = isSigned(wanted) ? wanted.filter((need) => !signed.some((each) => each === need)) : wanted;
    return own.length > 0 ? own.map(keysOf).join('; ') : undefined;
  });
  const rows = [...ofOwn].map(
    ([keys, all]) => `| ${all.map(({ id }) => `\`${id}\``).join(', ')} | ${keys} |`,
  );
  const all = `| all ${signing.length} of ${[...new Set(signing.map(({ area }) => `\`${area}\``))].join(', ')} that people's acts show | ${signed.map(keysOf).join('; ')} |`;
  return `${needsHead}|---|---|\n${[all, ...rows].join('\n')}\n`;
}

const isSigned = (wanted: readonly NeedId[]): boolean => signed.every((need) => wanted.includes(need));

function keysOf(id: NeedId): string {
  const need: Need = needs[id];
  const keys = isKeys(need) ? need : Object.values(need).flatMap((each) => (isKeys(each) ? each : []));
  return [...new Set(keys)].map((key) => `\`${key}\``).join(' or ');
}

/** The first line of the table of needs. The text of the page before it is written by hand. */
const needsHead = '| requirements | keys |\n';

/** The page in Markdown, with its tables written anew. */
export function profilePage(page: string): string {
  const schema = ProfileSchema as unknown as Part;
  const parts = Object.entries(schema.properties ?? {});
  const simple = parts.filter(([, part]) => rowsOf(part, '').length === 0);
  const sections = parts.filter(([, part]) => rowsOf(part, '').length > 0);
  return [
    page.slice(0, page.indexOf(needsHead)) + needsTable(),
    '## Keys\n',
    table(simple.map(([key, part]) => row(key, part, schema.required?.includes(key) ?? false))),
    ...sections.map(
      ([key, part]) => `\n### ${key}\n\n${part.description ?? ''}\n\n${table(rowsOf(part, ''))}`,
    ),
  ].join('\n');
}

function table(rows: readonly string[]): string {
  return `| key | values | meaning |\n|---|---|---|\n${[...new Set(rows)].join('\n')}\n`;
}

/** The rows of all keys below a part; where there are several kinds, the kind is named before its keys. */
function rowsOf(part: Part, path: string): string[] {
  const own = Object.entries(part.properties ?? {}).flatMap(([key, below]) => {
    const at = path === '' ? key : `${path}.${key}`;
    const needed = part.required?.includes(key) ?? false;
    const again = firstAt[below.$ref ?? ''] !== key;
    return [
      row(at, below, needed),
      ...(again ? [] : rowsOf(definitionOf(below), at)),
      ...rowsOf(beyondCall(below), at),
    ];
  });
  const branches = [...(part.anyOf ?? []), ...(part.items ? [part.items] : [])].map((each) =>
    rowsOf(each, path),
  );
  const shared = sharedBy(branches);
  return [...own, ...shared, ...branches.flat().filter((each) => !shared.includes(each))];
}

/** The rows that several kinds have in common: they stand once, before the first kind. */
function sharedBy(branches: readonly (readonly string[])[]): readonly string[] {
  const all = branches.flatMap((rows) => [...new Set(rows)]);
  return [...new Set(all.filter((each, at) => all.indexOf(each) !== at))];
}

/** The key at which the keys of a shared part are shown, once. */
const firstAt: Readonly<Record<string, string>> = {
  '#/$defs/call': 'deleteRequest',
  '#/$defs/mailbox': 'email',
};

/** The part without the keys that every call has. */
function beyondCall({ properties = {}, ...part }: Part): Part {
  const known: Part = CallTemplate;
  const isCall = 'refuse' in properties;
  const own = Object.entries(properties).filter(([key]) => !isCall || !(key in (known.properties ?? {})));
  return { ...part, properties: Object.fromEntries(own) };
}

function definitionOf({ $ref = '' }: Part): Part {
  const { [$ref.replace('#/$defs/', '')]: part = {} } = ProfileSchema.$defs as unknown as Readonly<
    Record<string, Part>
  >;
  return part;
}

function row(key: string, part: Part, needed: boolean): string {
  const meaning = `${part.description ?? ''}${needed ? ' Required.' : ''}`.replaceAll('|', '\\|');
  return `| \`${key}\` | ${valuesOf(part)} | ${meaning} |`;
}

function valuesOf(part: Part): string {
  const named = [
    part,
    ...(part.anyOf ?? []),
    ...(part.items?.anyOf ?? []),
    ...(part.items ? [part.items] : []),
  ]
    .flatMap((each) => [...(each.enum ?? []), ...(each.const === undefined ? [] : [each.const])])
    .map((value) => `\`${String(value)}\``);
  const kinds = [part, ...(part.anyOf ?? [])].flatMap(({ type, $ref, const: value }) =>
    $ref !== undefined
      ? [$ref.endsWith('/place') ? 'place' : 'mapping']
      : type === undefined || value !== undefined
        ? []
        : [type === 'object' ? 'mapping' : type],
  );
  const places = kinds.filter((each) => each === 'place');
  const plain = named.length > 0 ? [...named, ...places] : [...new Set(kinds)];
  const byDefault = part.default === undefined ? '' : ` (\`${String(part.default)}\`)`;
  return plain.join(', ') + byDefault;
}

type Tree = { readonly [key: string]: unknown };

const reference = '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}';

/**
 * The schema for a profile as it is written. A profile that extends another need not have the required keys; a
 * reference to the environment may stand for any text, and has to for a secret. Otherwise it is `ProfileSchema`.
 */
export function writtenProfileSchema(): Tree {
  const { required, properties, ...rest } = withReferences(JSON.parse(JSON.stringify(ProfileSchema))) as Tree;
  const parts = Object.entries(properties as { readonly [key: string]: Tree });
  // The keys that a part requires may stand in the extended profile.
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
