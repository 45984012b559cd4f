/** Parts of the profile schema that several sections use. */
import { type Static, Type } from '@sinclair/typebox';
import { list, mapping, nonEmpty, text } from '../../record/schema-parts.ts';
import type { Place } from '../untrusted/place.ts';

export const milliseconds = (description: string, maximum = 600_000) =>
  Type.Integer({ minimum: 0, maximum, description });
/** A secret. `writeOnly` marks it, so that editors ask for a reference to the environment there. */
export const secretText = (description: string) =>
  Type.String({ minLength: 1, writeOnly: true, description });
const pointer = Type.String({
  pattern: '^(/([^~/]|~0|~1)*)*$',
  description: 'A JSON Pointer (RFC 6901).',
});
/** The schema of a place, in the profile's `$defs`. It has no branches, so that a mistake gives only one message. */
export const placeSchema = {
  title: 'place',
  type: ['string', 'object'],
  pattern: '^(text|(/([^~/]|~0|~1)*)*)$',
  properties: {
    pointer,
    root: Type.String({
      ...pointer,
      description: 'A JSON Pointer into the whole payload, where others begin at an event or an item.',
    }),
    key: Type.String({
      ...pointer,
      description:
        'A JSON Pointer to a mapping, of which the first name is meant; "" for that of the root element.',
    }),
    header: nonEmpty('Name of a header field.'),
    query: nonEmpty('Name of a query parameter of the callback.'),
    pattern: Type.String({
      format: 'regex',
      oneGroup: true,
      description: 'Its one group is the value: in the body, or in what another key here leads to.',
    }),
  },
  additionalProperties: false,
  minProperties: 1,
  // Two keys may stand together only if one of them is `pattern`.
  not: { minProperties: 2, not: { required: ['pattern'], maxProperties: 2 } },
};

/** A place, with a description of the value that is read there. */
export const aPlace = (description: string) => Type.Unsafe<Place>({ $ref: '#/$defs/place', description });

/** What is wrong with the pattern of a place; `undefined` when nothing is, or when it is no regular expression at all. */
export function patternProblem(pattern: string): string | undefined {
  const groups = (compiled(`${pattern}|`)?.exec('')?.length ?? 2) - 1;
  return groups === 1
    ? undefined
    : `has ${groups === 0 ? 'no group' : `${groups} groups`}; put round brackets around the value, and (?:…) around all else`;
}

/** Patterns are read with the flag `u`, so that `.` is a whole character; it takes no needless backslash. */
function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

export const isPattern = (text: string): boolean => compiled(text) !== undefined;

export const textsByName = (description: string) => Type.Record(text(), text(), { description });

/** A call outside the contract. `{name}` in url, headers and body stands for a variable. */
export const CallTemplate = mapping(
  {
    method: Type.String({ pattern: '^[A-Z]+$', description: 'Request method, in capitals.' }),
    url: text('Absolute, or below the base URL when it begins with a slash.'),
    headers: textsByName('Header fields of the call.'),
    body: Type.Unknown({ description: 'A text, or a value that is sent as JSON.' }),
    authorize: Type.Boolean({
      default: true,
      description:
        'Whether the access token of the run is sent along. It never goes to another origin that an answer or a mail names.',
    }),
    accept: list(
      Type.Integer({ minimum: 100, maximum: 599 }),
      'Statuses that mean success; without it every 2xx does. 202 only where the act is done by then; unnamed, it does not show that somebody could act who may not, and neither does a redirect without `result`.',
    ),
    refuse: list(
      Type.Integer({ minimum: 300, maximum: 599 }),
      'Statuses that mean "not allowed now": of a signatory whose turn has not come, a wrong code. 400, 403, 409, 412, 422, 423 and 428 unless said otherwise.',
    ),
    result: aPlace(
      'Leads to what the call is made for, in its answer. A person whose act is answered without it could not act.',
    ),
  },
  'A call that the interface document does not show.',
  ['method', 'url'],
);

export type CallTemplate = Static<typeof CallTemplate>;

/** A call template, in the profile's `$defs`, with a description of what it does and which variables it may use. */
export const callThat = (description: string) =>
  Type.Unsafe<CallTemplate>({ $ref: '#/$defs/call', description });
