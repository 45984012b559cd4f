/** `--checks`: a team's own requirements run, are shown and gate as ours are, and never touch the verdict about the interface. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { readRun } from '../../reports/run/run-file.ts';
import { cli, root, start } from './cli-spawn.ts';
import { startPlainService } from './services/plain-service.ts';

const example = join(root, 'examples', 'own-checks');

/** A folder with a list and a module. */
function folderOf(info: TestInfo, list: string, module: string): string {
  const folder = info.outputPath('acme');
  mkdirSync(folder);
  writeFileSync(join(folder, 'requirements.yaml'), list);
  writeFileSync(join(folder, 'some.check.mjs'), module);
  return folder;
}

const list = (ids: Record<string, string>) =>
  `requirements:\n${Object.entries(ids)
    .map(([id, more]) => `  ${id}:\n    { statement: Of ours., section: ours, ${more} }\n`)
    .join('')}`;

test('the example passes beside the requirements of the interface, and is listed and planned', async ({}, info) => {
  const out = info.outputPath('out');
  const given = ['--checks', example, '--only', 'acme,upload.pdf'];
  const { code, stdout } = await cli(...given, '--out', out);
  expect(stdout).toContain('acme: 3 passed of 3 requirements of its own\npartial: 1 of 1 applicable musts');
  const run = readRun(out);
  expect(run.requirements.map(({ id }) => id)).toEqual(['upload.pdf']);
  expect(run.own).toMatchObject({ prefix: 'acme', counts: { passed: 3 }, exitCode: 0 });
  expect(code).toBe(0);
  expect((await cli('list', '--checks', example)).stdout).toMatch(
    /\nacme\.title-letters +must +own +Titles may/,
  );
  expect((await cli(...given, '--dry-run')).stdout).toContain(
    'what checks of your own call: acme.request-id-opaque, acme.title',
  );
});

test('a failed must gates, is told everywhere, and can be accepted; the verdict stays', async ({}, info) => {
  const module = `export default {
  'acme.header': ({ skeleton, failed }) =>
    skeleton.answers('X-Acme', (answer) => failed(answer, 'expected X-Acme · received none')),
  'acme.odd': ({ row, call, passed, shared }) => row('a creation', async () => {
    await call({ operation: 'createSkeletonRequest', body: { json: {} }, deliberate: true });
    return passed(await shared('skeleton'));
  }),
  'acme.newer': ({ row, shared, failed }) =>
    row('newer', async () => failed(await shared('skeleton'), 'never')),
};`;
  const ids = {
    'acme.header': 'level: must',
    'acme.odd': 'level: should',
    'acme.newer': 'level: must, since: 9.0.0',
  };
  const folder = folderOf(info, list(ids), module);
  const out = info.outputPath('out');
  const given = ['--checks', folder, '--since', '0.2.0', '--only', 'acme,upload.pdf', '--out', out];
  const { code, stdout } = await cli(...given);
  expect(stdout).toContain('acme.header  (must, "ours")\n  POST …/requests · X-Acme: expected X-Acme');
  expect(stdout).toContain('acme: 1 passed, 2 failed of 3 requirements of its own; exit code 1, apart from');
  expect(code).toBe(1);
  const run = readRun(out);
  expect(run).toMatchObject({
    verdict: 'partial',
    exitCode: 1,
    own: { exitCode: 1 },
    counts: { musts: { passed: 1 } },
  });
  expect(run.counts.requirements.failed).toBe(0);
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  const failure = /name="acme\.header" [^>]*>.*?<failure message="expected X-Acme · received none"/s;
  expect(read('junit.xml')).toMatch(failure);
  expect(read('junit.xml').match(/<failure /g)).toHaveLength(1);
  expect(read('index.html')).toContain('<h2 id="own">Requirements of your own: acme</h2>');
  expect(read('summary.md')).toContain('acme: 1 passed, 2 failed of 3');
  expect(read('reproduce/acme.header.sh')).toContain('curl');

  const deviations = info.outputPath('deviations.yaml');
  const accepted = '{ requirement: acme.header, reason: known, owner: us, until: 2999-12-31 }';
  writeFileSync(deviations, `deviations:\n  - ${accepted}\n`);
  const other = info.outputPath('other');
  const again = await cli(...given.slice(0, -2), '--out', other, '--deviations', deviations);
  expect(again.stdout).toContain('acme: 1 passed, 1 failed, 1 deviation of 3 requirements of its own\n');
  expect(again.code).toBe(0);

  // Merged, as shards are.
  const merged = info.outputPath('merged');
  expect((await cli('report', out, other, '--out', merged)).code).toBe(0);
  expect(readRun(merged)).toMatchObject({
    verdict: 'partial',
    own: { counts: { deviation: 1 }, exitCode: 0 },
  });
});

