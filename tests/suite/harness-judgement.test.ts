/** The judgement: what is a violation, what is trouble, and when a target is asked again. */
import { expect, test } from '@playwright/test';
import { decide } from '../../harness/judging/ask.ts';
import type { Case } from '../../harness/judging/case.ts';
import { RowContext } from '../../harness/judging/check.ts';
import type { Cause, Expected, SharedCall } from '../../record/finding.ts';
import { answerOf, type Short, sending, sessionOf } from './services/answers.ts';
import { type Verdict, verdictOf } from './services/verdict.ts';

interface Row {
  readonly title: string;
  readonly refusal: Expected;
  readonly about?: 'access';
  /** What the row is answered with, each time it is sent. */
  readonly answers: readonly Short[];
  /** What the twin is answered with when it is asked again; it is accepted when nothing is said. */
  readonly twin?: readonly Short[];
  readonly verdict: Verdict;
  readonly message?: RegExp;
  readonly cause?: Partial<Cause>;
}

const status = (given: number): Expected => ({ is: 'status', status: given });

/** Judges a call by the answers that it and its twin are given. */
function judged(
  of: Pick<Case, 'expected' | 'about'>,
  {
    answers,
    twin,
    vouching = 'skeleton',
  }: Pick<Row, 'answers' | 'twin'> & { readonly vouching?: SharedCall },
) {
  const context = new RowContext('a row');
  const { send, sent } = sending(...answers);
  const session = sessionOf({ [vouching]: 201 }, twin ? { [vouching]: twin } : {});
  const told = verdictOf(decide(session, { ...of, judged: 'own', vouching }, { call: send }, context));
  return { told, sent, context };
}

