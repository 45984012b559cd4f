/** Fuzz of everything that reads foreign texts: each text gives a result and no error, and changes no shared prototype. */
import fc from 'fast-check';
import { type Border, borders } from './borders.ts';
import { type FuzzResult, type FuzzRun, fuzzed } from './fuzz-run.ts';
import { oddText } from './mutations.ts';

/** Texts that once did harm, and similar ones. How their time grows with their length, growth.ts measures. */
const seeds = [
  '',
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x"}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  '{"a":'.repeat(10_000),
  'af09'.repeat(25_000),
  '\r\n--b\r\nx'.repeat(5_000),
  '<'.repeat(50_000),
  '=\r\n'.repeat(5_000),
  '__proto__',
  '__proto__[polluted]=1&constructor[prototype][polluted]=1',
  '<__proto__><polluted>1</polluted></__proto__>',
  ','.repeat(100_000),
  '- &a x\n- *a\n'.repeat(2_000),
  '"\\u0061'.repeat(20_000),
  'a-secret-of-the-test&#'.repeat(5_000),
  '=?utf-8?q?='.repeat(10_000),
  '--b\r\nContent-Type: message/rfc822\r\n\r\n'.repeat(200),
  '[1e999,-0,9007199254740993,"99999-01-01T00:00:00Z"]',
  `[${'1,'.repeat(50_000)}1]`,
  `{"documentToken":"${'VDE=\\r\\n'.repeat(20_000)}"}`,
] as const;

/** Texts in the language of a border: its pieces in any order, some repeated, with values that programs stumble over. */
function textFor({ pieces }: Border): fc.Arbitrary<string> {
  const piece = fc.constantFrom(...pieces);
  const part = fc.oneof(
    { weight: 8, arbitrary: piece },
    {
      weight: 2,
      arbitrary: fc.tuple(piece, fc.integer({ min: 2, max: 200 })).map(([text, times]) => text.repeat(times)),
    },
    { weight: 1, arbitrary: oddText },
  );
  return fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
}

/** The objects that all others share: their properties must not change. */
const shared = [Object.prototype, Object, Array.prototype, Function.prototype];

function namesInShared(): string {
  return shared.map((each) => Object.getOwnPropertyNames(each).join()).join('\n');
}

/** As many inputs for each border as the run has. Throws with the smallest text that did harm, and with what replays it. */
export async function fuzzBorders(run: FuzzRun): Promise<FuzzResult> {
  const before = namesInShared();
  const all = Object.entries(borders);
  const read = async (name: string, border: Border, text: string): Promise<string> => {
    await border.read(text);
    if (namesInShared() !== before) throw new Error(`${name}: it wrote into what all objects share`);
    return name;
  };
  if (run.path === undefined) {
    for (const [name, border] of all) for (const seed of seeds) await read(name, border, seed);
  }
  const input = fc
    .constantFrom(...all)
    .chain(([name, border]) => fc.tuple(fc.constant(name), textFor(border)));
  const inputs = run.inputs * all.length;
  return fuzzed({ ...run, inputs }, input, ([name, text]) => read(name, borders[name] as Border, text));
}
