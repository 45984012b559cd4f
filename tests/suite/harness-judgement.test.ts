/** The judgement of calls, and of steps that others build on: what is a violation, what is trouble, when a target is asked again, and which row something of ours may explain. */
import { expect, test } from '@playwright/test';
import { decide, decideShared } from '../../harness/judging/ask.ts';
import type { Case } from '../../harness/judging/case.ts';
import { RowContext } from '../../harness/judging/check.ts';
import type { Session } from '../../harness/judging/session.ts';
import type { Cause, Expected, SharedCall } from '../../record/finding.ts';
import { answerOf, type Short, sending, sessionOf } from './services/answers.ts';
import { type Verdict, verdictOf } from './services/verdict.ts';

/** Of a call: what its answer has to be, how it is answered each time, and what is said then. Faults show plain violations. */
type Row = readonly [
  title: string,
  expected: number | 'success' | 'refusal' | 'rejection',
  answers: readonly Short[],
  verdict: Verdict,
  more?: {
    readonly about?: 'access';
    /** What the twin is answered with when it is asked again; it is accepted when nothing is said. */
    readonly twin?: readonly Short[];
    /** What it is answered with between two that are accepted; `null` unless these are. */
    readonly between?: Short | null;
    readonly message?: RegExp;
    readonly cause?: Partial<Cause>;
  },
];

const ended = { twin: [401], cause: { answer: 'access' } } as const;
const inWords = { status: 400, text: '{"error":"invalid_token"}' } as const;
const loginPage = { status: 200, text: '<html>Log in</html>' } as const;
const tokenEnded = { status: 400, text: 'The access token is expired' } as const;
const atQuota = { twin: [402], cause: { answer: 'quota' } } as const;
const atLogin = { twin: [loginPage], cause: { answer: 'foreign' } } as const;
const brokenOff = { status: 200, text: '{"req' } as const;
const tooFast = { status: 403, text: 'API rate limit exceeded' } as const;

const resets = Array<Short>(4).fill('ECONNRESET');
const says422 = { message: /received 422/ };
const deniedTwice = (error: string) =>
  Array<Short>(2).fill({ status: 200, text: JSON.stringify({ success: false, error }), denied: true });

const doubted = { status: 401, doubted: true } as const;
const ofAccess = { about: 'access', twin: [401] } as const;
const alone = { message: /beside other people in a request, .* alone in one/ };
const besideRefused = { between: null, ...alone };

