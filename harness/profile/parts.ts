/** Parts of the profile schema that several sections use. */
import { type Static, Type } from '@sinclair/typebox';

export const closed = { additionalProperties: false } as const;
export const milliseconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 600_000, description });
export const pointer = Type.String({
  pattern: '^(/([^~/]|~0|~1)*)*$',
  description: 'A JSON Pointer (RFC 6901).',
});
/** Texts by name. */
export const named = (description: string) => Type.Record(Type.String(), Type.String(), { description });

/** A call outside the contract. `{name}` in url, headers and body stands for a variable. */
export const CallTemplate = Type.Object(
  {
    method: Type.String({ pattern: '^[A-Z]+$', description: 'Request method, in capitals.' }),
    url: Type.String({ description: 'Absolute, or below the base URL when it begins with a slash.' }),
    headers: Type.Optional(named('Header fields of the call.')),
    body: Type.Optional(Type.Unknown({ description: 'A text, or a value that is sent as JSON.' })),
    authorize: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether the access token of the run is sent along. It never goes to another origin that an answer or a mail names.',
      }),
    ),
    accept: Type.Optional(
      Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
        description: 'Statuses that mean success; without it every 2xx does.',
      }),
    ),
    refuse: Type.Optional(
      Type.Array(Type.Integer({ minimum: 400, maximum: 499 }), {
        description:
          'Statuses that mean "not allowed now": of a signatory whose turn has not come, a wrong code. 400, 403, 409, 412, 422 and 423 unless said otherwise.',
      }),
    ),
    result: Type.Optional(
      Type.String({ ...pointer, description: 'Leads to what the call is made for, in its JSON answer.' }),
    ),
  },
  { ...closed, description: 'A call that the interface document does not show.' },
);

/** A call template with its own words on what the call does and which variables it may use. */
export const callThat = (description: string) =>
  Type.Object(CallTemplate.properties, { ...closed, description });

export type CallTemplate = Static<typeof CallTemplate>;
