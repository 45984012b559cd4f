/** Small parts of which the schemas of the run are made. */
import {
  type TLiteral,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnion,
  Type,
} from '@sinclair/typebox';
import type { OperationId } from '../openapi/requirements/requirement.ts';

/** For an object that has no other properties than those named. */
export const closed = { additionalProperties: false } as const;

/** `T` with every property and every list inside it read-only. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly DeepReadonly<Item>[]
    : { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

const described = (description: string | undefined) => (description === undefined ? {} : { description });

export function object<Members extends TProperties>(members: Members, description?: string) {
  return Type.Object(members, { ...closed, ...described(description) });
}

/** The schema of a whole file, with its title. */
export function asFile<Members extends TProperties>(members: Members, title: string) {
  return Type.Object(members, { ...closed, $schema: 'http://json-schema.org/draft-07/schema#', title });
}

/** An object with these members and no others; all but those in `needed` may be absent. */
export function mapping<Members extends TProperties, Needed extends keyof Members = never>(
  members: Members,
  description?: string,
  needed: readonly Needed[] = [],
) {
  type Member<Name extends keyof Members> = Name extends Needed ? Members[Name] : TOptional<Members[Name]>;
  const entries = Object.entries(members).map(([name, member]) => {
    return [name, needed.some((each) => each === name) ? member : Type.Optional(member)];
  });
  return object(Object.fromEntries(entries) as { [Name in keyof Members]: Member<Name> }, description);
}

export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
export const orNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], described(description));
export const list = <Schema extends TSchema>(items: Schema, description?: string) =>
  Type.Array(items, described(description));
export const text = (description?: string) => Type.String(described(description));
export const nonEmpty = (description: string) => Type.String({ minLength: 1, description });
/** A time by ISO 8601. */
export const time = Type.String({ format: 'date-time' });
export const atLeast = (minimum: number, description?: string) =>
  Type.Integer({ minimum, ...described(description) });
/** A number of things, or a position among them. */
export const count = (description?: string) => atLeast(0, description);

type LiteralUnion<Value extends string> = TUnion<TLiteral<Value>[]>;

/** A schema that takes exactly the given strings; `byDefault` is its default. */
export function literals<const Value extends string>(
  values: readonly Value[],
  description?: string,
  byDefault?: NoInfer<Value>,
): LiteralUnion<Value> {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    { ...(byDefault === undefined ? {} : { default: byDefault }), ...described(description) },
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

/** An HTTP URL. It may contain labels of secrets, so it is not always a URL that can be parsed. */
export const httpUrl = Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\\s]' });

/** The id of a requirement or a gap, of which names of files and scripts are made. */
export const entryId = Type.String({ pattern: '^[a-z]+\\.[a-z0-9-]{1,80}$' });

/** The id of a run, of which names of files and addresses are made. */
export const runId = Type.String({ pattern: '^[0-9a-z]{1,32}$' });
