/** Reads header fields as they came over the wire. */
import type { HeaderField } from '../../record/exchange.ts';

/** The first value of a header, found without regard to case; `name` in lower case. */
export function headerValue(fields: readonly HeaderField[], name: string): string | undefined {
  return fields.find(([field]) => field.toLowerCase() === name)?.[1];
}

/** Header fields of Node's flat list of names and values. */
export function fieldsOf(raw: readonly string[]): HeaderField[] {
  const fields: HeaderField[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) fields.push([raw[i] ?? '', raw[i + 1] ?? '']);
  return fields;
}
