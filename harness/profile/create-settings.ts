/** The part `create` of a target profile: creations of types 1 to 3, of which the interface document shows little. */
import { type Static, Type } from '@sinclair/typebox';
import { filled, object, optional, text } from '../../record/schema-parts.ts';
import { named, placeOf } from './parts.ts';

const variables = '{title}, {message}, {documentToken}, {email}, {name} and {mobileNumber} are filled in';
const person = optional(
  Type.Unknown({
    description: 'One signatory of the body, with {role}, {order}, {email}, {name} and {mobileNumber}.',
  }),
);
const body = Type.Unknown({
  description: `A body that the target takes as valid. ${variables}; {templateId} too; a text that is "{documents}" or "{signatories}" and nothing else becomes the list of document tokens, or of a signatory for each role.`,
});

const Template = object(
  {
    id: optional(filled('Id of the template, {templateId} in the body.')),
    roles: optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'Roles of the template, each of which gets a person of its own in {signatories}.',
      }),
    ),
    signatory: person,
    body,
  },
  'Creation of type 1, from a template.',
);

const Fixed = object({ signatory: person, body }, 'Creation of type 2, with fixed positioning.');

const idAt = (description: string) =>
  optional(
    Type.Union([Type.Literal('none', { description: 'They give none.' }), placeOf(description)], {
      description,
    }),
  );

export const Create = object(
  {
    template: optional(Template),
    fixed: optional(Fixed),
    fields: optional(
      Type.Record(text(), Type.Unknown(), {
        description: 'Fields that every body of types 1 to 3 carries too, with the same value each time.',
      }),
    ),
    requestId: idAt('Where the id of the request stands in the answers of types 1 to 3.'),
    signatoryId: idAt('Where the id of the first signatory stands in these answers.'),
    field: optional(
      filled('Multipart field that carries the JSON of types 1 to 3, for targets that want it so.'),
    ),
    formFields: optional(
      named('Other fields of that multipart body, with the same text each time; needs field.'),
    ),
  },
  'Creation of types 1 to 3, whose bodies and answers are shown in part only.',
);

export type CreateSettings = Static<typeof Create>;
export type CreationSettings = Static<typeof Template>;
