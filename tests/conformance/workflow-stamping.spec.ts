/** Stamps in completed documents: judged from the flows of the run. */
import { covers } from '../running/covers.ts';
import { test } from '../running/fixtures.ts';

test(
  'stamps are placed where and as large as they were given',
  covers('stamping.placed'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);