const rows: readonly Row[] = [
  ['two refusals that differ', 400, [422, 400], 'could-not-run', { message: /in two ways/ }],
  ['another refusal beside others only', 400, [422, 400], 'failed', { between: 422, ...says422 }],
  ['another refusal, and not between others', 400, [422, 400], 'could-not-run', { between: 400 }],
  ['another refusal, where others are refused too', 400, [422, 400], 'could-not-run', besideRefused],
  ['a redirect where a 4xx is asked', 'refusal', [302, 302], 'failed'],
  ['an error that passes', 400, [500, 400], 'passed'],
  ['an error that stays at the twin too', 400, [500], 'could-not-run', { twin: [500] }],
  ['an error, and the twin fails later', 400, [500, 500], 'could-not-run', { twin: [200, 'ECONNRESET'] }],
  ['resets at this call alone', 401, resets, 'failed', { message: /failed with ECONNRESET/ }],
  ...['ECONNREFUSED', 'EPROTO'].map((code): Row => {
    const title = `no connection, each time at this call alone: ${code}`;
    return [title, 401, [code, code, code, code], 'could-not-run'];
  }),
  ['no connection for a moment', 401, ['ECONNREFUSED', 'EPROTO', 401], 'passed'],
  ['resets, then plain words', 401, ['ECONNRESET', 403], 'failed', { message: /received 403/ }],
  ['a reset that passes', 404, ['ECONNRESET', 'ECONNRESET', 404], 'passed'],
  ['a call that hangs once', 400, ['DEADLINE', 400], 'passed'],
  ['a call that hangs each time', 400, ['DEADLINE', 'DEADLINE', 'DEADLINE'], 'failed'],
  ...['UNFINISHED', 'TOO_LARGE', 'CONTENT_ENCODING'].map((code): Row => {
    const times = code === 'UNFINISHED' ? 3 : 4;
    return [
      `an answer that is not read to its end: ${code}`,
      'success',
      Array(times).fill(code),
      'could-not-run',
    ];
  }),
  ['an answer that ends too late, then a refusal', 'success', ['UNFINISHED', 400], 'failed'],
  ['a refusal that is told with 200', 'success', deniedTwice('Title is missing'), 'failed'],
  ['a quota that is told with 200', 'success', deniedTwice('Monthly quota exceeded'), 'could-not-run'],
  ['a limit of the rate that is told with 200', 'success', deniedTwice('Too many requests'), 'could-not-run'],
  ['a limit of the rate', 400, [429, 429], 'could-not-run', { message: /limits the rate/ }],
  ['a limit of the rate that a gateway tells with 403', 400, [tooFast, tooFast], 'could-not-run'],
  ['a limit of the rate where any 4xx would do', 'refusal', [429, 400], 'passed'],
  ['a target that is gone', 400, ['NOT_SENT'], 'could-not-run'],
  ['a machine whose certificate is not trusted', 400, ['CERT_HAS_EXPIRED'], 'could-not-run'],
  ['a target that goes away meanwhile', 400, [500, 'NOT_SENT'], 'could-not-run'],
  ['another status because the token has ended', 400, [401], 'could-not-run', ended],
  ...[401, 403, 419, 498, inWords].map((answer): Row => {
    const title = `${JSON.stringify(answer)} because the token has ended, where any 4xx would do`;
    return [title, 'refusal', [answer], 'could-not-run', { ...ended, twin: [answer] }];
  }),
  ['words about the token, which has ended', 400, [tokenEnded], 'could-not-run', { twin: [401] }],
  ['a 401 of a service that gives it to bodies, while the twin works', 'refusal', [401, 401], 'passed'],
  ['a 401, and an acceptance when asked again', 'refusal', [401, 201], 'failed'],
  ['a quota, at the twin too', 'refusal', [402], 'could-not-run', atQuota],
  ['a plain refusal, and then an error that passes', 400, [422, 500, 422], 'failed', says422],
  ['a login page, at the twin too', 400, [loginPage], 'could-not-run', atLogin],
  ['a login page, a redirect and a part, then the refusal', 400, [loginPage, 307, brokenOff, 400], 'passed'],
  ['an answer that breaks off, each time', 400, [brokenOff, brokenOff, brokenOff, brokenOff], 'failed'],
  ['a way to a login, at the twin too', 'rejection', [302], 'could-not-run', { twin: [302] }],
  ['a conflict, and then the refusal', 'refusal', [409, 422], 'passed'],
  ['the stated status, while the token of the run was refused', 401, [doubted], 'could-not-run', ofAccess],
  ['a lasting 503', 400, [503, 503], 'failed'],
  // What has to be accepted.
  ['a refusal beside others only', 'success', [400, 201], 'failed', { between: 400 }],
  ['an error beside others only', 'success', [500, 201], 'failed', { between: 500 }],
  ['an error once, and none between others', 'success', [500, 201], 'passed', { between: 201 }],
  ['a refusal only once', 'success', [400, 201], 'could-not-run', { message: /in two ways/ }],
  ['a reset within the answer, then a success', 'success', ['TRUNCATED', 201], 'passed'],
  ['a conflict with another call, then a success', 'success', [409, 201], 'passed'],
  ['an error each time', 'success', [500, 502, 500, 500], 'failed'],
  ['an error each time, at the twin too', 'success', [500], 'could-not-run', { twin: [500] }],
];

const status = (given: number): Expected => ({ is: 'status', status: given });

/** Judges a call by the answers that it and its twin are given. */
function judged(
  of: Pick<Case, 'expected' | 'about'>,
  answers: readonly Short[],
  twin?: readonly Short[],
  vouching: SharedCall = 'skeleton',
  between?: Short | null,
) {
  const context = new RowContext('a row');
  const { send, sent } = sending(...answers);
  const session = sessionOf({ [vouching]: 201 }, twin ? { [vouching]: twin } : {});
  const asking = { call: send, between: async () => (between == null ? null : answerOf(between)) };
  const full: Case = { ...of, judged: 'own', vouching, beside: between !== undefined };
  const told = verdictOf(decide(session, full, asking, context));
  return { told, sent, context };
}

