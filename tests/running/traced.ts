/** A session whose calls show as steps in Playwright's reports and traces, each with its redacted exchange. */
import { test } from '@playwright/test';
import type { Session } from '../../harness/judging/session.ts';
import type { Answer } from '../../harness/target/call.ts';
import { callLine, received } from '../../record/exchange-text.ts';

export function traced(session: Session): Session {
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
    template: (name, variables) => step(`calls.${name}`, () => session.template(name, variables)),
    shared: (name) => step(`shared ${name}`, () => session.shared(name)),
    repeat: (name) => step(`${name} once more`, () => session.repeat(name)),
  };
}
