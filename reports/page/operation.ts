/** The operations on the page: method, path, what each does, its fields, and its requirements in this run. */
import { operations, requestSchema } from '../../openapi/contract.ts';
import { html, type Markup } from '../markup.ts';
import type { Run } from '../run.ts';
import { fieldTable } from './fields.ts';
import { requirement } from './requirement.ts';
import { inline, prose } from './text.ts';

type Operation = (typeof operations)[number];

/** One section an operation of the contract, and one for statements about the service as a whole. */
export function operationSections(run: Run): Markup[] {
  return [...operations.map((operation) => operationSection(operation, run)), wholeService(run)];
}

/** Links to the sections, for the top of the page. */
export function operationLinks(): Markup[] {
  return [
    ...operations.map(
      ({ id, object }) => html`<li><a href="#operation-${id}">${object.summary ?? id}</a></li>`,
    ),
    html`<li><a href="#whole-service">The service as a whole</a></li>`,
  ];
}

function operationSection({ id, method, path, object }: Operation, run: Run): Markup {
  return html`<section aria-labelledby="operation-${id}">
<h2 id="operation-${id}">${object.summary ?? id}</h2>
<p class="path"><code>${method} {base_url}${path}</code></p>
${prose(object.description ?? '')}
${fields(id)}
${answers(object)}
${list(run, id)}
</section>`;
}

function fields(id: Operation['id']): Markup | null {
  // The upload's body is a file, and no schema describes one.
  if (id === 'uploadDocument') return null;
  const table = fieldTable(requestSchema(id));
  return table ? html`<details class="fields"><summary>Fields of the body</summary>${table}</details>` : null;
}

function answers(object: Operation['object']): Markup {
  const responses = Object.entries(object.responses ?? {});
  return html`<details class="fields"><summary>Answers</summary><dl>${responses.map(
    ([status, response]) =>
      html`<dt>${status.replace('XX', 'xx')}</dt><dd>${inline('description' in response ? (response.description ?? '') : '')}</dd>`,
  )}</dl></details>`;
}

function wholeService(run: Run): Markup {
  return html`<section aria-labelledby="whole-service"><h2 id="whole-service">The service as a whole</h2>${list(run, null)}</section>`;
}

function list(run: Run, operation: Operation['id'] | null): Markup {
  const own = run.requirements.filter((each) => each.operation === operation);
  if (own.length === 0) return html`<p class="quiet">No requirement of this run.</p>`;
  return html`<h3>Requirements</h3>${own.map((each) => requirement(each, run))}`;
}
