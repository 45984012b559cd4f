/** Profiles for tests of the loader: a least one, and how it is written, loaded and refused. */
import { writeFileSync } from 'node:fs';
import { expect, type TestInfo } from '@playwright/test';
import { withValue } from '../../../generators/bodies/edit.ts';
import { secretKeys } from '../../../harness/profile/literal-secrets.ts';
import { loadProfile } from '../../../harness/profile/load.ts';
import { valueAt } from '../../../openapi/json-pointer.ts';
import { ConfigurationError } from '../../../record/errors.ts';

/** A reference to the environment, as a profile has it. */
export const reference = (name: string): string => `\${${name}}`;

export const minimal = `address: { baseUrl: https://sandbox.example.com/esign }
auth: { kind: static, token: "${reference('TOKEN')}" }
`;
export const env = { TOKEN: 'a-token-of-the-tests' };

/** Writes a profile and loads it. */
export function load(info: TestInfo, text: string, given: NodeJS.ProcessEnv = env) {
  const target = info.outputPath('acme.yaml');
  writeFileSync(target, text);
  return loadProfile({ target }, given);
}

/** The message with which a profile is refused, without the folder in front. */
export function refusal(info: TestInfo, text: string, given: NodeJS.ProcessEnv = env): string {
  try {
    load(info, text, given);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message.replaceAll(/\S*\/(\w+\.(yaml|json|pem))/g, '$1');
  }
  throw new Error('the profile was taken');
}

/** A profile as a file may say it: each secret a reference, with the environment that resolves them. */
export function writable(profile: object): { readonly text: string; readonly env: Record<string, string> } {
  let written: unknown = profile;
  const environment: Record<string, string> = {};
  for (const key of secretKeys) {
    const place = `/${key.replaceAll('.', '/')}`;
    const value = valueAt(written, place);
    if (typeof value !== 'string' || value.startsWith('${')) continue;
    const name = `TEST_${key.replaceAll('.', '_').toUpperCase()}`;
    environment[name] = value;
    written = withValue(written, place, reference(name));
  }
  return { text: JSON.stringify(written), env: environment };
}
