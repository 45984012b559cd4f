/** Loads a signing module: JavaScript as Node does, TypeScript through tsx where nothing else reads it. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '../../record/errors.ts';
import { withinTime } from '../untrusted/deadline.ts';
import type { SigningModule } from './module-types.ts';

/** A module that takes longer to load waits for something that does not come. */
const loadMs = 15_000;

export type LoadedModule = { readonly module: SigningModule } | { readonly problem: string };

/**
 * The module that the profile names; what is wrong with it is a problem in words.
 * @throws ConfigurationError when there is no such file
 */
export async function loadModule(file: string, profileDir: string): Promise<LoadedModule> {
  const path = resolve(profileDir, file);
  if (!existsSync(path)) {
    throw new ConfigurationError(
      `signing.module "${file}": there is no file ${path}; the path is relative to the profile`,
    );
  }
  try {
    const late = () => ({ problem: `signing.module "${file}" was not loaded within ${loadMs / 1000} s` });
    return await withinTime<LoadedModule>(
      loadMs,
      load(path).then((loaded) => checked(loaded, file)),
      late,
    );
  } catch (error) {
    return { problem: `signing.module "${file}" could not be loaded: ${reasonOf(error)}` };
  }
}

async function load(path: string): Promise<unknown> {
  const { href } = pathToFileURL(path);
  try {
    return (await import(href)) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
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
  const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return text.split('\n')[0] ?? '';
}