for (const [title, wanted, answers, verdict, { about, twin, between, message, cause } = {}] of rows) {
  test(`where ${wanted} is expected, ${title} is: ${verdict}`, async () => {
    const expected = typeof wanted === 'number' ? status(wanted) : { is: wanted };
    const of = { expected, ...(about ? { about } : {}) };
    const { told, sent, context } = judged(of, answers, twin, undefined, between);
    const found = await told;
    expect(found.verdict).toBe(verdict);
    expect(found.message).toMatch(message ?? /^/);
    if (cause) expect(found.cause).toMatchObject(cause);
    expect(sent()).toBe(answers.length);
    expect(context.exchanges.length).toBeGreaterThanOrEqual(answers.length);
  });
}

test('a creation that should be rejected and is answered with 200, but names no request as accepted ones do, proves nothing', async () => {
  const judge = (named: object) => {
    const session = sessionOf({ stamped: { status: 200, text: '{"Nr":7}', named: true } });
    const answer = answerOf({ status: 200, text: '{"Komunikat":"Brak uprawnie\u0144"}', ...named });
    const of = {
      judged: 'own',
      expected: { is: 'rejection' },
      about: 'access',
      vouching: 'stamped',
    } as const;
    return verdictOf(decide(session, of, { call: async () => answer }, new RowContext('a row')));
  };
  expect((await judge({ named: true })).verdict).toBe('failed');
  expect(await judge({})).toMatchObject({
    verdict: 'could-not-run',
    message: expect.stringContaining('create.requestId'),
  });
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

const judgeShared = (session: Session, judged: SharedCall, vouching?: SharedCall) =>
  decideShared(
    session,
    { judged, expected: { is: 'success' }, ...(vouching ? { vouching } : {}) },
    new RowContext('a row'),
  );

const says = (text: string, status = 400) => ({ status, text });
type Step = readonly [
  title: string,
  answer: Short,
  verdict: Verdict,
  more?: { again?: Short[]; witness?: Short; plain?: Short },
];
const oneMore = { status: 409, besideOthers: true } as const;
const steps: readonly Step[] = [
  ['a refusal of the credentials', 403, 'could-not-run'],
  ['a refusal that rests on a guess of ours', { status: 404, guess: 'by guess' }, 'could-not-run'],
  ['an error that stays while the step before works', 500, 'failed'],
  ['an error that passes', 500, 'passed', { again: [201] }],
  ['an error at both', 500, 'could-not-run', { witness: 500 }],
  ['a redirect that stays while the step before works', 302, 'failed'],
  ['a redirect of both, as to a page about maintenance', 302, 'could-not-run', { witness: 302 }],
  ['a limit of the rate', 429, 'could-not-run'],
  ['an answer "not now"', 503, 'could-not-run'],
  ['a conflict beside others, without room for a plain one', oneMore, 'could-not-run', { plain: 409 }],
  ['a conflict beside others that passes', oneMore, 'passed', { again: [201] }],
  ['a conflict beside others, where a plain one is accepted then', oneMore, 'failed'],
  ['a conflict of the first one', 409, 'failed'],
  ['a target that is gone', 'NOT_SENT', 'could-not-run'],
  ['resets while the step before works', 'ECONNRESET', 'failed'],
  ['no answer in time while the step before works', 'DEADLINE', 'failed'],
  ['an answer that does not end in time', 'UNFINISHED', 'could-not-run'],
];

for (const [title, answer, verdict, more = {}] of steps) {
  test(`of a step that others build on ${title} is: ${verdict}`, async () => {
    const { again = [answer], witness = says('"T1"', 200), plain = 201 } = more;
    const session = sessionOf({ skeleton: answer, document: witness, stamped: plain }, { skeleton: again });
    expect((await verdictOf(judgeShared(session, 'skeleton', 'document'))).verdict).toBe(verdict);
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
  const of = { judged: 'stamped', expected: { is: 'success' }, blames: 'if-accepted' } as const;
  const { verdict, found } = await decideShared(session, of, new RowContext('a row'), { other });
  expect(verdict).toBe('could-not-run');
  expect(found.cause).toMatchObject({ answer: 'not-there', call: 'stamped' });
});

for (const [first, again, verdict] of [
  [400, 400, 'failed'],
  [400, 201, 'could-not-run'],
  // The request is not found, whatever the body is; the other one goes to another request.
  [404, 404, 'could-not-run'],
] as const) {
  test(`a step that is answered with ${first} first and with ${again} then, where another body is accepted, is: ${verdict}`, async () => {
    const of = { judged: 'signatory', expected: { is: 'success' }, blames: 'if-accepted' } as const;
    const session = sessionOf({ signatory: first }, { signatory: [again] });
    const other = trying('other', [201]);
    const told = await decideShared(session, of, new RowContext('a row'), { other });
    expect(told.verdict).toBe(verdict);
  });
}

/** What the service adds to all that it refuses, whatever the reason. */
const inEvery = 'at com.acme.Quota.check(Quota.java:401)';

/** What is so, the case, its answers, and what is said; `tries` are answers to other choices of ours, or to other bodies. */
type Excused = readonly [
  title: string,
  of: Partial<Omit<Case, 'judged' | 'vouching'>>,
  answers: readonly Short[],
  verdict: Verdict,
  cause?: Partial<Cause>,
  tries?: readonly Short[],
];
const url = 'https://callbacks.example/';
const unreachable: Excused[1] = { choices: true, excuses: ['unreachable-url'], urls: [url] };
const urlIs = { excuse: 'unreachable-url', because: { urls: [url] } } as const;
const unless: Excused[1] = { blames: 'unless-accepted' };
const alike: Excused[1] = { blames: 'unless-alike' };
const guess = { excuse: 'guess' } as const;
const invented = { excuse: 'invented-number' } as const;
const isOther = { excuse: 'other-requirement' } as const;
const ofCancelled: Excused[1] = { excuses: ['cancelled'] };
const cancelled = says('The request was cancelled', 409);
const ofNumber = says('phone is not in service');
const ifAccepted: Excused[1] = { blames: 'if-accepted' };
const other2 = { excuse: 'other-requirement', because: { bodies: ['other 2'] } } as const;
const neither = { excuse: 'not-accepted-either', because: { bodies: ['other 1'] } } as const;
const is400: Excused[1] = { expected: status(400) };
const refusedAlike: Excused[1] = { ...is400, ...alike };
const number: Excused[1] = { excuses: ['invented-number'] };
const expired: Excused[1] = { expected: status(401), about: 'access', excuses: ['not-expired'] };
const noUrl = says('CallbackUrl does not answer');
const ofField = says('{"url":"/requests?type=0","error":"Connections is unknown"}');
const inVain = { excuse: 'unreachable-url' } as const;
const noFile: Excused[1] = { expected: { is: 'no-token' }, excuses: ['of-no-use'] };
const token = { status: 202, text: '{"documentToken":"T1"}' };
const read = { status: 200, method: 'GET' };
const removed = { status: 204, url: 'http://127.0.0.1/requests/R1/remove' };
const sentTwice = { status: 409, method: 'PUT' };
const keptOn = { ...removed, status: 409 };
const wasEnded: Excused[1] = { expected: status(404), excuses: ['not-ended'] };
const atWork = says('Another upload is still being processed');
const used = says(`Your quota is used up.\n${inEvery}`);

const excused: readonly Excused[] = [
  ['another choice is accepted', unreachable, [400, 400], 'passed', undefined, [400, 201]],
  ['no choice is accepted, and the URL may be why', unreachable, [400, 400], 'could-not-run', urlIs, [400]],
  ['no choice is accepted, of nothing invented', { choices: true }, [400, 400], 'failed', undefined, [400]],
  ['another body with a requirement is accepted', unless, [400, 400], 'could-not-run', other2, [400, 201]],
  ['no other body with a requirement is accepted', unless, [400, 400], 'failed', undefined, [400, 400]],
  ['a body without it is accepted', ifAccepted, [400, 400], 'failed', isOther, [201]],
  ['so, and a URL did not answer', ifAccepted, [noUrl, noUrl], 'could-not-run', inVain, [201]],
  ['so, and Connections was refused', ifAccepted, [ofField, ofField], 'failed', isOther, [201]],
  ['one like it meets the same trouble', refusedAlike, [500, 500], 'could-not-run', neither, [500]],
  ['only what is broken meets trouble', refusedAlike, [500, 500, 500, 500], 'failed', undefined, [201]],
  ['one like it is refused alike', refusedAlike, [422, 422], 'could-not-run', neither, [422]],
  ['those like it are refused rightly', refusedAlike, [422, 422], 'failed', undefined, [400]],
  ['one like it is accepted alike', refusedAlike, [200], 'failed', undefined, [200]],
  ['a body without it is not accepted either', ifAccepted, [400, 400], 'could-not-run', neither, [400]],
  ['the answer speaks of the invented number', number, [400, ofNumber], 'could-not-run', invented],
  ['the answer does not speak of the invented number', number, [400, says('Bad Request')], 'failed'],
  ['what was to be deleted was only cancelled', ofCancelled, [409, cancelled], 'could-not-run', guess],
  ['an expired token is taken elsewhere, too', expired, [201], 'could-not-run', guess, [404]],
  ['an expired token is refused elsewhere', expired, [201], 'failed', undefined, [401]],
  ['an expired token meets trouble elsewhere', expired, [201], 'failed', undefined, [503]],
  ['a file is taken in another way', {}, [{ status: 422, guess: 'as raw body' }], 'could-not-run', guess],
  ['what a GET was to end can be ended again', wasEnded, [201], 'could-not-run', guess, [read]],
  ['what a POST was to end can be ended again', wasEnded, [201], 'could-not-run', guess, [204]],
  ['what a POST named for it ended can be ended again', wasEnded, [201], 'failed', undefined, [removed]],
  ['what was ended cannot be ended again', wasEnded, [201], 'failed'],
  ['what a POST was to end is found again', wasEnded, [409], 'could-not-run', guess, [409]],
  ['what a PUT was to end is found again', wasEnded, [409], 'could-not-run', guess, [sentTwice]],
  ['what a POST named for it ended is found again', wasEnded, [409, 409], 'failed', undefined, [keptOn]],
  ['a file is taken that is of no use', noFile, [token], 'could-not-run', guess, [404]],
  ['a file is taken that is of use', noFile, [token], 'failed', undefined, [201]],
  ['a status convicts nobody', { convicts: [404] }, [409], 'could-not-run', { answer: 'conflict' }],
  ['a quota stays while the twin works', {}, [402, 402], 'could-not-run', { answer: 'quota' }],
  ['something is still at work', {}, [atWork, atWork], 'could-not-run', { answer: 'early' }],
  ...[
    'Documents holds more than 1 tokens',
    '{"errors":[{"path":"/Documents","message":"must NOT have more than 1 items"}]}',
    '{"field":"Documents","message":"size must be between 1 and 1"}',
    "The field Documents must be a string or array type with a maximum length of '1'.",
    'Only one document per request is supported',
    'não mais de 2 participantes',
    'Höchstens drei Unterzeichner je Vorgang',
    '2 signataires au plus, 1 document: plus de 2 signataires',
  ].map((text): Excused => {
    return [`refused: ${text}`, {}, [says(text), says(text)], 'could-not-run', { answer: 'refused' }];
  }),
  ...['Only PDF files are accepted', '{"Documents":"at least one","Title":"at most 255 characters"}'].map(
    (text): Excused => [`refused: ${text}`, {}, [says(text), says(text)], 'failed'],
  ),
  ['words of a quota stand in every refusal', is400, [says(`Title is required\n${inEvery}`)], 'passed'],
  ['a quota is refused with the stated status', is400, [used, used], 'passed'],
];

/** Gives the answers one after the other, each with its title, and then nothing more. */
function trying(name: string, answers: readonly Short[] = []) {
  const waiting = answers.map((short, at) => ({ answer: answerOf(short), title: `${name} ${at + 1}` }));
  return async () => waiting.shift() ?? null;
}

for (const [title, of, answers, verdict, cause, tries] of excused) {
  test(`of a call that has to be accepted, where ${title}: ${verdict}`, async () => {
    const { send, sent } = sending(...answers);
    const session = {
      ...sessionOf({ skeleton: 201 }),
      call: async () => answerOf({ status: 401, text: inEvery }),
    };
    const other = of.choices ? undefined : tries;
    const choice = of.choices ? tries : undefined;
    const basis = async () => (tries?.[0] === undefined ? null : answerOf(tries[0]));
    const asking = { call: send, choice: trying('choice', choice), other: trying('other', other), basis };
    const judged: Case = { expected: { is: 'success' }, ...of, judged: 'own', vouching: 'skeleton' };
    const told = await verdictOf(decide(session, judged, asking, new RowContext('a row')));
    expect(told).toMatchObject({ verdict, ...(cause ? { cause } : {}) });
    expect(sent()).toBe(answers.length);
  });
}
