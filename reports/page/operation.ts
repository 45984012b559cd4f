/** The operations on the page: method, path, what each does, its fields, and its requirements in this run. */
import { operations, requestSchema } from '../../openapi/contract.ts';
import { html, type Markup } from '../markup.ts';
import { fieldTable } from './fields.ts';
import { type Ground, requirement } from './requirement.ts';
import { inline, prose } from './text.ts';

type Operation = (typeof operations)[number];

/** A section of requirements: one of an operation of the contract, or that of the service as a whole. */
export interface Part {
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

export function operationSections(ground: Ground): Markup[] {
  return parts.map(
    (part) => html`<section class="part" aria-labelledby="${part.anchor}">
<h2 id="${part.anchor}">${part.title}</h2>
${part.operation ? about(part.operation) : ''}
${list(ground, part.operation?.id ?? null)}
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
  // The upload's body is a file, and no schema describes one.
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

function list(ground: Ground, operation: Operation['id'] | null): Markup {
  const own = ground.run.requirements.filter((each) => each.operation === operation);
  if (own.length === 0) return html`<p class="quiet">No requirement of this run.</p>`;
  return html`<h3>Requirements</h3>${own.map((each) => requirement(each, ground))}`;
}
