/** The judgement: what is a violation, what is trouble, and when a target is asked again. */
import { expect, test } from '@playwright/test';
import { RowContext } from '../../harness/judging/check.ts';
import {
  Judgement,
  type Refusal,
  rejected,
  rejectedUpload,
  status200,
} from '../../harness/judging/judgement.ts';
import { answerOf, type Short, sending, sessionOf } from './services/answers.ts';
import { type Verdict, verdictOf } from './services/verdict.ts';

interface Case {
  readonly title: string;
  readonly refusal: Refusal;
  /** What the row is answered with, each time it is sent. */
  readonly answers: readonly Short[];
  /** What the twin is answered with when it is asked again; it is accepted when nothing is said. */
  readonly twin?: readonly Short[];
  readonly verdict: Verdict;
  readonly message?: RegExp;
}

const refusals: readonly Case[] = [
  { title: 'the stated status', refusal: 400, answers: [400], verdict: 'passed' },
  {
    title: 'an acceptance',
    refusal: 400,
    answers: [201],
    verdict: 'failed',
    message: /^expected 400 · received 201/,
  },
  {
    title: 'another refusal, twice',
    refusal: 400,
    answers: [422, 422],
    verdict: 'failed',
    message: /received 422/,
  },
  {
    title: 'two refusals that differ',
    refusal: 400,
    answers: [422, 400],
    verdict: 'could-not-run',
    message: /not of one mind/,
  },
  { title: 'any 4xx where none is stated', refusal: '4xx', answers: [415], verdict: 'passed' },
  { title: 'a redirect where a 4xx is asked', refusal: '4xx', answers: [302, 302], verdict: 'failed' },
  { title: 'an error that passes', refusal: 400, answers: [500, 400], verdict: 'passed' },
  {
    title: 'an error that stays while the twin works',
    refusal: 400,
    answers: [500, 500, 500, 500],
    verdict: 'failed',
    message: /received 500/,
  },
  {
    title: 'an error that stays at the twin too',
    refusal: 400,
    answers: [500],
    twin: [500],
    verdict: 'could-not-run',
  },
  {
    title: 'an error, and the twin fails later',
    refusal: 400,
    answers: [500, 500],
    twin: [200, 'ECONNRESET'],
    verdict: 'could-not-run',
  },
  {
    title: 'resets at this call alone',
    refusal: 401,
    answers: ['ECONNRESET', 'ECONNRESET', 'ECONNRESET', 'ECONNRESET'],
    verdict: 'failed',
    message: /failed with ECONNRESET/,
  },
  {
    title: 'resets, then plain words',
    refusal: 401,
    answers: ['ECONNRESET', 403],
    verdict: 'failed',
    message: /received 403/,
  },
  {
    title: 'a reset that passes',
    refusal: 404,
    answers: ['ECONNRESET', 'ECONNRESET', 404],
    verdict: 'passed',
  },
  { title: 'a call that hangs once', refusal: 400, answers: ['DEADLINE', 400], verdict: 'passed' },
  {
    title: 'a call that hangs each time',
    refusal: 400,
    answers: ['DEADLINE', 'DEADLINE', 'DEADLINE'],
    verdict: 'failed',
  },
  {
    title: 'a limit of the rate',
    refusal: 400,
    answers: [429, 429, 429, 429],
    verdict: 'could-not-run',
    message: /limits the rate/,
  },
  {
    title: 'a limit of the rate where any 4xx would do',
    refusal: '4xx',
    answers: [429, 400],
    verdict: 'passed',
  },
  { title: 'a target that is gone', refusal: 400, answers: ['NOT_SENT'], verdict: 'could-not-run' },
  {
    title: 'a target that goes away meanwhile',
    refusal: 400,
    answers: [500, 'NOT_SENT'],
    verdict: 'could-not-run',
  },
  { title: 'a rejection by redirect', refusal: rejected, answers: [302], verdict: 'passed' },
  {
    title: 'a rejection by success',
    refusal: rejected,
    answers: [200],
    verdict: 'failed',
    message: /^expected a rejection · received 200/,
  },
  { title: 'an upload that is refused', refusal: rejectedUpload, answers: [403], verdict: 'passed' },
];

