/** The renderings of a run that other tools read: JUnit, HAR, Markdown, badge, terminal, and what GitHub Actions is told. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Har } from 'har-format';
import { parse } from 'test-results-parser';
import { catalogue, checked, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { badge } from '../../reports/machine/badge.ts';
import { har } from '../../reports/machine/har.ts';
import { junitXml } from '../../reports/machine/junit.ts';
import { page } from '../../reports/page/page.ts';
import type { Run } from '../../reports/run/run.ts';
import { tellGitHub, workflowCommands } from '../../reports/texts/github.ts';
import { summary } from '../../reports/texts/summary.ts';
import { painter, terminalText, verdictLine } from '../../reports/texts/terminal.ts';
import {
  bodyOf,
  delivery,
  entryWith,
  exchange,
  failure,
  record,
  result,
  results,
  run,
  stopped,
} from './reports-sample.ts';
import { withPage } from './services/report-page.ts';

const hostile = '</failure><script>alert(1)</script> ``` | \u0000\u001b[31m \u202e ]]> \ud800 & "\'';

const mixed = run({
  record: record({
    exchanges: [
      exchange(0),
      exchange(1, { response: null, failure: { code: 'ECONNRESET', message: hostile } }),
    ],
  }),
  results: results(
    failure('otp.sms', 0),
    result('otp.email', 'could-not-run', { message: hostile }),
    result('otp.access-code', 'error', { message: 'it broke' }),
    result('create.template-200', 'not-applicable', { message: 'the profile has no create.template' }),
  ),
});

interface JunitCase {
  readonly '@classname': string;
  readonly '@name': string;
  readonly properties: {
    readonly property: readonly { readonly '@name': string; readonly '@value': string }[];
  };
  readonly failure?: unknown;
  readonly error?: unknown;
  readonly skipped?: unknown;
}

function junitCases(xml: string): JunitCase[] {
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    isArray: (name) => ['testsuite', 'testcase', 'property'].includes(name),
  });
  const { testsuites } = parser.parse(xml) as { testsuites: { testsuite: { testcase: JunitCase[] }[] } };
  return testsuites.testsuite.flatMap((suite) => suite.testcase);
}

function outcome(each: JunitCase): string {
  return ['failure', 'error', 'skipped'].filter((name) => name in each).join() || 'passed';
}

test('junit.xml is red where the exit code is not 0 and nowhere else, and its sums are those of its cases', () => {
  const should = entryWith(({ level, ...entry }) => level === 'should' && 'check' in entry)
    .id as RequirementId;
  const entry = { list: 'deviations', line: 7, reason: 'known', owner: 'team', until: '2026-01-02' } as const;
  const accepts = (requirement: string, more: object = {}) => ({
    deviations: {
      file: 'deviations.yaml',
      stale: 'fail' as const,
      entries: [{ ...entry, requirement, ...more }],
    },
  });
  const failed = (id: RequirementId) => ({
    results: results(failure(id, 0)),
    record: record({ exchanges: [exchange(0)] }),
  });
  const stopped = { results: results(result('otp.sms', 'could-not-run', { message: 'no SMS' })) };
  const cases: Readonly<Record<string, Parameters<typeof run>[0]>> = {
    conformant: {},
    'a must': failed('otp.sms'),
    'a should': failed(should),
    'a should, strict': { ...failed(should), strict: true },
    'an accepted must': { ...failed('otp.sms'), ...accepts('otp.sms') },
    'an accepted must, too late': { ...failed('otp.sms'), ...accepts('otp.sms', { until: '2026-01-01' }) },
    'an entry that is not needed': accepts('otp.sms'),
    'an entry of nothing': accepts('otp.nothing'),
    'what could not run': stopped,
    'what could not run and is newer': { ...stopped, since: '0.0.9' },
    'a newer must': { ...failed('otp.sms'), since: '0.0.9' },
    'a must that is as old': { ...failed('otp.sms'), since: '0.1.0' },
    'a mistake of the suite': { problems: ['it broke'] },
    'an interrupted run': { interrupted: true },
    'a run that proves nothing': { results: [], selection: ['otp.sms'] },
  };
  for (const [name, given] of Object.entries(cases)) {
    const whole = run(given);
    const text = junitXml(whole);
    const found = junitCases(text);
    const newer = whole.requirements.some((each) => each.newer);
    expect(whole.warnings.some((each) => each.includes('without effect on the verdict'))).toBe(newer);
    const red = found.filter((each) => ['failure', 'error'].includes(outcome(each)));
    expect([name, red.length > 0], text.slice(0, 2_000)).toEqual([name, whole.exitCode !== 0]);
    const sums = [
      ...text.matchAll(
        /<testsuites? [^>]*tests="(\d+)" failures="(\d+)" errors="(\d+)"[^>]* time="([\d.]+)"/g,
      ),
    ];
    const [all = [], ...suites] = sums.map(([, ...numbers]) => numbers.map(Number));
    const added = suites.reduce((sum, each) => sum.map((value, at) => value + (each[at] ?? 0)), [0, 0, 0, 0]);
    expect(all.map((value) => value.toFixed(3))).toEqual(added.map((value) => value.toFixed(3)));
    expect(all.slice(0, 3)).toEqual([
      found.length,
      found.filter((each) => outcome(each) === 'failure').length,
      found.filter((each) => outcome(each) === 'error').length,
    ]);
  }
  expect(junitXml(run(cases['a should']))).toMatch(/<skipped message="expected 400 · received 200 \{\}"\/>/);
});

test('another tool reads junit.xml: areas, outcomes, messages, times, and ids as metadata', async ({}, info) => {
  const file = info.outputPath('junit.xml');
  writeFileSync(file, junitXml(mixed));
  const found = parse({ type: 'junit', files: [file] });
  expect(found).toMatchObject({ status: 'FAIL', failed: 1, errors: 2 });
  const areas = [...new Set(catalogue.map(({ area }) => area))];
  expect(found.suites.map(({ name }) => name)).toEqual(areas);
  const cases = found.suites.flatMap((suite) => suite.cases);
  const ids = cases.map(({ metadata }) => (metadata as Record<string, string>).requirement);
  expect(ids).toEqual(catalogue.map(({ id }) => id));
  const sms = cases[ids.indexOf('otp.sms')];
  expect(sms).toMatchObject({ status: 'FAIL', duration: 5 });
  expect(sms?.failure).toBe('expected 400 · received 200 {}');
  expect(sms?.stack_trace).toMatch(/^expected 400 · received 200 \{\}\n.*OTP without MobileNumber/);
  expect(cases[ids.indexOf('create.template-200')]?.status).toBe('SKIP');
  expect(cases[ids.indexOf('otp.not-required')]?.status).toBe('PASS');
});

test('the badge tells the verdict and the numbers, and a partial run has none', () => {
  expect(XMLValidator.validate(badge(mixed) ?? '')).toBe(true);
  const { musts } = run().counts;
  expect(badge(run())).toContain(`conformant, ${musts.passed} of ${musts.all} musts`);
  expect(badge(run({ selection: ['otp.sms'] }))).toBeNull();
  const less = run({ results: results(result('otp.sms', 'not-applicable', { message: 'no SMS' })) });
  expect(badge(less)).toContain(`conformant, ${musts.all - 1} of ${musts.all} musts, 1 not applicable`);
});

const plain = painter({ isTTY: false } as NodeJS.WriteStream);

test('what could not run is told by its causes as data, with the line of the profile that would say so', () => {
  const at = (status: number) => ({ status, reason: '', headers: [], body: null });
  const request = { method: 'POST', url: 'http://127.0.0.1:1/Requests?type=3', headers: [], body: null };
  const absent = (index: number) =>
    exchange(index, { operation: 'createStampedRequest', request, response: at(404) });
  const refused = (index: number) =>
    exchange(index, { operation: null, purpose: 'flow', response: { ...at(400), body: bodyOf('{}') } });
  const lost = (index: number) => ({ ...refused(index), template: 'calls.sign' });
  const usedUp = exchange(8, {
    operation: 'createStampedRequest',
    request: absent(0).request,
    response: at(402),
  });
  const gone = exchange(2, { response: null, failure: { code: 'NOT_SENT', message: 'not sent' } });
  const dead = exchange(3, { response: null, failure: { code: 'ECONNREFUSED', message: 'refused' } });
  const given = run({
    record: record({
      exchanges: [absent(0), absent(1), gone, dead, refused(4), refused(5), lost(6), lost(7), usedUp],
    }),
    results: results(
      stopped('stamping.placed', { excuse: 'lacks', because: { exchange: 1 } }),
      stopped('stamping.several-stamps', { answer: 'not-there', of: 0, call: 'stamped' }),
      stopped('stamping.stamp-color', { answer: 'not-there', of: 0, call: 'stamped' }),
      stopped('stamping.stamp-order', { answer: 'quota', of: 8, call: 'stamped' }),
      stopped('otp.sms', { answer: 'unsent', of: 2 }),
      stopped('upload.pdf', { answer: 'trouble', of: 3, call: 'document' }),
      stopped('otp.email', { needs: 'a mailbox' }),
      stopped('events.request-received', { excuse: 'refused-url', because: { exchange: 4 } }),
      stopped('events.to-callback-url', { excuse: 'refused-url', because: { exchange: 5 } }),
      stopped('signing.signer-signs', { excuse: 'stuck', because: { exchange: 6 } }),
      stopped('signing.parallel', { excuse: 'stuck', because: { exchange: 7 } }),
      stopped('events.signatory-completed', { excuse: 'not-arrived', because: { codes: [2] } }),
      stopped('events.process-completed', { excuse: 'not-arrived', because: { codes: [3] } }),
    ),
  });
  expect(given.causes?.map(({ requirements, notApplicable }) => [requirements, notApplicable])).toEqual([
    [['stamping.several-stamps', 'stamping.placed', 'stamping.stamp-color'], 'stamping'],
    [['upload.pdf', 'otp.sms'], undefined],
    [['signing.parallel', 'signing.signer-signs'], undefined],
    [['events.request-received', 'events.to-callback-url'], undefined],
    [['events.signatory-completed', 'events.process-completed'], undefined],
    [['otp.email'], undefined],
    [['stamping.stamp-order'], undefined],
  ]);
  const text = terminalText(given, plain);
  for (const shown of [text, summary(given), String(page(given))]) {
    expect(shown.match(/an auto stamping creation \(exchange 0\)/g)).toHaveLength(1);
    expect(shown).toContain('notApplicable: { stamping: not offered }');
    expect(shown).toContain('is the base URL right, and the service up?');
    expect(shown).toContain('a mailbox');
    expect(shown.match(/refused with it: POST/g)).toHaveLength(1);
    expect(shown).toContain('events 2 and 3 did not arrive');
  }
  expect(text).toContain('3 requirements: stamping.several-stamps, stamping.placed, stamping.stamp-color');
});

test('who cannot act is one cause with whoever is answered in the same words, whatever ids stand among them', () => {
  const rows = [
    [['{"error":"Not your turn","trace":"0HN7F2:01"}', '{"error":"Not your turn","trace":"0HN7F3:02"}'], 1],
    [['{"error":"Not your turn"}', '{"error":"Wrong code"}'], 2],
    [[undefined, undefined], 1],
  ] as const;
  const person = { signatory: 0, role: 'signer', order: 1 } as const;
  for (const [texts, causes] of rows) {
    const exchanges = texts.map((text, index) => {
      const body = text === undefined ? null : { ...bodyOf(text), sha256: `of ${text}` };
      const response = { status: 403, reason: '', headers: [], body };
      return exchange(index, { operation: null, template: 'calls.sign', purpose: 'flow', response });
    });
    const stuck = (['signing.signer-signs', 'otp.gates-signing'] as const).map((id, index) => {
      const how = `calls.sign was answered with 403 (exchange ${index})`;
      const flow = { expected: { is: 'can', person, act: 'sign' }, seen: { how } } as const;
      return stopped(id, { excuse: 'stuck', because: { exchange: index } }, how, { flow });
    });
    const given = run({ record: record({ exchanges }), results: results(...stuck) });
    expect(given.causes, texts.join()).toHaveLength(causes);
  }
});

test('a verdict names what was not examined: terminal, summary, badge, page and run.json', () => {
  const draft = run({
    results: checked.map(({ id, area }) => {
      const left = area === 'events' || (area === 'signing' && id !== 'signing.email-used');
      return result(id, left ? 'not-applicable' : 'passed');
    }),
  });
  const says =
    'conformant in upload, skeleton, signatory, otp, create, stamping; signing (1 of 15) examined in part; events not examined';
  expect(draft.standing).toBe(says);
  expect(draft.verdict).toBe('conformant');
  expect(draft.examined).toContainEqual({ area: 'signing', judged: 1, testable: 15 });
  for (const shown of [verdictLine(draft), summary(draft), badge(draft)]) expect(shown).toContain(says);
  expect(page(draft)).toContain(says);
  expect(run().standing).toBe('conformant');
});

const headers: Run['deliveries'][number]['headers'] = [['Content-Type', 'application/json']];
const body = bodyOf('{"event":3}');

const url = 'http://127.0.0.1:4020/hooks/abc?secret=1&other=%26a&bare';
const delivered = {
  event: 3,
  receivedAt: { start: '2026-01-02T03:04:06.000Z', end: '2026-01-02T03:04:06.025Z' },
  url,
  headers,
  body,
} as const;

const shownAt = 'http://target.example/page';
const answer = { status: 200, reason: 'OK', headers, body };
const sample = run({
  record: record({
    exchanges: [
      exchange(0),
      exchange(1, { response: null, failure: { code: 'ECONNRESET', message: 'gone "</script>' } }),
      exchange(2, { request: { method: 'GET', url: shownAt, headers: [], body: null }, response: answer }),
    ],
    deliveries: [delivery('0', delivered), delivery('1', { ...delivered, answered: null })],
  }),
});

test('each exchange stands at its index, also one without an answer, and deliveries follow on a shownAt of their own', () => {
  const { log } = JSON.parse(har(sample)) as Har;
  expect(log.entries.map(({ pageref, comment }) => [pageref, comment?.split(',')[0]])).toEqual([
    ['calls', 'exchange 0'],
    ['calls', 'exchange 1'],
    ['calls', 'exchange 2'],
    ['deliveries', 'delivery 0: a callback from the target'],
    ['deliveries', 'delivery 1: a callback from the target'],
  ]);
  const [first, lost, , callback, reset] = log.entries;
  expect(first).toMatchObject({
    startedDateTime: '2026-01-02T03:04:05.678Z',
    time: 12,
    request: { method: 'POST', postData: { mimeType: 'application/json', text: '{"Order":"1"}' } },
    response: { status: 200, content: { size: 2, mimeType: 'application/json', text: '{}' } },
    timings: { send: 0, wait: 12, receive: 0 },
  });
  expect(lost?.response).toMatchObject({ status: 0, _error: expect.stringContaining('ECONNRESET') });
  expect(callback).toMatchObject({
    time: 25,
    request: {
      url,
      queryString: [
        ['secret', '1'],
        ['other', '%26a'],
        ['bare', ''],
      ].map(([name, value]) => ({ name, value })),
      postData: { text: body.text },
    },
    response: { status: 200 },
  });
  expect(reset?.response).toMatchObject({ status: 0, _error: expect.stringContaining('reset') });
});

test('a browser takes it: a shownAt of the archive is answered from it', async ({}, info) => {
  const file = info.outputPath('exchanges.har');
  writeFileSync(file, har(sample));
  await withPage('about:blank', async (tab) => {
    await tab.routeFromHAR(file, { notFound: 'abort' });
    await tab.goto(shownAt);
    expect(await tab.textContent('body')).toContain(body.text);
    await tab.unrouteAll();
  });
});

const command = '100%\r\n::error::owned, file=x: y';

const red = run({
  record: record({ exchanges: [exchange(0)], warnings: [command] }),
  results: results(
    failure('otp.sms', 0),
    failure('otp.type-values', 0),
    result('otp.email', 'could-not-run', { message: command }),
  ),
});

/** A workflow command as a runner reads it. */
function read(line: string) {
  const [, level, list = '', message = ''] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? [];
  const plain = (text: string) => text.replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%25', '%');
  const properties = list.split(',').map((each) => each.split('='));
  return {
    level,
    message: plain(message),
    title: plain(properties.find(([name]) => name === 'title')?.[1] ?? ''),
  };
}