const refusals: readonly Row[] = [
  { title: 'the stated status', refusal: status(400), answers: [400], verdict: 'passed' },
  {
    title: 'an acceptance',
    refusal: status(400),
    answers: [201],
    verdict: 'failed',
    message: /^expected 400 · received 201/,
  },
  {
    title: 'another refusal, twice',
    refusal: status(400),
    answers: [422, 422],
    verdict: 'failed',
    message: /received 422/,
  },
  {
    title: 'two refusals that differ',
    refusal: status(400),
    answers: [422, 400],
    verdict: 'could-not-run',
    message: /not of one mind/,
  },
  { title: 'any 4xx where none is stated', refusal: { is: 'refusal' }, answers: [415], verdict: 'passed' },
  {
    title: 'a redirect where a 4xx is asked',
    refusal: { is: 'refusal' },
    answers: [302, 302],
    verdict: 'failed',
  },
  { title: 'an error that passes', refusal: status(400), answers: [500, 400], verdict: 'passed' },
  {
    title: 'an error that stays while the twin works',
    refusal: status(400),
    answers: [500, 500, 500, 500],
    verdict: 'failed',
    message: /received 500/,
  },
  {
    title: 'an error that stays at the twin too',
    refusal: status(400),
    answers: [500],
    twin: [500],
    verdict: 'could-not-run',
  },
  {
    title: 'an error, and the twin fails later',
    refusal: status(400),
    answers: [500, 500],
    twin: [200, 'ECONNRESET'],
    verdict: 'could-not-run',
  },
  {
    title: 'resets at this call alone',
    refusal: status(401),
    answers: ['ECONNRESET', 'ECONNRESET', 'ECONNRESET', 'ECONNRESET'],
    verdict: 'failed',
    message: /failed with ECONNRESET/,
  },
  {
    title: 'resets, then plain words',
    refusal: status(401),
    answers: ['ECONNRESET', 403],
    verdict: 'failed',
    message: /received 403/,
  },
  {
    title: 'a reset that passes',
    refusal: status(404),
    answers: ['ECONNRESET', 'ECONNRESET', 404],
    verdict: 'passed',
  },
  { title: 'a call that hangs once', refusal: status(400), answers: ['DEADLINE', 400], verdict: 'passed' },
  {
    title: 'a call that hangs each time',
    refusal: status(400),
    answers: ['DEADLINE', 'DEADLINE', 'DEADLINE'],
    verdict: 'failed',
  },
  {
    title: 'a limit of the rate',
    refusal: status(400),
    answers: [429, 429],
    verdict: 'could-not-run',
    message: /limits the rate/,
  },
  {
    title: 'a limit of the rate where any 4xx would do',
    refusal: { is: 'refusal' },
    answers: [429, 400],
    verdict: 'passed',
  },
  { title: 'a target that is gone', refusal: status(400), answers: ['NOT_SENT'], verdict: 'could-not-run' },
  {
    title: 'a target that goes away meanwhile',
    refusal: status(400),
    answers: [500, 'NOT_SENT'],
    verdict: 'could-not-run',
  },
  { title: 'a rejection by redirect', refusal: { is: 'rejection' }, answers: [302, 302], verdict: 'passed' },
  {
    title: 'for its access a rejection by redirect',
    refusal: { is: 'rejection' },
    about: 'access',
    answers: [302],
    verdict: 'passed',
  },
  {
    title: 'a rejection by success',
    refusal: { is: 'rejection' },
    answers: [200],
    verdict: 'failed',
    message: /^expected a rejection · received 200/,
  },
  {
    title: 'another status because the token has ended',
    refusal: status(400),
    answers: [401],
    twin: [401],
    verdict: 'could-not-run',
    cause: { answer: 'access' },
  },
  ...[401, 403, 419, 498, { status: 400, text: '{"error":"invalid_token"}' }].map(
    (answer): Row => ({
      title: `${JSON.stringify(answer)} because the token has ended, where any 4xx would do`,
      refusal: { is: 'refusal' },
      answers: [answer],
      twin: [answer],
      verdict: 'could-not-run',
      cause: { answer: 'access' },
    }),
  ),
  {
    title: 'the stated status in words about the token, which has ended',
    refusal: status(400),
    answers: [{ status: 400, text: 'The access token is expired' }],
    twin: [401],
    verdict: 'could-not-run',
  },
  {
    title: 'a 401 of a service that gives it to bodies, while the twin works',
    refusal: { is: 'refusal' },
    answers: [401, 401],
    verdict: 'passed',
  },
  {
    title: 'a 401, and an acceptance when asked again',
    refusal: { is: 'refusal' },
    answers: [401, 201],
    verdict: 'failed',
  },
  {
    title: 'a quota, where any 4xx would do, and the twin meets it too',
    refusal: { is: 'refusal' },
    answers: [402],
    twin: [402],
    verdict: 'could-not-run',
    cause: { answer: 'quota' },
  },
  {
    title: 'a plain refusal, and then an error that passes',
    refusal: status(400),
    answers: [422, 500, 422],
    verdict: 'failed',
    message: /received 422/,
  },
  {
    title: 'a login page in the place of a success, at the twin too',
    refusal: status(400),
    answers: [{ status: 200, text: '<html>Log in</html>' }],
    twin: [{ status: 200, text: '<html>Log in</html>' }],
    verdict: 'could-not-run',
    cause: { answer: 'foreign' },
  },
  {
    title: 'a way to a login, at the twin too',
    refusal: { is: 'rejection' },
    answers: [302],
    twin: [302],
    verdict: 'could-not-run',
  },
  {
    title: 'a conflict, and then the refusal',
    refusal: { is: 'refusal' },
    answers: [409, 422],
    verdict: 'passed',
  },
  {
    title: 'for its access the stated status',
    refusal: status(401),
    about: 'access',
    answers: [401],
    verdict: 'passed',
  },
  {
    title: 'for its access the stated status, while the token of the run was refused too',
    refusal: status(401),
    about: 'access',
    answers: [{ status: 401, doubted: true }],
    twin: [401],
    verdict: 'could-not-run',
  },
  {
    title: 'a lasting 503',
    refusal: status(400),
    answers: [503, 503],
    verdict: 'failed',
  },
  { title: 'an upload that is refused', refusal: { is: 'no-token' }, answers: [415], verdict: 'passed' },
];

