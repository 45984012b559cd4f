/** Exploring a target: how sequences are stated, drawn, counted and shortened, that nobody is blamed wrongly, and what only combinations show. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { drawing } from '../../generators/seed.ts';
import { Drawing, isFull } from '../../harness/exploring/choose.ts';
import type { Means } from '../../harness/exploring/draw.ts';
import { Imagined } from '../../harness/exploring/imagined.ts';
import { plannedOf } from '../../harness/exploring/means.ts';
import { after, asStated, beginning, expects } from '../../harness/exploring/model.ts';
import { callsMost, callsOf, shrunk, without } from '../../harness/exploring/shrink.ts';
import { situationsOf } from '../../harness/exploring/situations.ts';
import { mismatch } from '../../record/own-files.ts';
import {
  lengthOf,
  most,
  type Refusal,
  readSequence,
  type Sequence,
  type Step,
  sequenceLines,
  sequenceSchema,
} from '../../record/sequence.ts';
import type { CombinedFaultId } from '../../reference/faults/combined.ts';
import type { FaultId } from '../../reference/faults.ts';
import { exploredLines, exploredSummary } from '../../reports/texts/explored.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { exploreDialect, exploreFault } from '../proof/exploring/run-explored.ts';
import { changedReference, withSession } from '../proof/session.ts';
import { startGround } from './services/tenant-ground.ts';

const signer = (order: number, otp?: number) => ({ role: 'signer' as const, order, ...(otp ? { otp } : {}) });
const approver = (order: number) => ({ role: 'approver' as const, order });
const cc = { role: 'cc' as const, order: 1 };
const of = (people: Sequence['people'], ...steps: readonly Step[]): Sequence => ({
  people,
  documents: ['page'],
  steps,
});
const send: Step = { do: 'send' };
const act = (who: number, more: Partial<Extract<Step, { do: 'act' }>> = {}): Step => ({
  do: 'act',
  who,
  ...more,
});

const none = act(0, { code: 'none' });

const twice = (who: number): Step => ({ do: 'together', who: [who, who] });

const refused = (call: Refusal): Step => ({ do: 'refused', call });

const all: Means = {
  signs: true,
  approves: true,
  views: true,
  deletes: true,
  neighbour: true,
  callbacks: true,
  stamps: true,
  expires: true,
  otp: [1, 2, 3, 4],
  enters: true,
  people: 6,
  documents: 3,
  formats: ['pdf', 'docx', 'doc'],
  creates: [1, 2],
};

/** Of which sequences are drawn in little time. */
const few: Means = { ...all, people: 3, documents: 1, formats: ['pdf'], otp: [1], creates: [] };

/** What the last step of a sequence is expected to come to. */
function lastOf(sequence: Sequence): string {
  let state = beginning;
  let said = '';
  for (const step of sequence.steps) {
    const expectation = expects(sequence, state, step);
    state = after(state, step, expectation, asStated(step, expectation, state));
    const { is, blame, requirement, situation } = {
      blame: '',
      requirement: '',
      situation: '',
      ...expectation,
    };
    said = [is, blame, requirement, situation].filter(Boolean).join(' ');
  }
  return said;
}

const wrongCode = act(0, { code: 'wrong' });
const othersCode = act(0, { code: 'other', of: 1 });
const codeOfThird = act(0, { code: 'other', of: 2 });
const otherAccessCode = 'may-not otp.access-code-asked';
const mayNotSign = 'may-not signing.approver-cannot-sign';
const openIs = (situation: string) => `open ${situation}`;
const besides = 'a signer acts beside others with the same Order before anybody acted';
const afterWrong = 'the right code after wrong ones';
const again = 'a signer acts again after the last act';
const older = 'a code is entered after a newer one was sent';
const lateCc: readonly Step[] = [{ do: 'delete' }, { do: 'add', role: 'cc', order: 1 }];

