/** Gathers all observations of a run: from checks, from flows, and from the recorded calls and callbacks. */
import type { Observation } from '../../openapi/observation.ts';
import { isOwn } from '../../openapi/requirements/catalogue.ts';
import type { Delivery, RecordedDelivery, Unattributed } from '../../record/delivery.ts';
import { parseJson } from '../../record/json.ts';
import type { Stages } from '../../record/stages.ts';
import { openDelivery } from '../callbacks/reading.ts';
import { readIn, recordDelivery } from '../callbacks/record-delivery.ts';
import { unwatchedName } from '../callbacks/self-call.ts';
import type { FlowParts } from '../flows/flow-parts.ts';
import type { FlowResult } from '../flows/flow-plan.ts';
import { observeCallbacks, payloadOf, type SeenCallback, signatureKind } from '../observing/callbacks.ts';
import { observe } from '../observing/observe.ts';
import type { SeenRun } from '../observing/seen.ts';
import type { Recorder } from '../recording/recorder.ts';
import { guessAttachments } from '../untrusted/guess/attachments.ts';
import { fieldsOfForm } from '../untrusted/payload/fields.ts';
import { parsePayload } from '../untrusted/payload/parse.ts';
import { leavesOf } from '../untrusted/payload/tree.ts';
import { isPdf } from '../untrusted/pdf/documents-in.ts';

interface EndedRun {
  readonly recorder: Recorder;
  readonly reported: readonly Observation[];
  readonly flows: readonly FlowResult[];
  /** The parts of the session that flows use; absent when no flow ran. */
  readonly parts: FlowParts | undefined;
  readonly uploadFormat: SeenRun['uploadFormat'];
  /** Notes records that could not be read; the others are used. */
  readonly stages: Stages;
}

/** All observations, redacted. */
export async function observeRun(run: EndedRun): Promise<Observation[]> {
  const { recorder, reported, flows, parts, uploadFormat, stages } = run;
  const { created } = recorder;
  // Calls of a team's own checks are left out.
  const exchanges = recorder.exchanges.filter(({ check }) => !isOwn(check));
  const ofFlows = flows.flatMap(({ name, observations }) =>
    observations.map(({ deliveries: _, ...each }) => ({ ...each, exchanges: creationOf(name, recorder) })),
  );
  const callbacks = parts ? await callbacksOf(parts, recorder, stages) : [];
  return recorder.clean([
    ...reported,
    ...ofFlows,
    ...observe({ exchanges, created, uploadFormat }, stages),
    ...stages.now('the observers of callbacks', () => observeCallbacks(callbacks), []),
  ]);
}

/** The deliveries to the listener, as run.json has them. */
export interface CallbacksOfRun {
  readonly deliveries: readonly RecordedDelivery[];
  readonly unattributed: readonly Unattributed[];
}

/** The deliveries of the run, redacted, and counts of other calls to the listener. */
export async function recordedCallbacks(
  parts: FlowParts,
  recorder: Recorder,
  stages: Stages,
): Promise<CallbacksOfRun> {
  const { settings, requestIds, listener } = parts;
  const ofChecks = recorder.created.flatMap(({ kind, id }) => (kind === 'request' ? [id] : []));
  const known = [...new Set([...requestIds, ...ofChecks])].filter((id) => id !== '');
  const deliveries = await eachOf(parts, (delivery) =>
    stages.run(
      `the record of delivery ${delivery.index}`,
      async () => [await recordDelivery(delivery, recorder, settings, known)],
      [],
    ),
  );
  const { strange = [] } = listener.counts();
  return { deliveries, unattributed: [...strange, ...aboutNobody(deliveries)] };
}

/** Counts deliveries to the run that name a foreign request; none where all do: callbacks then have other ids. */
function aboutNobody(deliveries: readonly RecordedDelivery[]): Unattributed[] {
  const foreign = deliveries.filter(({ unknownRequest }) => unknownRequest !== undefined);
  const [first, last] = [foreign[0], foreign.at(-1)];
  if (!first || !last || foreign.length === deliveries.length) return [];
  return [
    {
      kind: 'unknown-request',
      count: foreign.length,
      first: first.receivedAt.start,
      last: last.receivedAt.end,
      from: [...new Set(foreign.flatMap(({ from }) => from ?? []))].slice(0, 10),
    },
  ];
}

function ofTarget({ listener }: FlowParts): Delivery[] {
  return listener.deliveries().filter(({ check }) => check !== unwatchedName);
}

/** The call that created the request of a flow: what was seen of the flow is about this request. */
function creationOf(flow: string, { exchanges, created }: Recorder): number[] {
  const creations = new Set(created.filter(({ kind }) => kind === 'request').map(({ exchange }) => exchange));
  return exchanges
    .filter(({ check, row, index }) => check === undefined && row === flow && creations.has(index))
    .map(({ index }) => index);
}

/** Callbacks from the target; those that lack the proof of origin are left out. */
async function callbacksOf(parts: FlowParts, recorder: Recorder, stages: Stages): Promise<SeenCallback[]> {
  const { settings, requestIds } = parts;
  const idsOf = (kind: 'request' | 'signatory') =>
    recorder.created.filter((each) => each.kind === kind && each.id !== '').map(({ id }) => id);
  const ids = { request: [...requestIds], signatory: idsOf('signatory') };
  const read = async (delivery: Delivery): Promise<SeenCallback[]> => {
    const whole = await openDelivery(delivery, settings);
    const { message, origin } = whole;
    if (!origin.genuine) return [];
    const payload = parsePayload(message, settings.decoding?.format);
    const { event } = readIn(whole, settings, [...requestIds]);
    const leaves = payload.parsed ? leavesOf(payload.tree) : [];
    const { attachments } = guessAttachments(leaves);
    return [
      {
        event,
        method: delivery.method,
        headers: delivery.headers,
        payload: payload.parsed ? payloadOf(asSent(payload, message.body)) : undefined,
        pdfs: attachments.flatMap(({ content }) =>
          content.kind === 'bytes' && isPdf(content.bytes) ? [signatureKind(content.bytes)] : [],
        ),
        ids,
        exchanges: creationOf(delivery.check, recorder),
      },
    ];
  };
  return eachOf(parts, (delivery) => stages.run(`delivery ${delivery.index}`, () => read(delivery), []));
}

/** Reads one delivery after the other, since all together may not fit into memory. */
async function eachOf<Read>(parts: FlowParts, read: (delivery: Delivery) => Promise<readonly Read[]>) {
  const all: Read[] = [];
  for (const delivery of ofTarget(parts)) all.push(...(await read(delivery)));
  return all;
}

/** The payload before texts inside it are parsed: of JSON the value, of a form its fields; else the tree. */
function asSent({ format, tree }: { format: string; tree: unknown }, body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  if (format === 'json') return parseJson(text) ?? tree;
  return format === 'form' ? Object.fromEntries(fieldsOfForm(text)) : tree;
}
