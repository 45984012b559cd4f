/** New ids and tokens in the forms that a dialect may give them; each holds at least 64 random bits. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

export type IdForm = 'uuid' | 'digits' | 'prefixed' | 'hex' | 'long' | 'base64';

/** A new id; `prefix` is used by the form `prefixed` only. */
export function newId(form: IdForm, prefix: string): string {
  switch (form) {
    case 'uuid':
      return randomUUID();
    case 'digits':
      return Array.from({ length: 20 }, (_, at) => randomInt(at === 0 ? 1 : 0, 10)).join('');
    case 'prefixed':
      return `${prefix}_${randomBytes(12).toString('base64url')}`;
    case 'hex':
      return randomBytes(12).toString('hex');
    case 'long':
      return randomBytes(96).toString('base64url');
    case 'base64':
      return randomBytes(16).toString('base64url');
  }
}

/** An id of digits that a JSON number carries without loss. */
export function newNumber(): string {
  return String(randomInt(2 ** 47, 2 ** 48 - 1));
}

/** A secret of 256 random bits, safe in headers, forms and URLs. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
