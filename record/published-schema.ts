/** Writes a JSON Schema for other tools: choices become `enum`, and parts that occur more than once become definitions. */

type Tree = Readonly<Record<string, unknown>>;

/** A part that is shorter than this, as JSON text, is clearer where it stands than as a definition. */
const leastShared = 120;

/** A JSON Schema that accepts the same. @param schema by draft 07, without definitions, or with these below `$defs` */
export function published(schema: object): Tree {
  let whole = asJson(schema);
  const names = new Set<string>();
  for (let shared = longestShared(whole); shared; shared = longestShared(whole)) {
    const { text, name } = shared;
    let free = name;
    for (let number = 2; names.has(free); number += 1) free = `${name}${number}`;
    const reference = { $ref: `#/definitions/${free}` };
    const rest = mapped(whole, (each) => (JSON.stringify(each) === text ? reference : each)) as Tree;
    names.add(free);
    whole = { ...rest, definitions: { ...(rest.definitions as Tree), [free]: JSON.parse(text) } };
  }
  return whole;
}

/** The schema with alternatives that are literals written as one `enum`. */
function asJson(schema: object): Tree {
  return mapped(JSON.parse(JSON.stringify(schema)), ({ anyOf, ...rest }) => {
    if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { anyOf, ...rest };
    const types = new Set(anyOf.map(({ type }) => type));
    const isChoice =
      types.size === 1 && anyOf.every((each) => 'const' in each && Object.keys(each).length === 2);
    return isChoice
      ? { ...rest, type: [...types][0], enum: anyOf.map((each) => each.const) }
      : { anyOf, ...rest };
  }) as Tree;
}

/** The longest part that occurs more than once, with the name of a member that it describes. */
function longestShared(schema: Tree): { readonly text: string; readonly name: string } | undefined {
  const seen = new Map<string, { count: number; readonly name: string }>();
  const visit = (tree: unknown, name: string): void => {
    if (tree === null || typeof tree !== 'object') return;
    const { type, anyOf } = tree as Tree;
    if (typeof type === 'string' || Array.isArray(anyOf)) {
      const text = JSON.stringify(tree);
      const known = seen.get(text) ?? { count: 0, name };
      known.count += 1;
      seen.set(text, known);
    }
    for (const [key, below] of Object.entries(tree))
      visit(below, /^(?:\d+|items|anyOf|properties|definitions|\$defs)$/.test(key) ? name : key);
  };
  visit(schema, 'part');
  const shared = [...seen].filter(([text, { count }]) => count > 1 && text.length >= leastShared);
  const [longest] = shared.sort(([one], [other]) => other.length - one.length);
  return longest && { text: longest[0], name: longest[1].name };
}

/** The tree with each of its objects changed, innermost first. */
function mapped(tree: unknown, change: (each: Tree) => Tree): unknown {
  if (Array.isArray(tree)) return tree.map((each) => mapped(each, change));
  if (tree === null || typeof tree !== 'object') return tree;
  return change(Object.fromEntries(Object.entries(tree).map(([key, each]) => [key, mapped(each, change)])));
}
