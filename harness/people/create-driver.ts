/** The signing driver that the profile asks for. */
import { ConfigurationError } from '../../record/errors.ts';
import { printError } from '../../record/print.ts';
import type { Profile } from '../profile/schema.ts';
import { signingDefaults } from '../profile/signing-settings.ts';
import { lackingSettings } from '../profile/validate.ts';
import { createBrowserDriver } from './browser.ts';
import { createChromium } from './chromium.ts';
import { createHttpDriver } from './http.ts';
import { loadModule } from './load-module.ts';
import { createManualDriver } from './manual.ts';
import { createModuleDriver, type RelayingDriver } from './module.ts';
import type { OutboxReader } from './outbox.ts';
import type { MakeCall } from './template-call.ts';

interface DriverParts {
  readonly call: MakeCall;
  readonly outbox: OutboxReader;
  /** Folder of the profile: paths in it are relative to this folder. */
  readonly profileDir: string;
  /** Takes the lines that tell people what to sign; standard error by default. */
  readonly print?: (line: string) => void;
}

/** The driver of the profile, or `null`. @throws ConfigurationError when the profile lacks what its driver needs */
export async function createDriver(
  profile: Pick<Profile, 'address' | 'signing' | 'calls'>,
  parts: DriverParts,
): Promise<RelayingDriver | null> {
  const { address, signing, calls = {} } = profile;
  if (!signing) return null;
  const { call, outbox, profileDir } = parts;
  const { readyMs, timeoutMs, requests } = { ...signingDefaults, ...signing };
  const { baseUrl } = address;
  switch (signing.driver) {
    case 'http': {
      if (!calls.sign) break;
      return createHttpDriver({ calls, call, outbox, readyMs });
    }
    case 'browser': {
      const { page: settings } = signing;
      if (!settings) break;
      const chromium = createChromium({ ignoreHTTPSErrors: address.ca !== undefined });
      return createBrowserDriver({ settings, baseUrl, outbox, readyMs, chromium });
    }
    case 'manual': {
      const print = parts.print ?? ((line) => printError(`${line}\n`));
      return createManualDriver({ requests, timeoutMs, outbox, print });
    }
    case 'module': {
      if (signing.module === undefined) break;
      const loaded = await loadModule(signing.module, profileDir);
      return createModuleDriver({ loaded, baseUrl, call, outbox, timeoutMs });
    }
  }
  throw new ConfigurationError(
    lackingSettings(profile)[0] ?? `signing.driver "${signing.driver}" cannot be made`,
  );
}
