/** Verdicts on the page: a sign and a word each, so that none hangs on its colour. */
import { html, type Markup } from '../markup.ts';
import { column } from '../outcome.ts';
import type { RunRequirement } from '../run.ts';

export type Column = ReturnType<typeof column>;

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

/** The columns in which somebody has to act, the worst first. */
export const acuteColumns = ['error', 'failed', 'could-not-run'] as const satisfies readonly Column[];

export function verdictMark(each: Column): Markup {
  return html`<span class="verdict ${each}"><span aria-hidden="true">${signs[each]}</span> ${words[each]}</span>`;
}

export function isAcute(requirement: RunRequirement): boolean {
  return acuteColumns.some((each) => each === column(requirement));
}