test('what a check throws is a mistake of the team, with exit code 4', async ({}, info) => {
  const module = `export default { 'acme.broken': () => { throw new Error('of ours'); } };`;
  const folder = folderOf(info, list({ 'acme.broken': 'level: must' }), module);
  const out = info.outputPath('out');
  const { code, stdout } = await cli('--checks', folder, '--only', 'acme', '--out', out);
  expect(stdout).toContain('Error: of ours');
  expect(readRun(out)).toMatchObject({ verdict: 'partial', own: { exitCode: 4 } });
  expect(code).toBe(4);
});

const one = { 'acme.one': 'level: must' };
test('a module that leaves an error behind that nobody waits for has exit code 4, and what else it leaves holds nothing up', async ({}, info) => {
  const module =
    "export default { 'acme.one': () => { setInterval(() => {}, 1_000); Promise.reject(new Error('unheard')); } };";
  const given = ['--checks', folderOf(info, list(one), module), '--only', 'acme'];
  const { code, stderr } = await start([...given, '--out', info.outputPath('out')]).ended;
  expect(stderr).toContain('Error: unheard');
  expect(code).toBe(4);
});

test('a module in TypeScript is read, also in a folder of CommonJS, and nothing secret is written', async ({}, info) => {
  const folder = folderOf(info, list({ 'acme.token': 'level: must' }), 'export default {};');
  writeFileSync(
    join(folder, 'token.check.ts'),
    `import type { OwnChecks } from 'esign-conformance';
export default { 'acme.token': ({ upload, failed }) =>
  upload.answers('the token', (answer) => failed(answer, 'received ' + process.env.ESIGN_TOKEN)) } satisfies OwnChecks;`,
  );
  writeFileSync(join(folder, 'package.json'), '{}');
  const out = info.outputPath('out');
  const { baseUrl, token, close } = await startPlainService();
  const given = ['--base-url', baseUrl, '--checks', folder, '--only', 'acme', '--out', out];
  const temporary = info.outputPath('tmp');
  mkdirSync(temporary);
  const { code, stderr } = await start(given, { env: { ESIGN_TOKEN: token, TMPDIR: temporary } }).ended;
  await close();
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  // Whoever made a folder of that name before could change what is run.
  expect(readdirSync(temporary).filter((name) => name.startsWith('tsx-'))).toEqual([]);
  const text = readFileSync(join(out, 'run.json'), 'utf8');
  expect(text).toMatch(/"message": "received \W/);
  expect(text).not.toContain(token);
});

const empty = 'export default { "acme.one": () => {} };';
const mistakes: readonly (readonly [title: string, list: string, module: string, says: RegExp])[] = [
  ['an unknown level', list({ 'acme.one': 'level: may' }), empty, /yaml:3: .*"may" .* use must or should/],
  ['a key too many', list({ 'acme.one': 'level: must, leve: 1' }), empty, /yaml:3: .*leve is.*mean level/],
  ['an id of another form', list({ acme: 'level: must' }), empty, /yaml:2: .*acme does not have the form/],
  ['two prefixes', list({ ...one, 'other.two': 'level: must' }), empty, /yaml:4: other\.two: .*"acme"/],
  ['an area of the suite', list({ 'otp.one': 'level: must' }), empty, /yaml:2: otp\.one: "otp" is an area/],
  ['no check', list(one), 'export default {};', /yaml:2: acme\.one: no module/],
  ['a check of nothing', list(one), "export default { 'acme.two': () => {} };", /mjs: acme\.two is no req/],
  ['a module that throws', list(one), "throw new Error('no');", /mjs: could not be loaded: no/],
  ['a module that throws later', list(one), 'export default { get a() { throw 1; } };', /mjs: could not be/],
  ['no default export', list(one), '', /mjs: has no default export of the form/],
];
test('a pipe in the place of a module is refused, and not waited for', async ({}, info) => {
  const folder = folderOf(info, list(one), empty);
  spawnSync('mkfifo', [join(folder, 'pipe.check.mjs')]);
  const { code, stderr } = await cli('--checks', folder, '--dry-run');
  expect([code, stderr]).toEqual([3, expect.stringMatching(/pipe\.check\.mjs: is no file/)]);
});

for (const [title, text, module, says] of mistakes) {
  test(`${title} is refused with file, line and reason`, async ({}, info) => {
    const { code, stderr } = await cli('--checks', folderOf(info, text, module), '--dry-run');
    expect(stderr).toMatch(says);
    expect(code).toBe(3);
  });
}
