/** Builds a tree from named fields, as forms have them: `a[0][b]`, `a.0.b`, `a[]`, and repeated names. */
import { limits } from '../limits.ts';

interface Node {
  readonly values: unknown[];
  readonly children: Map<string, Node>;
}

/** The fields of a form. @throws Error when there are more than `limits.formFields` */
export function fieldsOfForm(text: string): [name: string, value: string][] {
  // The fields are counted before parsing: each takes many times the memory of the character that makes it.
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count += 1;
  if (count > limits.formFields.most) throw new Error(`it has more than ${limits.formFields.most} fields`);
  return [...new URLSearchParams(text)];
}

/** The tree of the fields; positions become lists, whatever order they come in. */
export function treeOfFields(fields: Iterable<readonly [name: string, value: unknown]>): unknown {
  const root = node();
  for (const [name, value] of fields) {
    let place = root;
    for (const key of keysOf(name)) {
      // `a[]` and `a[][b]` have no position: each field gets the next one.
      const child = key === '' && place !== root ? String(place.children.size) : key;
      const next = place.children.get(child) ?? node();
      place.children.set(child, next);
      place = next;
    }
    place.values.push(value);
  }
  return finished(root);
}

const node = (): Node => ({ values: [], children: new Map() });

/** The keys of a field name; a name that mixes both notations or is too deep counts as one key. */
function keysOf(name: string): readonly string[] {
  if (name.length > limits.fieldNameCharacters.most) return [name];
  const bracketed = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
  const keys = bracketed
    ? [bracketed[1] ?? '', ...(bracketed[2] ?? '').slice(1, -1).split('][')]
    : name.split('.');
  return keys.length > limits.fieldDepth.most || (!bracketed && keys.includes('')) ? [name] : keys;
}

function finished({ values, children }: Node): unknown {
  const own = values.length === 1 ? values[0] : values;
  if (children.size === 0) return own;
  const entries = [...children].map(([key, child]) => [key, finished(child)] as const);
  if (values.length === 0 && entries.every(([key]) => /^\d{1,6}$/.test(key)))
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
  // `Object.fromEntries` defines keys such as `__proto__` as plain properties.
  return Object.fromEntries(values.length === 0 ? entries : [['', own], ...entries]);
}
