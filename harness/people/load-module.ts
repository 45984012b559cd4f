/** Loads a signing module: JavaScript as Node does, TypeScript through tsx where nothing else reads it. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { ConfigurationError } from '../../record/errors.ts';
import { foundAt } from '../../record/files.ts';
import type { LoadedProfile } from '../profile/load.ts';
import { withinTime } from '../untrusted/deadline.ts';
import type { SigningModule } from './module-types.ts';

/** Longest time for loading: a module that takes longer waits for something that never comes. */
const loadMs = 15_000;

export type LoadedModule = { readonly module: SigningModule } | { readonly problem: string };

/** The module that the profile names, or in words what is wrong with it. @throws ConfigurationError when it is not there */
export async function loadModule(file: string, profileDir: string): Promise<LoadedModule> {
  const path = resolve(profileDir, file);
  if (!foundAt(path)?.isFile())
    throw new ConfigurationError(
      `signing.module "${file}": there is no file ${path}; the path is relative to the profile`,
    );
  try {
    const late = () => ({ problem: `signing.module "${file}" was not loaded within ${loadMs / 1000} s` });
    return await withinTime(
      loadMs,
      importModule(path).then((loaded) => checked(loaded, file)),
      late,
    );
  } catch (error) {
    return { problem: `signing.module "${file}" could not be loaded: ${reasonOf(error)}` };
  }
}

const imported = new Map<string, Promise<unknown>>();

/** The exports of a user's module. Read only once, as Node does, since tsx cannot read a module a second time. */
export function importModule(path: string): Promise<unknown> {
  const module = imported.get(path) ?? load(path);
  imported.set(path, module);
  return module;
}

async function load(path: string): Promise<unknown> {
  const { href } = pathToFileURL(path);
  try {
    return (await import(href)) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
    // Its cache would be a folder for temporary files, with a name that others may have taken: they could change what runs.
    process.env.TSX_DISABLE_CACHE = '1';
    const { tsImport } = await import('tsx/esm/api');
    return (await tsImport(href, import.meta.url)) as unknown;
  }
}

function checked(loaded: unknown, file: string): LoadedModule {
  const exported = (loaded as { readonly default?: unknown } | null)?.default;
  // A module that was made into CommonJS holds its default export one level deeper.
  const candidate = [
    exported,
    (exported as { readonly default?: unknown } | null | undefined)?.default,
    loaded,
  ];
  const module = candidate.find(isModule);
  if (module) return { module };
  return { problem: `signing.module "${file}" has no default export with a function "act"` };
}

function isModule(value: unknown): value is SigningModule {
  return typeof (value as SigningModule | null | undefined)?.act === 'function';
}

/** What was thrown, which need not be an Error, in a line. */
export function reasonOf(thrown: unknown): string {
  const said = thrown instanceof Error ? thrown.message || thrown.name : thrown;
  // Not every value can be made into a text.
  return (typeof said === 'string' ? said : inspect(said)).split('\n')[0] ?? '';
}

/** @throws ConfigurationError where a package that the profile needs is missing, with the command that installs it */
export function assertPackages({ profile: { signing }, file = 'the profile' }: LoadedProfile): void {
  if (signing?.driver === 'browser') assertPackage('@playwright/test', `${file}: signing.driver "browser"`);
  if (signing?.driver === 'module')
    assertReadable(signing.module, `${file}: signing.module "${signing.module}"`);
}

/** @throws ConfigurationError for a module in TypeScript where neither this version of Node nor tsx can read it */
export function assertReadable(file: string | undefined, what: string): void {
  if (/\.[cm]?ts$/.test(file ?? '') && !readsTypeScript()) assertPackage('tsx', what);
}

function readsTypeScript(): boolean {
  return 'typescript' in process.features && Boolean(process.features.typescript);
}

function assertPackage(name: string, what: string): void {
  try {
    createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new ConfigurationError(
      `${what} needs the package ${name}, which is not installed; run: npm install ${name} (with npx, add: --package ${name})`,
      { cause },
    );
  }
}
