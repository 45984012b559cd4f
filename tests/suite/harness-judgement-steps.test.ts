/** The judgement of steps that others build on: nothing vouches for them but the step before. */
import { expect, test } from '@playwright/test';
import { decideShared } from '../../harness/judging/ask.ts';
import { RowContext } from '../../harness/judging/check.ts';
import type { Session } from '../../harness/judging/session.ts';
import type { SharedCall } from '../../record/finding.ts';
import { answerOf, type Short, sessionOf } from './services/answers.ts';
import { type Verdict, verdictOf } from './services/verdict.ts';

const judgeShared = (session: Session, judged: SharedCall, vouching?: SharedCall) =>
  decideShared(
    session,
    { judged, expected: { is: 'success' }, ...(vouching ? { vouching } : {}) },
    new RowContext('a row'),
  );

const steps: readonly {
  readonly title: string;
  readonly answer: Short;
  readonly again?: readonly Short[];
  readonly witness?: Short;
  readonly verdict: Verdict;
}[] = [
  { title: 'a success', answer: 201, verdict: 'passed' },
  { title: 'a refusal', answer: 400, verdict: 'failed' },
  { title: 'a refusal of the credentials', answer: 403, verdict: 'could-not-run' },
  {
    title: 'a refusal that rests on a guess of ours',
    answer: { status: 404, guess: 'by guess' },
    verdict: 'could-not-run',
  },
  { title: 'an error that stays while the step before works', answer: 500, verdict: 'failed' },
  { title: 'an error that passes', answer: 500, again: [201], verdict: 'passed' },
  { title: 'an error at both', answer: 500, witness: 500, verdict: 'could-not-run' },
  { title: 'a limit of the rate', answer: 429, verdict: 'could-not-run' },
  { title: 'an answer "not now"', answer: 503, verdict: 'could-not-run' },
  { title: 'a target that is gone', answer: 'NOT_SENT', verdict: 'could-not-run' },
  { title: 'resets while the step before works', answer: 'ECONNRESET', verdict: 'failed' },
];

for (const { title, answer, again = [answer], witness = { status: 200, text: '"T1"' }, verdict } of steps) {
  test(`of a step that others build on ${title} is: ${verdict}`, async () => {
    const session = sessionOf({ skeleton: answer, document: witness }, { skeleton: again });
    const judged = judgeShared(session, 'skeleton', 'document');
    expect((await verdictOf(judged)).verdict).toBe(verdict);
  });
}

test('the first step of all has no witness: only what is plain is a violation', async () => {
  const judge = async (answer: Short) =>
    (await verdictOf(judgeShared(sessionOf({ document: answer }), 'document'))).verdict;
  expect(await judge(500)).toBe('could-not-run');
  expect(await judge('ECONNRESET')).toBe('could-not-run');
  expect(await judge(401)).toBe('could-not-run');
  expect(await judge({ status: 404, guess: 'is the base URL right?' })).toBe('could-not-run');
  expect(await judge(415)).toBe('failed');
});

test('where nothing is there to take any body, the step is lacking and not a part of the body', async () => {
  const session = sessionOf({ stamped: 404, 'stamped-unversioned': 404, skeleton: 201 });
  const bodies = [answerOf(404), answerOf(405)];
  const other = async () => {
    const answer = bodies.shift();
    return answer ? { title: 'without Color', answer } : null;
  };
  const of = { judged: 'stamped', expected: { is: 'success' }, others: 'if-accepted' } as const;
  const { verdict, found } = await decideShared(session, of, new RowContext('a row'), { other });
  expect(verdict).toBe('could-not-run');
  expect(found.cause).toMatchObject({ answer: 'not-there', call: 'stamped' });
});