const stated: readonly (readonly [title: string, sequence: Sequence, expected: string])[] = [
  ['nobody acts before sending', of([signer(1)], act(0)), 'nothing'],
  ['a lower order is first', of([signer(1), signer(2)], send, act(1)), 'may-not signing.lower-order-first'],
  ['then comes the next', of([signer(1), signer(2)], send, act(0), act(1)), 'must signing.lower-order-first'],
  ['signers of Order 1 are parallel', of([signer(1), signer(1)], send, act(1)), 'must signing.parallel'],
  ['of other equal orders it is open', of([signer(2), signer(2)], send, act(1)), openIs(besides)],
  ['a CC cannot act', of([signer(1), cc], send, act(1)), 'may-not signing.cc-cannot-act'],
  ['an approver cannot sign', of([approver(1), signer(2)], send, act(0, { as: 'sign' })), mayNotSign],
  ['that a signer cannot approve is not stated', of([signer(1)], send, act(0, { as: 'approve' })), 'nothing'],
  ['a code is asked for', of([signer(1, 1)], send, act(0, { code: 'none' })), 'may-not otp.gates-signing'],
  ['nobody asks who has no OTP', of([signer(1)], send, act(0, { code: 'none' })), 'nothing'],
  ['after a wrong code it is open', of([signer(1, 2)], send, wrongCode, act(0)), openIs(afterWrong)],
  ['after three in vain too', of([signer(1, 3)], send, none, wrongCode, none, act(0)), openIs(afterWrong)],
  ['after two it is not', of([signer(1, 3)], send, none, wrongCode, act(0)), 'must otp.access-code-asked'],
  ['an older code may do', of([signer(1, 1)], send, act(0, { code: 'old' })), openIs(older)],
  [
    'a code that was not sent yet is not entered',
    of([signer(1, 1), signer(2, 1)], send, othersCode),
    'nothing',
  ],
  ['nor one of another kind', of([signer(1, 3), signer(1, 1)], send, othersCode), 'nothing'],
  ['nor the same AccessCode', of([signer(1, 3), signer(1), signer(1, 3)], send, codeOfThird), 'nothing'],
  ['another AccessCode is', of([signer(1, 3), signer(1, 3)], send, othersCode), otherAccessCode],
  ['acting again is open', of([signer(1)], send, act(0), act(0)), openIs(again)],
  [
    'nobody acts twice beside others',
    of([signer(1), signer(1)], send, { do: 'together', who: [0, 0, 1] }),
    'nothing',
  ],
  ['nobody is added to a deleted one', of([signer(1)], send, ...lateCc), 'may-not signatory.deleted-request'],
  ['whoever may sign may do so twice at once', of([signer(1)], send, twice(0)), 'must'],
];

for (const [title, sequence, expected] of stated) {
  test(`the model: ${title}`, () => {
    expect(lastOf(sequence)).toBe(expected);
  });
}

test('the same seed draws the same valid sequences, no more steps than it is asked for, and none without somebody that speaks of nobody', () => {
  const [one, other] = [new Drawing(7, few), new Drawing(7, few)];
  const drawn = [one.next(300)];
  expect(other.next(300)).toEqual(drawn[0]);
  for (const steps of [2, 12]) {
    let made = 0;
    while (!isFull(made, steps)) {
      const sequence = one.next(steps - made);
      drawn.push(sequence);
      made += lengthOf(sequence);
    }
    expect([steps, steps - 1]).toContain(made);
  }
  expect(new Set(drawn.map((each) => JSON.stringify(each))).size).toBeGreaterThan(3);
  for (const sequence of drawn) {
    expect(mismatch(sequenceSchema, sequence)).toBeUndefined();
    expect(sequence.steps.length).toBeLessThanOrEqual(most.steps);
    for (const index of sequence.people.keys()) {
      const { people, steps } = without(sequence, [{ of: 'person', index }]);
      expect(people.length).toBe(sequence.people.length - 1);
      const named = steps.flatMap((step) => ('who' in step ? step.who : []));
      expect(named.every((who) => who >= 0 && who < people.length)).toBe(true);
    }
  }
});

