/** Finds out in which form a target accepts values whose form the document does not show: by trying others after a refusal. */
import { longestTitle, shortened } from '../../generators/bodies/title.ts';
import { otpType, requestType } from '../../openapi/codes.ts';
import { isObject } from '../../openapi/dereference.ts';
import type { Profile } from '../profile/schema.ts';
import type { Call, Chosen } from './call.ts';

type Json = Readonly<Record<string, unknown>>;

/** A value that may be written in several forms, the likeliest first; `undefined` leaves the field out. */
interface Choice {
  /** The name of the values that a target wants in the same form. */
  readonly name: string;
  readonly forms: readonly (string | undefined)[];
  /** Whether a target that accepts a body has surely looked at the value. */
  readonly judged: boolean;
}

/** How many other forms of one body are tried at most: all of a Color beside an AccessCode. */
const most = 20;

/** Six digits derived from an AccessCode that the suite made. */
function pinOf(accessCode: string): string {
  return accessCode.replaceAll(/(.)(.)/g, (_, one, other) =>
    String((Number.parseInt(one, 16) + Number.parseInt(other, 16)) % 10),
  );
}

/** The forms of an AccessCode of the suite, the likeliest first. Each form of the code reversed is the form of the code, reversed. */
export function codeForms(accessCode: string): readonly string[] {
  if (!ownCode.test(accessCode)) return [accessCode];
  const pin = pinOf(accessCode);
  // The third has capital and small letters, digits and a sign, as rules for passwords want them.
  return [accessCode, pin, `A7a-${accessCode.slice(4, -4)}-a7A`, pin.slice(1, -1)];
}

const ownCode = /^[0-9a-f]{12}$/;
const toNumber: readonly number[] = [otpType.sms, otpType.emailAndSms];
const idleNumber = 'MobileNumber that is not needed';
const ownColor = /^#[0-9A-F]{6}$/;
/** A mobile number that the suite invented: these are its countries. */
const ownNumber = /^\+(1|46|49|61)(\d{7,12})$/;

/** A title of the suite that a target may take as too long. */
const longTitle = /^Conformance .{19,}$/u;

const inAscii = (value: string) => value.replaceAll(/[^\w\s.,:;-]/gu, '-');

/** Which characters a text may have is not shown. */
const textChoice =
  (name: string) =>
  (value: string): Choice | undefined =>
    /^\p{ASCII}*$/u.test(value) ? undefined : { name, forms: [value, inAscii(value)], judged: true };

type ChoiceOf = (value: string, beside: Json, longest: number) => Choice | undefined;

const choiceOf: Readonly<Record<string, ChoiceOf>> = {
  MobileNumber: (value, { IsRequired, Type }) => {
    // Whether there may be a number that no SMS is sent to is not shown.
    if (Type !== undefined && !toNumber.includes(Number(Type)))
      return { name: idleNumber, forms: [value, undefined], judged: false };
    const [, country = '', rest = ''] = ownNumber.exec(value) ?? [];
    if (country === '') return undefined;
    const digits = country + rest;
    const forms = [value, digits, `00${digits}`, country === '1' ? rest : `0${rest}`];
    return { name: 'MobileNumber', forms, judged: IsRequired === true };
  },
  AccessCode: (value, { IsRequired, Type }) => {
    if (!ownCode.test(value)) return undefined;
    const forms = codeForms(value);
    if (IsRequired !== false || Number(Type) !== otpType.accessCode)
      return { name: 'AccessCode', forms, judged: IsRequired === true };
    // The document does not show what the code does there.
    return { name: 'AccessCode that is not required', forms: [...forms, undefined], judged: false };
  },
  // How long a title may be is not shown either: the longest one that was accepted tells of all.
  Title: (value, _, longest) => {
    if (!longTitle.test(value)) return textChoice('Title')(value);
    const isPlain = /^\p{ASCII}*$/u.test(value);
    const short = shortened(value, 30);
    // One that was cut may have lost a blank.
    const judged = [...value].length >= longest - 1;
    if (isPlain) return { name: 'long Title', forms: [value, short], judged };
    return { name: 'Title', forms: [value, short, inAscii(short)], judged };
  },
  Message: textChoice('Message'),
  PrivateMessage: textChoice('PrivateMessage'),
  // Without the words that are not ASCII.
  Name: (value) => {
    const words = value.split(' ').filter((word) => /^\p{ASCII}*$/u.test(word));
    return words.join(' ') === value
      ? undefined
      : { name: 'Name', forms: [value, words.join(' ')], judged: true };
  },
  Color: (value) => {
    if (!ownColor.test(value)) return undefined;
    const small = value.toLowerCase();
    return { name: 'Color', forms: [value, value.slice(1), small, small.slice(1)], judged: true };
  },
};

