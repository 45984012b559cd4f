/** Tells which values of a profile are secrets: they must come from the environment, and appear in no report. */
import { stringify } from 'yaml';
import { valueAt } from '../../openapi/json-pointer.ts';
import { mapTexts, textsIn } from '../untrusted/payload/tree.ts';
import { type Profile, ProfileSchema } from './schema.ts';

interface Part {
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly anyOf?: readonly Part[];
}

/** Keys of the profile whose values are secrets: those that its schema marks. */
export const secretKeys: ReadonlySet<string> = new Set(secretsIn(ProfileSchema as Part));

function secretsIn({ writeOnly, properties = {}, anyOf = [] }: Part, path = ''): string[] {
  if (writeOnly) return [path];
  return [
    ...Object.entries(properties).flatMap(([key, part]) => secretsIn(part, path ? `${path}.${key}` : key)),
    ...anyOf.flatMap((part) => secretsIn(part, path)),
  ];
}

/** Parts in which the target chooses the names of keys, and a pattern for names that mean a secret. */
const freeParts: ReadonlySet<string> = new Set(['headers', 'query', 'body', 'parameters']);
export const secretName =
  /^(proxy-)?authorization$|^cookie$|secret|passw(or)?d|(api|access|admin|app|master|private|subscription)[-_]?key|(access|refresh|auth|admin|session)[-_]?token/i;

const reference = /\$\{[A-Za-z_][A-Za-z0-9_]*\}/;
/** `{name}` of a call template, which is filled in when the call is made. */
const variable = /\{[A-Za-z][A-Za-z0-9]*\}/;

/** Parts whose texts are sent as they are, in the form that the target wants. */
const sentParts = /(^|\.)(headers|query|body|parameters|fields|formFields|signatory)(\.|\[|$)/;
const addressKey = /(^|\.)(url|\w+(Url|Endpoint))$/;

/**
 * Whether a value from the environment is kept out of all reports. Its place in the profile decides; in a URL, or in
 * a part that is sent, also whether it is plainly an address.
 * @param written text of the profile with its references
 * @param name of the variable
 */
export function isSecretReference(key: string, written: string, name: string, value: string): boolean {
  if (secretKeys.has(key)) return true;
  if (secretName.test(key.split('.').at(-1) ?? '')) return true;
  if (openKeys.has(key)) return false;
  if (addressKey.test(key)) return !isAddress(value) && !isHostIn(written, name);
  return sentParts.test(key) && !isAddress(value);
}

/** Keys of addresses that reports need to show: without them nobody could tell what was called. */
const openKeys = new Set([
  'address.baseUrl',
  'auth.tokenEndpoint',
  'auth.authorizationEndpoint',
  'callbacks.publicUrl',
]);

/** Whether a value is a web address that hides no key: it has no user, no query, and no part that looks random. */
function isAddress(value: string): boolean {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return false;
  const { username, password, search, hash, pathname } = new URL(value);
  return username + password + search + hash === '' && !/[\w-]{20}/.test(pathname);
}

/** Whether the reference stands where a URL has its host. */
function isHostIn(written: string, name: string): boolean {
  const [, host] = /^https?:\/\/([^/?#]*)/.exec(written) ?? [];
  return host !== undefined && !host.includes('@') && host.includes(`\${${name}}`);
}

/** A line for each secret that is written out in the profile instead of a reference. Shows none of the secrets. */
export function literalSecrets(written: unknown): string[] {
  const keys = textsIn(written).flatMap(({ key, text }) =>
    isLiteralSecret(text, key) ? [key] : secretsInUrl(text, key),
  );
  return [...keys.map(advice), ...keyless(written)];
}

/** A line for an API-key exchange without any reference: its key would then have to be written out. */
function keyless(written: unknown): string[] {
  const { auth } = (written ?? {}) as { auth?: { kind?: unknown; call?: unknown } | null };
  if (auth?.kind !== 'api-key' || typeof auth.call !== 'object') return [];
  if (reference.test(JSON.stringify(auth.call))) return [];
  return [
    `auth.call carries no API key: put the key into the environment, write a reference such as \${ESIGN_API_KEY} where it belongs, and export ESIGN_API_KEY`,
  ];
}

function isLiteralSecret(value: string, key: string): boolean {
  if (value === '' || reference.test(value)) return false;
  if (secretKeys.has(key)) return true;
  // Below these parts the target chooses the names, such as those of headers, so the name has to tell.
  const [name = '', ...above] = key.split(/[.[]/).reverse();
  return above.some((each) => freeParts.has(each)) && secretName.test(name) && !variable.test(value);
}

/** Secrets written out in the query of the URL of a call. */
function secretsInUrl(value: string, key: string): string[] {
  if (!/(^|\.)(url|\w+Endpoint)$/.test(key)) return [];
  return [...value.matchAll(/[?&]([^=&#]+)=([^&#]+)/g)]
    .filter(
      ([, name = '', given = '']) => secretName.test(name) && !reference.test(given) && !variable.test(given),
    )
    .map(([, name]) => `${key} (${name})`);
}

function advice(key: string): string {
  const name = (/(\w[\w-]*)\)?$/.exec(key)?.[1] ?? 'secret')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();
  const fit = `ESIGN_${name.replace(/^X_/, '')}`;
  return `${key} is written out; put the secret into the environment, write \${${fit}} here, and export ${fit}`;
}

/**
 * The value under a key of the profile, as YAML; `undefined` when the profile does not have it. A profile that was
 * not read from a file has no references, so its secrets are shown by name only.
 * @param key such as `callbacks.decoding`
 */
export function saidUnder(
  key: string,
  { profile, written }: { readonly profile: Profile; readonly written?: unknown },
): string | undefined {
  const pointer = `/${key.replaceAll('.', '/')}`;
  const value = valueAt(written, pointer) ?? valueAt(profile, pointer);
  if (value === undefined) return undefined;
  const shown = mapTexts(value, (text, at) => (isLiteralSecret(text, at) ? '(secret)' : text), key);
  return stringify(shown, { lineWidth: 0, aliasDuplicateObjects: false }).trim();
}
