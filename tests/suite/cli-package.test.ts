/** The package as npm would pack it, in a folder with blanks and other letters, beside what it depends on and nothing else. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { npmCommand } from '../../bin/packages.mjs';
import { smoke } from '../../bin/smoke.mjs';
import { root, start } from './cli-spawn.ts';

const execute = promisify(execFile);

let project: string;
let installed: string;
const paths: string[] = [];

test.beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'подпись и package-')));
  installed = join(project, 'node_modules', 'esign-conformance');
  await execute(process.execPath, [join(root, 'bin', 'build.mjs')]);
  const [program, ...before] = npmCommand();
  const packed = await execute(program, [...before, 'pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
  });
  const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
  paths.push(...files.map(({ path }) => path));
  for (const path of paths) cpSync(join(root, path), join(installed, path));
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
});

test.afterAll(() => rmSync(project, { recursive: true, force: true }));

test('an installed package does what its users do with it, and loads nothing that it can do without from a folder above', async () => {
  // Others may put one there.
  for (const name of ['supports-color', 'kerberos', '@napi-rs/canvas']) {
    const folder = join(project, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.js'), `require('node:fs').appendFileSync('loaded', '${name} ');`);
  }
  const filesThere = () => readdirSync(installed, { recursive: true, encoding: 'utf8' }).sort();
  const before = filesThere();
  // All checks are run by `npm run package-check`: what they load is there, says the next test. Attached documents
  // are opened, by a thread with pdfjs.
  const times = await smoke(project, process.execPath, 'upload.pdf,events.documents-attached');
  expect(Object.keys(times)).toContain('run --target');
  expect(readdirSync(project)).not.toContain('loaded');
  // It works where nobody may write beside it, too.
  expect(filesThere()).toEqual(before);
});

test('whatever its code imports or reads beside itself is part of the package', () => {
  const beside = /(?:\bfrom|\bimport|\bimport\(|new URL\()\s*"(\.[^"]+)"/g;
  const code = paths.filter((path) => /^(dist|bin)\/.*\.m?js$/.test(path));
  const places = code.flatMap((path) => {
    const file = join(installed, path);
    const found = [...readFileSync(file, 'utf8').matchAll(beside)].map(([, name = '']) => name);
    return found.map((name) => join(dirname(file), name));
  });
  expect(places.length).toBeGreaterThan(1_000);
  expect(places.filter((place) => !existsSync(place))).toEqual([]);
});

test('schemas, profiles, documents and licences are part of the package, pictures and tests are not', () => {
  const { resolve } = createRequire(join(project, 'index.js'));
  const schema = JSON.parse(readFileSync(resolve('esign-conformance/profile.schema.json'), 'utf8'));
  expect(schema).toMatchObject({ type: 'object' });
  for (const name of ['run.schema.json', 'openapi.yaml', 'targets/plain.yaml']) {
    expect(readFileSync(resolve(`esign-conformance/${name}`), 'utf8')).not.toBe('');
  }
  expect(paths).toContain('docs/profile.md');
  expect(paths.filter((path) => /\.png$|tests\/(suite|proof)/.test(path))).toEqual([]);
  const licences = readFileSync(join(installed, 'dist', 'packages', 'LICENCES.txt'), 'utf8');
  for (const name of ['pdf-lib', 'pdfjs-dist', 'ajv', 'hono']) {
    expect(licences).toContain(`${name} `);
  }
});

test('programs get types that need no other package', async () => {
  writeFileSync(
    join(project, 'consumer.ts'),
    `import { loadProfile, type Run, run, startReference } from 'esign-conformance';
export async function check(): Promise<Run['verdict']> {
  const double = await startReference({ dialect: { uploadStatus: 201 }, faults: ['otp.sms/refused'] });
  await double.act('ann@example.com', 'decline');
  double.failNext({ operation: 'upload', status: 503, times: 2 });
  const states: string[] = double.requests().map(({ state }) => state);
  const { profile } = loadProfile('targets/acme.yaml', { TOKEN: states[0] });
  // @ts-expect-error there is no such act
  await double.act('ann@example.com', 'approved');
  const { verdict } = await run({ target: profile.address.baseUrl, only: ['otp'] });
  return verdict;
}
`,
  );
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', ''];
  const { ended } = start([...options, 'consumer.ts'], { script: tsc, cwd: project });
  expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a profile that needs a package which is not there is refused with the command that installs it', async () => {
  const script = join(installed, 'bin', 'esign-conformance.mjs');
  const profile = (signing: string) => `address: {baseUrl: 'http://127.0.0.1:9'}
auth: {kind: static, token: '\${ESIGN_TOKEN}'}
signing: ${signing}
`;
  const signing = {
    '@playwright/test': '{driver: browser, page: {sign: "#sign", done: "#done"}}',
    tsx: '{driver: module, module: ./signing.ts}',
  };
  const readsTypeScript = 'typescript' in process.features && process.features.typescript;
  for (const [name, text] of Object.entries(signing)) {
    if (name === 'tsx' && readsTypeScript) continue;
    writeFileSync(join(project, 'target.yaml'), profile(text));
    const env = { ESIGN_TOKEN: 'invented-token' };
    const { code, stderr } = await start(['--target', 'target.yaml'], { script, cwd: project, env }).ended;
    expect(stderr).toContain(`needs the package ${name}, which is not installed; run: npm install ${name}`);
    expect(code).toBe(3);
  }
});
