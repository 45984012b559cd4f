/** New ids and tokens in the forms that a dialect may give them; each holds at least 64 random bits, the form `number` 47. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** The forms, the usual one first: how an id is made, and the pattern of all of its form. */
const forms = {
  uuid: [() => randomUUID(), '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  digits: [
    () => `${randomInt(1, 10)}${Array.from({ length: 19 }, () => randomInt(0, 10)).join('')}`,
    '[1-9][0-9]{19}',
  ],
  number: [newNumber, '[1-9][0-9]{0,15}'],
  prefixed: [(prefix) => `${prefix}_${random(12)}`, 'PREFIX_[\\w-]{16}'],
  hex: [() => randomBytes(12).toString('hex'), '[0-9a-f]{24}'],
  long: [() => random(96), '[\\w-]{128}'],
  base64: [() => random(16), '[\\w-]{22}'],
  slash: [(prefix) => `${prefix}/2026+${random(12)}=`, 'PREFIX/[0-9]{4}\\+[\\w-]{16}='],
} as const satisfies Readonly<Record<string, readonly [make: (prefix: string) => string, pattern: string]>>;

export type IdForm = keyof typeof forms;

export const idForms = Object.keys(forms) as [IdForm, ...IdForm[]];

/** A new id; only some forms have the prefix. */
export function newId(form: IdForm, prefix: string): string {
  return forms[form][0](prefix);
}

/** Whether a text has the form of an id, whether or not there is one. */
export function isWellFormed(form: IdForm, prefix: string, id: string): boolean {
  return new RegExp(`^${forms[form][1].replace('PREFIX', prefix)}$`).test(id);
}

/** An id of digits that a JSON number carries without loss. */
export function newNumber(): string {
  return String(randomInt(2 ** 47, 2 ** 48 - 1));
}

/** A secret of 256 random bits, safe in headers, forms and URLs. */
export function newSecret(): string {
  return random(32);
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