test('who is asked for a code and has none shows nothing of their turn, and what was shown is looked for no more', () => {
  const claims = (second: Sequence['people'][number]) =>
    situationsOf(of([signer(1), second], send, act(1))).map(({ claims: all }) => all);
  expect(claims(signer(2))).toEqual([['may not: signing.lower-order-first signer']]);
  expect(claims(signer(2, 1))).toEqual([[]]);
  const imagined = new Imagined();
  const moments = imagined.momentsOf(situationsOf(of([signer(1), signer(2)], send, act(1), act(0), act(1))));
  imagined.imagine(drawing(1, 'mistakes'), moments, 50);
  expect(imagined.gain(moments)).toBe(imagined.left);
  expect(imagined.left).toBeGreaterThan(20);
  imagined.add(moments);
  expect([imagined.gain(moments), imagined.left]).toEqual([0, 0]);
  // What was shown before counts as well, and a part of it for less.
  expect(imagined.shownBy(moments)).toBe(imagined.count);
  expect(imagined.shownBy(moments.slice(0, 2))).toBeLessThan(imagined.count);
});

test('what a target cannot be asked is not drawn', () => {
  const least = { ...few, signs: false, approves: false, callbacks: false, otp: [], neighbour: false };
  const drawing = new Drawing(3, { ...least, people: 2 });
  // However little that is: all of it is made in the end.
  while (!drawing.isAllShown) {
    const { people, documents, subscription, steps } = drawing.next(300);
    expect(people.length).toBeLessThanOrEqual(2);
    expect([documents.length, subscription]).toEqual([1, undefined]);
    expect(people.every(({ role, otp }) => role !== 'approver' && otp === undefined)).toBe(true);
    expect(steps.every(({ do: does }) => does === 'refused')).toBe(true);
  }
});

test('who is asked for a code and acts without it is told of; who is asked for none just acts', () => {
  const last = (otp?: number) => sequenceLines(of([signer(1, otp)], send, none)).at(-1);
  expect([last(1), last()]).toEqual([
    'signer 1 (order 1) signs without the code',
    'signer 1 (order 1) signs',
  ]);
});

test('the people of a request of type 3 come with its creation, which is one step', () => {
  const stamped = { ...of([signer(1), cc], send, act(0)), stamped: true as const };
  expect(sequenceLines(stamped)).toEqual([
    'a request of type 3 is created (documents: page; no CallbackUrl), with signer 1 (order 1), cc 2 (order 1)',
    'signer 1 (order 1) signs',
  ]);
  expect(lengthOf(stamped)).toBe(2);
  const claims = situationsOf(stamped).flatMap(({ claims: all }) => all);
  expect(claims).not.toContain('can: signer');
});

