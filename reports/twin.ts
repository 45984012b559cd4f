/** The accepted twin of a call: the accepted call of the run that differs from it in the least, and in what. */
import type { Exchange } from '../record/exchange.ts';
import { parseJson } from '../record/json.ts';
import type { Run } from './run.ts';

/** One place in which a request differs from its twin. */
export interface Difference {
  readonly in: 'header' | 'body';
  /** Name of the header in small letters, or JSON Pointer into the body. */
  readonly at: string;
  /** `missing`: only the twin has it. */
  readonly kind: 'added' | 'missing' | 'other';
}

export interface Twin {
  readonly exchange: Exchange;
  readonly differences: readonly Difference[];
}

type Features = ReadonlyMap<string, string>;

/** Values that differ from call to call without meaning anything. */
const forms: readonly (readonly [RegExp, string])[] = [
  [/^[^@\s]+@[^@\s]+$/, 'an address'],
  [/^\+\d{7,15}$/, 'a number with +'],
  [/^https?:\/\//, 'a URL'],
];
const freeTexts = /\/(Title|Message|Name|PrivateMessage|Identifier)$/;

/** Finds twins in one run; what each call is like is worked out once. */
export class Twins {
  /** The first accepted call of each kind, by operation and type. */
  readonly #accepted = new Map<string, Map<string, { exchange: Exchange; features: Features }>>();
  readonly #created: ReadonlyMap<string, string>;

  constructor(run: Run) {
    this.#created = new Map(run.created.map(({ id, kind }) => [id, kind]));
    // What was accepted against the document is no twin.
    const blamed = new Set(
      run.requirements.flatMap(({ checks }) =>
        checks.flatMap(({ rows }) => rows.flatMap((row) => (row.verdict === 'failed' ? row.exchanges : []))),
      ),
    );
    for (const exchange of run.exchanges) {
      const { index, response, violations } = exchange;
      if (!response || response.status < 200 || response.status >= 300 || violations.length > 0) continue;
      if (blamed.has(index)) continue;
      const features = this.#features(exchange);
      const group = this.#accepted.get(groupOf(exchange)) ?? new Map();
      this.#accepted.set(groupOf(exchange), group);
      const kind = JSON.stringify([...features]);
      if (!group.has(kind)) group.set(kind, { exchange, features });
    }
  }

  /** The twin of a call of the contract; `null` where no other kind of call was accepted. */
  of(exchange: Exchange): Twin | null {
    if (exchange.operation === null) return null;
    const features = this.#features(exchange);
    let best: Twin | null = null;
    for (const other of this.#accepted.get(groupOf(exchange))?.values() ?? []) {
      const told = differencesBetween(features, other.features);
      const differences = told.length === 0 ? otherFile(exchange, other.exchange) : told;
      if (differences.length === 0) continue;
      if (!best || cost(differences) < cost(best.differences)) {
        best = { exchange: other.exchange, differences };
      }
    }
    return best;
  }

  #features({ request }: Exchange): Features {
    const features = new Map<string, string>();
    for (const name of ['authorization', 'content-type']) {
      const value = request.headers.find(([field]) => field.toLowerCase() === name)?.[1];
      if (value !== undefined) features.set(`header ${name}`, value.replace(/boundary=.*/, 'boundary'));
    }
    const value = parseJson(request.body?.text ?? '');
    if (value === undefined) features.set('body ', request.body ? 'no JSON' : 'none');
    else this.#collect(value, '', features);
    return features;
  }

  #collect(value: unknown, pointer: string, features: Map<string, string>): void {
    if (value !== null && typeof value === 'object') {
      features.set(`body ${pointer}`, Array.isArray(value) ? 'a list' : 'an object');
      for (const [key, inner] of Object.entries(value)) {
        this.#collect(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, features);
      }
      return;
    }
    features.set(`body ${pointer}`, this.#kindOf(value, pointer));
  }

  #kindOf(value: unknown, pointer: string): string {
    if (typeof value !== 'string' || value === '') return JSON.stringify(value);
    const form = forms.find(([pattern]) => pattern.test(value))?.[1];
    return this.#created.get(value) ?? form ?? (freeTexts.test(pointer) ? 'a text' : JSON.stringify(value));
  }
}

/** Of a file nothing is compared but whether it is the same one, and only where nothing else differs. */
function otherFile({ request: own }: Exchange, { request: twin }: Exchange): Difference[] {
  const same = own.body?.sha256 === twin.body?.sha256 || parseJson(own.body?.text ?? '') !== undefined;
  return same ? [] : [{ in: 'body', at: '', kind: 'other' }];
}

function isOtherFile([first, ...more]: readonly Difference[]): boolean {
  return first?.in === 'body' && first.at === '' && first.kind === 'other' && more.length === 0;
}

function groupOf({ operation, request }: Exchange): string {
  return `${operation} ${/[?&]type=([^&]*)/.exec(request.url)?.[1] ?? ''}`;
}

/** Where two are as near, a field that is or is not there tells more than another value. */
function cost(differences: readonly Difference[]): number {
  if (isOtherFile(differences)) return 0;
  return differences.reduce((sum, { kind }) => sum + (kind === 'other' ? 1.1 : 1), 0);
}

function differencesBetween(own: Features, twin: Features): Difference[] {
  const at = (key: string) => {
    const space = key.indexOf(' ');
    return { in: key.startsWith('header') ? 'header' : 'body', at: key.slice(space + 1) } as const;
  };
  return [
    ...[...own].flatMap(([key, value]): Difference[] => {
      const other = twin.get(key);
      if (other === undefined) return [{ ...at(key), kind: 'added' }];
      return other === value ? [] : [{ ...at(key), kind: 'other' }];
    }),
    ...[...twin.keys()]
      .filter((key) => !own.has(key))
      .map((key): Difference => ({ ...at(key), kind: 'missing' })),
  ];
}
