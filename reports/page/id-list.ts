/** Links to requirements by their ids. */
import { html, type Markup } from '../markup.ts';

/** A few ids as they are, many folded. */
export function idList(ids: readonly string[]): Markup {
  const links = ids.map((id) => html`<a href="#${id}">${id}</a> `);
  if (ids.length <= 5) return html`<span class="ids">${links}</span>`;
  return html`<details class="ids"><summary>${ids.length} requirements</summary><p>${links}</p></details>`;
}
