/** Which e-mail addresses a run may name: the suite never writes to a stranger. */
import { CouldNotRun } from '../../record/errors.ts';
import { parseJson } from '../../record/json.ts';
import { leaves } from '../untrusted/payload/tree.ts';
import type { Profile } from './schema.ts';

/** Domains that belong to nobody (RFC 2606, RFC 6761). */
const reserved = /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;

/** Whether no mail to the domain reaches anybody. */
export const isReserved = (domain: string): boolean => reserved.test(domain);

/** A text that is an e-mail address and nothing else, also after `mailto:` or in angle brackets. */
const whole = /^(?:mailto:|[^<>]*<)?[^\s@<>]+@([^\s@<>]+?)\.?>?$/i;

/** The domain of a text that is an e-mail address; `undefined` for any other text. */
const domainOf = (text: string): string | undefined => whole.exec(text.trim())?.[1]?.toLowerCase();

/** Whether a text is an e-mail address at a domain that the profile does not allow. */
function isForeign(text: string, { people = {} }: Pick<Profile, 'people'>): boolean {
  const domain = domainOf(text);
  if (domain === undefined || isReserved(domain)) return false;
  return domain !== people.email?.split('@')[1]?.toLowerCase();
}

/** Addresses in a value that may not be written to, each with its JSON Pointer. */
export function foreignAddresses(
  value: unknown,
  profile: Pick<Profile, 'people'>,
): { readonly pointer: string; readonly address: string }[] {
  return leaves(value, 10_000).flatMap(({ pointer, value: leaf }) =>
    typeof leaf === 'string' && isForeign(leaf, profile) ? [{ pointer, address: leaf }] : [],
  );
}

/** @throws CouldNotRun when a body contains an address that the profile does not allow to be written to */
export function assertNoStranger(body: Buffer | null, profile: Pick<Profile, 'people'>): void {
  const address = body ? foreignAddressIn(body, profile) : undefined;
  if (address === undefined) return;
  const allowed = profile.people?.email?.split('@')[1];
  throw new CouldNotRun(
    `not sent: the body names ${address}, and addresses may be at ${allowed ? `${allowed} (people.email) or ` : ''}reserved domains such as example.com only`,
  );
}

/** The first address in a body that may not be written to. In JSON only a whole text counts, elsewhere any word. */
function foreignAddressIn(body: Buffer, profile: Pick<Profile, 'people'>): string | undefined {
  const text = body.toString('utf8');
  const document = parseJson(text);
  if (document !== undefined) return foreignAddresses(document, profile)[0]?.address;
  const words = text.replaceAll('%40', '@').match(/[^\s"'<>(),;:=&@]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi) ?? [];
  return words.find((word) => isForeign(word, profile));
}
