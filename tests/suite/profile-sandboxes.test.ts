/** Six profiles that together use every choice, each run against a service with these choices: nobody is blamed. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { expectNone, filesIn } from './artefacts.ts';
import { root } from './cli-spawn.ts';
import { command, readRun } from './command.ts';
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

for (const name of Object.keys(sandboxes)) {
  test(`the sandbox ${name} is not blamed, and nothing of its secrets and people is left behind`, async ({}, info) => {
    const sandbox = await startSandbox(name);
    const target = info.outputPath('profile.json');
    writeFileSync(target, JSON.stringify({ extends: join(folder, `${name}.yaml`), ...(await here(name)) }));
    const out = info.outputPath('out');
    const { exitCode, stdout, stderr } = await command(['--target', target, '--out', out], sandbox.env);
    await sandbox.close();

    const run = readRun(out);
    const open = run.requirements.filter(({ verdict }) => !['passed', 'not-applicable'].includes(verdict));
    expect(open.map(({ id, verdict, reason, checks }) => ({ id, verdict, reason, checks }))).toEqual([]);
    const left = run.requirements.filter(
      (each) => each.verdict === 'not-applicable' && each.notTestable === undefined,
    );
    for (const { reason } of left) expect(reason).toContain('the profile says notApplicable');
    expect(run.problems).toEqual([]);
    expect(run.verdict).toBe('conformant');
    expect(exitCode).toBe(0);

    const words = confidential(sandbox);
    expect(words.length).toBeGreaterThan(60);
    const printed: [string, string][] = [
      ['stdout', stdout],
      ['stderr', stderr],
    ];
    expectNone(words, [...filesIn(out), ...printed]);
  });
}
