/** Makes what the documentation shows: sample reports of runs against the reference service, and pictures of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { chromiumPath } from '../harness/people/chromium.ts';
import { print } from '../record/print.ts';
import { firstSteps } from '../reference/first-steps.ts';
import { startReference } from '../reference/server.ts';
import { compareRuns } from '../reports/comparison/compare-runs.ts';
import { comparisonPage } from '../reports/comparison/comparison.ts';
import { exchangeOf } from '../reports/concluding/causes.ts';
import { answersOf } from '../reports/page/gaps.ts';
import { page } from '../reports/page/page.ts';
import { styleFile, styleSheet } from '../reports/page/shell.ts';
import { packageRoot } from '../reports/run/package.ts';
import type { Run } from '../reports/run/run.ts';
import { readRun } from '../reports/run/run-file.ts';
import { gapsMarkdown } from '../reports/ticket/gaps-markdown.ts';
import { ticket } from '../reports/ticket/ticket.ts';
import { referenceProfile } from '../running/reference-target.ts';

const faults = [
  'otp.mobile-required/2-absent-accepted',
  'skeleton.title-required/accepted',
  'upload.token-invalid-message/other',
];

/** The reference service's observations, which the page compares with those of a target. */
const referenceAnswers = join(packageRoot(), 'reports', 'page', 'reference-answers.json');

const shown = 'otp.mobile-required';

const secret = 'SAMPLE_CLIENT_SECRET';

/** Runs three times, and writes docs/sample and docs/images. Resolves with the exit code. */
export async function main(): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'esign-sample-'));
  try {
    const proper = presentable(await run(join(scratch, 'proper'), []));
    const faulty = presentable(await runAgainstFaults(scratch));
    const incomplete = presentable(await run(join(scratch, 'incomplete'), ['--budget', '6']));
    const folder = join(packageRoot(), 'docs', 'sample');
    mkdirSync(folder, { recursive: true });
    const failed = faulty.requirements.find(({ id }) => id === shown);
    if (!failed) throw new Error(`the sample run has no requirement ${shown}`);
    const comparison = comparisonPage(compareRuns([proper, faulty]), ['index.html', 'failures.html']);
    const pages = { 'index.html': proper, 'failures.html': faulty, 'incomplete.html': incomplete };
    for (const [name, shown] of Object.entries(pages))
      writeFileSync(join(folder, name), page(shown, { scripts: 'nowhere' }));
    writeFileSync(join(folder, 'comparison.html'), comparison);
    writeFileSync(join(folder, styleFile), styleSheet());
    writeFileSync(join(folder, 'ticket.md'), ticket(faulty, failed));
    writeFileSync(join(folder, 'open-questions.md'), gapsMarkdown(proper));
    writeFileSync(referenceAnswers, `${JSON.stringify(answersOf(proper), null, 2)}\n`);
    const reference = await startReference();
    try {
      const shell = spawn('sh', ['-e', '-c', firstSteps(reference)], { cwd: scratch });
      await once(shell, 'close');
      await takePictures(join(packageRoot(), 'docs', 'images'), folder, `${reference.baseUrl}/`);
    } finally {
      await reference.close();
    }
    print('written: docs/sample, docs/images\n');
    return 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function runAgainstFaults(scratch: string): Promise<Run> {
  const reference = await startReference({ faults });
  try {
    const profile = referenceProfile(reference);
    const named = {
      ...profile,
      name: 'a service with three mistakes',
      auth: { ...profile.auth, clientSecret: `\${${secret}}` },
    };
    const file = join(scratch, 'faulty.json');
    writeFileSync(file, JSON.stringify(named));
    const env = { [secret]: reference.credentials.clientSecret };
    return await run(join(scratch, 'faulty'), ['--target', file], env);
  } finally {
    await reference.close();
  }
}

async function run(out: string, options: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const script = join(packageRoot(), 'bin', 'esign-conformance.mjs');
  const child = spawn(process.execPath, [script, 'run', '--out', out, ...options], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  await once(child, 'close');
  return readRun(out);
}

/** Calls whose bodies are left out, unless a row that did not pass rests on them. */
const bare = new Set(['observation', 'cross-check', 'token', 'template', 'flow']);

/** Header fields that every HTTP message has, and that say nothing about the service. */
const usual = new Set(['host', 'accept', 'user-agent', 'content-length', 'connection', 'date', 'keep-alive']);

/** Ports in place of those of the run: the target's, and that of the callback listener. */
const ports = { target: '4010', listener: '4011' };

/** The run with fixed ports and without what would only make the page long. */
function presentable(given: Run): Run {
  const { host } = new URL(given.target.baseUrl);
  const text = JSON.stringify(given)
    .replaceAll(host, `127.0.0.1:${ports.target}`)
    .replace(/127\.0\.0\.1:(?!4010\b|1\b)\d+/g, `127.0.0.1:${ports.listener}`);
  const told = JSON.parse(text) as Run;
  const less = <Message extends { readonly headers: Run['exchanges'][number]['request']['headers'] }>(
    message: Message,
  ): Message => ({ ...message, headers: message.headers.filter(([name]) => !usual.has(name.toLowerCase())) });
  const rows = told.requirements.flatMap(({ checks }) => checks.flatMap((check) => check.rows));
  const notPassed = rows.filter(({ verdict }) => verdict !== 'passed');
  const decisive = new Set(
    notPassed.flatMap(({ finding }) => [
      ...(finding?.evidence.exchanges ?? []),
      ...(finding?.cause ? [exchangeOf(finding.cause, told.exchanges)?.index] : []),
    ]),
  );
  return {
    ...told,
    exchanges: told.exchanges.map((each) => {
      const request = less(each.request);
      const response = each.response && less(each.response);
      if (!bare.has(each.purpose) || decisive.has(each.index)) return { ...each, request, response };
      return {
        ...each,
        request: { ...request, body: null },
        response: response && { ...response, body: null },
      };
    }),
  };
}

const wide = { width: 1200, height: 800 };
const phone = { width: 360, height: 740 };

/** Pictures of the reports, wide and as on a phone, and of a reference service at which something has happened. */
async function takePictures(folder: string, sample: string, service: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const report = join(sample, 'failures.html');
  const executablePath = chromiumPath(chromium.executablePath());
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  const take = async (
    name: string,
    viewport: typeof wide,
    file: string,
    prepare?: (page: Page) => unknown,
  ) => {
    const page = await browser.newPage({ viewport });
    await page.goto(file.startsWith('http') ? file : pathToFileURL(file).href);
    await prepare?.(page);
    await page.screenshot({ path: join(folder, name) });
    await page.close();
  };
  const atFailure = async (page: Page) => {
    await page.evaluate((id) => {
      location.hash = id;
    }, shown);
    await page.locator(`[id="${shown}"] .exchange`).first().waitFor();
  };
  try {
    await take('report.png', wide, report);
    await take('failure.png', wide, report, atFailure);
    await take('comparison.png', wide, join(sample, 'comparison.html'));
    await take('phone.png', phone, report);
    await take('serve.png', wide, service);
  } finally {
    await browser.close();
  }
}