test('what makes a run red is an error, and what is only told a warning', () => {
  const found = workflowCommands(red).map(read);
  expect(found.map(({ level, title }) => `${level} ${title}`)).toEqual([
    'error otp.email (must) could-not-run',
    'error otp.sms (must) failed',
    'warning otp.type-values (should) failed',
    'warning conformance',
  ]);
  expect(found[1]?.message).toContain('expected 400 · received 200 {}');
  expect(found[3]?.message).toBe('100%\\u{000d}\n::error::owned, file=x: y');
});

test('an entry of the deviations file is annotated at its line', () => {
  const file = '/home/runner/work/deviations.yaml';
  const entry = { list: 'deviations', requirement: 'otp.sms', reason: 'known', owner: 'team' } as const;
  const given = run({
    deviations: { file, stale: 'fail', entries: [{ ...entry, until: '2026-12-31', line: 7 }] },
  });
  const [line = ''] = workflowCommands(given, '/home/runner/work');
  expect(line).toMatch(/^::error file=deviations\.yaml,line=7,title=deviations file::/);
});

test('the summary is added to that of the job, and nothing is said elsewhere', ({}, info) => {
  const file = info.outputPath('summary.md');
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  tellGitHub(red, {}, say);
  expect(said).toEqual([]);
  tellGitHub(red, { GITHUB_STEP_SUMMARY: file }, say);
  tellGitHub(red, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file }, say);
  expect(readFileSync(file, 'utf8')).toBe(`${summary(red)}\n${summary(red)}\n`);
  expect(said).toEqual(workflowCommands(red));
  const place = { GITHUB_SERVER_URL: 'https://github.test', GITHUB_REPOSITORY: 'a/b', GITHUB_RUN_ID: '7' };
  const linked = info.outputPath('linked.md');
  tellGitHub(red, { GITHUB_STEP_SUMMARY: linked, ...place }, say);
  const text = readFileSync(linked, 'utf8');
  expect(text).toContain('[index.html](https://github.test/a/b/actions/runs/7#artifacts)');
});

test('a summary of the job that cannot be written is a warning, and the run stays what it is', ({}, info) => {
  const said: string[] = [];
  tellGitHub(red, { GITHUB_STEP_SUMMARY: join(info.outputPath(), 'gone', 'summary.md') }, (text) =>
    said.push(text),
  );
  expect(said).toEqual([
    expect.stringMatching(/^::warning title=conformance::the summary of the job .* ENOENT/),
  ]);
});
