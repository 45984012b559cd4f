/** Files of ours that are read back may come from strangers: what is broken or hostile is refused by name, line and reason. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { main } from '../../bin/main.ts';
import { prepare, runEach } from '../../bin/run.ts';
import { readWaiting, runLeftIn } from '../../harness/flows/resuming/waiting-file.ts';
import { loadProfile } from '../../harness/profile/load.ts';
import { TokenFile } from '../../harness/profile/token-file.ts';
import { PeopleRedactor } from '../../harness/recording/people-redaction.ts';
import { Recorder } from '../../harness/recording/recorder.ts';
import { Redactor } from '../../harness/recording/redact.ts';
import { replayListener } from '../../harness/replaying/deck.ts';
import { playerOf } from '../../harness/replaying/player.ts';
import { readRecording, writeRecording } from '../../harness/replaying/recording.ts';
import { unfinishedIn } from '../../harness/session/cleanup-journal.ts';
import { assertNoRunIn } from '../../harness/session/folder-lock.ts';
import { HttpSender } from '../../harness/wire/http.ts';
import type { Exchange } from '../../record/exchange.ts';
import { makeFolder } from '../../record/files.ts';
import { readSequence } from '../../record/sequence.ts';
import { Stages } from '../../record/stages.ts';
import { baselineOf, readBaseline } from '../../reports/accepted/baseline.ts';
import { readDeviations } from '../../reports/accepted/deviations-file.ts';
import { writeReports } from '../../reports/ending/write.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { ownChecks } from '../../running/own-checks.ts';
import { exchange, failure, record, requirementOf, results, run } from './reports-sample.ts';
import { lowerLimits } from './services/lower-limits.ts';
import { explored, recording, waiting } from './services/own-recording.ts';

const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${[...'bcdefghi']
  .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(', ')}]`)
  .join('\n')}\n`;

const sample = run({ record: record({ exchanges: [exchange(0)] }) });
const red = run({ record: record({ exchanges: [exchange(0)] }), results: results(failure('otp.sms', 0)) });
const withRequest = (differing: Partial<Exchange['request']>) =>
  run({
    record: record({ exchanges: [exchange(0, { request: { ...exchange(0).request, ...differing } })] }),
  });
const withBody = (file: string) =>
  withRequest({ body: { mediaType: 'text/plain', size: 3, sha256: 'a'.repeat(64), file } });

const [check] = requirementOf(run({ results: results(failure('otp.sms', 0)) }), 'otp.sms').checks;
const MiB = 1024 * 1024;
const twoEqual = [...sample.requirements, ...sample.requirements];
const runnable = `bodies/${'a'.repeat(32)}.html`;
const late = { ...recording.ended, monotonicMs: 1e308 };
const huge = 'a'.repeat(256 * 1024);
const blank = ' '.repeat(MiB + 1);
const inItself = '&a\naddress: {b: *a}\n';
const ids = Array(257).fill('a'.repeat(4_096));
const manyRows = {
  ...requirementOf(sample, 'otp.sms'),
  checks: [{ ...check, rows: Array(5_001).fill(check?.rows[0]) }],
};
const accepted = {
  ...{ list: 'deviations', line: 1, requirement: 'otp.sms', owner: 'Anna', until: '2030-01-01' },
  status: 'unused',
};

const delivered = (file: string) => {
  const { ended } = recording;
  const url = 'http://127.0.0.1:9/';
  const counts = { stored: 1, bytes: 1, foreign: 0, held: 0, refused: {} };
  const request = { index: 0, check: 'flow', method: 'POST', target: '/', url, headers: [], body: { file } };
  const times = { started: ended, arrived: ended, finished: ended };
  const deliveries = [{ ...request, ...times, answered: { kind: 'status', status: 200 } }];
  return { ...recording, listener: { url, localUrl: url, counts, addresses: [], deliveries } };
};

/** V8 looks at 2^60 ways when it makes this, and cannot be stopped. */
const endless = `${'(?:|)'.repeat(60)}(x)`;

const mobileNumbers = Array.from({ length: 401 }, (_, at) => `+1202555${1000 + at}`);

const json = (value: unknown) => JSON.stringify(value, null, 1);
const readDelivery = (file: string) => {
  const folder = join(file, '..');
  const { listener } = readRecording(folder);
  return listener && replayListener(listener, folder);
};

