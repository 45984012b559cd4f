/** The flows of a run: what was done with each signature request and what was delivered, in the order of time. */
import type { TimelineEntry } from '../record/timeline.ts';
import { fetchedDocuments } from './fetched-documents.ts';
import type { Run, RunCheck } from './run.ts';

export interface FlowEntry extends TimelineEntry {
  /** The call that it tells of, where there is one to link to. */
  readonly exchange?: number;
}

export interface Flow {
  /** Part of an anchor. */
  readonly slug: string;
  readonly name: string;
  readonly entries: readonly FlowEntry[];
  /** Ids of the requirements that it speaks about. */
  readonly requirements: readonly string[];
}

/** Every flow once, though several checks tell of it. */
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
  for (const entry of fetchedDocuments(run)) {
    flows.get(slugOf(entry.flow))?.entries.set(`exchange ${entry.exchange}`, entry);
  }
  return [...flows].map(([slug, { name, entries, requirements }]) => ({
    slug,
    name,
    entries: [...entries.values()].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
    requirements: [...requirements],
  }));
}

/** The flows that a check tells of. */
export function flowsOfCheck(check: RunCheck): { readonly slug: string; readonly name: string }[] {
  const names = new Set((check.timeline ?? []).map((entry) => nameOf(entry, check)));
  return [...names].map((name) => ({ name, slug: slugOf(name) }));
}

/** Runs of earlier versions do not name the flow. */
function nameOf({ flow }: TimelineEntry, { title }: RunCheck): string {
  return flow ?? title;
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
