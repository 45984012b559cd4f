/** The accepted twin of a call, which its finding names, and the differences between the two. */
import { below } from '../../openapi/json-pointer.ts';
import type { Exchange } from '../../record/exchange.ts';
import { parseJson } from '../../record/json.ts';
import { decisiveExchange } from './decisive.ts';
import type { Run, RunRow } from './run.ts';

export interface Difference {
  readonly in: 'header' | 'body';
  /** Name of the header in small letters, or JSON Pointer into the body; empty where the bodies are no JSON. */
  readonly at: string;
  /** `missing`: only the twin has it. */
  readonly kind: 'added' | 'missing' | 'other';
}

export interface Twin {
  readonly exchange: Exchange;
  readonly differences: readonly Difference[];
}

type Features = ReadonlyMap<string, Omit<Difference, 'kind'> & { readonly value: string }>;

/** Forms of values that differ in each call without any meaning. */
const forms: readonly (readonly [RegExp, string])[] = [
  [/^[^@\s]+@[^@\s]+$/, 'an address'],
  [/^\+\d{7,15}$/, 'a number with +'],
  [/^https?:\/\//, 'a URL'],
];
const freeTexts = /\/(Title|Message|Name|PrivateMessage|Identifier)$/;

/** The twin of the call that decided about a row; `null` where the finding names none, as in runs of earlier versions. */
export function twinOf(row: RunRow, run: Run): Twin | null {
  const exchange = run.exchanges[row.finding?.twin ?? -1];
  const own = decisiveExchange(row, run);
  if (!exchange || !own) return null;
  return { exchange, differences: differencesBetween(featuresOf(own, run), featuresOf(exchange, run)) };
}

function featuresOf({ request }: Exchange, { created }: Run): Features {
  const features = new Map<string, Omit<Difference, 'kind'> & { value: string }>();
  const add = (part: Difference['in'], at: string, value: string) =>
    features.set(`${part} ${at}`, { in: part, at, value });
  for (const [name, value] of request.headers) {
    const field = name.toLowerCase();
    if (field === 'authorization') add('header', field, value);
    if (field === 'content-type') add('header', field, value.replace(/boundary=.*/, 'boundary'));
  }
  const collect = (value: unknown, at: string): void => {
    if (value === null || typeof value !== 'object') return void add('body', at, kindOf(value, at));
    add('body', at, Array.isArray(value) ? 'a list' : 'an object');
    for (const [key, inner] of Object.entries(value)) collect(inner, below(at, key));
  };
  const kindOf = (value: unknown, at: string): string => {
    if (typeof value !== 'string' || value === '') return JSON.stringify(value);
    const form =
      forms.find(([pattern]) => pattern.test(value))?.[1] ?? created.find(({ id }) => id === value)?.kind;
    return form ?? (freeTexts.test(at) ? 'a text' : JSON.stringify(value));
  };
  const json = parseJson(request.body?.text ?? '');
  if (json === undefined) add('body', '', request.body?.sha256 ?? 'none');
  else collect(json, '');
  return features;
}

function differencesBetween(own: Features, twin: Features): Difference[] {
  const kindAt = (key: string): Difference['kind'] | undefined => {
    const [mine, other] = [own.get(key)?.value, twin.get(key)?.value];
    if (mine === other) return undefined;
    if (mine === undefined) return 'missing';
    return other === undefined ? 'added' : 'other';
  };
  return [...new Map([...own, ...twin])].flatMap(([key, { in: part, at }]) => {
    const kind = kindAt(key);
    return kind ? [{ in: part, at, kind }] : [];
  });
}
