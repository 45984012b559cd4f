/** Small parts that sections of the page share: verdicts with sign and word, links to requirements, choices, prose. */
import { type Column, column } from '../concluding/outcome.ts';
import type { RunRequirement } from '../run/run.ts';
import { html, type Markup } from './markup.ts';

export const signs: Record<Column, string> = {
  passed: '✓',
  failed: '✗',
  deviation: '≈',
  'could-not-run': '…',
  'not-applicable': '–',
  error: '!',
  notTestable: '·',
};

export const words: Record<Column, string> = {
  passed: 'passed',
  failed: 'failed',
  deviation: 'accepted deviation',
  'could-not-run': 'could not run',
  'not-applicable': 'not applicable',
  error: 'error of the suite',
  notTestable: 'not testable',
};

/** The columns that need attention, the worst first. */
export const acuteColumns = ['error', 'failed', 'could-not-run'] as const satisfies readonly Column[];

/** A word in the colour of a verdict; the style sheet puts its sign before it. */
export function verdictMark(each: Column, word: Markup | string = words[each]): Markup {
  return html`<span class="verdict ${each}">${word}</span>`;
}

export function isAcute(requirement: RunRequirement): boolean {
  return acuteColumns.some((each) => each === column(requirement));
}

export function idList(ids: readonly string[]): Markup {
  if (ids.length <= 5) return idLinks(ids);
  return html`<details class="more"><summary>${ids.length} requirements</summary>${idLinks(ids)}</details>`;
}

export function idLinks(ids: readonly string[]): Markup {
  return html`<span class="ids">${ids.map((id) => html`<a href="#${id}">${id}</a> `)}</span>`;
}

/** Paragraphs of the project's own documents: blank lines separate them, backticks mark names of the wire. */
export function prose(text: string): Markup[] {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => !paragraph.trimStart().startsWith('|'))
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

export function inline(text: string): Markup[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/**
 * Radio buttons that the style sheet reads: they work without a script, by keyboard, and before printing.
 * @param options their words by the end of their ids; the first one is chosen
 */
export function choices(label: string, name: string, options: Readonly<Record<string, string>>): Markup {
  return html`<form aria-label="${label}"><fieldset class="choices"><legend>Show</legend>${Object.entries(
    options,
  ).map(
    ([id, text], at) =>
      html`<label class="choice"><input type="radio" name="${name}" id="${name}-${id}"${at === 0 ? html` checked` : ''}> ${text}</label>`,
  )}</fieldset></form>`;
}
