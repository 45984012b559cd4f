/** A service that takes everything: for tests of what a run sends, and how often. */
import type { ServerResponse } from 'node:http';
import { type Arrived, json, type Loopback, serve } from './loopback.ts';

export type Step = 'upload' | 'create' | 'add' | 'other';

/** Handles a call instead of the service; false leaves it to the service. */
export type Override = (step: Step, request: Arrived, response: ServerResponse, index: number) => boolean;

export interface TinyService extends Loopback {
  /** The calls that came, in order. */
  readonly calls: readonly { readonly step: Step; readonly request: Arrived }[];
  /** Document tokens of each creation, in order. */
  documents(): readonly (readonly string[])[];
  /** Ids of the requests to which signatories were added, in order. */
  requests(): readonly string[];
}

export async function startTinyService(override: Override = () => false): Promise<TinyService> {
  const calls: { step: Step; request: Arrived }[] = [];
  const server = await serve((request, response) => {
    const step = stepOf(request.url);
    const index = calls.push({ step, request }) - 1;
    if (override(step, request, response, index)) return;
    if (step === 'upload') json(response, 200, { documentToken: `D${index}` });
    else if (step === 'add') json(response, 200, { requestId: idIn(request.url), signatoryId: `S${index}` });
    else json(response, 200, { requestId: `R${index}` });
  });
  const of = (wanted: Step) => calls.filter(({ step }) => step === wanted).map(({ request }) => request);
  return {
    ...server,
    calls,
    documents: () =>
      of('create').map(
        ({ body }) => (JSON.parse(body.toString('utf8')) as { Documents: string[] }).Documents,
      ),
    requests: () => of('add').map(({ url }) => idIn(url)),
  };
}

function stepOf(url: string): Step {
  if (url.includes('/document')) return 'upload';
  if (url.includes('/signatories')) return 'add';
  return /requests\?type/i.test(url) ? 'create' : 'other';
}

function idIn(url: string): string {
  return decodeURIComponent(/requests\/([^/]+)\/signatories/.exec(url)?.[1] ?? '');
}
