/** Finds the calls that lead to an exchange: from the upload and the creations to the call itself. */
import type { Created, Exchange } from '../../record/exchange.ts';
import type { Run } from '../run/run.ts';
import { names } from './pieces.ts';

export interface Picked {
  readonly variable: string;
  readonly value: string;
  /** `null`: the script cannot find the id in its own answer, so it uses the one of the run. */
  readonly place: PlaceInAnswer | null;
}

type Response = NonNullable<Exchange['response']>;

const variables: Readonly<Record<Created['kind'], string>> = {
  document: 'DOCUMENT_TOKEN',
  request: 'REQUEST_ID',
  signatory: 'SIGNATORY_ID',
};

/** No flow of the suite has so many calls. A longer chain comes from a hostile file. */
const longestChain = 200;
/** Objects that a chain of ours creates are fewer. */
const mostObjects = 1_000;
/** Characters that are searched for ids, for all scripts of a run: some seconds, and 200 times as many as a usual run takes. */
const mostSearched = 4e9;
const charactersLeft = new WeakMap<Run, number>();

/** Whether so many more characters of a run may be searched. */
function mayTake(run: Run, characters: number): boolean {
  const before = charactersLeft.get(run) ?? mostSearched;
  charactersLeft.set(run, before - characters);
  return before > 0;
}

/** The steps in the order of the run, `longestChain` at most; the last one is the exchange itself. */
export function chainOf(run: Run, exchange: Exchange) {
  const wanted = new Map<number, Exchange>([[exchange.index, exchange]]);
  const used = new Set<Created>();
  const open = [exchange];
  for (let next = open.pop(); next && mayTake(run, run.created.length); next = open.pop()) {
    for (const created of run.created) {
      if (created.id === '' || created.exchange >= next.index || used.has(created)) continue;
      if (used.size >= mostObjects || !concerns(run, next, created)) continue;
      used.add(created);
      for (const index of [created.exchange, ...changesOf(run, created, exchange)]) {
        const found = run.exchanges[index];
        if (!found || wanted.has(index) || wanted.size >= longestChain) continue;
        wanted.set(index, found);
        open.push(found);
      }
    }
  }
  const calls = [...wanted.values()].sort((one, other) => one.index - other.index);
  const counts = new Map<string, number>();
  const picks = [...used, ...answeredIds(calls, used)]
    .sort((one, other) => one.exchange - other.exchange)
    .map((created) => {
      const count = (counts.get(created.kind) ?? 0) + 1;
      counts.set(created.kind, count);
      const variable = count === 1 ? variables[created.kind] : `${variables[created.kind]}_${count}`;
      const response = run.exchanges[created.exchange]?.response ?? null;
      return { at: created.exchange, variable, value: created.id, place: standsAt(created.id, response) };
    });
  return calls.map((each) => ({
    exchange: each,
    picks: picks
      .filter(({ at }) => at === each.index)
      .map(({ variable, value, place }) => ({ variable, value, place })),
  }));
}

/** Ids in paths that are not of a created object but stand in an earlier answer, such as those of signatories of types 1 to 3. */
function answeredIds(calls: readonly Exchange[], used: ReadonlySet<Created>): Created[] {
  const known = new Set([...used].map(({ id }) => id));
  return calls.flatMap((call, at) =>
    pathOf(call).flatMap((id): Created[] => {
      if (known.has(id) || id.length < 6 || !/\d/.test(id)) return [];
      const giver = calls.slice(0, at).find(({ response }) => standsAt(id, response));
      if (!giver) return [];
      known.add(id);
      return [{ kind: 'signatory', id, exchange: giver.index }];
    }),
  );
}

function pathOf({ request: { url } }: Exchange): string[] {
  return URL.canParse(url) ? new URL(url).pathname.split('/') : [];
}

/** Calls that changed an object before the exchange: it was sent, ended or signed. */
function changesOf(run: Run, created: Created, until: Exchange): number[] {
  if (!mayTake(run, run.exchanges.length)) return [];
  return run.exchanges
    .slice(created.exchange + 1, until.index)
    .filter((each) => each.request.method !== 'GET' && answered(each) && concerns(run, each, created))
    .filter((each) => each.template !== undefined || (created.kind === 'request' && isOfFlow(each, until)))
    .map(({ index }) => index);
}

/** Whether a call that adds people to a flow is needed for a later call of that flow. */
function isOfFlow(each: Exchange, until: Exchange): boolean {
  return each.purpose === 'flow' && (until.purpose === 'flow' || until.purpose === 'template');
}

const answered = ({ response }: Exchange): boolean => response !== null && response.status < 400;

/** Whether a call is about an object. One that names only a signatory, or a link, is about their request too. */
function concerns(run: Run, { request, madeFor }: Exchange, { kind, id, exchange }: Created): boolean {
  const { url, body } = request;
  if (!mayTake(run, 100 + url.length + (body?.text?.length ?? 0))) return false;
  if (kind === 'request' && madeFor === exchange) return true;
  return [id, encodeURIComponent(id)].some((each) => names(url, each)) || names(body?.text ?? '', id);
}

/**
 * `key`: the text or number under this key of a JSON body, the `nth` one of that name, from 1. `whole`: the body
 * itself, without quotation marks and blanks around it. `header`: what follows `before` in its value.
 */
type PlaceInAnswer =
  | { readonly kind: 'key'; readonly key: string; readonly nth: number }
  | { readonly kind: 'whole' }
  | { readonly kind: 'header'; readonly name: string; readonly before: string };

const placesIn = new WeakMap<Response, ReadonlyMap<string, PlaceInAnswer>>();

/** The place of an id; `null` where a script could not find it again. */
function standsAt(id: string, response: Exchange['response']): PlaceInAnswer | null {
  if (!response || id === '') return null;
  const places = placesIn.get(response) ?? placesOf(response);
  placesIn.set(response, places);
  const found = places.get(id);
  if (found) return found;
  for (const [name, carried] of response.headers) {
    if (carried.endsWith(id))
      return { kind: 'header', name, before: carried.slice(0, carried.length - id.length) };
  }
  return null;
}

function placesOf({ body }: Response): ReadonlyMap<string, PlaceInAnswer> {
  const text = body?.text ?? '';
  const value = /"([^"\\]+)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(\d+))/g;
  const places = new Map<string, PlaceInAnswer>();
  const seen = new Map<string, number>();
  for (const [, key = '', quoted = '', number] of text.matchAll(value)) {
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    const found = number ?? quoted.replaceAll('\\/', '/');
    if (!places.has(found)) places.set(found, { kind: 'key', key, nth });
  }
  const whole = text.trim().replace(/^"(.*)"$/s, '$1');
  if (!places.has(whole)) places.set(whole, { kind: 'whole' });
  return places;
}
