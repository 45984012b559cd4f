/** Spoils valid things for fuzz tests: values in a JSON body, bytes in a file or a message, bodies of each kind. All drawn by fast-check. */
import fc from 'fast-check';

/** Values that programs stumble over. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, false, 0, -1, 1.5, 2 ** 53, 1e300, -0, '', ' ', '0', '-1', 'null', [], {}, [[]], [null]],
    ...['\u0000', '\ud800', '\ufeff', '\u202e', '../../../etc/passwd', 'C:\\x', '%00', '%2e%2e%2f'],
    ...['<script>alert(1)</script>', '"><img src=x>', "'; DROP TABLE request; --", '{{7*7}}', '__proto__'],
    ...['http://127.0.0.1:1/', 'file:///etc/passwd', 'javascript:alert(1)', 'http://[::1', 'constructor'],
  ),
  // Half a pair of surrogates is among them. A string of fast-check's own costs seconds for this many characters.
  fc.array(fc.nat({ max: 0x10_ff_ff }), { maxLength: 40 }).map((points) => String.fromCodePoint(...points)),
  fc.jsonValue({ maxDepth: 2 }),
  fc.nat({ max: 3_000 }).map((length) => 'x'.repeat(length)),
  fc
    .integer({ min: 1, max: 300 })
    .map((depth) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown),
);

/** The same values as text; other values than strings as JSON. */
export const oddText: fc.Arbitrary<string> = oddValue.map((value) =>
  typeof value === 'string' ? value : JSON.stringify(value),
);

const oddKey = fc.constantFrom(
  ...['__proto__', 'constructor', 'toString', 'title', 'TITLE', '', 'hasOwnProperty'],
);

/** The same body with a few of its values replaced, its fields taken away, or fields added. */
export function spoiled(body: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat({ max: 60 }),
    how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add'),
    value: oddValue,
    key: oddKey,
  });
  const changes = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
  );
  return changes.map((some) => {
    const copy = structuredClone(body);
    for (const { at, how, value, key } of some) {
      const places = placesIn(copy);
      const place = places[at % Math.max(places.length, 1)];
      if (!place) continue;
      const { owner, name } = place;
      if (how === 'replace') set(owner, name, value);
      else if (how === 'add') set(owner, key, value);
      else delete owner[name];
    }
    return copy;
  });
}

type Owner = Record<string, unknown>;

/** Every field in a structure, with the object or array that it stands in. */
function placesIn(value: unknown): { readonly owner: Owner; readonly name: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const owner = value as Owner;
  return Object.keys(owner).flatMap((name) => [{ owner, name }, ...placesIn(owner[name])]);
}

/** Sets an own property, even where its name is __proto__. */
function set(owner: Owner, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The bytes cut, some of them flipped, or a piece put in, repeated or removed; up to six times. */
export function damaged(bytes: Uint8Array): fc.Arbitrary<Buffer> {
  // fast-check would prefer the ends; most of a file lies between them.
  const place = fc.noBias(fc.nat({ max: 9_999 })).map((part) => part / 10_000);
  const length = fc.nat({ max: 200 });
  const change = <Value>(
    value: fc.Arbitrary<Value>,
    parts: (before: Buffer, after: Buffer, value: Value) => readonly Uint8Array[],
  ) =>
    fc.tuple(place, value).map(([part, drawn]) => (whole: Buffer) => {
      const at = Math.floor(part * whole.length);
      return Buffer.concat(parts(whole.subarray(0, at), whole.subarray(at), drawn));
    });
  const changes = fc.oneof(
    change(fc.constant(0), (before) => [before]),
    change(fc.nat({ max: 7 }), (before, after, bit) => {
      const flipped = after.subarray(0, 1).map((byte) => byte ^ (1 << bit));
      return [before, flipped, after.subarray(1)];
    }),
    change(fc.uint8Array({ maxLength: 24 }), (before, after, piece) => [before, piece, after]),
    change(length, (before, after, many) => [before, after.subarray(0, many), after]),
    change(length, (before, after, many) => [before, after.subarray(many)]),
  );
  return fc
    .array(changes, { minLength: 1, maxLength: 6 })
    .map((all) => all.reduce((whole, apply) => apply(whole), Buffer.from(bytes)));
}

/** The bytes as they are, or damaged one time in six. */
export function rarelyDamaged(bytes: Uint8Array): fc.Arbitrary<Buffer> {
  return mostly(5, fc.constant(Buffer.from(bytes)), damaged(bytes));
}

/** `usual` so many times for each time of `other`. */
export function mostly<Usual, Other>(
  times: number,
  usual: fc.Arbitrary<Usual>,
  other: fc.Arbitrary<Other>,
): fc.Arbitrary<Usual | Other> {
  return fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: other });
}

export interface Content {
  readonly type: string;
  readonly body: Buffer;
}

export function content(type: string, body: fc.Arbitrary<string | Uint8Array>): fc.Arbitrary<Content> {
  return body.map((each) => ({ type, body: Buffer.from(each as string) }));
}

/** A multipart body of parts with these headers and bytes; rarely damaged as a whole. */
export function multipart(
  parts: fc.Arbitrary<readonly (readonly [head: string, bytes: Uint8Array])[]>,
): fc.Arbitrary<Content> {
  const boundary = 'a-boundary';
  const body = parts.map((all) => {
    const written = all.flatMap(([head, bytes]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]);
    return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
  });
  return content(`multipart/form-data; boundary=${boundary}`, body.chain(rarelyDamaged));
}

/** A form of up to so many of these fields. */
export function form(maxLength: number, ...names: readonly string[]): fc.Arbitrary<Content> {
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), oddText), { maxLength });
  return content(
    'application/x-www-form-urlencoded',
    pairs.map((some) => new URLSearchParams(some).toString()),
  );
}
