/** Runs all steps that a change has to pass: format, lint, types, contract, the suite's own tests, dialects and faults. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOrInstallBrowser } from './browser.mjs';
import { executeNode } from './process.mjs';

/** Niceness of dialects and faults, which run beside the suite's tests: these mostly wait for processes and timers. */
const besideNiceness = 5;

/**
 * Runs every step, even after one has failed, and ends the output with `N passed, N failed`: the steps, the tests,
 * dialects and faults together. Dialects and faults run beside the other steps, and are shown after them. Resolves
 * with the exit code.
 * @param {string} root folder of the checkout
 * @param {string[]} given arguments for the test runner
 */
export async function runTestSteps(root, given) {
  const module = (path) => join(root, 'node_modules', ...path.split('/'));
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const total = { passed: 0, failed: 0 };
  const step = async (name, run) => {
    process.stdout.write(`\n== ${name}\n`);
    const ok = await run();
    total[ok ? 'passed' : 'failed'] += 1;
    process.stdout.write(`== ${name}: ${ok ? 'passed' : 'FAILED'}\n`);
  };
  const node = (path, args, env) => executeNode(module(path), args, env).then((code) => code === 0);
  // With arguments only the named tests run.
  let suiteEnded;
  const isSuiteOver = new Promise((resolve) => (suiteEnded = resolve));
  const proofs = given.length === 0 ? startProofs(root, isSuiteOver) : [];

  await step('format and lint', () =>
    node('@biomejs/biome/bin/biome', ['ci', ...(process.stdout.isTTY ? [] : ['--colors=off']), root]),
  );
  await step('types', () => node('typescript/bin/tsc', ['-p', root]));
  const contract = join(root, 'openapi', 'esign.openapi.yaml');
  await step('contract', () => node('@redocly/cli/bin/cli.js', ['lint', contract], quiet));
  let browser;
  await step('browser', async () => {
    browser = await findOrInstallBrowser(root);
    if (browser) process.stdout.write(`${browser}\n`);
    return browser !== undefined;
  });
  const parts = [await runTests(root, given, browser)];
  suiteEnded();
  for (const { show, result } of proofs) {
    show();
    parts.push(await result);
  }
  const passed = parts.reduce((sum, part) => sum + part.passed, total.passed);
  const failed = parts.reduce((sum, part) => sum + part.failed, total.failed);
  const named = parts.flatMap((part) => part.named ?? []);
  process.stdout.write(`\n${named.join('')}${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** Runs the project `suite`. A skipped test counts as failed, so that none is left out in silence. */
function runTests(root, given, browser) {
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const options = [
    'test',
    `--config=${join(root, 'playwright.config.ts')}`,
    '--project=suite',
    // More workers than a small machine has cores: many tests wait for a process or a timer.
    '--workers=5',
    '--reporter=list,json',
  ];
  return counted(
    'tests of the suite',
    (file) =>
      executeNode(cli, [...options, ...given], {
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        // In the folder for temporary files, other accounts could put compiled files of their own there.
        PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(root, 'node_modules', '.cache', 'playwright'),
        // As for the processes of dialects and faults (tests/proof/pool.ts).
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`,
        ...(browser ? { CHROMIUM_PATH: browser } : {}),
      }),
    ({ stats, errors, suites }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + stats.skipped + errors.length,
      named: suites.flatMap(notPassed),
    }),
  );
}

/**
 * The tests of a part of the runner's report that did not pass, for the end of a long output: file, title and the
 * whole message.
 */
function notPassed({ suites = [], specs }) {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) => {
      const messages = tests.flatMap(({ results }) =>
        results.flatMap(({ errors }) => errors.map(({ message }) => message)),
      );
      return `not passed: tests/${file}:${line} › ${title}\n${messages.join('\n')}\n`;
    });
  return [...own, ...suites.flatMap(notPassed)];
}

/**
 * Starts the checks against compliant services and, once these or the suite's tests are over, against services with one
 * fault each: beside both of them, tests that wait would wait for too long. `show` begins to print what each says.
 */
function startProofs(root, isSuiteOver) {
  const program = join(root, 'bin', 'proof.mjs');
  const proof = (name, options, after) => {
    const { show, write } = heldBack();
    const how = { write, niceness: besideNiceness };
    const run = (file) => executeNode(program, [name, ...options, '--counts', file], {}, how);
    return { show, result: after.then(() => counted(name, run, (counts) => counts, write)) };
  };
  const dialects = proof('dialects', ['--sampled'], Promise.resolve());
  // `--check` also compares docs/faults.md.
  return [dialects, proof('faults', ['--check', '--sampled'], Promise.race([dialects.result, isSuiteOver]))];
}

/** Output that is held back until `show` is called; from then on it is printed as it comes. */
function heldBack() {
  let held = '';
  let isShown = false;
  return {
    write: (text) => {
      if (isShown) process.stdout.write(text);
      else held += text;
    },
    show: () => {
      isShown = true;
      process.stdout.write(held);
    },
  };
}

/** Runs a program, and reads how many passed and failed from the file that it leaves; without a file, or with a bad exit code, it failed. */
async function counted(name, run, countsIn, write = (text) => process.stdout.write(text)) {
  write(`\n== ${name}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'esign-conformance-'));
  const file = join(folder, 'counts.json');
  try {
    const code = await run(file);
    const counts = countsIn(JSON.parse(readFileSync(file, 'utf8')));
    return { ...counts, failed: code === 0 ? counts.failed : Math.max(1, counts.failed) };
  } catch (error) {
    write(`${name}: no counts were left: ${error.message}\n`);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
