/** The command login: authorization code with PKCE, the browser that comes back, and runs that use the tokens. */

import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, type TestInfo, test } from '@playwright/test';
import { login, type Terminal } from '../../bin/login.ts';
import { loadProfile } from '../../harness/profile/load.ts';
import { type Reference, startReference } from '../../reference/server.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { expectNone, filesIn } from './artefacts.ts';
import { cli } from './cli-spawn.ts';
import { deadPort, serve, serveRaw } from './services/loopback.ts';

/** Writes a profile whose client logs in at the reference service. */
function profileFor(info: TestInfo, reference: Reference, more: object = {}): string {
  const { clientId, tokenEndpoint } = reference.credentials;
  const file = info.outputPath('acme.json');
  const profile = {
    address: { baseUrl: reference.baseUrl },
    auth: {
      kind: 'authorization-code',
      authorizationEndpoint: reference.authorizationEndpoint,
      tokenEndpoint,
      clientId,
      scope: 'sign offline_access',
      tokenFile: 'tokens/acme.json',
      ...more,
    },
    upload: { encoding: 'multipart', field: 'file' },
  };
  writeFileSync(file, JSON.stringify(profile));
  return file;
}

/** A person at a terminal who opens each printed address in this browser. */
function person(browser: (address: string) => Promise<void>) {
  const printed: string[] = [];
  const opened: Promise<void>[] = [];
  const terminal: Terminal = {
    isTerminal: true,
    print: (text) => {
      printed.push(text);
      const [, address] = /\n {2}(http\S+)\n/.exec(text) ?? [];
      if (address) opened.push(browser(address));
    },
    complain: (text) => printed.push(text),
    open: (address) => printed.push(`opened ${address}\n`),
  };
  return { terminal, said: () => printed.join(''), browsed: () => Promise.all(opened) };
}

/** Looks at the page and presses a button of it; the address that the browser is sent back to. */
async function decide(address: string, decision: 'allow' | 'deny'): Promise<string> {
  const page = await (await fetch(address)).text();
  const fields = [...page.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&')],
  );
  const body = new URLSearchParams([...fields, ['decision', decision]]);
  const answer = await fetch(address.split('?')[0] ?? '', { method: 'POST', body, redirect: 'manual' });
  return answer.headers.get('location') ?? '';
}

test('a login keeps its tokens for runs, each of which keeps those that it gets in their place, and they stay out of all that is written', async ({}, info) => {
  // So short that no run takes what is kept: each gets another access token, and with it another refresh token.
  const dialect = { tokenClient: 'none', refreshTokens: 'rotated', tokenLifetimeSeconds: 5 } as const;
  const reference = await startReference({ dialect });
  const target = profileFor(info, reference);
  let code = '';
  const { terminal, said, browsed } = person(async (address) => {
    const back = await decide(address, 'allow');
    code = new URL(back).searchParams.get('code') ?? '';
    // Another page in the browser tries first, without the state.
    const forged = new URL(back);
    forged.searchParams.set('state', 'guessed');
    expect((await fetch(forged)).status).toBe(400);
    expect((await fetch(new URL('/elsewhere', back))).status).toBe(404);
    expect(await (await fetch(back)).text()).toContain('Go on in the terminal');
  });
  expect(await login({ target, timeout: 60 }, terminal)).toBe(0);
  await browsed();
  const tokens = info.outputPath('tokens/acme.json');
  expect(statSync(tokens).mode & 0o777).toBe(0o600);
  expect(said()).toMatch(/code_challenge=[\w-]{43}&code_challenge_method=S256/);
  expect(said()).toContain('The access token is good for 5 seconds; a refresh token renews it.');
  expect(said()).not.toContain('opened');
  const kept = () => {
    const { refreshToken } = JSON.parse(readFileSync(tokens, 'utf8')) as { readonly refreshToken: string };
    return [refreshToken, ...(loadProfile({ target })?.tokenFile?.secrets ?? [])];
  };
  const [first = ''] = kept();
  const secrets = [code, ...kept()];
  const refreshed = [first];
  for (const name of ['one', 'two']) {
    const out = info.outputPath(name);
    const ended = await cli('--target', target, '--only', 'upload.pdf', '--out', out);
    const run = readRun(out);
    expect({ code: ended.code, verdict: run.verdict }).toEqual({ code: 0, verdict: 'partial' });
    expect(run.warnings?.filter((each) => each.includes('of no use'))).toEqual([]);
    secrets.push(...kept());
    refreshed.push(kept()[0] ?? '');
    const streams = [
      ['stdout', ended.stdout],
      ['stderr', ended.stderr],
      ['said', said()],
    ] as const;
    expectNone(secrets, [...filesIn(out), ...streams]);
  }
  expect(new Set(refreshed).size).toBe(3);
  await reference.close();
});

