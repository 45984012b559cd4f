/** Groups a list in linear time: a run from elsewhere may have a hundred thousand items with one key. */

/** A list by the key that each item gives; items without one are left out. */
export function grouped<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item, index: number) => Key | undefined,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
