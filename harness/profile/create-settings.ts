/** The part `create` of a target profile: creations of types 1 to 3, of which the interface document shows little. */
import { type Static, Type } from '@sinclair/typebox';
import { closed, named, placeOf } from './parts.ts';

const variables = '{title}, {message}, {documentToken}, {email}, {name} and {mobileNumber} are filled in';
const person = Type.Optional(
  Type.Unknown({
    description: 'One signatory of the body, with {role}, {order}, {email}, {name} and {mobileNumber}.',
  }),
);
const body = Type.Unknown({
  description: `A body that the target takes as valid. ${variables}; {templateId} too; a text that is "{documents}" or "{signatories}" and nothing else becomes the list of document tokens, or of a signatory for each role.`,
});

const Template = Type.Object(
  {
    id: Type.Optional(
      Type.String({ minLength: 1, description: 'Id of the template, {templateId} in the body.' }),
    ),
    roles: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'Roles of the template, each of which gets a person of its own in {signatories}.',
      }),
    ),
    signatory: person,
    body,
  },
  { ...closed, description: 'Creation of type 1, from a template.' },
);

const Fixed = Type.Object(
  { signatory: person, body },
  { ...closed, description: 'Creation of type 2, with fixed positioning.' },
);

const idAt = (description: string) =>
  Type.Optional(
    Type.Union([Type.Literal('none', { description: 'They give none.' }), placeOf(description)], {
      description,
    }),
  );

export const Create = Type.Object(
  {
    template: Type.Optional(Template),
    fixed: Type.Optional(Fixed),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Fields that every body of types 1 to 3 carries too, with the same value each time.',
      }),
    ),
    requestId: idAt('Where the id of the request stands in the answers of types 1 to 3.'),
    signatoryId: idAt('Where the id of the first signatory stands in these answers.'),
    field: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Multipart field that carries the JSON of types 1 to 3, for targets that want it so.',
      }),
    ),
    formFields: Type.Optional(
      named('Other fields of that multipart body, with the same text each time; needs field.'),
    ),
  },
  { ...closed, description: 'Creation of types 1 to 3, whose bodies and answers are shown in part only.' },
);

export type CreateSettings = Static<typeof Create>;
export type CreationSettings = Static<typeof Template>;
