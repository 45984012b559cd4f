/** Endpoints 1, 3, 4 and 5: what is refused without a valid access token, and what endpoint 1 says then. */
import { waysWithoutAccess } from '../../harness/judging/access-ways.ts';
import { says, saysExpired } from '../../harness/judging/readings.ts';
import { message } from '../../openapi/codes.ts';
import { covers, test } from '../../running/fixtures.ts';

/** Area of the requirements, the call, the expected refusal, and the words for it. */
const calls = [
  ['upload', 'an upload', 'no-token', 'rejected'],
  ['skeleton', 'a creation', 401, 'answered with 401'],
  ['signatory', 'a call', 401, 'answered with 401'],
  ['stamping', 'a creation', 'rejection', 'rejected'],
] as const;

for (const [area, call, refusal, refused] of calls) {
  for (const lack of waysWithoutAccess) {
    test(
      `${call} ${lack.said} is ${refused}`,
      covers(`${area}.token-${lack.is}` as const),
      async ({ upload, skeleton, signatory, stamping }) => {
        await { upload, skeleton, signatory, stamping }[area]
          .as(`${area}.token-${lack.is}`)
          .deniesAccess(lack, refusal);
      },
    );
  }
}

const [, invalid, expired] = waysWithoutAccess;

test(
  'the rejection of an invalid token says so',
  covers('upload.token-invalid-message'),
  async ({ upload }) => {
    await upload.as('upload.token-invalid').deniesAccess(invalid, 'no-token', says(message.invalidToken));
  },
);

test(
  'the rejection of an expired token says so',
  covers('upload.token-expired-message'),
  async ({ upload, facts }) => {
    await upload
      .as('upload.token-expired')
      .deniesAccess(expired, 'no-token', saysExpired(facts.expiredBy !== 'target'));
  },
);
