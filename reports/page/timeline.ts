/** The timeline of a flow: for each act, permission or delivery a line in words, with a bar on the line of time. */
import { counted } from '../../record/counted.ts';
import { type Flow, type FlowEntry, whatOf } from '../run/timeline.ts';
import { seconds } from '../run/words.ts';
import { html, type Markup } from './markup.ts';
import { signs, words } from './verdicts.ts';

type Attached = NonNullable<FlowEntry['attached']>[number];

const kinds = { action: '●', delivery: '◆', allowed: '┆', missing: '✗' } as const;

/** `event 1` and `12 ms after “request sent”`: what happened, and how long after the last act. */
export function timelineWords({ entries }: Pick<Flow, 'entries'>) {
  let last: Bar | undefined;
  return barsOf(entries).map((bar) => {
    const { entry, sinceMs, tookMs } = bar;
    const took = tookMs === null || entry.kind === 'delivery' ? '' : `, took ${duration(tookMs)}`;
    const when = last
      ? `${entry.kind === 'missing' ? 'awaited until ' : ''}${duration(sinceMs - last.sinceMs)} after “${last.entry.title}”${took}`
      : `at ${entry.at.slice(11, 23)} UTC${took}`;
    if (entry.kind === 'action') last = bar;
    return { bar, what: whatOf(entry), when };
  });
}

/** @param anchorOf the anchor of the delivery or call of an entry, if the page has one */
export function timeline(flow: Flow, anchorOf: (entry: FlowEntry) => string | null): Markup {
  return html`<ol class="timeline" aria-label="Timeline of ${flow.name}">${timelineWords(flow).map(
    ({ bar, what, when }) => {
      const { entry, from, width } = bar;
      const bad = entry.verdict === 'failed';
      const anchor = anchorOf(entry);
      const x = Math.min(from * 1000, 992);
      const long = Math.max(width * 1000, 8);
      return html`<li class="${entry.kind}${bad ? ' wrong' : ''}"><span class="what"><span aria-hidden="true">${bad ? signs.failed : kinds[entry.kind]}</span> ${anchor ? html`<a href="#${anchor}">${what}</a>` : what}</span><svg class="line" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect x="${Math.round(x)}" width="${Math.round(Math.min(long, 1000 - x))}" height="1"/></svg><span class="when">${when}</span>${remarks(entry)}</li>`;
    },
  )}</ol>`;
}

/** The message of an entry and its attachments; files that a call fetched have no names of their own. */
function remarks({ verdict, message, exchange, attached = [] }: FlowEntry): Markup | null {
  if (!message && verdict !== 'failed' && attached.length === 0) return null;
  const unnamed = exchange === undefined ? 'without a name' : 'PDF';
  const files = attached.map((file) => html`<br>${attachment({ ...file, name: file.name ?? unnamed })}`);
  return html`<span class="remarks">${verdict === 'failed' ? html`<span class="verdict failed">${words.failed}</span> ` : ''}${message ? message : ''}${files}</span>`;
}

/** `contract.pdf, 34 kB, 2 pages`, and the problem with it, if there is one. */
function attachment({ name, size, pages, state }: Attached & { readonly name: string }): string {
  const states = {
    whole: '',
    truncated: 'not whole',
    unreadable: 'cannot be read',
    'no-pdf': 'no PDF',
    link: 'a link',
  };
  return [
    name,
    size === undefined ? '' : `${(size / 1000).toFixed(1)} kB`,
    pages === undefined ? '' : counted(pages, 'page'),
    states[state],
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** `12 ms`, `7.4 s`. */
const duration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : seconds(ms));

interface Bar {
  readonly entry: FlowEntry;
  readonly sinceMs: number;
  /** How long it took; `null` for an entry without an end. */
  readonly tookMs: number | null;
  /** Begin and width as shares of the line, 0 to 1; an entry without an end reaches to the end of the line. */
  readonly from: number;
  readonly width: number;
}

/**
 * The bars in the order of the entries. Long pauses are shortened: a stretch in which nothing begins or ends is as wide
 * as the root of its length, so that callbacks 30 ms apart can still be told apart after a pause of seconds.
 */
function barsOf(entries: readonly FlowEntry[]): Bar[] {
  const times = entries.map(({ at, until }) => ({ start: Date.parse(at), end: Date.parse(until ?? at) }));
  const moments = [...new Set(times.flatMap(({ start, end }) => [start, end]))].sort(
    (one, other) => one - other,
  );
  const places = new Map<number, number>();
  let place = 0;
  for (const [index, moment] of moments.entries()) {
    place += Math.sqrt(moment - (moments[index - 1] ?? moment));
    places.set(moment, place);
  }
  const [first = 0] = moments;
  const share = (moment: number): number => (place === 0 ? 0 : (places.get(moment) ?? 0) / place);
  return entries.map((entry, index) => {
    const { start = first, end = first } = times[index] ?? {};
    const from = share(start);
    return {
      entry,
      sinceMs: start - first,
      tookMs: entry.until === undefined ? null : end - start,
      from,
      width: (entry.kind === 'allowed' ? 1 : share(end)) - from,
    };
  });
}
