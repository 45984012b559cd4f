/** Keeps what a run sends and receives, and writes it as a recording when the run ends. */
import { moment } from '../../record/clock.ts';
import type { Listener } from '../callbacks/listener.ts';
import { openDelivery } from '../callbacks/reading.ts';
import type { RunFacts } from '../judging/session.ts';
import type { LoadedProfile } from '../profile/load.ts';
import { tooMuch } from '../recording/large-bodies.ts';
import { notUndone, type Recorder } from '../recording/recorder.ts';
import { Redactor } from '../recording/redact.ts';
import { limits } from '../untrusted/limits.ts';
import type { HttpResponse } from '../wire/http.ts';
import {
  type KeptBody,
  type KeptCall,
  type MadeCall,
  readsMailbox,
  sentBy,
  type Tape,
} from '../wire/tape.ts';
import { Disguise } from './disguise.ts';
import { type Recording, recordingVersion, writeRecording } from './recording.ts';

/** Marks deliveries that proved their origin, for the replay: signatures do not survive the disguise of secrets. */
export const genuineHeader = {
  kind: 'header',
  header: 'X-Recorded-Origin',
  secret: 'proved-when-recorded',
} as const;

/** Stands for an answer that was not kept: in a replay the call counts as not sent, so nothing follows from it. */
const noRoom = { code: 'NOT_SENT', message: 'not sent: the recording had no room for its answer' } as const;

export interface RecordedRun {
  readonly loaded: LoadedProfile;
  readonly recorder: Recorder;
  readonly redactor: Redactor;
}

export class RecordingTape implements Tape {
  readonly play = null;
  readonly lost = new Set<string>();
  readonly #folder: string;
  readonly #run: RecordedRun;
  readonly #calls: MadeCall[] = [];
  /** Bytes of answers that may still be kept: they stay in memory until the run ends. */
  #room: number;

  /** @param folder the folder that the recording is written into @param mostBytes most bytes of all answers together */
  constructor(folder: string, run: RecordedRun, mostBytes: number = limits.recordedBytes.most) {
    this.#folder = folder;
    this.#run = run;
    this.#room = mostBytes;
  }

  keep(call: MadeCall): void {
    const size = 'response' in call.outcome ? call.outcome.response.body.length : 0;
    if (size <= this.#room) {
      this.#room -= size;
      this.#calls.push(call);
      return;
    }
    this.#calls.push({ ...call, outcome: { failure: noRoom } });
  }

