/** Endpoint 2: creations of types 1, 2 and 3 on the unversioned path. */

import { partsOfStamped } from '../../generators/bodies/alternatives.ts';
import { waysWithoutAccess } from '../../harness/judging/access-ways.ts';
import { decideShared } from '../../harness/judging/ask.ts';
import { status200 } from '../../harness/judging/operations.ts';
import { covers, everyOne, test } from '../../running/fixtures.ts';

const ofProfile = [
  [1, 'template', 'a request from a template'],
  [2, 'fixed', 'a request with fixed positioning'],
] as const;

for (const [type, judged, what] of ofProfile) {
  test(
    `${what} is answered with 200`,
    covers(`create.${judged}-200` as const),
    async ({ check, session }) => {
      await check.row(`type ${type} with the body of the profile`, (context) =>
        decideShared(session, { judged, expected: status200, vouching: 'document' }, context),
      );
    },
  );
}

test(
  'an auto stamping request is answered with 200 here too',
  covers('create.stamping-200'),
  async ({ unversioned }) => {
    await unversioned.succeeds('type 3 on the unversioned path', 'document', status200, partsOfStamped);
  },
);

/** Deals the ways of calling without access out to the types, as the endpoint is the same; the last one, type 3, has the first way, too. */
const shareOf = (lack: (typeof waysWithoutAccess)[number], at: number, types: number) => ({
  ...lack,
  rows: lack.rows.filter(
    (_, row, { length }) => row % types === at || (row === 0 && (length < types || at === types - 1)),
  ),
});

for (const lack of waysWithoutAccess) {
  test(
    `a creation ${lack.said} is rejected`,
    covers(`create.token-${lack.is}` as const),
    async ({ creations }) => {
      const shares = creations.map((creation, at) => ({
        creation,
        share: shareOf(lack, at, creations.length),
      }));
      await everyOne(shares, ({ creation, share }) => creation.deniesAccess(share, 'rejection'));
    },
  );
}
