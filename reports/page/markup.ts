/** The template tag for all markup: it escapes the values that are filled in, and shows what is invisible in them. */
import { raw, html as tagged } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { visible } from '../../record/visible.ts';

/** Markup that was escaped where it was made and may be filled into other markup as it is. */
export type Markup = HtmlEscapedString;

/** Fills values into markup: text is escaped, markup and lists of it stay; `false`, `null` and `undefined` leave nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Markup {
  const markup = tagged(strings, ...values.map(withVisibleTexts));
  if (markup instanceof Promise) throw new TypeError('a template was given a promise');
  return markup;
}

/** Markup is an object, and was made here before. */
function withVisibleTexts(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  return Array.isArray(value) ? value.map(withVisibleTexts) : value;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Long text between two tags, as in `pre`. Quotation marks stay as they are: scripts and JSON have so many
 * that escaping them would make a page a quarter larger. Not for attributes.
 */
export function plainText(text: string): Markup {
  return raw(visible(text).replaceAll(/[&<>]/g, (character) => entities[character] ?? ''));
}
