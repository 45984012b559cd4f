/** Named fields as the body of a request: as a form, as JSON, or as multipart/form-data. */
import { multipart } from '../upload.ts';

export type FieldEncoding = 'form' | 'json' | 'multipart';

/** @param fields of a form, values that are no texts are sent as JSON */
export async function fieldsBody(
  fields: Readonly<Record<string, unknown>>,
  encoding: FieldEncoding,
): Promise<{ readonly body: Buffer; readonly contentType: string }> {
  if (encoding === 'json') {
    return { body: Buffer.from(JSON.stringify(fields)), contentType: 'application/json' };
  }
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  if (encoding === 'form') {
    return {
      body: Buffer.from(new URLSearchParams(texts).toString()),
      contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
    };
  }
  return multipart(Object.fromEntries(texts));
}