test('a failure gets shorter within its calls', async () => {
  const sequence: Sequence = {
    people: [signer(1), approver(2), cc, signer(3, 1), signer(4)],
    documents: ['page', 'docx'],
    subscription: [1, 2, 3],
    attached: true,
    steps: [
      send,
      { do: 'lull' },
      act(2),
      act(0),
      act(0),
      act(1),
      { do: 'refused', call: 'no Name' },
      act(3),
      act(4),
    ],
  };
  let calls = 0;
  // Fails wherever an approver comes after somebody.
  const fails = ({ people, steps }: Sequence) =>
    steps.findIndex((step, index) => {
      const before = steps.slice(0, index);
      const isAct = step.do === 'act' && people[step.who]?.role === 'approver';
      return isAct && before.some((one) => one.do === 'send') && before.some((one) => one.do === 'act');
    });
  const given = { sequence, result: { breaks: 5 } };
  const tries: boolean[] = [];
  const attempt = async (candidate: Sequence, forCertain: boolean) => {
    tries.push(forCertain);
    calls += 1 + candidate.documents.length + candidate.people.length + candidate.steps.length;
    const breaks = fails(candidate);
    return breaks < 0 ? undefined : { breaks };
  };
  const { sequence: short, confirmed } = await shrunk(given, { attempt, spent: () => calls });
  expect(confirmed).toBe(true);
  // What a step shows needs no waiting: each try is for certain.
  expect(tries).not.toContain(false);
  // Its creation, the approver and somebody who tries before, and three steps.
  expect([lengthOf(short), fails(short), short.documents]).toEqual([6, 2, ['page']]);
  expect(calls).toBeLessThanOrEqual(callsMost);
  // Where runs are so dear that the shortest one cannot be seen again, a shorter one still is tried for certain.
  for (const times of [1.8, 2.8]) {
    calls = 0;
    const dear = async (candidate: Sequence, forCertain: boolean) => {
      const from = calls;
      const result = await attempt(candidate, forCertain);
      calls = from + times * callsOf(candidate);
      return result;
    };
    expect((await shrunk(given, { attempt: dear, spent: () => calls })).confirmed).toBe(true);
    expect([tries.at(-1), calls <= callsMost]).toEqual([true, true]);
  }
  // What is missing at the end may have failed in haste only: then it is told as it was seen for certain.
  const atEnd = { sequence, result: { breaks: undefined } };
  const hasty = async (_: Sequence, forCertain: boolean) => (forCertain ? undefined : atEnd.result);
  expect(await shrunk(atEnd, { attempt: hasty, spent: () => 0 })).toEqual({ ...atEnd, confirmed: false });
});

test('a file that is no sequence is refused with its place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'esign-sequence-'));
  const file = join(folder, 'a.sequence.json');
  const given = (value: unknown) => {
    writeFileSync(file, JSON.stringify(value));
    return () => readSequence(file);
  };
  const right = of([signer(1)], send, act(0));
  expect(given(right)()).toEqual(right);
  expect(given(of([signer(1)], send, act(1)))).toThrow(/steps\/1 names person 1 \(from 0\), and there are 1/);
  expect(given({ ...right, people: [] })).toThrow(/a\.sequence\.json:\d+: is no sequence/);
  expect(given({ ...right, steps: Array.from({ length: 41 }, () => send) })).toThrow(/steps/);
  rmSync(folder, { recursive: true });
});

test('whatever is done in whatever order, the reference service does as the model says', async () => {
  const given = { seed: 11, steps: 24 };
  const [one, thorough] = await Promise.all([
    exploreFault(null, given),
    exploreFault(null, { seed: 3, steps: 12, thorough: true }),
  ]);
  for (const { explored, red } of [one, thorough])
    expect([red, explored.stories, explored.blocked]).toEqual([[], [], 0]);
  const { seen, of } = thorough.explored.situations;
  expect([seen > 300, of > seen]).toEqual([true, true]);
  expect(exploredSummary(thorough.explored)).toContain(`: ${seen} of ${of} situations seen (`);
  const { loaded, close } = await startReferenceTarget();
  await close();
  const people = { driver: { shows: true, enter: true }, outbox: { reads: () => true } };
  const basis = { profile: loaded.profile, facts: { notApplicable: {} }, ...people };
  // As a dry run says it.
  expect(Math.abs(plannedOf(basis, given.seed, given.steps).calls / one.calls - 1)).toBeLessThan(0.25);
});

/** The shortest sequences that showed them. */
const shown: readonly (readonly [FaultId | CombinedFaultId, Sequence])[] = [
  ['signing.lower-order-first/turn-lost', of([signer(1), signer(2)], send, act(0), act(0), act(1))],
  [
    'events.process-completed/docx-alone',
    { ...of([signer(1)], send, act(0)), documents: ['docx', 'docx'], subscription: [3] },
  ],
  [
    'otp.gates-signing/three-documents',
    {
      ...of([signer(1, 1)], send, act(0, { code: 'none' })),
      documents: ['page', 'page', 'page'],
      stamped: true,
    },
  ],
  [
    'signatory.deleted-request/accepted',
    of([signer(1)], { do: 'delete' }, { do: 'add', role: 'signer', order: 1 }),
  ],
  ['signatory.token-invalid/accepted', of([signer(1)], refused('an unknown access token'))],
];

