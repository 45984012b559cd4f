/** The fields of a body on the page: name, type, whether required, meaning, and the requirements marked there. */
import type { JsonSchema } from '../../openapi/json-schema.ts';
import { html, type Markup } from '../markup.ts';
import { inline } from './text.ts';

interface Field {
  /** Path in the body: `OTP.Type`, `Signatories[].Email`. */
  readonly path: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** A table of the fields of a body; nothing for a body whose fields the contract does not show. */
export function fieldTable(schema: JsonSchema): Markup | null {
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