for (const { title, refusal, about, answers, twin, verdict, message, cause } of refusals) {
  test(`of a call that has to be refused ${title} is: ${verdict}`, async () => {
    const of = { expected: refusal, ...(about ? { about } : {}) };
    const row = judged(of, { answers, ...(twin ? { twin } : {}) });
    const [told, { sent, context }] = [await row.told, row];
    expect(told.verdict).toBe(verdict);
    expect(told.message).toMatch(message ?? /^/);
    if (cause) expect(told.cause).toMatchObject(cause);
    expect(sent()).toBe(answers.length);
    expect(context.exchanges.length).toBeGreaterThanOrEqual(answers.length);
  });
}

test('an upload that is rejected with 200 and an error is rejected; one that gives a token is not', async () => {
  const judge = async (text: string) => {
    const session = sessionOf({ document: { status: 200, text: '"T1"' } });
    const answer = answerOf({ status: 200, text }, { upload: true });
    const of = {
      judged: 'own',
      expected: { is: 'no-token' },
      about: 'access',
      vouching: 'document',
    } as const;
    return verdictOf(decide(session, of, { call: async () => answer }, new RowContext('a row')));
  };
  expect((await judge('{"error":"Invalid access token"}')).verdict).toBe('passed');
  expect((await judge('"T2"')).verdict).toBe('failed');
});

test('nothing is sent, and nobody blamed, when the twin is not accepted', async () => {
  const { send, sent } = sending();
  const session = sessionOf({ skeleton: { status: 400, text: 'no' } });
  const of = { judged: 'own', expected: status(400), vouching: 'skeleton' } as const;
  const told = await verdictOf(decide(session, of, { call: send }, new RowContext('a row')));
  expect(told.verdict).toBe('could-not-run');
  expect(told.message).toMatch(
    /^a type 0 creation with the required fields \(exchange \d+\) was answered with 400 no$/,
  );
  expect(sent()).toBe(0);
});

const acceptances: readonly Omit<Row, 'refusal'>[] = [
  { title: 'any 2xx', answers: [202], verdict: 'passed' },
  {
    title: 'a refusal, twice',
    answers: [400, 400],
    verdict: 'failed',
    message: /^expected a 2xx status · received 400/,
  },
  { title: 'a refusal only once', answers: [400, 201], verdict: 'could-not-run', message: /not of one mind/ },
  { title: 'a reset within the answer, then a success', answers: ['TRUNCATED', 201], verdict: 'passed' },
  { title: 'a conflict with another call, then a success', answers: [409, 201], verdict: 'passed' },
  { title: 'an error each time', answers: [500, 502, 500, 500], verdict: 'failed' },
  { title: 'an error each time, at the twin too', answers: [500], twin: [500], verdict: 'could-not-run' },
];

for (const { title, answers, twin, verdict, message } of acceptances) {
  test(`of a call that has to be accepted ${title} is: ${verdict}`, async () => {
    const row = judged({ expected: { is: 'success' } }, { answers, ...(twin ? { twin } : {}) });
    const [told, { sent }] = [await row.told, row];
    expect(told.verdict).toBe(verdict);
    expect(told.message).toMatch(message ?? /^/);
    expect(sent()).toBe(answers.length);
  });
}

test('where 200 is stated another success is a violation', async () => {
  const judge = (given: number) =>
    judged({ expected: status(200) }, { answers: [given, given], vouching: 'stamped' }).told;
  expect((await judge(200)).verdict).toBe('passed');
  expect(await judge(201)).toMatchObject({
    verdict: 'failed',
    message: 'expected 200 · received 201 (empty body)',
  });
});