/** Reads a file that is to be refused. */
type Read = (file: string) => unknown;
const ofRun = (content: string) => ['run.json', content, readRun as Read] as const;
const ofRecording = (content: object) => ['recording.json', json(content), readDelivery as Read] as const;
const readProfile: Read = (target) => loadProfile({ target }, {});
const readWaitingFile: Read = (file) => readWaiting(file);
const readDeviationsFile: Read = (file) => readDeviations(file);

const changedRun = (differing: object) => ofRun(json({ ...sample, ...differing }));
const changedRecording = (differing: object) => ofRecording({ ...recording, ...differing });
const inProfile = (more: object) => changedRecording({ profile: { ...recording.profile, ...more } });
const leading = json({ ...waiting, runId: '../../x' });
const twice = { ...baselineOf(sample), requirements: Array(2).fill(baselineOf(sample).requirements[0]) };
const manyGaps = Array.from({ length: 5_001 }, (_, at) => ({ ...sample.gaps[0], id: `a.a${at}` }));
const manyDeviations = { deviations: { file: '', stale: 'warn', entries: Array(5_001).fill(accepted) } };
const noVersion = /no run of the conformance suite: \/ must have required property 'schemaVersion'/;

/** What stands in which file, how that is read, and what is said of it. */
const hostile: readonly (readonly [title: string, given: readonly [string, string, Read], said: RegExp])[] = [
  ['has no version', ofRun('{}'), noVersion],
  ['is of a later version', ofRun('{"schemaVersion":"2.0"}'), /schemaVersion 2\.0 is not understood/],
  ['has a key too many', changedRun({ extra: 1 }), /must NOT have additional properties \(extra\)/],
  ['has a requirement twice', changedRun({ requirements: twoEqual }), /\/requirements has an id twice/],
  [
    'lacks an exchange',
    changedRun({ ...red, exchanges: [] }),
    /otp\.sms names exchange 0, which is not there/,
  ],
  ['is cut off', ofRun(json(sample).slice(0, 999)), /is no JSON, or cut off/],
  ['names a body elsewhere', ofRun(json(withBody('bodies/../../x'))), /body\/file must match pattern/],
  // To which the page would lead.
  ['names a body that a browser runs', ofRun(json(withBody(runnable))), /body\/file must match pattern/],
  [
    'has a URL that is none',
    ofRun(json(withRequest({ url: 'file:///a' }))),
    /request\/url must match pattern/,
  ],
  ['explored a command', changedRun({ explored: explored('$(touch a)') }), /requirement must match pattern/],
  ['has too many rows', changedRun({ requirements: [manyRows] }), /otp\.sms has more than 5000 entries/],
  ['has too many gaps', changedRun({ gaps: manyGaps }), /\/gaps has more than 5000 entries/],
  [
    'has too many problems',
    changedRun({ problems: Array(5_001).fill('x') }),
    /\/problems has more than 5000 entries/,
  ],
  ['has too many deviations', changedRun(manyDeviations), /\/deviations\/entries has more than 5000 entries/],
  ['has one twice', ['baseline.json', json(twice), readBaseline as Read], /\/requirements has an id twice/],
  ['is of another age', changedRecording({ ended: late }), /\/ended\/monotonicMs must be/],
  ['names a body elsewhere', ofRecording(delivered('../../etc/passwd')), /\/listener\/deliveries\/0\/body/],
  ['has an id that leads elsewhere', changedRecording({ runId: '../../x' }), /\/runId must match pattern/],
  ['has too many ids', changedRecording({ ids }), /\/ids has more than 1048576 characters/],
  ['has a huge profile', inProfile({ name: huge }), /\/profile has more than 262144 characters/],
  [
    'has an endless pattern',
    inProfile({ outbox: { link: endless } }),
    /a pattern in \/profile takes too long/,
  ],
  ['has too many people', inProfile({ people: { mobileNumbers } }), /\/profile names more than 400 people/],
  ['is of a later suite', changedRecording({ recordingVersion: 3 }), /recordingVersion 3 is none of 1 and 2/],
  ['has an id that leads elsewhere', ['waiting.json', leading, readWaitingFile], /\/runId/],
  ['is an alias bomb', ['deviations.yaml', bomb, readDeviationsFile], /alias/i],
  ['is too large', ['sequence.json', blank, readSequence as Read], /is larger than 1 MiB, the most/],
  ['is inside of itself', ['profile.yaml', inItself, readProfile], /\*a stands inside of what it means/],
  ['is an alias bomb', ['profile.yaml', bomb, readProfile], /alias/i],
];