for (const { title, refusal, answers, twin, verdict, message } of refusals) {
  test(`of a call that has to be refused ${title} is: ${verdict}`, async () => {
    const context = new RowContext('a row');
    const { send, sent } = sending(...answers);
    const judgement = new Judgement(sessionOf({ skeleton: 201 }, twin ? { skeleton: twin } : {}), 'skeleton');
    const told = await verdictOf(judgement.refused(context, refusal, send));
    expect(told.verdict).toBe(verdict);
    expect(told.message).toMatch(message ?? /^/);
    expect(sent()).toBe(answers.length);
    expect(context.exchanges.length).toBeGreaterThanOrEqual(answers.length);
  });
}

test('an upload that is rejected with 200 and an error is rejected; one that gives a token is not', async () => {
  const judge = async (text: string) => {
    const judgement = new Judgement(sessionOf({ document: { status: 200, text: '"T1"' } }), 'document');
    const answer = answerOf({ status: 200, text }, { upload: true });
    return verdictOf(judgement.refused(new RowContext('a row'), rejectedUpload, async () => answer));
  };
  expect((await judge('{"error":"Invalid access token"}')).verdict).toBe('passed');
  expect((await judge('"T2"')).verdict).toBe('failed');
});

test('nothing is sent, and nobody blamed, when the twin is not accepted', async () => {
  const { send, sent } = sending();
  const judgement = new Judgement(sessionOf({ skeleton: { status: 400, text: 'no' } }), 'skeleton');
  const told = await verdictOf(judgement.refused(new RowContext('a row'), 400, send));
  expect(told.verdict).toBe('could-not-run');
  expect(told.message).toMatch(
    /^a type 0 creation with the required fields \(exchange \d+\) was answered with 400 no$/,
  );
  expect(sent()).toBe(0);
});

const acceptances: readonly Omit<Case, 'refusal'>[] = [
  { title: 'any 2xx', answers: [202], verdict: 'passed' },
  {
    title: 'a refusal, twice',
    answers: [400, 400],
    verdict: 'failed',
    message: /^expected a 2xx status · received 400/,
  },
  { title: 'a refusal only once', answers: [400, 201], verdict: 'could-not-run', message: /not of one mind/ },
  { title: 'a reset within the answer, then a success', answers: ['TRUNCATED', 201], verdict: 'passed' },
  { title: 'an error each time', answers: [500, 502, 500, 500], verdict: 'failed' },
  { title: 'an error each time, at the twin too', answers: [500], twin: [500], verdict: 'could-not-run' },
];

for (const { title, answers, twin, verdict, message } of acceptances) {
  test(`of a call that has to be accepted ${title} is: ${verdict}`, async () => {
    const { send, sent } = sending(...answers);
    const judgement = new Judgement(sessionOf({ skeleton: 201 }, twin ? { skeleton: twin } : {}), 'skeleton');
    const told = await verdictOf(judgement.accepted(new RowContext('a row'), send));
    expect(told.verdict).toBe(verdict);
    expect(told.message).toMatch(message ?? /^/);
    expect(sent()).toBe(answers.length);
  });
}

test('where 200 is stated another success is a violation', async () => {
  const judge = (status: number) =>
    verdictOf(
      new Judgement(sessionOf({ stamped: 200 }), 'stamped').accepted(
        new RowContext('a row'),
        sending(status, status).send,
        status200,
      ),
    );
  expect((await judge(200)).verdict).toBe('passed');
  expect(await judge(201)).toMatchObject({
    verdict: 'failed',
    message: 'expected 200 · received 201 (empty body)',
  });
});
