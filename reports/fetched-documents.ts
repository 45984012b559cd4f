/** Completed documents that were fetched by calls of the profile, as lines of the flow whose request they belong to. */
import type { Exchange } from '../record/exchange.ts';
import type { TimelineEntry } from '../record/timeline.ts';
import type { Run } from './run.ts';

/** A line of a timeline, with the call that it tells of. */
export interface FetchedEntry extends TimelineEntry {
  readonly flow: string;
  readonly exchange: number;
}

/** One line for each call that was answered with PDFs, named by what asked for them. */
export function fetchedDocuments({ exchanges, created }: Run): FetchedEntry[] {
  const flows = created.flatMap(({ kind, id, exchange }) => {
    const made = exchanges[exchange];
    const ofFlow = kind === 'request' && id !== '' && made?.purpose === 'flow';
    return ofFlow && made.row !== undefined ? [{ id, flow: made.row }] : [];
  });
  const flowIn = (text: string) =>
    flows.find(({ id }) => text.includes(id) || text.includes(encodeURIComponent(id)))?.flow;
  return exchanges.flatMap((each) => {
    const documents = each.response?.body?.documents ?? [];
    if (documents.length === 0) return [];
    const { url } = each.request;
    // The address of a document need not name the request: then the call that listed it does.
    const flow = flowIn(url) ?? flowIn(listing(exchanges, each)?.request.url ?? '');
    if (flow === undefined) return [];
    return [
      {
        at: each.startedAt,
        until: new Date(Date.parse(each.startedAt) + each.durationMs).toISOString(),
        kind: 'action' as const,
        flow,
        title: `documents fetched: ${each.template ?? each.operation ?? 'a call'}`,
        exchange: each.index,
        attached: documents.map(({ size, pages }) =>
          pages === null ? { size, state: 'unreadable' as const } : { size, pages, state: 'whole' as const },
        ),
      },
    ];
  });
}

/** The last call before whose answer holds the address. */
function listing(exchanges: readonly Exchange[], { index, request }: Exchange): Exchange | undefined {
  return exchanges
    .slice(0, index)
    .findLast(({ response }) => response?.body?.text?.replaceAll('\\/', '/').includes(request.url));
}
