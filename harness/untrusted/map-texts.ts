/** Changes every text within a plain value, such as a recorded exchange. */

/** Keys whose texts say nothing of anybody and have to keep their form. */
const kept = new Set(['sha256', 'file', 'startedAt', 'at', 'until', 'start', 'end', 'operation', 'purpose']);

/** The value with each of its texts changed; keys, numbers and what is listed above stay. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  return changed(value, change) as Value;
}

function changed(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, kept.has(key) ? item : changed(item, change)]),
  );
}
