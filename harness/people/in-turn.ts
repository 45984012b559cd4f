/** Work that shares something is done one after the other. */

/** Makes a function that runs `work` once all earlier work with the same key has ended. */
export function inTurn(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    return mine;
  };
}
