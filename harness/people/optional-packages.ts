/** Packages that few profiles need, and that are not installed with the suite. */
import { createRequire } from 'node:module';
import { ConfigurationError } from '../../record/errors.ts';
import type { LoadedProfile } from '../profile/load.ts';

/** @throws ConfigurationError with the command that installs what the profile needs and what is not there */
export function assertPackages({ profile: { signing }, file = 'the profile' }: LoadedProfile): void {
  if (signing?.driver === 'browser') {
    assertPackage('@playwright/test', `${file}: signing.driver "browser"`);
  }
  // Newer versions of Node read TypeScript themselves.
  if (signing?.driver === 'module' && /\.[cm]?ts$/.test(signing.module ?? '') && !readsTypeScript()) {
    assertPackage('tsx', `${file}: signing.module "${signing.module}"`);
  }
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
