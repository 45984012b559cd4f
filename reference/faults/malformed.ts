/** Faults of the JSON body itself: the same on endpoints 4 and 5. */
import type { FaultEntries } from './fault.ts';

/** The parts of the service that state what happens to a malformed body, by the area of their requirements. */
export const bodyAreas = ['skeleton', 'signatory'] as const;
export type BodyArea = (typeof bodyAreas)[number];

/** What a body may be instead of JSON. */
export type Malformation = 'not-json' | 'truncated' | 'empty';
/** What JSON may be instead of an object. */
export type OtherRoot = 'array' | 'string' | 'number' | 'null';

const rows = {
  'malformed/not-json-accepted': 'a body that is no JSON is accepted',
  'malformed/truncated-accepted': 'a truncated JSON object is accepted',
  'malformed/empty-accepted': 'an empty body is accepted',
  'malformed/422': 'a malformed body is answered with 422',
  'malformed/500': 'a malformed body is answered with 500',
  'body-object/array-accepted': 'a JSON array as body is accepted',
  'body-object/string-accepted': 'a JSON string as body is accepted',
  'body-object/number-accepted': 'a JSON number as body is accepted',
  'body-object/null-accepted': 'null as body is accepted',
  'body-object/500': 'JSON other than an object as body is answered with 500',
  'content-type/accepted': 'a body that is declared as another type is accepted',
  'content-type/500': 'a body that is declared as another type is answered with 500',
} as const;

type Id = `${BodyArea}.${keyof typeof rows}`;

export const malformedFaults = Object.fromEntries(
  bodyAreas.flatMap((area) => Object.entries(rows).map(([what, title]) => [`${area}.${what}`, title])),
) as Readonly<Record<Id, string>> satisfies FaultEntries;