export class Forms {
  /** Index of the accepted form, by operation and name of the choice. */
  readonly #known = new Map<string, number>();
  /** Whether the profile gives mobile numbers: those are sent as they are, if at all. */
  readonly #numbersGiven: boolean;

  /** The characters of the longest titles. */
  readonly #longest: number;

  constructor({ people, limits }: Pick<Profile, 'people' | 'limits'>) {
    this.#numbersGiven = people?.mobileNumbers !== undefined;
    this.#longest = longestTitle(limits?.titleLength);
  }

  /** The forms found out so far, for a run that continues this one. */
  get known(): Chosen {
    return Object.fromEntries(this.#known);
  }

  /** Takes over the forms that an earlier run found out. */
  remember(known: Chosen): void {
    for (const [key, place] of Object.entries(known)) this.#known.set(key, place);
  }

  /** A part of a body of the operation in the known forms, or the likeliest where none is known. */
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

  first(call: Call): Chosen {
    return Object.fromEntries(
      this.#choicesIn(call).map(({ name }) => [name, this.#place(call.operation, name)]),
    );
  }

  /** The other forms to try after a refusal: the one that was found out in the meantime, or else all. */
  others(call: Call, sent: Chosen): readonly Chosen[] {
    const combined = this.#choicesIn(call).reduce<readonly Chosen[]>(
      (some, { name, forms }) => {
        const known = this.#known.get(`${call.operation} ${name}`);
        const places = known === undefined ? [...forms.keys()] : [known];
        return some.flatMap((each) => places.map((place) => ({ ...each, [name]: place })));
      },
      [{}],
    );
    // One value is likelier to be the reason than several.
    const differing = (each: Chosen) =>
      Object.entries(each).filter(([name, place]) => sent[name] !== place).length;
    return combined
      .filter((each) => differing(each) > 0)
      .toSorted((one, other) => differing(one) - differing(other))
      .slice(0, most);
  }

  /** Learns from an accepted call. Its first form proves nothing, unless the target has surely looked at the value. */
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
    if (isOurs(call))
      this.#mapped(call.body.json, (choice) => {
        found.set(choice.name, choice);
        return undefined;
      });
    return [...found.values()];
  }

  #mapped(body: unknown, pick: (choice: Choice) => string | undefined): unknown {
    if (Array.isArray(body)) return body.map((each) => this.#mapped(each, pick));
    if (!isObject(body)) return body;
    const fields = Object.entries(body).map(([key, value]) => {
      const found = typeof value === 'string' ? choiceOf[key]?.(value, body, this.#longest) : undefined;
      const isGiven = key === 'MobileNumber' && this.#numbersGiven;
      const choice = isGiven && found?.name !== idleNumber ? undefined : found;
      return [key, choice ? pick(choice) : this.#mapped(value, pick)] as const;
    });
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
}

/** Whether the suite made the body. The bodies of types 1 and 2 stand in the profile. */
function isOurs(call: Call): call is Call & { readonly body: { readonly json: unknown } } {
  return (
    'json' in call.body && (call.operation !== 'createRequest' || call.type === requestType.autoStamping)
  );
}
