/** The signing driver that the profile asks for. */
import { ConfigurationError } from '../configuration-error.ts';
import type { Profile } from '../profile/schema.ts';
import type { SigningDriver } from './driver.ts';
import { createHttpDriver } from './http.ts';
import { withHttpView } from './http-view.ts';
import type { ReadableOutbox } from './outbox.ts';
import type { TemplateCall } from './template-call.ts';

export interface DriverParts {
  readonly call: TemplateCall;
  readonly outbox: ReadableOutbox | null;
  /** Folder of the profile: what it names stands relative to it. */
  readonly profileDir: string;
}

const defaultReadyMs = 2_000;

/**
 * The driver of the profile; `null` when the profile has none.
 * @throws ConfigurationError when the profile lacks what its driver needs
 */
export async function createDriver(
  { signing, calls = {} }: Pick<Profile, 'signing' | 'calls'>,
  { call, outbox }: DriverParts,
): Promise<SigningDriver | null> {
  if (!signing) return null;
  const readyMs = signing.readyMs ?? defaultReadyMs;
  if (signing.driver !== 'http')
    throw new ConfigurationError(`signing.driver "${signing.driver}" is not built`);
  const driver = createHttpDriver({ calls, call, outbox, readyMs });
  const { view, viewDocument } = calls;
  return view ? withHttpView(driver, { view, viewDocument, call, outbox }) : driver;
}