for (const [title, [name, content, read], message] of hostile) {
  test(`refused: ${name} ${title}`, ({}, info) => {
    const file = info.outputPath(name);
    writeFileSync(file, content);
    chmodSync(file, 0o600);
    const before = lowerLimits({ slowPatternMs: 1_000 });
    try {
      const said = new RegExp(`${name.replace('.', '\\.')}(:\\d+)?: .*${message.source}`, message.flags);
      const refused = { name: 'ConfigurationError', message: expect.stringMatching(said) };
      expect(() => read(file)).toThrow(expect.objectContaining(refused));
    } finally {
      before();
    }
  });
}

test('refused: a recording names one large body again and again', ({}, info) => {
  const folder = info.outputPath();
  const file = `bodies/${'a'.repeat(32)}`;
  const heard = delivered(file);
  const deliveries = heard.listener.deliveries.flatMap((each) => Array(4).fill(each));
  mkdirSync(join(folder, 'bodies'));
  writeFileSync(join(folder, file), 'as much');
  writeFileSync(
    join(folder, 'recording.json'),
    json({ ...heard, listener: { ...heard.listener, deliveries } }),
  );
  const before = lowerLimits({ recordedBytes: 9 });
  try {
    expect(() => readRecording(folder)).toThrow(/its bodies have more than 27 bytes, all together/);
  } finally {
    before();
  }
});

/** A call of the profile as a recording has it, and what plays it; `target` is the address of the target. */
function recorded(template: string, method: 'GET' | 'POST', url: string, more: object = {}) {
  const about = { operation: null, purpose: 'template', template } as const;
  const timing = { startedAt: recording.recordedAt, durationMs: 1, retries: [] };
  const made = { authorization: '', sent: '', again: false, timing, at: { startMs: 0, endMs: 1 } };
  const text = '{"id":"r$& 1"}';
  const response = { status: 200, reason: 'OK', headers: [], body: { text } };
  const calls = [{ about, method, url, ...made, response, ...more }];
  return async (asked: string, times = 1, options: { elsewhere?: true; target?: string } = {}) => {
    const { elsewhere, target } = options;
    const limits = { deadlineMs: 10_000, connectMs: 10_000, maxResponseBytes: 99 };
    const sender = new HttpSender({ ...limits, ...(target ? { target } : {}) });
    const player = playerOf({ ...recording, ids: ['r$& 1', 'r$& 2'], calls }, '', sender);
    const request = { method, url: new URL(asked), headers: [], body: null, ...(elsewhere && { elsewhere }) };
    const played = Array.from({ length: times }, () => player.play?.({ about, request, authorization: '' }));
    const answers = await Promise.all(played);
    player.close();
    sender.close();
    return answers;
  };
}

test('a call of a recording is made again as often as it was recorded', async () => {
  const url = 'http://127.0.0.1:9/list';
  const play = recorded('outbox.email.list', 'GET', url, { again: true, response: null });
  expect((await play(url, 2)).map((each) => each?.again)).toEqual([true, false]);
});

test('a replay asks nobody where an address lies to which the target led: it was called when it was recorded', async () => {
  const url = 'http://127.0.0.1:9/sign';
  // With a target of the public Internet.
  const [played] = await recorded('calls.view', 'GET', url)(url, 1, { elsewhere: true, target: '8.8.8.8' });
  expect(played?.outcome).toMatchObject({ response: { status: 200 } });
});

test('a call whose URL names another request than the recorded one gets its answer, however ids are written', async () => {
  const urlOf = (id: string) => `http://127.0.0.1:9/requests/${encodeURIComponent(id)}/send`;
  const [played] = await recorded('calls.send', 'POST', urlOf('r$& 1'))(urlOf('r$& 2'));
  expect(played?.outcome).toMatchObject({ response: { body: Buffer.from('{"id":"r$& 2"}') } });
});

test('a recording of version 1, in which equal calls are numbered, is read', ({}, info) => {
  const { operation, purpose, startedAt, durationMs, retries, attempts, request, failure } = exchange(0);
  const call = {
    ...{ about: { operation, purpose }, method: request.method, url: request.url, authorization: '' },
    ...{ sent: '', nth: 0, again: false, response: null, failure },
    ...{ timing: { startedAt, durationMs, retries, attempts }, at: { startMs: 0, endMs: 1 } },
  };
  const given = { ...recording, recordingVersion: 1, calls: [call] };
  writeFileSync(info.outputPath('recording.json'), json(given));
  expect(readRecording(info.outputPath())).toEqual(JSON.parse(json(given)));
});

/** A folder with something of somebody else beside it. */
function elsewhere(info: TestInfo): { folder: string; secret: string } {
  const folder = info.outputPath('given');
  mkdirSync(join(folder, 'bodies'), { recursive: true });
  const secret = info.outputPath('secret.txt');
  writeFileSync(secret, 'of somebody else');
  return { folder, secret };
}

