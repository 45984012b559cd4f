/** The drawing of a flow as inline SVG: actions, what was allowed, deliveries, and what was wrong with them. */

import { visible } from '../../record/visible.ts';
import { html, type Markup } from '../markup.ts';
import type { Flow } from '../timeline.ts';
import { type Bar, barsOf } from '../timeline-layout.ts';

/** In user units of the SVG, which are pixels about where the contents stand beside the text. */
const size = { width: 850, label: 400, row: 26, top: 8, time: 110 } as const;
const line = size.width - size.label - size.time;

const signs = { action: '●', delivery: '◆', allowed: '┆' } as const;

/** For people who see it; the table beside it says the same. */
export function drawing({ slug, name, entries }: Flow): Markup {
  const bars = barsOf(entries);
  const height = size.top * 2 + bars.length * size.row;
  const wrong = entries.filter(({ verdict }) => verdict === 'failed').length;
  const says = `${bars.length} lines in the order of time${wrong > 0 ? `, ${wrong} of them wrong` : ''}; the table below says the same.`;
  return html`<div class="drawing" tabindex="0" role="group" aria-label="Drawing of the flow ${visible(name)}"><svg viewBox="0 0 ${size.width} ${height}" width="${size.width}" height="${height}" role="img" aria-labelledby="drawing-${slug}">
<title id="drawing-${slug}">Timeline of ${visible(name)}: ${says}</title>
${bars.map(drawnBar)}
</svg></div>`;
}

function drawnBar(bar: Bar, index: number): Markup {
  const { entry, from, width } = bar;
  const y = size.top + index * size.row;
  const x = size.label + from * line;
  const bad = entry.verdict === 'failed';
  const long = Math.max(width * line, entry.kind === 'allowed' ? 6 : 4);
  const sign = bad ? '✗' : signs[entry.kind];
  return html`<g class="bar ${entry.kind}${bad ? ' wrong' : ''}"><line class="base" x1="${size.label}" x2="${size.label + line}" y1="${y + size.row / 2}" y2="${y + size.row / 2}"/><text x="0" y="${y + 17}">${sign} ${shortened(titleOf(bar))}</text><rect x="${rounded(x)}" y="${y + 6}" width="${rounded(long)}" height="${size.row - 12}" rx="2"/><text class="time" x="${size.width}" y="${y + 17}" text-anchor="end">${timeOf(bar)}</text></g>`;
}

/** What a line of the timeline is about. */
export function titleOf({ entry: { kind, title, delivery } }: Pick<Bar, 'entry'>): string {
  if (kind === 'allowed') return `allowed: ${visible(title)}`;
  return kind === 'delivery' && delivery !== undefined
    ? `delivery ${visible(delivery)}: ${visible(title)}`
    : visible(title);
}

/** `+7.42 s`, and how long it took. */
export function timeOf({ sinceMs, tookMs }: Pick<Bar, 'sinceMs' | 'tookMs'>): string {
  return `+${(sinceMs / 1000).toFixed(3)} s${tookMs === null ? '' : `, ${tookMs} ms`}`;
}

function shortened(text: string): string {
  return text.length <= 58 ? text : `${text.slice(0, 57)}…`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
