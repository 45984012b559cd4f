/** Answers the calls of a replay from a recording: nock takes the place of the network. */
import nock from 'nock';
import { grouped } from '../../record/grouped.ts';
import { parseJson } from '../../record/json.ts';
import { escapedPattern } from '../untrusted/pattern.ts';
import { percentEncoded } from '../untrusted/text.ts';
import type { HttpOutcome, HttpRequest, HttpSender } from '../wire/http.ts';
import {
  type AskedCall,
  type KeptCall,
  keyOfCall,
  type PlayedCall,
  readsMailbox,
  sentBy,
} from '../wire/tape.ts';
import { keptBytes, type Recording, type Replay } from './recording.ts';

/** Tells nock which recorded answer a call is to get. */
const header = 'X-Recorded-Call';

interface Found {
  readonly call: KeptCall;
  /** Whether the recorded run made the same call once more afterwards. */
  readonly again: boolean;
  /** A text of the recorded call, with the ids of the replay in the place of its own. */
  readonly translated: (text: string) => string;
}

/** The calls of a recording, each of which answers one call of the replay. */
class RecordedCalls {
  readonly #used = new Set<KeptCall>();
  readonly #ids: RegExp;
  /** The id of each spelling: as it is, and percent-encoded as in a URL. */
  readonly #idOf: ReadonlyMap<string, string>;
  readonly #equal: ReadonlyMap<string, readonly KeptCall[]>;
  readonly #withoutIds: ReadonlyMap<string, readonly KeptCall[]>;
  readonly #withoutBody: ReadonlyMap<string, readonly KeptCall[]>;

