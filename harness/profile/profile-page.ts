/** The page about the target profile, written from its schema: what can be said, and what each key means. */
import { checked } from '../../openapi/requirements/catalogue.ts';
import { type Need, type NeedId, needs, signed } from '../../openapi/requirements/needs.ts';
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

const head = `# The target profile

A profile is one YAML or JSON file that says, without code, how a service fills the gaps of the interface document. This page is written by \`npm run schema\` from the schema of the profile; a test compares it.

\`\`\`sh
npm run conformance -- --target targets/acme.yaml             # a run with a profile
npm run conformance -- --target targets/sandboxes/gateway.yaml   # one of the examples; its head says against what
\`\`\`

- The first line \`# yaml-language-server: $schema=…/profile.schema.json\` lets editors complete and check it.
- \`extends\` names another profile: objects are merged key by key, everything else is replaced; an object with a \`kind\` is replaced as a whole.
- \`\${NAME}\` stands for a variable of the environment, in any text. Secrets stand there and nowhere else.
- \`{name}\` in a call stands for a variable of the run. It is percent-encoded in a URL and in a form, and escaped in a JSON or XML text.
- A key that is unknown, or a value that cannot be meant, ends the run before it begins, with exit code 3 and a line that names file, key, value and the fix.
- What a profile does not say is found out where that can be done safely, or makes the checks that need it \`not-applicable\`. The end of a run lists the keys that would unlock more.
- A profile fills gaps. It cannot configure a stated requirement away.

## Places

Where something stands in an answer, a callback or a message, one notion says it, everywhere alike:

| place | leads to |
|---|---|
| \`/data/0/id\` | a value in JSON or a form, by a JSON Pointer (RFC 6901); \`""\` is all of it: a bare JSON string |
| \`/receipt/document/@id\` | a value in XML, by the local names of its elements, the root's first, and \`@\` before an attribute; \`/item/0\` also where an element stands alone |
| \`text\` | the whole body as plain text |
| \`{ header: Location }\`, \`{ query: event }\` | a header field; a query parameter of the URL that was called back |
| \`{ key: /documents }\` | the first name in a mapping; \`{ key: "" }\` is the name of the root element |
| \`{ root: /id }\` | as a JSON Pointer, from the whole payload on, where others begin at an event |
| \`{ pattern: 'OK (\\d+)' }\` | what the one group of a regular expression matches in the body; beside another key in what that leads to: \`{ header: Location, pattern: '/requests/([^/?]+)' }\` |

The parts of a multipart callback are addressed as if they were JSON, by their names or else by their Content-ID: \`/event/id\` is a field of the JSON in the part named \`event\`, \`/documents\` the file or the list of files in the parts of that name. A document in base64 inside JSON is an attachment with \`as: base64\`: \`list: /documents\` leads to the list, \`content: /data\` and \`name: /fileName\` start at each item; where a mapping of names to contents stands (\`{"a.pdf": "JVBERi0…"}\`), \`list\` alone is enough. Bodies of \`calls.completedDocuments\` and \`download\` may hold PDFs in base64 or in parts without saying so.

## Messages to people

\`outbox.email\` and \`outbox.sms\` say by which call messages are read, with \`{email}\`, \`{mobileNumber}\`, \`{requestId}\`, \`{signatoryId}\` and \`{name}\` of the person, and \`{messageId}\` in \`message\`. To whom a message went and what it says is told by usual names (\`to\`, \`recipients\`, \`subject\`, \`text\`, \`html\`, \`body\`, …); where a mailbox has names of its own, \`to\` and \`text\` lead to them. A list that names nobody is everybody's: then only messages that name the address of a person are theirs.

## Production

\`environment: production\` makes a run a smoke run: one document, one signature request, one signatory, nothing invalid, nobody who is asked to sign. All other requirements are \`not-applicable\`, and the report quotes the line. \`upload.encoding\` has to be given, since nothing is tried out.

## Who is written to

Addresses may be at the domain of \`people.email\` and at domains that belong to nobody (\`example.com\`, \`.test\`, …). Any other address in a body of the profile is refused with exit code 3, and any other one that would be sent later is not sent.

## CallbackUrl

Creations that nobody waits for need a CallbackUrl, too. With \`callbacks.publicUrl\` it leads to the listener; \`callbacks.placeholderUrl\` names one that the target takes. Without either, a target that refuses every URL may only be unable to reach them: then the checks of CallbackUrl could not run, and say so.

## Examples

| profile | what is special |
|---|---|
| [example.yaml](../targets/example.yaml) | every key, with comments |
| [plain.yaml](../targets/plain.yaml) | a static token and raw uploads |
| [reference.yaml](../targets/reference.yaml) | the reference service as it is |
| [first/](../targets/first) | what a first profile takes: address, token, how to send, one call that completes anybody, the mailbox |
| [sandboxes/gateway.yaml](../targets/sandboxes/gateway.yaml) | limits, raw uploads, token in a header, nested callbacks signed over time and body |
| [sandboxes/queue.yaml](../targets/sandboxes/queue.yaml) | 202, ids that need a moment, JSON in a multipart field, CloudEvents by Standard Webhooks |
| [sandboxes/forms.yaml](../targets/sandboxes/forms.yaml) | refresh tokens, plain text, callbacks as forms, each sent twice |
| [sandboxes/parts.yaml](../targets/sandboxes/parts.yaml) | API key, callbacks in several parts with the PDFs |
| [sandboxes/legacy.yaml](../targets/sandboxes/legacy.yaml) | messages in the reason phrase, the last signatory sends the request, lists of events |
| [sandboxes/plainspoken.yaml](../targets/sandboxes/plainspoken.yaml) | everything is found out; a public URL with a secret in its query |

`;