const named = 'bodies/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

test('bodies of the calls in the profile of a recording are kept as they stand, whatever they look like', ({}, info) => {
  const decline = (body: unknown) => ({ method: 'POST', url: '/decline', body });
  for (const body of ['a text', { text: 'x'.repeat(100_000) }]) {
    const profile = { ...recording.profile, calls: { decline: decline(body) } };
    writeRecording(info.outputDir, { ...recording, profile });
    expect(readRecording(info.outputDir).profile.calls).toEqual(profile.calls);
  }
});

test('a link out of the folder is not followed: bodies of a recording, run.json, the journal', ({}, info) => {
  const { folder, secret } = elsewhere(info);
  writeFileSync(join(folder, 'recording.json'), json(delivered(named)));
  symlinkSync(secret, join(folder, named));
  expect(() => readDelivery(join(folder, 'recording.json'))).toThrow(/leads out of .*given/);
  symlinkSync(secret, join(folder, 'run.json'));
  expect(() => readRun(folder)).toThrow(/leads out of .*given/);
  symlinkSync(secret, join(folder, 'unfinished-bcdfghjk.jsonl'));
  expect(unfinishedIn(folder)).toMatchObject([{ damage: expect.stringMatching(/leads out of .*given/) }]);
  symlinkSync('waiting.json', join(folder, 'waiting.json'));
  expect(() => readWaiting(folder)).toThrow(/leads out of .*given/);
});

test('a run does not begin where it could not write, or would write elsewhere', async ({}, info) => {
  for (const name of ['run.json', 'bodies', 'reproduce']) {
    const out = info.outputPath(`out of ${name}`);
    mkdirSync(out);
    symlinkSync(info.outputDir, join(out, name));
    await expect(prepare({ out })).rejects.toThrow(/leads out of .*out of/);
    rmSync(join(out, name));
    if (name === 'run.json') mkdirSync(join(out, name));
    else writeFileSync(join(out, name), '');
    await expect(prepare({ out })).rejects.toThrow(/is (no|a) folder; move it away/);
  }
  const kept = info.outputPath('kept');
  mkdirSync(kept);
  symlinkSync(info.outputDir, join(kept, 'recording.json'));
  const asked = { out: info.outputPath('out'), record: kept };
  await expect(prepare(asked)).rejects.toThrow(/recording\.json: leads out of .*kept/);
  const each = { out: info.outputPath('each'), seed: 1, concurrency: 1 };
  mkdirSync(each.out);
  symlinkSync(info.outputDir, join(each.out, 'a'));
  await expect(runEach(['a.yaml', 'b.yaml'], each)).rejects.toThrow(/a: leads out of .*each/);
});

