/** New ids and tokens in the forms that a dialect may give them; each holds at least 64 random bits, the form `number` 47. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** The forms, the usual one first. */
export const idForms = ['uuid', 'digits', 'number', 'prefixed', 'hex', 'long', 'base64', 'slash'] as const;

export type IdForm = (typeof idForms)[number];

/** A new id; `prefix` is used by the form `prefixed` only. */
export function newId(form: IdForm, prefix: string): string {
  switch (form) {
    case 'uuid':
      return randomUUID();
    case 'digits':
      return Array.from({ length: 20 }, (_, at) => randomInt(at === 0 ? 1 : 0, 10)).join('');
    case 'number':
      return newNumber();
    case 'slash':
      return `${prefix}/2026+${randomBytes(12).toString('base64url')}=`;
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

/** Whether a text has the form of an id, whether or not there is one. */
export function isWellFormed(form: IdForm, prefix: string, id: string): boolean {
  const forms: Readonly<Record<IdForm, RegExp>> = {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    digits: /^[1-9][0-9]{19}$/,
    number: /^[1-9][0-9]{0,15}$/,
    prefixed: new RegExp(`^${prefix}_[\\w-]{16}$`),
    hex: /^[0-9a-f]{24}$/,
    long: /^[\w-]{128}$/,
    base64: /^[\w-]{22}$/,
    slash: new RegExp(`^${prefix}/[0-9]{4}\\+[\\w-]{16}=$`),
  };
  return forms[form].test(id);
}

/** An id of digits that a JSON number carries without loss. */
export function newNumber(): string {
  return String(randomInt(2 ** 47, 2 ** 48 - 1));
}

/** A secret of 256 random bits, safe in headers, forms and URLs. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
