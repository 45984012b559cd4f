/** Gaps about access tokens and how calls without a good one are rejected. */
import { type GapArea, under } from '../gap.ts';

const authentication = under('Authentication');

export const auth = {
  'auth.endpoint': authentication.notShown({
    question: 'At which address is an access token to be had, and what do request and answer look like?',
    reference: 'POST /oauth/token with a form body; the answer is JSON as in RFC 6749.',
    profileKey: 'auth',
    needs: 'the word of the vendor: the profile says where tokens come from',
  }),
  'auth.grant': authentication.notShown({
    question: 'Which OAuth 2.0 grant types does the service support?',
    reference: 'Client credentials, with HTTP Basic or in the body.',
    profileKey: 'auth.kind',
    needs: 'the word of the vendor: a run uses the grant that the profile names',
  }),
  'auth.scopes': authentication.notShown({
    question: 'Which scopes are there, and which does each operation need?',
    reference: 'None.',
    profileKey: 'auth.scope',
    needs: 'the word of the vendor: a run asks for the scope that the profile names',
  }),
  'auth.lifetime': authentication.notShown({
    question: 'How long is an access token valid, and how does a caller learn of it?',
    reference: 'One hour, stated as expires_in.',
    observed: 'expires_in of a token answer, and tokens that had to be renewed during the run.',
    needs: 'access tokens that the run fetches itself',
  }),
  'auth.scheme-case': authentication.notShown({
    question: 'Is the scheme name accepted in other casing, such as "bearer"?',
    reference: 'Yes, as RFC 9110 says.',
    observed: 'A call with the scheme in lower case.',
  }),
  'auth.rejection-status': authentication.notShown({
    question: 'With which status do endpoints 2 and 3 reject a missing, expired or invalid token?',
    reference: '401, as on endpoints 4 and 5.',
    observed: 'The status of each rejected call.',
  }),
  'auth.challenge': authentication.notShown({
    question: 'Does a rejected call say in WWW-Authenticate which scheme, realm or error it is about?',
    reference: 'It names the scheme, Bearer, and nothing more.',
    observed: 'The header WWW-Authenticate of each answer with 401.',
  }),
  'auth.other-account': authentication.notShown({
    question: 'What is answered when an id or a document token belongs to another account?',
    reference: 'As if it did not exist: 404.',
    needs: 'access to a second account, for which the profile has no key',
  }),
} satisfies GapArea;
