/** Links to requirements by their ids. */
import { html, type Markup } from '../markup.ts';

/** A few ids as they are, many folded. */
export function idList(ids: readonly string[]): Markup {
  if (ids.length <= 5) return idLinks(ids);
  return html`<details class="more"><summary>${ids.length} requirements</summary>${idLinks(ids)}</details>`;
}

export function idLinks(ids: readonly string[]): Markup {
  return html`<span class="ids">${ids.map((id) => html`<a href="#${id}">${id}</a> `)}</span>`;
}
