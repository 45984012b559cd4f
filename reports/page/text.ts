/** Text for the page: prose of ours, and what a target said, made visible and harmless. */
import type { Exchange } from '../exchange-schema.ts';
import { html, type Markup } from '../markup.ts';
import { visible } from '../visible.ts';

type Body = NonNullable<Exchange['request']['body']>;

/** Longest body shown on the page, in characters. */
const longestBody = 6000;

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

/** A body as it is shown: JSON indented, another text as it was, anything else by size and hash. */
export function bodyText(body: Body): string {
  if (body.text === undefined)
    return `${body.size} bytes, SHA-256 ${body.sha256}${body.file ? `, in ${body.file}` : ''}`;
  const text = visible(indented(body.text));
  if (text.length <= longestBody) return text;
  return `${text.slice(0, longestBody)}\n… ${text.length - longestBody} characters more, in run.json`;
}

function indented(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