  /** Flows with an answer for which there was no room; all flows where it is one of a mailbox, which may be for any. */
  #cut(): readonly string[] {
    const cut = this.#calls
      .filter(({ outcome }) => 'failure' in outcome && outcome.failure === noRoom)
      .map(({ about, flow }) => (readsMailbox(about) ? undefined : flow));
    const all = this.#calls.filter(({ about }) => about.purpose === 'flow').map(({ flow }) => flow);
    const flows = cut.includes(undefined) ? [...cut, ...all] : cut;
    return flows.filter((flow) => flow !== undefined);
  }

  /** Writes the recording; to be called when no call is under way any more. */
  async write(facts: RunFacts, listener: Listener | undefined): Promise<void> {
    const { loaded, recorder, redactor } = this.#run;
    const { runId, seed, explore, accessCode, callbackUrl, otherCallbackUrls, callbackUrlVouched } = facts;
    const { profile } = loaded;
    const listened = listener ? [listener.url, listener.localUrl] : [];
    const called = [profile.address.baseUrl, callbackUrl, ...otherCallbackUrls, ...listened];
    const disguise = new Disguise({ profile, runId, seed, secrets: redactor.known.keys(), called });
    const knowsExpired = this.#calls.some(({ authorization }) =>
      authorization.includes('[expired access token]'),
    );
    const shown = disguise.profile(knowsExpired);
    const heard = listener && (await keptListener(listener, loaded, disguise));
    for (const flow of [...(heard?.lost ?? []), ...this.#cut()]) this.lost.add(flow);
    const kept: Omit<Recording, 'calls'> = {
      recordingVersion,
      recordedAt: new Date().toISOString(),
      ended: moment(),
      runId,
      seed,
      explore,
      profile: shown.callbacks?.authenticity
        ? { ...shown, callbacks: { ...shown.callbacks, authenticity: genuineHeader } }
        : shown,
      profileHash: loaded.hash,
      facts: { accessCode, callbackUrl, otherCallbackUrls, callbackUrlVouched },
      ids: [...new Set(recorder.created.map(({ id }) => id).filter((id) => id !== ''))],
      lost: this.lost.size > 0 ? [...this.lost] : undefined,
      listener: heard?.listener,
    };
    const calls = this.#calls.map((call) => keptCall(call, disguise));
    writeRecording(this.#folder, { ...disguise.value(kept), calls });
  }
}

function keptCall(call: MadeCall, disguise: Disguise): KeptCall {
  const { about, flow, request, authorization, outcome, timing, at, again } = call;
  const rest = {
    about,
    flow: about.row === undefined ? flow : undefined,
    method: request.method,
    authorization,
    again,
    response: 'response' in outcome ? keptResponse(outcome.response, disguise) : null,
    failure: 'failure' in outcome ? outcome.failure : undefined,
    timing,
    at,
  };
  return {
    ...disguise.value(rest),
    url: disguise.sent(request.url.href),
    sent: disguise.sent(sentBy(request)),
  };
}

/** Header fields that are left out: those of the connection, and those that are wrong once a content coding is undone. */
const ofTheConnection =
  /^(content-encoding|content-length|transfer-encoding|connection|keep-alive|set-cookie)$/i;

function keptResponse({ status, reason, headers, body }: HttpResponse, disguise: Disguise) {
  return {
    status,
    reason,
    headers: headers.filter(([name]) => !ofTheConnection.test(name)),
    body: keptBody(body, disguise),
  };
}

function keptBody(bytes: Buffer, disguise: Disguise): KeptBody {
  const text = bytes.toString('utf8');
  // With zero bytes it may be UTF-16, which is read in other ways.
  if (!bytes.includes(0) && Buffer.from(text).equals(bytes)) return { text };
  return { base64: disguise.bytes(bytes).toString('base64') };
}

/** The deliveries for the recording, and the flows with some left out. @param mostBytes of bodies; the others are left out */
export async function keptListener(
  listener: Listener,
  { profile: { callbacks = {} } }: Pick<LoadedProfile, 'profile'>,
  disguise: Disguise,
  mostBytes: number = limits.recordedBytes.most,
): Promise<{ readonly listener: NonNullable<Recording['listener']>; readonly lost: ReadonlySet<string> }> {
  const { url, localUrl, way } = listener;
  const deliveries: NonNullable<Recording['listener']>['deliveries'][number][] = [];
  const lost = new Set<string>();
  let room = mostBytes;
  // The disguise hides what is known to be secret.
  const byName = new Redactor();
  // One after the other: a few coded bytes may be very many when the coding is undone.
  for (const delivery of listener.deliveries()) {
    const { message, origin, coding } = await openDelivery(delivery, callbacks, room > 0);
    const fits = message.body.length <= room;
    if (origin.genuine && !fits) {
      lost.add(delivery.check);
      continue;
    }
    if (coding !== 'left' && fits) room -= message.body.length;
    // Whoever forges a callback may send the mark, too.
    const { header } = genuineHeader;
    const leftOut = coding === 'undone' ? [header, 'content-encoding'] : [header];
    const isKept = (name: string) => leftOut.every((each) => each.toLowerCase() !== name.toLowerCase());
    const headers = delivery.headers
      .filter(([name]) => isKept(name))
      .map(([name, value]) => [name, byName.header(name, value)] as const);
    const proof =
      callbacks.authenticity && origin.genuine ? [[genuineHeader.header, genuineHeader.secret] as const] : [];
    // In a body that is still coded, secrets and people would not be found.
    const left = coding === 'left' ? notUndone : fits ? undefined : tooMuch;
    const body = left === undefined ? keptBody(message.body, disguise) : { text: left };
    deliveries.push({ ...delivery, headers: [...headers, ...proof], body });
  }
  const kept = { url, localUrl, way, counts: listener.counts(), addresses: listener.addresses(), deliveries };
  return { listener: kept, lost };
}