test('what a sequence shows is found in it', async () => {
  // Side by side: most of their time is waiting.
  const found = await Promise.all(
    shown.map(async ([fault, sequence]) => {
      const { explored, red } = await exploreFault(fault, { seed: 1, steps: 1, arrivalMs: 5_000, sequence });
      return { fault, red, lengths: explored.stories.map(({ length }) => length) };
    }),
  );
  expect(found).toEqual(
    shown.map(([fault, sequence]) => {
      return { fault, red: [fault.slice(0, fault.indexOf('/'))], lengths: [lengthOf(sequence)] };
    }),
  );
});

/** Sequences by which a compliant service was blamed once. */
const unjust: readonly (readonly [because: string, row: string, Sequence])[] = [
  [
    'whose requests are sent with their first signatory, who may be a CC',
    'sandbox-parts',
    of([cc, approver(3), signer(1)], send, act(1), act(2), act(1)),
  ],
  [
    'that writes to a person a moment after their turn has come',
    'hiding-7',
    of([signer(1), approver(2)], send, act(0), twice(1)),
  ],
];

for (const [because, row, sequence] of unjust) {
  test(`a service is not blamed ${because}`, async () => {
    const { explored, red } = await exploreDialect(row, { seed: 1, steps: 1, sequence });
    expect([red, explored.blocked]).toEqual([[], 0]);
  });
}

test('a drawn sequence finds a fault, and gets shorter', async () => {
  // It shows before another sequence has proved that people can sign at all.
  const fault = 'signing.approver-approves/beside-docx';
  const { explored, red } = await exploreFault(fault, { seed: 1, steps: 80, untilFound: true });
  expect(red).toEqual(['signing.approver-approves']);
  const [story] = explored.stories;
  expect(story?.confirmed).toBe(true);
  expect(story?.length).toBeLessThanOrEqual(8);
  expect(story?.firstLength).toBeGreaterThan(story?.length ?? 0);
  expect(story?.calls).toBeLessThanOrEqual(callsMost);
});

test('where nobody can be let sign, it says what it made, and its page begins with it', async ({}, info) => {
  const ground = await startGround(info, { change: () => ({ signing: undefined, outbox: undefined }) });
  const out = info.outputPath('out');
  const { stdout } = await ground.cli('explore', '--steps', '12', '--out', out);
  await ground.close();
  expect(stdout).toMatch(
    / steps were made; nobody can be let sign, so they are creations and additions alone\)/,
  );
  const sections = readFileSync(join(out, 'index.html'), 'utf8').match(/(?<=<h2 id=")[^"]+/g);
  expect(sections?.slice(0, 2)).toEqual(['explored', 'operation-createSkeletonRequest']);
});

test('where sequences cannot go on, it says why, and counts as seen what came about before', async () => {
  const start = () =>
    changedReference({}, ({ calls }) => ({
      calls: { ...calls, sign: { ...calls?.sign, method: 'POST', url: '/nowhere' } },
      outbox: undefined,
    }));
  const lines = await withSession(start, { runId: 'stuck', flows: [] }, async (session) => {
    const stop = new AbortController().signal;
    const { explored } = await session.explore({ seed: 1, steps: 30, atOnce: 8, stop });
    expect(explored.situations.seen / explored.situations.of).toBeLessThan(0.28);
    return exploredLines({ explored, exchanges: session.recorder.exchanges });
  });
  expect(lines).toEqual([
    expect.stringContaining(' of them not to their end'),
    expect.stringMatching(
      /^\d+ sequences? ended early: .* could not sign: calls\.sign was answered with 404/,
    ),
  ]);
});
