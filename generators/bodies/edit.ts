/** Changes one place of a copy of a JSON value; places are JSON Pointers (RFC 6901). */
import { isObject } from '../../openapi/dereference.ts';
import { stepsOf } from '../../openapi/json-pointer.ts';

/** `body` with `value` at `pointer`; a member that is not there yet is added at the end. */
export function withValue(body: unknown, pointer: string, value: unknown): unknown {
  return edit(body, stepsOf(pointer), () => ({ value }));
}

/** `body` without the member or element at `pointer`. */
export function without(body: unknown, pointer: string): unknown {
  return edit(body, stepsOf(pointer), () => undefined);
}

/** `body` with the member at `pointer` under another name, in the same position. */
export function renamed(body: unknown, pointer: string, name: string): unknown {
  const keys = stepsOf(pointer);
  const old = keys.at(-1);
  return edit(body, keys.slice(0, -1), (parent) => {
    if (!isObject(parent)) throw new Error(`${pointer} is no member of an object`);
    return {
      value: Object.fromEntries(
        Object.entries(parent).map(([key, value]) => [key === old ? name : key, value]),
      ),
    };
  });
}

type Change = (old: unknown) => { value: unknown } | undefined;

function edit(at: unknown, [key, ...rest]: readonly string[], change: Change): unknown {
  if (key === undefined) return change(at)?.value;
  if (Array.isArray(at)) {
    const index = Number(key);
    const next = changeWithin(at[index], rest, change);
    return next ? at.with(index, next.value) : at.filter((_, position) => position !== index);
  }
  if (!isObject(at)) throw new Error(`no object and no array where ${key} is looked for`);
  const next = changeWithin(at[key], rest, change);
  if (next) return { ...at, [key]: next.value };
  return Object.fromEntries(Object.entries(at).filter(([name]) => name !== key));
}

function changeWithin(old: unknown, rest: readonly string[], change: Change): ReturnType<Change> {
  return rest.length === 0 ? change(old) : { value: edit(old, rest, change) };
}
