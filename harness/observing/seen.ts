/** What observers look at, and how they make observations of it. */
import { operations } from '../../openapi/contract.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import { byValue, type Observation } from '../../openapi/observation.ts';
import type { OperationId } from '../../openapi/requirements/requirement.ts';
import {
  type Created,
  type Exchange,
  type HeaderField,
  headerOf,
  is2xx,
  is4xx,
} from '../../record/exchange.ts';
import { parseJson } from '../../record/json.ts';
import type { UploadFormat } from '../target/upload.ts';
import { mediaTypeOf } from '../untrusted/text.ts';

/** The part of a run's record that observers need. */
export interface SeenRun {
  readonly exchanges: readonly Exchange[];
  readonly created: readonly Created[];
  /** How uploads were sent in the end. */
  readonly uploadFormat: UploadFormat;
}

/** An exchange of the contract that was answered. */
export type AnsweredCall = Exchange & {
  readonly operation: OperationId;
  readonly response: NonNullable<Exchange['response']>;
};

/** One value of one fact, and the exchange that shows it. */
export interface Sighting {
  readonly gap: GapId;
  readonly key: string;
  readonly value: string | number;
  readonly exchange: number;
}

/** An observer: pure; gives nothing where there is nothing to observe. */
export type Observer = (seen: SeenRun) => readonly Observation[];

/** Gap, key and value of a fact that an exchange shows. */
type Fact = readonly [gap: GapId, key: string, value: string | number];

/** An observer of single exchanges, each of which shows facts by itself; every value of a fact is kept. */
export function eachOf(
  exchanges: (seen: SeenRun) => readonly AnsweredCall[],
  facts: (exchange: AnsweredCall) => readonly Fact[],
): Observer {
  return (seen) =>
    stable(
      exchanges(seen).flatMap((exchange) =>
        facts(exchange).map(([gap, key, value]) => ({ gap, key, value, exchange: exchange.index })),
      ),
    );
}

/** The answered calls of the contract, without those that tried another path on purpose. */
export function answered({ exchanges }: SeenRun): AnsweredCall[] {
  return exchanges.filter(
    (each): each is AnsweredCall =>
      each.operation !== null && each.response !== null && isDocumented(each.operation, each.request.url),
  );
}

const paths = new Map(
  operations.map(({ id, path }) => [id, new RegExp(`${path.replace('{requestId}', '[^/]+')}$`)]),
);

function isDocumented(operation: OperationId, url: string): boolean {
  return paths.get(operation)?.test(new URL(url).pathname) ?? false;
}

/**
 * The calls that were accepted. An upload counts only when it gave a token, since an error may come with 200. Calls that
 * were sent only in order to observe are left out: they may be answered in a special way.
 */
export function accepted(seen: SeenRun): AnsweredCall[] {
  const uploaded = new Set(seen.created.map(({ exchange }) => exchange));
  return answered(seen).filter(
    ({ index, operation, purpose, response: { status } }) =>
      is2xx({ status }) &&
      purpose !== 'observation' &&
      (operation !== 'uploadDocument' || uploaded.has(index)),
  );
}

export const acceptedBy =
  (...operations: readonly OperationId[]) =>
  (seen: SeenRun): AnsweredCall[] =>
    accepted(seen).filter(({ operation }) => operations.includes(operation));

/** The calls that were refused with 4xx. */
export function refused(seen: SeenRun): AnsweredCall[] {
  return answered(seen).filter(({ response }) => is4xx(response));
}

/** The calls that checks judge. */
export function judged(seen: SeenRun): AnsweredCall[] {
  return answered(seen).filter(({ purpose }) => purpose === 'judged');
}

/** The body of an answer as JSON, whatever its Content-Type says; `undefined` when it is none or large. */
export function jsonOf({ response }: Pick<AnsweredCall, 'response'>): unknown {
  const text = response.body?.text;
  return text === undefined ? undefined : parseJson(text);
}

/** Media type of a message without parameters, in lower case; empty when there was none. */
export function mediaTypeIn(headers: readonly HeaderField[]): string {
  return mediaTypeOf(headerOf(headers, 'content-type') ?? '');
}

export function isDeclaredJson(exchange: Pick<AnsweredCall, 'response'>): boolean {
  return /[/+]json$/.test(mediaTypeIn(exchange.response.headers));
}

/** Media type and the top-level keys of a body: `application/json {error, message}`. */
export function shapeOf(exchange: Pick<AnsweredCall, 'response'>): string {
  if (!exchange.response.body) return 'no body';
  const mediaType = mediaTypeIn(exchange.response.headers) || 'no Content-Type';
  const json = jsonOf(exchange);
  if (json === undefined) return mediaType;
  if (Array.isArray(json)) return `${mediaType} [ ]`;
  if (json !== null && typeof json === 'object')
    return `${mediaType} {${Object.keys(json).sort().join(', ')}}`;
  return isDeclaredJson(exchange) ? `${mediaType} (JSON ${json === null ? 'null' : typeof json})` : mediaType;
}

/** A fact that exchanges show together. */
export function fact(
  gap: GapId,
  key: string,
  value: Observation['value'],
  ...exchanges: readonly { readonly index: number }[]
): Observation {
  return { gap, key, value, stability: 'stable', exchanges: exchanges.map(({ index }) => index) };
}

/** A fact that differs from run to run. */
export function volatile(...shown: Parameters<typeof fact>): Observation {
  return { ...fact(...shown), stability: 'volatile' };
}

/** One observation for each key: its value, or its values as a sorted list, each shown by its first exchange. */
export function stable(sightings: readonly Sighting[]): Observation[] {
  const facts = new Map<string, Map<string | number, Sighting>>();
  for (const sighting of sightings) {
    const id = `${sighting.gap} ${sighting.key}`;
    const values = facts.get(id) ?? new Map<string | number, Sighting>();
    facts.set(id, values);
    if (!values.has(sighting.value)) values.set(sighting.value, sighting);
  }
  return [...facts.values()].flatMap((values) => {
    const [first] = values.values();
    if (!first) return [];
    const all = [...values.keys()].sort(byValue);
    return [
      {
        gap: first.gap,
        key: first.key,
        value: all.length === 1 ? first.value : all,
        stability: 'stable' as const,
        exchanges: [...values.values()].map(({ exchange }) => exchange),
      },
    ];
  });
}
