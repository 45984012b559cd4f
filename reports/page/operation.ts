/** The operations on the page: method, path, what each does, its fields, and its requirements in this run. */
import { operations, requestSchema } from '../../openapi/contract.ts';
import type { JsonSchema } from '../../openapi/json-schema.ts';
import type { Run } from '../run/run.ts';
import { html, type Markup } from './markup.ts';
import { type Ground, requirement } from './requirement.ts';
import { inline, prose } from './verdicts.ts';

type Operation = (typeof operations)[number];

/** A section of requirements: one of an operation of the contract, or that of the service as a whole. */
interface Part {
  readonly anchor: string;
  readonly title: string;
  readonly operation: Operation | null;
}

export const parts: readonly Part[] = [
  ...operations.map((operation) => ({
    anchor: `operation-${operation.id}`,
    title: operation.object.summary ?? operation.id,
    operation,
  })),
  { anchor: 'whole-service', title: 'The service as a whole', operation: null },
];

/** The sections that have requirements in a run; those of a team's own come last. */
export function partsOf({ requirements, own }: Run): readonly (Part & Pick<Run, 'requirements'>)[] {
  const all = parts.map((part) => ({
    ...part,
    requirements: requirements.filter((each) => each.operation === (part.operation?.id ?? null)),
  }));
  return [
    ...all.filter((part) => part.requirements.length > 0),
    ...(own
      ? [{ ...own, anchor: 'own', title: `Requirements of your own: ${own.prefix}`, operation: null }]
      : []),
  ];
}

export function operationSections(ground: Ground): Markup[] {
  return partsOf(ground.run).map(
    (part) => html`<section class="part" aria-labelledby="${part.anchor}">
<h2 id="${part.anchor}">${part.title}</h2>
${part.operation ? about(part.operation) : ''}
<h3>Requirements</h3>${part.requirements.map((each) => requirement(each, ground))}
</section>`,
  );
}

function about({ id, method, path, object }: Operation): Markup {
  return html`<p class="path"><code><span class="method">${method}</span> {base_url}${path}</code></p>
${prose(object.description ?? '')}
${fields(id)}
${answers(object)}`;
}

function fields(id: Operation['id']): Markup | null {
  // The body of an upload is a file, so there is no schema of it.
  if (id === 'uploadDocument') return null;
  const table = fieldTable(requestSchema(id));
  return table
    ? html`<details class="more read"><summary>Fields of the body</summary>${table}</details>`
    : null;
}

function answers(object: Operation['object']): Markup {
  const responses = Object.entries(object.responses ?? {});
  return html`<details class="more read"><summary>Answers</summary><dl>${responses.map(
    ([status, response]) =>
      html`<dt>${status.replace('XX', 'xx')}</dt><dd>${inline('description' in response ? (response.description ?? '') : '')}</dd>`,
  )}</dl></details>`;
}

interface Field {
  /** Path in the body: `OTP.Type`, `Signatories[].Email`. */
  readonly path: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** A table of the fields of a body; nothing where the contract does not show the fields. */
function fieldTable(schema: JsonSchema): Markup | null {
  const fields = flatten(schema, '');
  if (fields.length === 0) return null;
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Required</th><th scope="col">Meaning</th></tr></thead>
<tbody>${fields.map(
    ({ path, required, schema: field }) =>
      html`<tr><th scope="row"><code>${path}</code></th><td data-name="Type">${typeOf(field)}</td><td data-name="Required">${required ? 'yes' : 'no'}</td><td>${inline(field.description ?? '')}</td></tr>`,
  )}</tbody></table></div>`;
}

function flatten(schema: JsonSchema, prefix: string): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const required = schema.required?.includes(name) ?? false;
    const inner = field.items ? flatten(field.items, `${path}[].`) : flatten(field, `${path}.`);
    return [{ path, required, schema: field }, ...inner];
  });
}

function typeOf(schema: JsonSchema): string {
  if (schema.type === 'array') return schema.items?.type ? `${schema.items.type}[]` : 'array';
  return schema.type ?? 'not shown';
}
