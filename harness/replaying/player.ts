/** Answers the calls of a replay from a recording: nock takes the place of the network, and refuses what is not there. */
import nock from 'nock';
import { parseJson } from '../../record/json.ts';
import { escapedPattern } from '../untrusted/pattern.ts';
import type { HttpOutcome, HttpRequest, HttpSender } from '../wire/http.ts';
import { type AskedCall, type KeptCall, keyOf, type PlayedCall, sentBy, type Tape } from '../wire/tape.ts';
import { bytesOf, type Recording } from './recording.ts';

/** Tells nock which recorded answer a call is to get. */
const header = 'X-Recorded-Call';

interface Found {
  readonly call: KeptCall;
  /** Ids of the recorded call, each with the one that stands in its place. */
  readonly ids: ReadonlyMap<string, string>;
}

export class Player implements Tape {
  readonly #recording: Recording;
  readonly #folder: string;
  readonly #sender: HttpSender;
  readonly #used = new Set<KeptCall>();
  readonly #equal = new Map<string, KeptCall[]>();
  readonly #similar = new Map<string, KeptCall[]>();
  readonly #inPlace = new Map<string, KeptCall[]>();
  readonly #ids: RegExp | undefined;
  readonly #lacking = new Set<string>();
  readonly lost: Set<string>;

  /** From now on this process reaches nothing but the recording, until `close()`. */
  constructor(recording: Recording, folder: string, sender: HttpSender) {
    this.#recording = recording;
    this.#folder = folder;
    this.#sender = sender;
    this.lost = new Set(recording.lost);
    const ids = recording.ids.toSorted((one, other) => other.length - one.length).map(escapedPattern);
    this.#ids = ids.length > 0 ? new RegExp(`(?<![\\w-])(?:${ids.join('|')})(?![\\w-])`, 'g') : undefined;
    for (const call of recording.calls) {
      add(this.#equal, keyOf(call.about, call), call);
      add(this.#similar, this.#withoutIds(keyOf(call.about, call)), call);
      add(this.#inPlace, this.#withoutIds(keyOf(call.about, { ...call, sent: '' })), call);
    }
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  }

  keep(): void {}

  readonly play = async ({ about, request, authorization }: AskedCall): Promise<PlayedCall> => {
    const asked = { method: request.method, url: request.url.href, authorization, sent: sentBy(request) };
    const key = keyOf(about, asked);
    // What is cut in two, or writes a number in another way, depends on the people, who are others now.
    const free = about.purpose === 'observation' || (about.row !== undefined && !isWhole(asked.sent));
    const place = free ? keyOf(about, { ...asked, sent: '' }) : undefined;
    const found = this.#find(key, place, about.purpose === 'template');
    if (!found) {
      this.#lacking.add(about.row ?? '');
      return this.#refused(request);
    }
    const { call, ids } = found;
    return {
      outcome: call.response ? await this.#answered(request, call, ids) : failureOf(call),
      timing: call.timing,
      at: call.at,
      again: call.again,
    };
  };

  /** Whether a call of a flow was not recorded though it was made: the callbacks that were say nothing of it then. */
  lacks(flow: string): boolean {
    return this.#lacking.has(flow) && !this.lost.has(flow);
  }

  close(): void {
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
  }

  /**
   * The call that was recorded in this place. Which shared object a check got is a matter of timing: a call that
   * differs in such ids alone is the same one.
   */
  #find(key: string, place: string | undefined, mayRepeat: boolean): Found | null {
    const equal = this.#equal.get(key) ?? [];
    const similar = this.#similar.get(this.#withoutIds(key)) ?? [];
    const there = place === undefined ? [] : (this.#inPlace.get(this.#withoutIds(place)) ?? []);
    const call =
      [...equal, ...similar, ...there].find((each) => !this.#used.has(each)) ??
      // What is looked at again and again until something comes may be looked at more often.
      (mayRepeat ? equal.at(-1) : undefined);
    if (!call) return null;
    this.#used.add(call);
    const before = keyOf(call.about, call).match(this.#ids ?? /$^/g) ?? [];
    const after = key.match(this.#ids ?? /$^/g) ?? [];
    return { call, ids: new Map(before.map((id, index) => [id, after[index] ?? id])) };
  }

  #withoutIds(text: string): string {
    return this.#ids ? text.replace(this.#ids, '{id}') : text;
  }

  /** Goes the way of every call, to where nock answers. */
  async #answered(request: HttpRequest, call: KeptCall, ids: Found['ids']): Promise<HttpOutcome> {
    const { status, reason, headers, body } = call.response ?? never();
    const index = String(this.#recording.calls.indexOf(call));
    const translated = (text: string) =>
      this.#ids ? text.replace(this.#ids, (id) => ids.get(id) ?? id) : text;
    const bytes = bytesOf(body, this.#folder);
    const content = 'text' in body ? Buffer.from(translated(body.text)) : bytes;
    nock(request.url.origin)
      .intercept(() => true, request.method)
      .matchHeader(header, index)
      // It has no answers below 200 and above 599.
      .reply(200, content);
    const outcome = await this.#sender.send({ ...request, headers: [...request.headers, [header, index]] });
    if ('failure' in outcome) return outcome;
    // Status, spelling, order and reason phrase as they were; nock has none of its own.
    const fields = headers.map(([name, value]) => [name, translated(value)] as const);
    return { response: { ...outcome.response, status, reason, headers: fields } };
  }

  /** Nothing was recorded: the call is sent, and nock does not let it through. */
  async #refused(request: HttpRequest): Promise<PlayedCall> {
    const startedAt = new Date().toISOString();
    const outcome = await this.#sender.send(request);
    const why = 'failure' in outcome ? outcome.failure.message : 'something else answered';
    const message = `not sent: the recording has no such call (${why.replace(/\s+/g, ' ').slice(0, 120)})`;
    const { monotonicMs } = this.#recording.ended;
    return {
      outcome: { failure: { code: 'NOT_SENT', message } },
      timing: { startedAt, durationMs: 0, retries: [] },
      at: { startMs: monotonicMs, endMs: monotonicMs },
      again: false,
    };
  }
}

function failureOf({ failure }: KeptCall): HttpOutcome {
  return { failure: failure ?? { code: 'NOT_SENT', message: 'not sent: nothing was recorded' } };
}

/** Whether a body is one whole JSON value, or none at all. */
function isWhole(sent: string): boolean {
  return sent === '' || sent.startsWith('sha256 ') || parseJson(sent) !== undefined;
}

function add(map: Map<string, KeptCall[]>, key: string, call: KeptCall): void {
  const known = map.get(key);
  if (known) known.push(call);
  else map.set(key, [call]);
}

function never(): never {
  throw new Error('the recorded call has no response');
}
