/** The judgement of rows that something of ours, or another requirement, may explain: each excuse with its row. */
import { expect, test } from '@playwright/test';
import { decide } from '../../harness/judging/ask.ts';
import type { Case } from '../../harness/judging/case.ts';
import { RowContext } from '../../harness/judging/check.ts';
import type { Cause } from '../../record/finding.ts';
import { answerOf, type Short, sending, sessionOf } from './services/answers.ts';
import { type Verdict, verdictOf } from './services/verdict.ts';

/** What the service adds to all that it refuses, whatever the reason. */
const inEvery = 'at com.acme.Quota.check(Quota.java:401)';

const rows: readonly {
  readonly title: string;
  readonly of: Partial<Omit<Case, 'judged' | 'vouching'>>;
  readonly answers: readonly Short[];
  /** What the row is answered with after other choices of ours, and other bodies. */
  readonly choices?: readonly Short[];
  readonly others?: readonly Short[];
  readonly verdict: Verdict;
  readonly cause?: Partial<Cause>;
}[] = [
  {
    title: 'another choice is accepted',
    of: { choices: true, excuses: ['unreachable-url'] },
    answers: [400, 400],
    choices: [400, 201],
    verdict: 'passed',
  },
  {
    title: 'no choice is accepted, and the URL may be why',
    of: { choices: true, excuses: ['unreachable-url'], urls: ['https://callbacks.example/'] },
    answers: [400, 400],
    choices: [400],
    verdict: 'could-not-run',
    cause: { excuse: 'unreachable-url', because: { urls: ['https://callbacks.example/'] } },
  },
  {
    title: 'no choice is accepted, and nothing of ours may be why',
    of: { choices: true },
    answers: [400, 400],
    choices: [400],
    verdict: 'failed',
  },
  {
    title: 'one of the other bodies is accepted that have a requirement of their own',
    of: { others: 'unless-accepted' },
    answers: [400, 400],
    others: [400, 201],
    verdict: 'could-not-run',
    cause: { excuse: 'other-requirement', because: { bodies: ['other 2'] } },
  },
  {
    title: 'none of the other bodies is accepted that have a requirement of their own',
    of: { others: 'unless-accepted' },
    answers: [400, 400],
    others: [400, 400],
    verdict: 'failed',
  },
  {
    title: 'a body is accepted that lacks the thing in question alone',
    of: { others: 'if-accepted' },
    answers: [400, 400],
    others: [201],
    verdict: 'failed',
    cause: { excuse: 'other-requirement' },
  },
  {
    title: 'a body is not accepted either that lacks the thing in question',
    of: { others: 'if-accepted' },
    answers: [400, 400],
    others: [400],
    verdict: 'could-not-run',
    cause: { excuse: 'not-accepted-either', because: { bodies: ['other 1'] } },
  },
  {
    title: 'the number is invented, and the answer speaks of it',
    of: { excuses: ['invented-number'] },
    answers: [400, { status: 400, text: 'phone is not in service' }],
    verdict: 'could-not-run',
    cause: { excuse: 'invented-number' },
  },
  {
    title: 'the number is invented, and the answer speaks of something else',
    of: { excuses: ['invented-number'] },
    answers: [400, { status: 400, text: 'Bad Request' }],
    verdict: 'failed',
  },
  {
    title: 'what was to be deleted was only cancelled',
    of: { excuses: ['cancelled'] },
    answers: [409, { status: 409, text: 'The request was cancelled' }],
    verdict: 'could-not-run',
    cause: { excuse: 'guess' },
  },
  {
    title: 'a status that does not speak against the requirement',
    of: { convicts: [404] },
    answers: [409],
    verdict: 'could-not-run',
    cause: { answer: 'conflict' },
  },
  {
    title: 'a quota that stays while the twin works',
    of: {},
    answers: [402, 402],
    verdict: 'could-not-run',
    cause: { answer: 'quota' },
  },
  {
    title: 'the refusal is the stated one, with words of a quota that stand in every refusal',
    of: { expected: { is: 'status', status: 400 } },
    answers: [{ status: 400, text: `Title is required\n${inEvery}` }],
    verdict: 'passed',
  },
  {
    title: 'the status of the refusal is the stated one, and a quota is its own reason',
    of: { expected: { is: 'status', status: 400 } },
    answers: Array.from({ length: 2 }, () => ({ status: 400, text: `Your quota is used up.\n${inEvery}` })),
    verdict: 'passed',
  },
];

/** Gives the answers one after the other, each with its title, and then nothing more. */
function trying(name: string, answers: readonly Short[] = []) {
  const waiting = answers.map((short, at) => ({ answer: answerOf(short), title: `${name} ${at + 1}` }));
  return async () => waiting.shift() ?? null;
}

for (const { title, of, answers, choices, others, verdict, cause } of rows) {
  test(`of a call that has to be accepted, where ${title}: ${verdict}`, async () => {
    const { send, sent } = sending(...answers);
    const session = {
      ...sessionOf({ skeleton: 201 }),
      call: async () => answerOf({ status: 401, text: inEvery }),
    };
    const asking = { call: send, choice: trying('choice', choices), other: trying('other', others) };
    const judged: Case = { expected: { is: 'success' }, ...of, judged: 'own', vouching: 'skeleton' };
    const told = await verdictOf(decide(session, judged, asking, new RowContext('a row')));
    expect(told).toMatchObject({ verdict, ...(cause ? { cause } : {}) });
    expect(sent()).toBe(answers.length);
  });
}
