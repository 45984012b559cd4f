/** Gaps about limits. */
import { type GapArea, under } from '../gap.ts';

const limit = under('Limits');

export const limits = {
  'limits.file-size': limit.notShown({
    question: 'How large may an uploaded file be, and what is answered to a larger one?',
    reference: '25 MiB; 413.',
    observed: 'The answer to a PDF of 10 MB.',
    needs: '--explore: 10 MB are uploaded',
  }),
  'limits.documents': limit.notShown({
    question: 'How many documents may a request have?',
    reference: 'No limit.',
    profileKey: 'limits.documents',
    observed: 'The most documents that an accepted creation named: a lower bound.',
  }),
  'limits.signatories': limit.notShown({
    question: 'How many signatories may a request have?',
    reference: 'No limit.',
    profileKey: 'limits.signatories',
    observed: 'The most signatories that one request took: a lower bound.',
  }),
  'limits.lengths': limit.notShown({
    question: 'How long may texts such as Title, Message or Name be, and is there a limit to a body?',
    reference: 'No limit to a text; 1 MiB for a JSON body, 413.',
    observed: 'Creations with very long texts.',
    needs: '--explore',
  }),
  'limits.characters': limit.notShown({
    question: 'Which characters may texts hold: beyond the basic plane, control characters, markup?',
    reference: 'Any.',
    observed: 'Names with an emoji, with a change of direction, with a NUL and with markup.',
    needs: '--explore',
  }),
  'limits.rate': limit.notShown({
    question: 'How many calls are allowed in what time, and what is answered beyond that?',
    reference: 'No limit.',
    profileKey: 'address.perSecond',
    observed: 'Answers with 429 and their Retry-After.',
  }),
} satisfies GapArea;
