/** In which form a target takes what is ours to choose, where the document shows no form: found out from its refusals. */
import { isObject } from '../../generators/bodies/edit.ts';
import { otpType, requestType } from '../../openapi/codes.ts';
import type { Call } from './call.ts';

type Json = Readonly<Record<string, unknown>>;

/** A value that may be written in several forms, the likeliest first; `undefined` leaves the field out. */
interface Choice {
  /** What values have in common that a target wants in the same form. */
  readonly name: string;
  readonly forms: readonly (string | undefined)[];
  /** Whether a target that takes the value has judged it. */
  readonly judged: boolean;
}

/** For each choice, which of its forms. */
type Chosen = Readonly<Record<string, number>>;

/** Other forms of one body at most. */
const most = 15;

/** Six digits that follow from an AccessCode of ours. */
function pinOf(accessCode: string): string {
  return accessCode.replaceAll(/(.)(.)/g, (_, one, other) =>
    String((Number.parseInt(one, 16) + Number.parseInt(other, 16)) % 10),
  );
}

/** The forms of an AccessCode of ours, the likeliest first. In each, those of the code backwards are the same backwards. */
export function codeForms(accessCode: string): readonly string[] {
  if (!ownCode.test(accessCode)) return [accessCode];
  const pin = pinOf(accessCode);
  // Capital and small letters, digits and a sign, as passwords have to have.
  return [accessCode, pin, `A7a-${accessCode.slice(4, -4)}-a7A`, pin.slice(1, -1)];
}

const ownCode = /^[0-9a-f]{12}$/;
const ownColor = /^#[0-9A-F]{6}$/;
/** Of the countries of the numbers that are invented. */
const ownNumber = /^\+(1|46|49|61)(\d{7,12})$/;

/** Which characters a text may have is not shown. */
function textChoice(value: string): Choice | undefined {
  if (/^\p{ASCII}*$/u.test(value)) return undefined;
  return { name: 'text', forms: [value, value.replaceAll(/[^\w\s.,:;-]/g, '-')], judged: true };
}

const choiceOf: Readonly<Record<string, (value: string, beside: Json) => Choice | undefined>> = {
  MobileNumber: (value, { IsRequired }) => {
    const [, country = '', rest = ''] = ownNumber.exec(value) ?? [];
    if (country === '') return undefined;
    const digits = country + rest;
    const forms = [value, digits, `00${digits}`, country === '1' ? rest : `0${rest}`];
    return { name: 'MobileNumber', forms, judged: IsRequired === true };
  },
  AccessCode: (value, { IsRequired, Type }) => {
    if (!ownCode.test(value)) return undefined;
    const forms = codeForms(value);
    if (IsRequired !== false || Number(Type) !== otpType.accessCode) {
      return { name: 'AccessCode', forms, judged: IsRequired === true };
    }
    // What it does there is not shown.
    return { name: 'AccessCode that is not required', forms: [...forms, undefined], judged: false };
  },
  Title: textChoice,
  Message: textChoice,
  PrivateMessage: textChoice,
  Color: (value) => {
    if (!ownColor.test(value)) return undefined;
    const small = value.toLowerCase();
    return { name: 'Color', forms: [value, value.slice(1), small, small.slice(1)], judged: true };
  },
};

export class Forms {
  /** By operation and choice. */
  readonly #known = new Map<string, number>();
  /** Numbers of the profile stay as they are. */
  readonly #numbersGiven: boolean;

  constructor(numbersGiven: boolean) {
    this.#numbersGiven = numbersGiven;
  }

  /** What was found out so far, for a run that goes on with this one. */
  get known(): Chosen {
    return Object.fromEntries(this.#known);
  }

  /** What an earlier run found out. */
  remember(known: Chosen): void {
    for (const [key, place] of Object.entries(known)) this.#known.set(key, place);
  }

  /** A part of a body of the operation, in the forms that are known; in the likeliest where none is. */
  written<Part>(operation: Call['operation'], part: Part, chosen: Chosen = {}): Part {
    return this.#mapped(
      part,
      ({ name, forms }) => forms[chosen[name] ?? this.#place(operation, name)],
    ) as Part;
  }

  call(call: Call, chosen: Chosen): Call {
    return isOurs(call)
      ? { ...call, body: { json: this.written(call.operation, call.body.json, chosen) } }
      : call;
  }

  /** The forms in which a call is sent first. */
  first(call: Call): Chosen {
    return Object.fromEntries(
      this.#choicesIn(call).map(({ name }) => [name, this.#place(call.operation, name)]),
    );
  }

  /** The other ones, after a refusal: what was found out in the meantime, and all where nothing was. */
  others(call: Call, sent: Chosen): readonly Chosen[] {
    const combined = this.#choicesIn(call).reduce<readonly Chosen[]>(
      (some, { name, forms }) => {
        const known = this.#known.get(`${call.operation} ${name}`);
        const places = known === undefined ? [...forms.keys()] : [known];
        return some.flatMap((each) => places.map((place) => ({ ...each, [name]: place })));
      },
      [{}],
    );
    const isSent = (each: Chosen) => Object.entries(each).every(([name, place]) => sent[name] === place);
    return combined.filter((each) => !isSent(each)).slice(0, most);
  }

  /** A call was accepted. A form that was the first one tells nothing, unless the target has judged it. */
  learn(call: Call, chosen: Chosen): void {
    for (const { name, judged } of this.#choicesIn(call)) {
      const key = `${call.operation} ${name}`;
      const place = chosen[name] ?? 0;
      if ((judged || place > 0) && !this.#known.has(key)) this.#known.set(key, place);
    }
  }

  #place(operation: Call['operation'], name: string): number {
    return this.#known.get(`${operation} ${name}`) ?? 0;
  }

  #choicesIn(call: Call): readonly Choice[] {
    const found = new Map<string, Choice>();
    if (isOurs(call)) {
      this.#mapped(call.body.json, (choice) => {
        found.set(choice.name, choice);
        return undefined;
      });
    }
    return [...found.values()];
  }

  #mapped(body: unknown, pick: (choice: Choice) => string | undefined): unknown {
    if (Array.isArray(body)) return body.map((each) => this.#mapped(each, pick));
    if (!isObject(body)) return body;
    const fields = Object.entries(body).map(([key, value]) => {
      const given = key === 'MobileNumber' && this.#numbersGiven;
      const choice = typeof value === 'string' && !given ? choiceOf[key]?.(value, body) : undefined;
      return [key, choice ? pick(choice) : this.#mapped(value, pick)] as const;
    });
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
}

/** Bodies of types 1 and 2 stand in the profile. */
function isOurs(call: Call): call is Call & { readonly body: { readonly json: unknown } } {
  return (
    'json' in call.body && (call.operation !== 'createRequest' || call.type === requestType.autoStamping)
  );
}
