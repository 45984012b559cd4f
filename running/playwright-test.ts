/** Playwright's `test()` for the checks, with fixtures for the session, the current check and its parts. */
import { test as base } from '@playwright/test';
import { Check } from '../harness/judging/check.ts';
import { type CheckParts, evidenceOf, partsOf } from '../harness/judging/parts.ts';
import type { RunFacts, Session } from '../harness/judging/session.ts';
import { hostAddress, remoteSession } from '../harness/session/host.ts';
import type { Answer } from '../harness/target/call.ts';
import { attachmentName } from '../record/check-result.ts';
import { callLine, received } from '../record/exchange-text.ts';

export const test = base.extend<CheckParts & { parts: CheckParts }, { host: Session; run: RunFacts }>({
  host: [async ({}, use) => use(remoteSession(hostAddress())), { scope: 'worker' }],
  run: [async ({ host }, use) => use(await host.facts()), { scope: 'worker' }],
  facts: async ({ run }, use) => use(run),
  session: async ({ host }, use) => use(traced(host)),
  check: [
    async ({ run, session }, use, info) => {
      const check = new Check(info);
      const hand = async () => {
        const results = check.results({ broke: info.errors.length > 0 });
        if (results.length === 0) return;
        await info.attach(attachmentName, { contentType: 'application/json', body: JSON.stringify(results) });
      };
      info.skip(info.tags.includes('@explore') && !run.explore, 'only with --explore');
      info.skip(info.tags.includes('@observation') && run.smoke, 'not in production');
      const reason = check.notApplicable(run);
      const evidence = evidenceOf(session, check);
      if (reason !== undefined && !(await evidence.isViolated())) {
        check.skip(reason);
        await hand();
        info.skip(true, reason);
      }
      await use(check);
      await hand();
    },
    { auto: true },
  ],
  parts: async ({ session, facts, check }, use) => use(partsOf({ session, facts, check })),
  upload: async ({ parts }, use) => use(parts.upload),
  skeleton: async ({ parts }, use) => use(parts.skeleton),
  signatory: async ({ parts }, use) => use(parts.signatory),
  stamping: async ({ parts }, use) => use(parts.stamping),
  unversioned: async ({ parts }, use) => use(parts.unversioned),
  creations: async ({ parts }, use) => use(parts.creations),
  evidence: async ({ parts }, use) => use(parts.evidence),
});

function traced(session: Session): Session {
  const step = async (title: string, work: () => Promise<Answer>): Promise<Answer> =>
    test.step(title, async () => {
      const answer = await work();
      const { exchange } = answer;
      await test
        .info()
        .attach(`exchange ${exchange.index}: ${callLine(exchange)} → ${received(exchange).slice(0, 60)}`, {
          contentType: 'application/json',
          body: JSON.stringify(exchange, null, 2),
        });
      return answer;
    });
  return {
    ...session,
    call: (call) =>
      step(call.row ? `${call.operation}: ${call.row}` : call.operation, () => session.call(call)),
    template: (name, variables, again) =>
      step(`calls.${name}`, () => session.template(name, variables, again)),
    shared: (name) => step(`shared ${name}`, () => session.shared(name)),
    repeat: (name) => step(`${name} once more`, () => session.repeat(name)),
  };
}
