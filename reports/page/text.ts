/** Prose of our own documents on the page. */
import { html, type Markup } from '../markup.ts';

/** Paragraphs of our own documents: blank lines part them, backticks mark names of the wire. */
export function prose(text: string): Markup[] {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => !paragraph.trimStart().startsWith('|'))
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

/** One line of our own documents. */
export function inline(text: string): Markup[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
