/** What a profile says about gaps, for people to read: references to the environment stay references. */
import { stringify } from 'yaml';
import { valueAt } from '../untrusted/pointer.ts';
import { freeParts, isLiteralSecret } from './literal-secrets.ts';
import type { LoadedProfile } from './load.ts';

/**
 * The value under a key of the profile, as YAML; `undefined` when the profile does not have it. A profile that was
 * not read from a file has no references: its secrets are named, and never shown.
 * @param key such as `callbacks.decoding`
 */
export function saidUnder(
  key: string,
  { profile, written }: Pick<LoadedProfile, 'profile' | 'written'>,
): string | undefined {
  const pointer = `/${key.replaceAll('.', '/')}`;
  const value = valueAt(written, pointer) ?? valueAt(profile, pointer);
  if (value === undefined) return undefined;
  return stringify(withoutSecrets(value, key, false), { lineWidth: 0, aliasDuplicateObjects: false }).trim();
}

function withoutSecrets(value: unknown, key: string, free: boolean): unknown {
  if (typeof value === 'string') return isLiteralSecret(value, key, free) ? '(secret)' : value;
  if (Array.isArray(value)) return value.map((item, index) => withoutSecrets(item, `${key}[${index}]`, free));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      withoutSecrets(item, `${key}.${name}`, free || freeParts.has(name)),
    ]),
  );
}