test('a login that a person or the server refuses keeps nothing', async ({}, info) => {
  const reference = await startReference({ dialect: { tokenClient: 'none' } });
  const target = profileFor(info, reference);
  const denied = person(async (address) => {
    await fetch(await decide(address, 'deny'));
  });
  expect(await login({ target, timeout: 60 }, denied.terminal)).toBe(2);
  expect(denied.said()).toContain('esign-conformance: the login was refused: access_denied');

  const forged = person(async (address) => {
    const back = new URL(await decide(address, 'allow'));
    back.searchParams.set('code', 'a-code-of-somebody-else');
    await fetch(back);
  });
  expect(await login({ target, timeout: 60, open: true }, forged.terminal)).toBe(2);
  expect(forged.said()).toMatch(/no access token from http\S+: 400 invalid_grant; look at auth\.clientId/);
  expect(forged.said()).toContain('opened http');
  expect(forged.said()).not.toContain('a-code-of-somebody-else');

  const lying = person(async (address) => {
    const asked = new URL(address).searchParams;
    const said = encodeURIComponent('no\nLogged in. \u001b[2J'.padEnd(9_000, 'x'));
    const query = `state=${asked.get('state')}&error=denied%0Aby%20all&error_description=${said}`;
    await fetch(`${asked.get('redirect_uri')}?${query}`);
  });
  expect(await login({ target, timeout: 60 }, lying.terminal)).toBe(2);
  expect(lying.said()).toMatch(/refused: denied by all \(no Logged in\. \\u\{001b\}\[2Jx{300,400}…\)\n$/);
  expect(loadProfile({ target })?.tokenFile?.newest).toBeUndefined();
  await reference.close();
});

test('a token endpoint that quotes the credentials of the client shows none of them', async ({}, info) => {
  const reference = await startReference();
  const quoting = await serve(({ headers }, response) => response.writeHead(400).end(headers.authorization));
  const { terminal, said } = person(async (address) => {
    const asked = new URL(address).searchParams;
    await fetch(`${asked.get('redirect_uri')}?code=a-code&state=${asked.get('state')}`);
  });
  process.env.TEST_LOGIN_SECRET = 's3cr3t-of~acme';
  const target = profileFor(info, reference, {
    tokenEndpoint: quoting.baseUrl,
    clientSecret: `\${TEST_LOGIN_SECRET}`,
  });
  expect(await login({ target, timeout: 60 }, terminal)).toBe(2);
  expect(said()).toContain('400 Basic [credentials]');
  delete process.env.TEST_LOGIN_SECRET;
  await quoting.close();
  await reference.close();
});

test('a redirect URI with a port is kept to, and one that is taken is named', async ({}, info) => {
  const reference = await startReference({ dialect: { tokenClient: 'none' } });
  const port = await deadPort();
  const redirectUri = `http://localhost:${port}/back/here`;
  const { terminal, said } = person(async (address) => {
    const back = await decide(address, 'allow');
    expect(back).toMatch(new RegExp(`^${redirectUri}\\?`));
    await new Promise<void>((resolve) => {
      http.get(back.replace('localhost', '127.0.0.1'), (answer) => answer.resume().on('end', resolve));
    });
  });
  const target = profileFor(info, reference, { redirectUri });
  expect(await login({ target, timeout: 60 }, terminal)).toBe(0);
  expect(said()).toContain(`waited for at ${redirectUri}`);
  expect(said()).toContain('there is no refresh token');

  const taken = await serveRaw(() => undefined);
  const other = profileFor(info, reference, { redirectUri: `http://127.0.0.1:${taken.port}/` });
  await expect(login({ target: other, timeout: 60 }, terminal)).rejects.toThrow(
    `port ${taken.port} is taken by another program`,
  );
  await taken.close();
  await reference.close();
});

test('who holds a connection to the redirect URI open, as browsers do in advance, does not hold the login up', async ({}, info) => {
  const reference = await startReference({ dialect: { tokenClient: 'none' } });
  const held: Socket[] = [];
  const { terminal } = person(async (address) => {
    const { port } = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    const socket = connect(Number(port), '127.0.0.1');
    held.push(socket);
    await once(socket, 'connect');
    await fetch(await decide(address, 'allow'));
  });
  const target = profileFor(info, reference);
  expect(await login({ target, timeout: 60 }, terminal)).toBe(0);
  for (const socket of held) socket.destroy();
  await reference.close();
});

test('a run without a login, and a login without a terminal, are refused with the way out', async ({}, info) => {
  const reference = await startReference();
  const target = profileFor(info, reference);
  const run = await cli('--target', target);
  expect(run.stderr).toMatch(
    /acme\.json: auth\.kind "authorization-code": nobody has logged in yet; run: esign-conformance login --target \S*acme\.json\n$/,
  );
  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 3, stdout: '' });
  const blind = await cli('login', '--target', target);
  expect(blind.stderr).toContain('login needs a terminal');
  expect({ code: blind.code, stdout: blind.stdout }).toEqual({ code: 3, stdout: '' });
  await reference.close();
});
