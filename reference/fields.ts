/** Reads the fields of a JSON object one by one, and refuses missing ones and those of the wrong type. */
import type { Dialect } from './dialect.ts';
import type { FaultId } from './faults.ts';
import { badRequest, type OptionalTypeRule, Refusal, type RuledField, refuse } from './rules.ts';
import type { Service } from './service.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** How a JSON value is read: `read` gives `undefined` for a value of another type. */
interface Kind<Value> {
  readonly name: string;
  readonly read: (value: unknown, coerced: boolean) => Value | undefined;
  /** The value that is used when a fault accepts a wrong one. */
  readonly instead: Value;
}

const kinds = {
  text: kind('a string', '', (value) => (typeof value === 'string' ? value : undefined)),
  integer: kind('an integer', 1, (value, coerced) => {
    const number = coerced && typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
  }),
  // JSON such as 1e999 is parsed as infinite.
  number: kind('a number', 0, (value) => (Number.isFinite(value) ? (value as number) : undefined)),
  boolean: kind('a boolean', false, (value, coerced) => {
    const flag = coerced && (value === 'true' || value === 'false') ? value === 'true' : value;
    return typeof flag === 'boolean' ? flag : undefined;
  }),
  object: kind<JsonObject>('an object', {}, (value) => (isObject(value) ? value : undefined)),
  list: kind<readonly unknown[]>('an array', [], (value) => (Array.isArray(value) ? value : undefined)),
};

export class Fields {
  readonly #object: JsonObject;
  readonly #service: Service;
  readonly #where: string;
  readonly #asked = new Set<string>();
  /** Status of every refusal, where it differs from the one of the rule (types 1 to 3). */
  readonly #status: number | undefined;

  constructor(object: JsonObject, service: Service, where = '', status?: number) {
    this.#object = object;
    this.#service = service;
    this.#where = where;
    this.#status = status;
  }

  get #dialect(): Dialect {
    return this.#service.dialect;
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  /** The value as it is, of whatever type. */
  raw(name: string): unknown {
    return this.#value(name);
  }

