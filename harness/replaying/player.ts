/** Answers the calls of a replay from a recording: nock takes the place of the network, and refuses unrecorded calls. */
import nock from 'nock';
import { parseJson } from '../../record/json.ts';
import { escapedPattern } from '../untrusted/pattern.ts';
import type { HttpOutcome, HttpRequest, HttpSender } from '../wire/http.ts';
import { type AskedCall, type KeptCall, keyOf, type PlayedCall, sentBy } from '../wire/tape.ts';
import { bytesOf, type Recording, type Replay } from './recording.ts';

/** Tells nock which recorded answer a call is to get. */
const header = 'X-Recorded-Call';

interface Found {
  readonly call: KeptCall;
  /** Ids of the recorded call, each with the id of the replay in its place. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Cuts this process off from the network, until `close()`: calls are answered from the recording only. */
export function playerOf(
  recording: Recording,
  folder: string,
  sender: HttpSender,
): ReturnType<Replay['play']> {
  const used = new Set<KeptCall>();
  const equal = new Map<string, KeptCall[]>();
  const similar = new Map<string, KeptCall[]>();
  const inPlace = new Map<string, KeptCall[]>();
  const lacking = new Set<string>();
  const lost = new Set(recording.lost);
  const longestFirst = recording.ids.toSorted((one, other) => other.length - one.length).map(escapedPattern);
  const ids = new RegExp(
    longestFirst.length > 0 ? `(?<![\\w-])(?:${longestFirst.join('|')})(?![\\w-])` : '(?!)',
    'g',
  );
  const withoutIds = (text: string) => text.replace(ids, '{id}');
  for (const call of recording.calls) {
    add(equal, keyOf(call.about, call), call);
    add(similar, withoutIds(keyOf(call.about, call)), call);
    add(inPlace, withoutIds(keyOf(call.about, { ...call, sent: '' })), call);
  }
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();

  /**
   * The recorded call for a call of the replay. Which shared object a check gets depends on timing, so calls that differ
   * only in such ids are the same.
   */
  function find(key: string, place: string | undefined, mayRepeat: boolean): Found | null {
    const same = equal.get(key) ?? [];
    const alike = similar.get(withoutIds(key)) ?? [];
    const there = place === undefined ? [] : (inPlace.get(withoutIds(place)) ?? []);
    const call =
      [...same, ...alike, ...there].find((each) => !used.has(each)) ??
      // A call that polls may be made more often than it was recorded.
      (mayRepeat ? same.at(-1) : undefined);
    if (!call) return null;
    used.add(call);
    const before = keyOf(call.about, call).match(ids) ?? [];
    const after = key.match(ids) ?? [];
    return { call, ids: new Map(before.map((id, index) => [id, after[index] ?? id])) };
  }

  /** Sends a call as usual; nock answers it. */
  async function answered(request: HttpRequest, found: Found): Promise<HttpOutcome> {
    const { failure, response } = found.call;
    if (!response) {
      return { failure: failure ?? { code: 'NOT_SENT', message: 'not sent: nothing was recorded' } };
    }
    const { status, reason, headers, body } = response;
    const index = String(recording.calls.indexOf(found.call));
    const translated = (text: string) => text.replace(ids, (id) => found.ids.get(id) ?? id);
    const content = 'text' in body ? Buffer.from(translated(body.text)) : bytesOf(body, folder);
    nock(request.url.origin)
      .intercept(() => true, request.method)
      .matchHeader(header, index)
      // nock has no answers below 200 and above 599.
      .reply(200, content);
    const outcome = await sender.send({ ...request, headers: [...request.headers, [header, index]] });
    if ('failure' in outcome) return outcome;
    // Status, reason phrase, and the spelling and order of header fields are restored; nock does not keep them.
    const fields = headers.map(([name, value]) => [name, translated(value)] as const);
    return { response: { ...outcome.response, status, reason, headers: fields } };
  }

  /** A call that was not recorded: it is sent, and nock refuses it. */
  async function refused(request: HttpRequest): Promise<PlayedCall> {
    const startedAt = new Date().toISOString();
    const outcome = await sender.send(request);
    const why = 'failure' in outcome ? outcome.failure.message : 'something else answered';
    const message = `not sent: the recording has no such call (${why.replace(/\s+/g, ' ').slice(0, 120)})`;
    const { monotonicMs } = recording.ended;
    return {
      outcome: { failure: { code: 'NOT_SENT', message } },
      timing: { startedAt, durationMs: 0, retries: [] },
      at: { startMs: monotonicMs, endMs: monotonicMs },
      again: false,
    };
  }

  return {
    lost,
    keep() {},
    async play({ about, request, authorization }: AskedCall): Promise<PlayedCall> {
      const asked = { method: request.method, url: request.url.href, authorization, sent: sentBy(request) };
      const key = keyOf(about, asked);
      // People of a replay are others, so a body that was cut, or has a number in another form, cannot be compared.
      const free = about.purpose === 'observation' || (about.row !== undefined && !isWhole(asked.sent));
      const place = free ? keyOf(about, { ...asked, sent: '' }) : undefined;
      const found = find(key, place, about.purpose === 'template');
      if (!found) {
        lacking.add(about.row ?? '');
        return refused(request);
      }
      const { timing, at, again } = found.call;
      return { outcome: await answered(request, found), timing, at, again };
    },
    lacks: (flow) => lacking.has(flow) && !lost.has(flow),
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

function add(map: Map<string, KeptCall[]>, key: string, call: KeptCall): void {
  const known = map.get(key);
  if (known) known.push(call);
  else map.set(key, [call]);
}
