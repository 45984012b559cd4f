/** Makes docs/screens.md, what a run prints at four services with one trouble each: `npx tsx bench/screens.ts`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../harness/profile/schema.ts';
import { startReference } from '../reference/server.ts';
import { referenceProfile } from '../running/reference-target.ts';
import { inProcess } from '../tests/suite/cli-spawn.ts';
import { writable } from '../tests/suite/services/profiles.ts';
import { asItIs, type Behaviour, startProxy } from '../tests/suite/services/proxy.ts';

const columns = 100;

/** How often an access token is accepted before it ends: about the calls of one second. */
const callsOfASecond = 60;

interface Scene {
  readonly title: string;
  /** What a reader does about it. */
  readonly remedy: string;
  readonly behave?: () => Behaviour;
  readonly changes?: Partial<Profile>;
}

export const scenes: readonly Scene[] = [
  {
    title: 'A service without type 3',
    remedy:
      'Type 3 is under development, but stated: without a word of the profile it fails. With the two entries the run is `conformant in …; stamping not examined`.',
    behave: () => async (passing) => {
      if (!/\?type=3$/.test(passing.request.url)) return asItIs(passing);
      const headers = { 'Content-Type': 'application/json' };
      passing.reply({ status: 404, headers, body: Buffer.from('{"error":"Not Found"}') });
    },
  },
  {
    title: 'A token that ends after a second',
    remedy:
      'A static token cannot be renewed: get one that lives longer, or let the profile say how new ones are had ([authorization.md](authorization.md)).',
    behave: () => {
      let taken = 0;
      let own: string | undefined;
      return (passing) => {
        const { authorization } = passing.request.headers;
        // The first token is that of the run; what others come to stays as it is.
        own ??= authorization;
        if (authorization !== undefined) taken += 1;
        if (taken <= callsOfASecond || authorization !== own) return asItIs(passing);
        const headers = { 'Content-Type': 'application/json' };
        passing.reply({ status: 401, headers, body: Buffer.from('{"error":"Access token is expired"}') });
      };
    },
  },
  {
    title: 'A wrong upload encoding',
    remedy: 'The profile says `upload: { encoding: raw }`, and the service takes forms.',
    changes: { upload: { encoding: 'raw' } },
  },
  {
    title: 'Nothing listens',
    remedy: 'The service is not up, or the base URL is another one.',
    changes: { address: { baseUrl: 'http://127.0.0.1:9/sandbox' } },
  },
];

/** What a terminal shows at the end of a run against a service with this trouble, with these options. */
export async function screenOf({ behave, changes }: Scene, ...given: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'esign-screen-'));
  const reference = await startReference({ dialect: { uploadEncoding: 'multipart' } });
  const proxy = await startProxy(reference.baseUrl, behave?.());
  const whole = referenceProfile(reference);
  const { text, env } = writable({
    ...whole,
    name: 'acme',
    address: { ...whole.address, baseUrl: proxy.baseUrl },
    auth: { kind: 'static', token: reference.tokens.valid, expiredToken: reference.tokens.expired },
    ...changes,
  });
  writeFileSync(join(folder, 'acme.json'), text);
  try {
    const { stdout } = await inProcess(['--target', 'acme.json', '--out', 'out', ...given], env, folder);
    // A terminal overwrites the lines of the progress.
    return stdout.slice(stdout.indexOf('┌')).trimEnd();
  } finally {
    await proxy.close();
    await reference.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How many lines a text takes on a terminal. */
export function linesOn(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}

/** A screen without its figures, which differ from run to run. */
export function masked(text: string): string {
  return text
    .replaceAll(/\d+(\.\d+)?/g, '0')
    .replaceAll(/─+/g, '─')
    .replaceAll(/ +/g, ' ');
}

/** The page of the documentation. */
function pageOf(screens: readonly (Scene & { readonly screen: string })[]): string {
  const parts = screens.map(
    ({ title, remedy, screen }) => `## ${title}\n\n\`\`\`\n${screen}\n\`\`\`\n\n${remedy}\n`,
  );
  return `# Four screens

What a run prints where one thing is wrong: the cause once, with how much it stopped, and what helps. \`npx tsx bench/screens.ts\` makes this page; a test holds it, but for the second, which differs from run to run. [trouble.md](trouble.md) lists all trouble.

${parts.join('\n')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const screens = [];
  for (const scene of scenes) screens.push({ ...scene, screen: await screenOf(scene) });
  writeFileSync(fileURLToPath(new URL('../docs/screens.md', import.meta.url)), pageOf(screens));
}
