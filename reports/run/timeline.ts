/** The flows of a run: the acts in each signature request and its deliveries, in the order of time. */
import { timeAfter } from '../../record/clock.ts';
import type { Exchange } from '../../record/exchange.ts';
import type { TimelineEntry } from '../../record/timeline.ts';
import type { Run, RunCheck } from './run.ts';

export interface FlowEntry extends TimelineEntry {
  readonly exchange?: number;
}

export interface Flow {
  /** Part of an anchor. */
  readonly slug: string;
  readonly name: string;
  readonly entries: readonly FlowEntry[];
  /** Ids of the requirements that the flow shows something about. */
  readonly requirements: readonly string[];
}

export function whatOf({ kind, title }: TimelineEntry): string {
  return kind === 'allowed' ? `allowed from here on: ${title}` : title;
}

/** Every flow once, though several checks may have it. */
export function flowsOf(run: Run): Flow[] {
  const flows = new Map<
    string,
    { name: string; entries: Map<string, FlowEntry>; requirements: Set<string> }
  >();
  for (const { id, checks } of run.requirements) {
    for (const check of checks) {
      for (const entry of check.timeline ?? []) {
        const name = nameOf(entry, check);
        const flow = flows.get(slugOf(name)) ?? { name, entries: new Map(), requirements: new Set() };
        flows.set(slugOf(name), flow);
        flow.requirements.add(id);
        const { at, kind, title, delivery = '' } = entry;
        flow.entries.set([at, kind, title, delivery].join('\n'), entry);
      }
    }
  }
  for (const entry of fetchedDocuments(run))
    flows.get(slugOf(entry.flow))?.entries.set(`exchange ${entry.exchange}`, entry);
  return [...flows].map(([slug, { name, entries, requirements }]) => ({
    slug,
    name,
    entries: [...entries.values()].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
    requirements: [...requirements],
  }));
}

export function flowsOfCheck(check: RunCheck): { readonly slug: string; readonly name: string }[] {
  const names = new Set((check.timeline ?? []).map((entry) => nameOf(entry, check)));
  return [...names].map((name) => ({ name, slug: slugOf(name) }));
}

/** The name of the flow; runs of earlier versions have it only in the title of the check. */
const nameOf = ({ flow }: TimelineEntry, { title }: RunCheck): string => flow ?? title;

const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** The signature requests that were created for flows, with the name of the flow. */
export function requestsOfFlows({ exchanges, created }: Run) {
  return created.flatMap(({ kind, id, exchange }) => {
    const made = exchanges[exchange];
    const ofFlow = kind === 'request' && id !== '' && made?.purpose === 'flow';
    return ofFlow && made.row !== undefined ? [{ id, flow: made.row }] : [];
  });
}

/** One entry for each call that was answered with PDFs, named by the call. */
function fetchedDocuments(run: Run) {
  const { exchanges } = run;
  const flows = requestsOfFlows(run);
  const flowIn = (text: string) =>
    flows.find(({ id }) => text.includes(id) || text.includes(encodeURIComponent(id)))?.flow;
  return exchanges.flatMap((each) => {
    const documents = each.response?.body?.documents ?? [];
    if (documents.length === 0) return [];
    const { url } = each.request;
    // The URL of a document may not name the request: then the call whose answer listed that URL does.
    const flow = flowIn(url) ?? flowIn(listing(exchanges, each)?.request.url ?? '');
    if (flow === undefined) return [];
    return [
      {
        at: each.startedAt,
        until: timeAfter(each.startedAt, each.durationMs),
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

/** The last call before this one whose answer contains its URL. */
function listing(exchanges: readonly Exchange[], { index, request }: Exchange): Exchange | undefined {
  return exchanges
    .slice(0, index)
    .findLast(({ response }) => response?.body?.text?.replaceAll('\\/', '/').includes(request.url));
}
