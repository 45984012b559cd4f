/** Runs the command line as a user would, in a process of its own or within this one, and keeps what it prints. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import '../proof/own-state.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly process: ChildProcess;
  /** Resolves with the first text on stdout that matches. Rejects when the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** The same with what it says on stderr. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<Ended>;
}

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

const entry = fileURLToPath(new URL('../../bin/esign-conformance.mjs', import.meta.url));

/**
 * Settings of the process that runs these tests, which a run of its own must not inherit. Where Playwright keeps what it
 * compiled stays the same, so that its own processes need not compile all again.
 */
const own = /^(ESIGN_|GITHUB_|PLAYWRIGHT_(?!TRANSFORM_CACHE_DIR$)|TEST_|FORCE_COLOR|NO_COLOR|NODE_OPTIONS)/;

interface Spawning {
  readonly script?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether it leads a group of its own, so that it can be ended together with all that it starts. */
  readonly group?: boolean;
}

/** Starts a script with Node; the command line when none is named. */
export function start(
  given: readonly string[],
  { script = entry, cwd = root, env = {}, group = false }: Spawning = {},
): Started {
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name));
  const child = spawn(process.execPath, [script, ...given], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: group,
  });
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
      for (const watch of watchers) watch();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
  const seenOn = (stream: 'stdout' | 'stderr') => (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const watch = () => {
        const found = pattern.exec(output[stream]);
        if (found) resolve(found);
      };
      watchers.add(watch);
      watch();
      ended.then(
        () => reject(new Error(`ended without ${pattern}: ${output.stdout}${output.stderr}`)),
        reject,
      );
    });
  return { process: child, printed: seenOn('stdout'), said: seenOn('stderr'), ended };
}

/** Runs the command line to its end within this process. */
export function cli(...given: readonly string[]): Promise<Ended> {
  return inProcess(given);
}

let last: Promise<unknown> = Promise.resolve();

/**
 * The same as `start`, several times quicker: the command line runs within this process, one after the other. For
 * tests that are about what a run does, and neither about signals nor about how a process begins and ends.
 */
export function inProcess(
  given: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = process.cwd(),
): Promise<Ended> {
  const mine = last.then(() => runHere(given, env, cwd));
  last = mine.catch(() => undefined);
  return mine;
}

async function runHere(given: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Ended> {
  const { main } = await import('../../bin/main.ts');
  const before = { ...process.env };
  const home = process.cwd();
  const said = { stdout: '', stderr: '' };
  const writes = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const { write } = stream;
    stream.write = (text: string | Uint8Array) => {
      said[name] += Buffer.from(text).toString('utf8');
      return true;
    };
    return () => {
      stream.write = write;
    };
  });
  for (const name of Object.keys(before)) if (own.test(name)) delete process.env[name];
  Object.assign(process.env, env);
  try {
    process.chdir(cwd);
    const code = await main([process.execPath, entry, ...given]);
    return { code, ...said };
  } finally {
    process.chdir(home);
    for (const restore of writes) restore();
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before);
  }
}
