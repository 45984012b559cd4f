/** Tries the package as its users do, installed in FOLDER/node_modules: `node smoke.mjs FOLDER`. Needs no other package. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Environment variables of the caller that must not have any effect. */
const own = /^(ESIGN_|GITHUB_|PLAYWRIGHT_|TEST_|npm_|NO_COLOR|FORCE_COLOR|NODE_OPTIONS)/i;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));

/**
 * Goes through list, run, serve, probe, report and the programs of examples/.
 * @param {string} folder the folder with the package in node_modules; files are written there
 * @param {string} node the Node that runs the package
 * @param {string} [only] the requirements of the first run, in place of all
 * @returns {Promise<Record<string, number>>} milliseconds of each step by its name
 * @throws Error for the first step that goes wrong, with all that it printed
 */
export async function smoke(folder, node = process.execPath, only) {
  const installed = join(folder, 'node_modules', 'esign-conformance');
  const times = {};
  const step = async (name, work) => {
    const began = performance.now();
    const result = await work();
    times[name] = Math.round(performance.now() - began);
    return result;
  };
  const start = (given, env = {}) =>
    spawn(node, given, { cwd: folder, env: { ...environment, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = async (name, given, env) => {
    const child = start(given, env);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${name} ended with ${code}:\n${printed}`);
    return printed;
  };
  const cli = join(installed, 'bin', 'esign-conformance.mjs');
  const command = (...given) => ended(given.join(' '), [cli, ...given]);

  await step('closed pipe', async () => {
    const child = start([cli, 'list', '--json']);
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'close');
    if (code !== 0 || said !== '') throw new Error(`a closed pipe ended it with ${code}:\n${said}`);
  });
  const [given, verdict] = only ? [['--only', `${only},acme`], 'partial: '] : [[], 'conformant: '];
  const checks = join(installed, 'examples', 'own-checks');
  await step('run --checks', async () => {
    const printed = await command('--checks', checks, '--out', 'own', ...given);
    contains(printed, 'acme: 3 passed of 3');
    contains(printed, verdict);
  });
  await step('report', () => command('report', 'own', '--out', 'again'));
  if (!existsSync(join(folder, 'again', 'index.html'))) throw new Error('report has written no page');

  const server = start([cli, 'serve', '--json', '--port', '0']);
  try {
    const line = await step('serve', async () => (await once(createInterface(server.stdout), 'line'))[0]);
    const { url, token, expiredToken, health } = JSON.parse(line);
    if (!(await fetch(health)).ok) throw new Error('serve is not healthy');
    const env = { ESIGN_TOKEN: token, ESIGN_EXPIRED_TOKEN: expiredToken };
    const probing = [cli, 'probe', '--base-url', url, '--yes', '--force', '--out', 'drafted.yaml'];
    await step('probe', () => ended('probe', probing, env));
    const running = [cli, '--target', 'drafted.yaml', '--only', 'upload.pdf', '--out', 'drafted'];
    const printed = await step('run --target', () => ended('run --target', running, env));
    contains(printed, 'partial: ');
  } finally {
    server.kill();
    await once(server, 'close');
  }

  const examples = join(installed, 'examples');
  for (const name of ['client.mjs', 'client.node.test.mjs']) cpSync(join(examples, name), join(folder, name));
  await step('examples', () => ended('the example', ['--test', 'client.node.test.mjs']));
  const program = `import { run } from 'esign-conformance';
const { verdict } = await run({ only: ['upload.pdf'], out: 'program' });
if (verdict !== 'partial') throw new Error(verdict);`;
  writeFileSync(join(folder, 'program.mjs'), program);
  const said = await step('a program', () => ended('the program', ['program.mjs']));
  if (said !== '') throw new Error(`a program that runs the checks printed: ${said}`);
  assertLinks(installed);
  return times;
}

/** Links in the packed documents have to lead to packed files, except to pictures. */
function assertLinks(installed) {
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const file of ['README.md', 'docs/README.md', 'docs/pipelines.md', 'docs/reference-service.md']) {
    const place = pathToFileURL(join(installed, file));
    for (const [, link] of readFileSync(place, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      if (!link.endsWith('.png') && !existsSync(new URL(link, place))) {
        throw new Error(`${file} of ${version} leads to ${link}, which is no part of the package`);
      }
    }
  }
}

function contains(text, wanted) {
  if (!text.includes(wanted)) throw new Error(`"${wanted}" is not in:\n${text}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const times = await smoke(process.argv[2] ?? process.cwd());
  for (const [name, ms] of Object.entries(times)) process.stdout.write(`${name}: ${ms} ms\n`);
}
