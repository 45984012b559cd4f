/** Gaps about creating requests of types 1, 2 and 3 and about the two paths for type 3. */
import { type GapArea, under } from '../gap.ts';

const endpoint = under('Endpoints, 2. Create a request, types 1, 2, 3');
const stamping = under('Endpoints, 3. Create a request with auto stamping (type 3)');

export const create = {
  'create.template-body': endpoint.notShown({
    question: 'What does the body of a request from a template (type 1) look like?',
    reference: 'TemplateId, Title, Message and Signatories by role.',
    profileKey: 'create.template',
    needs: 'the word of the vendor: the profile gives the body (create.template)',
  }),
  'create.fixed-body': endpoint.notShown({
    question: 'What does the body of a request with fixed positioning (type 2) look like?',
    reference: 'As for type 3, with stamps at fixed positions.',
    profileKey: 'create.fixed',
    needs: 'the word of the vendor: the profile gives the body (create.fixed)',
  }),
  'create.encoding': endpoint.notShown({
    question: 'Endpoint 2 states no Content-Type: is the body JSON, or JSON inside a form?',
    reference: 'application/json',
    profileKey: 'create.field',
    observed: 'The Content-Type of accepted creations of types 1 to 3.',
  }),
  'create.response-body': endpoint.notShown({
    question: 'What does endpoint 2 answer besides the status 200, and is the id of the request in it?',
    reference: 'JSON with requestId.',
    observed: 'Media type and top-level fields of each answer.',
  }),
  'create.type-missing': endpoint.notShown({
    question: 'What is answered when the query parameter type is missing?',
    reference: '400',
    observed: 'A type 0 creation without type that names an unknown document token.',
  }),
  'create.type-unknown': endpoint.notShown({
    question: 'What is answered to a type that the document does not list?',
    reference: '400',
    observed: 'A type 0 creation with type=9 that names an unknown document token.',
  }),
  'create.type-elsewhere': endpoint.notShown({
    question: 'What is answered to a listed type on a path for which it is not listed (0 on endpoint 2)?',
    reference: '400',
    observed: 'A type 0 creation with type=3 that names an unknown document token.',
  }),
  'create.two-paths': stamping.unclear({
    question: 'Type 3 has two paths: are they the same operation, and which is to be used?',
    reference: 'The same operation on both.',
    observed: 'The answers of both paths to the same body.',
  }),
} satisfies GapArea;