  text(name: string, rule?: RuledField): string {
    const text = this.#required(name, kinds.text, rule);
    const given = this.#value(name) === '';
    if (given && this.#dialect.emptyText === 'refused')
      throw this.unlike('emptyText', `${this.path(name)} is empty`, this.#dialect.emptyTextStatus);
    if (this.#dialect.characters === 'printable' && /[^ -~]|[<>]/.test(text))
      throw this.unlike('characters', `${this.path(name)} holds characters that are not allowed`);
    return text;
  }

  optionalText(name: string, rule?: OptionalTypeRule): string | null {
    return this.#optional(name, kinds.text, rule);
  }

  integer(name: string, rule?: RuledField): number {
    return this.#required(name, kinds.integer, rule);
  }

  optionalInteger(name: string, rule?: OptionalTypeRule): number | null {
    return this.#optional(name, kinds.integer, rule);
  }

  number(name: string): number {
    return this.#required(name, kinds.number, undefined);
  }

  boolean(name: string, rule?: RuledField): boolean {
    return this.#required(name, kinds.boolean, rule);
  }

  optionalBoolean(name: string, rule?: OptionalTypeRule): boolean | null {
    return this.#optional(name, kinds.boolean, rule);
  }

  object(name: string, rule?: RuledField): Fields {
    return this.#inner(name, this.#required(name, kinds.object, rule));
  }

  optionalObject(name: string, rule?: OptionalTypeRule): Fields | null {
    const object = this.#optional(name, kinds.object, rule);
    return object && this.#inner(name, object);
  }

  list(name: string, rule?: RuledField): readonly unknown[] {
    return this.#required(name, kinds.list, rule);
  }

  optionalList(name: string, rule?: OptionalTypeRule): readonly unknown[] | null {
    return this.#optional(name, kinds.list, rule);
  }

  objects(name: string): readonly Fields[] {
    return this.list(name).map((element, at) => {
      if (!isObject(element)) throw this.wrongType(`${name}/${at}`, 'an object');
      return this.#inner(`${name}/${at}`, element);
    });
  }

  /** Called after every known field was read: refuses unknown fields, where the dialect does. */
  finish(): void {
    if (this.#dialect.unknownFields === 'ignored') return;
    const unknown = Object.keys(this.#object).find((key) => !this.#isAsked(key));
    if (unknown !== undefined) throw this.unlike('unknownFields', `${this.path(unknown)} is not known`);
  }

  path(name: string): string {
    return this.#where === '' ? name : `${this.#where}/${name}`;
  }

  refusal(status: number, detail: string): Refusal {
    return new Refusal(this.#status ?? status, { detail });
  }

  /** The refusal of something that the document leaves open, and a setting of the dialect does not allow. */
  unlike(setting: keyof Dialect, detail: string, status = 400): Refusal {
    return this.refusal(status, `${detail} (${setting} of the dialect)`);
  }

  wrongType(name: string, expected: string): Refusal {
    return this.refusal(this.#dialect.wrongTypeStatus, `${this.path(name)} is not ${expected}`);
  }

  #required<Value>(name: string, wanted: Kind<Value>, rule: RuledField | undefined): Value {
    const value = this.#value(name);
    if (value === undefined) {
      const near = Object.keys(this.#object).find((each) => each.toLowerCase() === name.toLowerCase());
      const detail = `${this.path(name)} is missing${near === undefined ? '' : `, but there is ${near}`}`;
      if (!rule) throw this.refusal(400, detail);
      refuse(this.#service, badRequest(detail), `${rule}-required/accepted`);
      return wanted.instead;
    }
    const read = wanted.read(value, this.#dialect.coercion === 'strings');
    if (read !== undefined) return read;
    const refused = this.wrongType(name, wanted.name);
    if (!rule) throw refused;
    // Only some rules have this fault.
    const isList = Array.isArray(value) && this.#service.faulty(`${rule}-type/list-accepted` as FaultId);
    if (isList) return wanted.instead;
    refuse(this.#service, refused, `${rule}-type/${value === null ? 'null' : 'other'}-accepted`);
    return wanted.instead;
  }

  #optional<Value>(name: string, wanted: Kind<Value>, rule: OptionalTypeRule | undefined): Value | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (value === null && this.#dialect.nullOptional === 'accepted') return null;
    const read = wanted.read(value, this.#dialect.coercion === 'strings');
    if (read !== undefined) return read;
    const refused = this.wrongType(name, wanted.name);
    if (!rule) throw refused;
    refuse(this.#service, refused, `${rule}/accepted`);
    return null;
  }

  #value(name: string): unknown {
    this.#asked.add(name);
    if (Object.hasOwn(this.#object, name)) return this.#object[name];
    if (this.#dialect.keyCase === 'exact') return undefined;
    const key = Object.keys(this.#object).find((each) => each.toLowerCase() === name.toLowerCase());
    return key === undefined ? undefined : this.#object[key];
  }

  #isAsked(key: string): boolean {
    if (this.#asked.has(key)) return true;
    if (this.#dialect.keyCase === 'exact') return false;
    return [...this.#asked].some((name) => name.toLowerCase() === key.toLowerCase());
  }

  #inner(name: string, object: JsonObject): Fields {
    return new Fields(object, this.#service, this.path(name), this.#status);
  }
}

function kind<Value>(name: string, instead: Value, read: Kind<Value>['read']): Kind<Value> {
  return { name, instead, read };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A fault that accepts a body whose required field is missing or of another type: the field, the value used instead, and when. */
export type Leniency = readonly [
  fault: FaultId,
  field: string,
  instead: unknown,
  where: (body: JsonObject) => boolean,
];

/** The body. If a fault accepts it without a field, the field has such a value. */
export function leniently(body: JsonObject, { faulty }: Service, all: readonly Leniency[]): JsonObject {
  const found = all.find(([fault, field, instead, where]) => {
    const isThere = Object.hasOwn(body, field);
    const isWrong = fault.includes('-type/') ? isThere && typeOf(body[field]) !== typeOf(instead) : !isThere;
    return isWrong && where(body) && faulty(fault);
  });
  return found ? { ...body, [found[1]]: found[2] } : body;
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);
