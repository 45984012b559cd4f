/** Small parts that the schemas of the run are put together from. */
import { type TLiteral, type TUnion, Type } from '@sinclair/typebox';
import type { OperationId } from '../openapi/requirements/requirement.ts';

/** Of an object that has no other properties than those named. */
export const closed = { additionalProperties: false } as const;

/** `T` with every property and every list inside it read-only. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly DeepReadonly<Item>[]
    : { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

type LiteralUnion<Value extends string> = TUnion<TLiteral<Value>[]>;

/** A schema that takes exactly the given strings. */
export function literals<Value extends string>(
  values: readonly Value[],
  description?: string,
): LiteralUnion<Value> {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    description === undefined ? {} : { description },
  );
}

/** `operationId` of an operation of the contract. */
export const operationId = literals<OperationId>([
  'uploadDocument',
  'createRequest',
  'createStampedRequest',
  'createSkeletonRequest',
  'addSignatory',
]);

/** A URL of HTTP. Labels of secrets may stand in it, so that not every one can be parsed. */
export const httpUrl = Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\\s]' });

/** The id of a run, of which names of files and addresses are made. */
export const runId = Type.String({ pattern: '^[0-9a-z]{1,32}$' });