  constructor({ ids, calls }: Recording) {
    this.#idOf = new Map(ids.flatMap((id) => [id, percentEncoded(id)].map((each) => [each, id])));
    const spelled = [...this.#idOf.keys()].toSorted((one, other) => other.length - one.length);
    const longestFirst = spelled.map(escapedPattern);
    const any = longestFirst.length > 0 ? `(?<![\\w-])(?:${longestFirst.join('|')})(?![\\w-])` : '(?!)';
    this.#ids = new RegExp(any, 'g');
    this.#equal = grouped(calls, (call) => keyOfCall(call.about, call));
    this.#withoutIds = grouped(calls, (call) => this.#masked(keyOfCall(call.about, call)));
    this.#withoutBody = grouped(calls, (call) => this.#masked(keyOfCall(call.about, { ...call, sent: '' })));
  }

  #masked(key: string): string {
    return key.replace(this.#ids, '{id}');
  }

  /** The ids in a text, in their order. */
  #named(text: string): readonly string[] {
    return (text.match(this.#ids) ?? []).map((each) => this.#idOf.get(each) ?? each);
  }

  /**
   * The recorded call for a call of the replay. Which shared object a check gets depends on timing, so calls that differ
   * only in such ids are the same.
   * @param keyWithoutBody where its body need not be the recorded one
   * @param flow people of several flows may share a mailbox, and each flow has to find again what it found
   * @param mayRepeat a call that polls may be made more often than it was recorded
   */
  find(
    key: string,
    keyWithoutBody: string | undefined,
    flow: string | undefined,
    mayRepeat: boolean,
  ): Found | null {
    const equal = this.#equal.get(key) ?? [];
    const own = equal.filter((call) => call.flow !== undefined && call.flow === flow);
    const similar = this.#withoutIds.get(this.#masked(key)) ?? [];
    const others = keyWithoutBody === undefined ? [] : this.#withoutBody.get(this.#masked(keyWithoutBody));
    const fitting = own.length > 0 ? own : [...equal, ...similar, ...(others ?? [])];
    const unused = fitting.find((each) => !this.#used.has(each));
    const call = unused ?? (mayRepeat ? (own.at(-1) ?? equal.at(-1)) : undefined);
    if (!call) return null;
    this.#used.add(call);
    const after = this.#named(key);
    const before = this.#named(keyOfCall(call.about, call));
    const ids = new Map(before.map((id, index) => [id, after[index] ?? id]));
    const instead = (found: string) => {
      const id = this.#idOf.get(found) ?? found;
      const now = ids.get(id) ?? id;
      return found === id ? now : percentEncoded(now);
    };
    // A call that is given more than once was followed by no further one: it would be made again without end.
    const again = call.again && unused !== undefined;
    return { call, again, translated: (text) => text.replace(this.#ids, instead) };
  }
}

/** Cuts this process off from the network, until `close()`: calls are answered from the recording only. */
export function playerOf(
  recording: Recording,
  folder: string,
  sender: HttpSender,
): ReturnType<Replay['play']> {
  const calls = new RecordedCalls(recording);
  const { signing } = recording.profile;
  // Acts of people on pages, by hand or in a module of the user.
  const isWithoutActs = signing !== undefined && signing.driver !== 'http';
  /** Flows of which a call was not recorded. */
  const unrecorded = new Set<string | undefined>();
  const lost = new Set(recording.lost);
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();

  /** Sends a call as usual; nock answers it. */
  async function answered(request: HttpRequest, { call, translated }: Found): Promise<HttpOutcome> {
    const { failure, response } = call;
    if (!response)
      return { failure: failure ?? { code: 'NOT_SENT', message: 'not sent: nothing was recorded' } };
    const { status, reason, headers, body } = response;
    const index = String(recording.calls.indexOf(call));
    const content = 'text' in body ? Buffer.from(translated(body.text)) : keptBytes(body, folder);
    nock(request.url.origin)
      .intercept(() => true, request.method)
      .matchHeader(header, index)
      // nock has no answers below 200 and above 599.
      .reply(200, content);
    // Nothing goes over the wire, so no name is looked up either.
    const asked = { ...request, elsewhere: false, headers: [...request.headers, [header, index] as const] };
    const outcome = await sender.send(asked);
    if ('failure' in outcome) return outcome;
    // Status, reason phrase, and the spelling and order of header fields are restored; nock does not keep them.
    const fields = headers.map(([name, value]) => [name, translated(value)] as const);
    return { response: { ...outcome.response, status, reason, headers: fields } };
  }

  function unsent(): PlayedCall {
    const { monotonicMs } = recording.ended;
    return {
      outcome: { failure: { code: 'NOT_SENT', message: 'not sent: the recording has no such call' } },
      timing: { startedAt: new Date().toISOString(), durationMs: 0, retries: [] },
      at: { startMs: monotonicMs, endMs: monotonicMs },
      again: false,
    };
  }

  return {
    lost,
    keep() {},
    async play({ about, flow, request, authorization }: AskedCall): Promise<PlayedCall> {
      const asked = { method: request.method, url: request.url.href, authorization, sent: sentBy(request) };
      const key = keyOfCall(about, asked);
      // People of a replay are others, so a body that was cut, or has a number in another form, cannot be compared.
      const isIncomparable =
        about.purpose === 'observation' || (about.row !== undefined && !isWhole(asked.sent));
      const withoutBody = isIncomparable ? keyOfCall(about, { ...asked, sent: '' }) : undefined;
      const found = calls.find(key, withoutBody, flow, about.purpose === 'template');
      if (!found) {
        if (!readsMailbox(about)) unrecorded.add(flow);
        return unsent();
      }
      const { timing, at } = found.call;
      return { outcome: await answered(request, found), timing, at, again: found.again };
    },
    lacks: (flow) => (isWithoutActs || unrecorded.has(flow)) && !lost.has(flow),
    close() {
      nock.cleanAll();
      nock.enableNetConnect();
      nock.restore();
    },
  };
}

/** Whether a body is one whole JSON value, or none at all. */
function isWhole(sent: string): boolean {
  return sent === '' || sent.startsWith('sha256 ') || parseJson(sent) !== undefined;
}