const needsHead = `## What requirements need

Every requirement with a check that is not listed here needs an address and an access token alone. The others are \`not-applicable\` without the keys below, unless a violation was seen by other means: then they fail. Of several keys one is enough. A key of \`calls\` counts for \`signing.driver: http\`, one of \`signing.page\` for \`browser\`; a module and people who sign by hand need neither. A call with \`{link}\` or \`{token}\` also needs \`outbox.email\`.

What a role may not do can be tried only where signing and approving are told apart: by a \`calls.approve\` that differs from \`calls.sign\` in anything, by \`{act}\` in \`calls.complete\`, or by two elements of the signing page. A call that completes anybody by their role does not.

| requirement | keys |
|---|---|
`;

/** Each requirement that needs something, with the keys; what all need that is signed is said once. */
function needsTable(): string {
  const signing = checked.filter(({ needs: wanted = [] }) => isSigned(wanted));
  const rows = checked.flatMap(({ id, needs: wanted = [] }) => {
    const own = isSigned(wanted) ? wanted.filter((need) => !signed.some((each) => each === need)) : wanted;
    return own.length > 0 ? [`| \`${id}\` | ${own.map(keysOf).join('; ')} |`] : [];
  });
  const all = `| all ${signing.length} of ${[...new Set(signing.map(({ area }) => `\`${area}\``))].join(', ')} that people's acts show | ${signed.map(keysOf).join('; ')} |`;
  return `${needsHead}${[all, ...rows].join('\n')}\n`;
}

function isSigned(wanted: readonly NeedId[]): boolean {
  return signed.every((need) => wanted.includes(need));
}

function keysOf(id: NeedId): string {
  const need: Need = needs[id];
  const keys = isKeys(need) ? need : Object.values(need).flatMap((each) => (isKeys(each) ? each : []));
  return [...new Set(keys)].map((key) => `\`${key}\``).join(' or ');
}

/** The page in Markdown. */
export function profilePage(): string {
  const schema = ProfileSchema as unknown as Part;
  const parts = Object.entries(schema.properties ?? {});
  const simple = parts.filter(([, part]) => rowsOf(part, '').length === 0);
  const sections = parts.filter(([, part]) => rowsOf(part, '').length > 0);
  return [
    head,
    needsTable(),
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

/** The rows of all keys below a part; a kind among others is named before its keys. */
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

/** Rows that several kinds have stand once, before the first kind. */
function sharedBy(branches: readonly (readonly string[])[]): readonly string[] {
  const all = branches.flatMap((rows) => [...new Set(rows)]);
  return [...new Set(all.filter((each, at) => all.indexOf(each) !== at))];
}

/** The key at which the parts stand whose own keys are shown once. */
const firstAt: Readonly<Record<string, string>> = {
  '#/$defs/call': 'deleteRequest',
  '#/$defs/mailbox': 'email',
};

/** Without the keys that every call has. */
function beyondCall({ properties = {}, ...part }: Part): Part {
  const known: Part = CallTemplate;
  const isCall = 'refuse' in properties;
  const own = Object.entries(properties).filter(([key]) => !isCall || !(key in (known.properties ?? {})));
  return { ...part, properties: Object.fromEntries(own) };
}

function definitionOf({ $ref = '' }: Part): Part {
  const definitions: Readonly<Record<string, Part>> = ProfileSchema.$defs;
  return definitions[$ref.replace('#/$defs/', '')] ?? {};
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
