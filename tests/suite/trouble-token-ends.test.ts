/** The access token ends in the middle of a run: what is refused for that is no refusal of a body. Other statuses are rows of the judge. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { checksAt } from './services/checks-at.ts';
import { startPlainService } from './services/plain-service.ts';
import { startProxy } from './services/proxy.ts';

/** Checks of refusals, with each kind of what a refusal has to look like. */
const refusals: readonly RequirementId[] = [
  'upload.other-formats',
  'upload.token-invalid',
  'skeleton.title-required',
  'skeleton.title-type',
  'skeleton.documents-not-empty',
  'skeleton.token-invalid',
  'signatory.role-type',
  'signatory.content-type',
  'otp.mobile-valid',
  'stamping.stamp-type-values',
  'create.token-invalid',
];

for (const [status, text] of [
  [401, 'Unauthorized'],
  [200, '<!doctype html><title>Log in</title>'],
] as const) {
  test(`a token that ends in the middle, and is refused with ${status} "${text}", earns no pass and blames nobody`, async () => {
    const service = await startPlainService();
    const seen = { passed: 0, unearned: 0 };
    for (const most of [8, 14, 22]) {
      let taken = 0;
      const gate = await startProxy(service.baseUrl, async ({ request, forward, reply }) => {
        const own = request.headers.authorization === `Bearer ${service.token}`;
        if (own) taken += 1;
        if (!own || taken <= most) return reply(await forward());
        reply({ status, headers: { 'X-Ended': 'yes', Location: '/login' }, body: Buffer.from(text) });
      });
      const target = { baseUrl: gate.baseUrl, token: service.token, deadlineMs: 8_000 };
      const { blame, requirements, exchanges } = await checksAt(target, refusals);
      await gate.close();
      expect(blame).toEqual([]);
      const rows = requirements.flatMap(({ checks }) => checks.flatMap((check) => check.rows));
      for (const { verdict, finding } of rows.filter((row) => row.verdict === 'passed')) {
        const answer = exchanges[finding?.received?.exchange ?? -1]?.response;
        const ended = answer?.headers.some(([name]) => name.toLowerCase() === 'x-ended');
        seen.passed += 1;
        if (verdict === 'passed' && ended) seen.unearned += 1;
      }
    }
    await service.close();
    expect(seen.passed).toBeGreaterThan(0);
    expect(seen.unearned).toBe(0);
  });
}