test('nothing is written through a link in a folder of others: tickets, comparisons, recordings, bodies', async ({}, info) => {
  const { folder, secret } = elsewhere(info);
  const failed = run({
    record: record({ exchanges: [exchange(0)] }),
    results: results(failure('otp.sms', 0)),
  });
  writeFileSync(join(folder, 'run.json'), json(failed));
  const given = ['node', 'x', 'report', folder];
  const linked = (name: string, to: string) => {
    const out = info.outputPath(`linked ${name.replace('/', ' ')}`);
    mkdirSync(join(out, name, '..'), { recursive: true });
    symlinkSync(to, join(out, name));
    return out;
  };
  for (const [name, to, more] of [
    ['ticket-otp.sms.md', secret, ['--ticket', 'otp.sms']],
    ['reproduce', info.outputDir, ['--ticket', 'otp.sms']],
    ['run-2', info.outputDir, [folder]],
    ['index.html', secret, [folder]],
  ] as const) {
    let said = '';
    const args = [...given, ...more, '--out', linked(name, to)];
    expect(await main(args, (text) => (said += text))).toBe(3);
    expect(said).toContain('leads out of');
  }
  expect(() => writeRecording(linked('recording.json', secret), recording)).toThrow('leads out of');
  const bytes = Buffer.alloc(100_000, 'a');
  const body = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.txt`;
  const stages = new Stages();
  const folderOfRun = linked(`bodies/${body}`, secret);
  const people = new PeopleRedactor({ profile: recording.profile, runId: 'bcdfghjk', seed: 1 });
  const recorder = new Recorder(new Redactor(), people, folderOfRun, stages);
  recorder.heard({ line: '', headers: [], body: bytes }, 'all');
  expect(stages.problems.join()).toContain('leads out of');
  expect(readFileSync(secret, 'utf8')).toBe('of somebody else');
});

test('what is no file is not waited for', async ({}, info) => {
  const { folder } = elsewhere(info);
  writeFileSync(join(folder, 'recording.json'), json(delivered(named)));
  execFileSync('mkfifo', [join(folder, named)]);
  expect(() => readDelivery(join(folder, 'recording.json'))).toThrow('is no file');
  const large = info.outputPath('large');
  mkdirSync(large);
  writeFileSync(join(large, 'running.json'), '');
  truncateSync(join(large, 'running.json'), 2 ** 40);
  await expect(assertNoRunIn(large)).resolves.toBeUndefined();
  writeFileSync(join(large, 'unfinished-bcdfghjk.jsonl'), '\n'.repeat(4 * 1024 * 1024));
  expect(unfinishedIn(large)).toMatchObject([
    { damage: expect.stringMatching(/:1: is no JSON \(and \d+ more\)/) },
  ]);
  const pipes = info.outputPath('pipes');
  mkdirSync(pipes);
  const names = ['run.json', 'waiting.json', 'recording.json', 'unfinished-bcdfghjk.jsonl', 'running.json'];
  execFileSync(
    'mkfifo',
    [...names, 'index.html', 'requirements.yaml', 'profile.yaml'].map((name) => join(pipes, name)),
  );
  for (const read of [readRun, readWaiting, runLeftIn, readRecording])
    expect(() => read(pipes)).toThrow('is no file');
  expect(unfinishedIn(pipes)).toMatchObject([{ damage: expect.stringContaining('is no file') }]);
  await expect(assertNoRunIn(pipes)).resolves.toBeUndefined();
  expect(() => writeReports(pipes, sample)).toThrow('is no file');
  await expect(ownChecks(pipes)).rejects.toThrow('is no file');
  const profile = info.outputPath('profile.yaml');
  const address = 'address: { baseUrl: "http://127.0.0.1:9"';
  const auth = `auth: { kind: static, token: "\${TOKEN}" }`;
  for (const named of ['extends: pipes/profile.yaml', `${address}, ca: pipes/profile.yaml }\n${auth}`]) {
    writeFileSync(profile, named);
    expect(() => loadProfile({ target: profile }, { TOKEN: 'abcdefgh' })).toThrow('is no file');
  }
  const tokens = join(pipes, 'tokens.json');
  execFileSync('mkfifo', ['-m', '600', tokens]);
  expect(() => new TokenFile(tokens, 'x')).toThrow('is no file');
});

test('a path at which nothing can be seen is refused by name', async ({}, info) => {
  const itself = info.outputPath('itself');
  symlinkSync(itself, itself);
  const file = join(itself, 'file');
  const unseen = { name: 'ConfigurationError', message: expect.stringContaining('cannot be read (ELOOP)') };
  for (const read of [
    readRun,
    readRecording,
    readSequence,
    readProfile,
    (path: string) => new TokenFile(path, 'x'),
  ])
    expect(() => read(file)).toThrow(expect.objectContaining(unseen));
  await expect(ownChecks(itself)).rejects.toMatchObject(unseen);
  expect(() => makeFolder(file)).toThrow(/cannot be written \(ELOOP/);
});

test('reports are written, and old ones removed, in their own folder only', async ({}, info) => {
  const { folder } = elsewhere(info);
  const other = info.outputPath('other');
  mkdirSync(other);
  const kept = join(other, `${'b'.repeat(32)}.txt`);
  writeFileSync(kept, 'of somebody else');
  const linked = info.outputPath('linked');
  mkdirSync(linked);
  symlinkSync(other, join(linked, 'bodies'));
  symlinkSync(other, join(linked, 'reproduce'));
  expect(() => writeReports(linked, sample)).toThrow(/leads out of .*linked/);
  expect(existsSync(kept)).toBe(true);
  // Rendered into another folder, only bodies that the run names go along.
  writeFileSync(join(folder, 'run.json'), json(withBody(`${named}.txt`)));
  writeFileSync(join(folder, `${named}.txt`), 'abc');
  writeFileSync(join(folder, 'bodies', 'other.txt'), 'abc');
  const out = info.outputPath('rendered');
  expect(await main(['node', 'x', 'report', folder, '--out', out], () => {})).toBeLessThan(3);
  expect(readFileSync(join(out, `${named}.txt`), 'utf8')).toBe('abc');
  expect(existsSync(join(out, 'bodies', 'other.txt'))).toBe(false);
});
