/** Six profiles that together use every choice, each run against a service with these choices: nobody is blamed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readRun } from '../../reports/run-file.ts';
import { expectNone, filesIn } from './artefacts.ts';
import { root, start } from './cli-spawn.ts';
import { objectsIn } from './services/eavesdropper.ts';
import { type Sandbox, sandboxes, startSandbox } from './services/sandboxes.ts';

const folder = join(root, 'targets/sandboxes');

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What the profile cannot know: on this machine a port may be taken. */
async function here(name: string): Promise<object> {
  if (name !== 'plainspoken') return {};
  const port = await freePort();
  return { callbacks: { listen: { port }, publicUrl: `http://127.0.0.1:${port}` } };
}

/** What must not be found anywhere: secrets of the environment, tokens, one-time passwords, links, and people. */
function confidential({ heard, env }: Sandbox): string[] {
  const said = [...heard.bodies, ...heard.answers].flatMap(objectsIn);
  const texts = (...names: string[]) =>
    said.flatMap((each) => names.map((name) => each[name])).filter((each) => typeof each === 'string');
  const { SANDBOX_URL: _, SANDBOX_CLIENT: __, ...secrets } = env;
  const names = texts('Name').filter((name) => /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(name));
  const emails = texts('Email').filter((email) => email.endsWith('.internal'));
  const tokens = texts('access_token', 'accessToken', 'refresh_token', 'refreshToken');
  return [...new Set([...Object.values(secrets), ...tokens, ...texts('code', 'link'), ...names, ...emails])];
}

/** The one that runs under Playwright's own command, which leaves traces; the others are recorded. */
const traced = 'parts';

/** All that a run leaves in this folder, the summary and the annotations of a CI job included. */
async function runIn(folder: string, name: string, target: string, env: Readonly<Record<string, string>>) {
  const job = { ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'job-summary.md') };
  const out = join(folder, 'reports/out');
  if (name !== traced) {
    const given = ['--target', target, '--out', out, '--record', join(folder, 'recording')];
    return { out, ended: await start(given, { env: job }).ended };
  }
  const script = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const config = `--config=${join(root, 'playwright.config.ts')}`;
  const given = [
    'test',
    config,
    '--project=conformance',
    '--trace=on',
    `--output=${join(folder, 'results')}`,
  ];
  const { ended } = start(given, { script, cwd: folder, env: { ...job, ESIGN_TARGET: target } });
  return { out, ended: await ended };
}

for (const name of Object.keys(sandboxes)) {
  test(`the sandbox ${name} is not blamed, and nothing of its secrets and people is left behind`, async ({}, info) => {
    const sandbox = await startSandbox(name);
    const target = info.outputPath('profile.json');
    writeFileSync(target, JSON.stringify({ extends: join(folder, `${name}.yaml`), ...(await here(name)) }));
    const left = info.outputPath('left');
    mkdirSync(left);
    const { out, ended } = await runIn(left, name, target, sandbox.env);
    await sandbox.close();

    const run = readRun(out);
    const open = run.requirements.filter(({ verdict }) => !['passed', 'not-applicable'].includes(verdict));
    expect(open.map(({ id, verdict, reason, checks }) => ({ id, verdict, reason, checks }))).toEqual([]);
    const leftOut = run.requirements.filter(
      (each) => each.verdict === 'not-applicable' && each.notTestable === undefined,
    );
    for (const { reason } of leftOut) expect(reason).toContain('the profile says notApplicable');
    expect(run.problems).toEqual([]);
    expect(run.verdict).toBe('conformant');
    expect(ended.code).toBe(0);

    const words = confidential(sandbox);
    expect(words.length).toBeGreaterThan(60);
    const places = [...filesIn(left), ['stdout', ended.stdout], ['stderr', ended.stderr]] as const;
    const names = places.map(([place]) => place);
    expect(names).toEqual(expect.arrayContaining(['job-summary.md', 'reports/out/exchanges.har']));
    const more = name === traced ? /^results\/.*\/test\.trace$/ : /^recording\/recording\.json$/;
    expect(names.filter((place) => more.test(place)).length).toBeGreaterThan(name === traced ? 100 : 0);
    expectNone(words, places);
  });
}
