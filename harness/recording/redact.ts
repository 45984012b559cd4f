/** Keeps secrets out of everything that is recorded: registered values are replaced wherever they occur. */
import { decodeEntities } from '../untrusted/html.ts';
import { limits } from '../untrusted/limits.ts';
import { cutAt } from '../untrusted/text.ts';
import { base64Within, codesOf, spellingsOf } from './spellings.ts';

/** Shorter values occur by chance in ordinary text; replacing them would garble what is recorded. */
const shortest = 6;

/** Digits of a one-time password at least. */
const shortestCode = 4;

/** Signs of a coded value at least, of which the ends are cut off, or the signs are codes: fewer occur by chance. */
const shortestCoded = 7;

/** Signs of a value that are looked for at least when there were many and long ones before it. */
const shortestKept = 64;

/** A spelling of a registered value, and what stands in its place. */
interface Form {
  readonly text: string;
  /** Its first and last signs, which are compared first: tokens often begin alike. */
  readonly head: string;
  readonly tail: string;
  readonly instead: string;
  /** Whether it counts with these signs before and behind it; absent: it counts everywhere. */
  readonly isMeant: ((before: string, behind: string) => boolean) | undefined;
  /** Whether it is meant with any of its signs as codes too, and in several lines. */
  readonly coded?: boolean;
  /** Whether it is the beginning of a longer value, so that what follows may be the rest of it. */
  readonly isBeginning?: boolean;
}

/** Stands for the rest of a text in which secrets would have to be looked for too long, or for which they are too long. */
const cutOff = '(not kept: it may hold the rest of a secret)';

/** Signs of a form in its head and in its tail. */
const edge = 16;
/** What is looked at for each sign of a text, at most, and after texts that were made to take more. */
const steps = { most: 32, least: 4 };

/** The forms that begin alike, by their text; `lists` has them by more of their signs, the longest first. */
interface Start {
  readonly forms: Map<string, Form>;
  lists: ReadonlyMap<string, readonly Form[]> | null;
}

/** Many begin with the same two signs where each call has a new token; few texts hold the next ones by chance. */
const moreSigns = 6;
const manyForms = 8;
/** All forms of a start, for texts with codes in their first signs. */
const all = '';
const none: readonly Form[] = [];

/** What a form starts with, as a number: a text is looked through by it. */
const startAt = (text: string, at: number) => (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);

/** The same in few bits, which other starts may share: most places of a text are passed over by it. */
const bitsOf = (start: number) => (start ^ (start >>> 9)) & 0xffff;

export class Redactor {
  /** The forms of all values by their start. */
  readonly #forms = new Map<number, Start>();
  /** 1 for the bits of each start. */
  readonly #starts = new Uint8Array(0x1_0000);
  /** The registered values, each with its label. */
  readonly known = new Map<string, string>();
  readonly #kept = new Set<string>();
  #steps: number = steps.most;
  /** Signs of long values that are still looked for as a whole. */
  #room: number = limits.secretsCharacters.most;

  /**
   * Registers a secret. Its forms on the wire are covered too: percent-encoded, in a form, in JSON and in HTML, and
   * also as a part of something in base64 or hexadecimal digits, such as Basic credentials or a whole header; as it is
   * and in base64, any signs but the first may stand as codes, and lines may end. A label given later stands instead of
   * an earlier one. Of a value beyond the bounds the beginning is looked for, and what follows that in a text is cut off.
   * @param label stands in the place of the value, as `[label]`
   */
  add(secret: string, label: string): void {
    if (secret.length >= shortest) this.#replace(secret, label);
    // So few digits occur by chance in numbers, times and addresses, but hardly as the whole value of a field.
    else if (shortCode.test(secret)) this.#replace(secret, label, wholeValue);
  }

  /** Registers what people are sent to sign with: digits of it may be few, and count where they stand alone. */
  addOneTime(secret: string, label: string): void {
    const least = /^\d+$/.test(secret) ? shortestCode : shortest;
    if (secret.length >= least) this.#replace(secret, label);
  }

  /** Lets a text stand as it is, such as the origin that is called, though a registered value is a part of it. */
  keep(text: string): void {
    if (this.#kept.has(text)) return;
    this.#kept.add(text);
    for (const form of spellingsOf(text)) this.#set({ text: form, instead: form, isMeant: undefined });
  }

  #replace(secret: string, label: string, isMeant?: Form['isMeant']): void {
    const isNew = !this.known.has(secret);
    this.known.set(secret, label);
    const most = Math.min(limits.secretCharacters.most, Math.max(this.#room, shortestKept));
    if (isNew) this.#room -= Math.min(secret.length, most);
    this.#setAll(cutAt(secret, most), () => `[${label}]`, secret.length > most, isMeant);
  }

  /** Puts another value in the place of one, in each of its forms. */
  exchange(secret: string, other: string): void {
    const spelled = spellingsOf(other);
    const coded = codesOf(other);
    this.#setAll(secret, (index, isCoded) => (isCoded ? coded : spelled)[index] ?? other);
  }

  /** The same for one word, such as a name, where it is a whole value or a word of a text. */
  exchangeWord(word: string, other: string): void {
    const spelled = spellingsOf(other);
    this.#setAll(word, (index) => spelled[index] ?? other, false, undefined, wordMeant);
  }

  #setAll(
    secret: string,
    instead: (index: number, isCoded: boolean) => string,
    isBeginning: boolean = false,
    digitsMeant: Form['isMeant'] = standsAlone(secret),
    word: Form['isMeant'] = undefined,
  ): void {
    const inCodes = formsInCodes(secret);
    const [, digits] = /^\+(\d+)$/.exec(secret) ?? [];
    const borderOf = (text: string): Form['isMeant'] => {
      if (isBeginning) return undefined;
      if (/^\d+$/.test(text)) return digitsMeant;
      return digits !== undefined && text.endsWith(digits) ? endsThere : word;
    };
    const set = (text: string, shown: string, isMeant: Form['isMeant']) =>
      this.#set({ text, instead: shown, isMeant, coded: inCodes.has(text), isBeginning });
    // A part of a word cannot be told from a word there.
    for (const [index, text] of word ? [] : codesOf(secret).entries())
      if (text.length >= shortestCoded) set(text, instead(index, true), undefined);
    for (const [index, text] of spellingsOf(secret).entries())
      set(text, instead(index, false), borderOf(text));
  }

  #set(given: Omit<Form, 'head' | 'tail'>): void {
    // A single sign occurs everywhere, and nothing does too.
    if (given.text.length < 2) return;
    const form = { ...given, head: given.text.slice(0, edge), tail: given.text.slice(-edge) };
    for (const second of [form.text.charAt(1), ...(form.coded ? codeStarts : [])]) {
      const start = startAt(form.text.charAt(0) + second, 0);
      const { forms } = this.#forms.get(start) ?? { forms: new Map() };
      this.#forms.set(start, { forms: forms.set(form.text, form), lists: null });
      this.#starts[bitsOf(start)] = 1;
    }
  }

  /** The forms that may begin at a place of a text. */
  #startingAt(text: string, at: number): readonly Form[] {
    const begins = startAt(text, at);
    const start = this.#starts[bitsOf(begins)] === 1 ? this.#forms.get(begins) : undefined;
    if (!start) return none;
    const lists = start.lists ?? listsOf([...start.forms.values()]);
    start.lists = lists;
    const signs = text.slice(at, at + moreSigns);
    return lists.get(lists.size === 1 || codeStart.test(signs) ? all : signs) ?? [];
  }

  /** The text with each registered value replaced by its label. */
  text(text: string): string {
    let replaced = '';
    let from = 0;
    // Time stays linear, also where a target gives a token of one sign alone, and says that over and over.
    const patience = { steps: this.#steps * (text.length + 1_000) };
    for (let at = 0; at < text.length; at += 1) {
      for (const form of this.#startingAt(text, at)) {
        const end = endAt(text, at, form, patience);
        if (patience.steps < 0) {
          this.#steps = Math.max(steps.least, this.#steps / 2);
          return replaced + text.slice(from, at) + cutOff;
        }
        if (end < 0) continue;
        replaced += text.slice(from, at) + form.instead;
        if (form.isBeginning) return end < text.length ? replaced + cutOff : replaced;
        from = end;
        at = end - 1;
        break;
      }
    }
    return from === 0 ? text : replaced + text.slice(from);
  }

  /** A header value; what Authorization and cookies carry is replaced even when it is not registered. */
  header(name: string, value: string): string {
    const lower = name.toLowerCase();
    const known = this.text(value);
    if (known !== value) return known;
    if (lower === 'authorization' || lower === 'proxy-authorization') {
      return value.replace(/^(\S+\s+)\S.*$/, '$1[credentials]');
    }
    if (lower === 'cookie' || lower === 'set-cookie') return value.replace(/=[^;]*/, '=[cookie]');
    return value;
  }
}

function listsOf(forms: readonly Form[]): NonNullable<Start['lists']> {
  const sorted = [...forms].sort((one, other) => other.text.length - one.text.length);
  const lists = new Map([[all, sorted]]);
  // Shorter ones would belong to many lists.
  if (sorted.length < manyForms || sorted.some(({ text }) => text.length < moreSigns)) return lists;
  for (const form of sorted) {
    const signs = form.text.slice(0, moreSigns);
    const list = lists.get(signs) ?? [];
    list.push(form);
    lists.set(signs, list);
  }
  return lists;
}

/** Signs before and behind a form by which it is told whether it is meant. */
const around = 6;

/** Where a form ends that begins at a place of a text; -1 where none does. */
function endAt(
  text: string,
  at: number,
  { text: form, head, tail, isMeant, coded }: Form,
  patience: { steps: number },
): number {
  patience.steps -= candidateSteps;
  const fits = text.startsWith(head, at) && text.startsWith(tail, at + form.length - tail.length);
  if (fits) patience.steps -= form.length / 8;
  const plain = fits && text.startsWith(form, at) ? at + form.length : -1;
  const end = plain < 0 && coded ? codedEnd(text, at, form, patience) : plain;
  if (end < 0 || !isMeant) return end;
  return isMeant(text.slice(Math.max(0, at - around), at), text.slice(end, end + around)) ? end : -1;
}

/** Forms that are looked for with any signs as codes too: few, since that takes longer. Numbers in lines are others. */
function formsInCodes(secret: string): ReadonlySet<string> {
  if (secret.length < shortestCoded || /^\d+$/.test(secret)) return new Set();
  const within = [0, 1, 2].flatMap((before) => base64Within(secret, before).slice(0, 2));
  return new Set([secret, Buffer.from(secret).toString('base64'), ...within]);
}

/** With what a code of a sign begins, or the end of a line. */
const codeStarts = ['\\', '%', '=', '&', '\r', '\n'] as const;
const codeStartSigns: ReadonlySet<number> = new Set(codeStarts.map((sign) => sign.charCodeAt(0)));
const codeStart = /[\\%=&\r\n]/;
/** What takes as long as so many signs: a pattern, and the beginning of a form. */
const patternSteps = 32;
const candidateSteps = 8;
/** Encoders choose which signs they write as codes: those of JSON, scripts and properties, of HTML and XML, and of bytes. */
const codeOfSign =
  /\\{1,8}(?:u([0-9a-f]{4})|x([0-9a-f]{2}))|&(?:amp;){0,4}(?:#x([0-9a-f]{1,6});|#(\d{1,7});|([a-z]{2,8};))|(?:%(?:25){0,4}|=)([0-9a-f]{2})|\\{1,8}/iy;
/** A byte as URLs and mail have it: of a letter beyond ASCII there are several. */
const codeOfByte = /(?:%(?:25){0,4}|=)([0-9a-f]{2})/iy;
/** The end of a line as it is, as mail or JSON has it: base64 and quoted-printable are written in lines. */
const lineEnd = /=?\r?\n|(?:\\{1,8}r)?\\{1,8}n/y;
/** Blanks before the next line, of XML that is indented and of headers that are folded. */
const indent = /[ \t]{0,64}/y;
const blank = /[ \t]/;

/** The same where signs may stand as codes, whichever, and lines may end within; the first sign stands as it is. */
function codedEnd(text: string, at: number, form: string, patience: { steps: number }): number {
  let end = at + 1;
  for (let index = 1; index < form.length; index += 1) {
    patience.steps -= 1;
    const found = text.charCodeAt(end);
    if (!codeStartSigns.has(found)) {
      if (found !== form.charCodeAt(index)) return -1;
      end += 1;
      continue;
    }
    patience.steps -= patternSteps;
    const sign = form.charAt(index);
    lineEnd.lastIndex = end;
    const ends = lineEnd.test(text);
    indent.lastIndex = ends ? lineEnd.lastIndex : end;
    // A blank may be a sign of the value itself.
    if (ends && !blank.test(sign)) indent.test(text);
    end = signEnd(text, indent.lastIndex, sign);
    if (end < 0) return -1;
  }
  return end;
}

/** Where a sign ends that stands at a place of a text, as it is or as a code; -1 where it does not. */
function signEnd(text: string, at: number, sign: string): number {
  codeOfSign.lastIndex = at;
  const [whole = '', ...found] = codeOfSign.exec(text) ?? [];
  const [long, short, hex, decimal, name, byte] = found;
  const digits = long ?? short ?? hex ?? byte;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  const isIt = name === undefined ? code === sign.charCodeAt(0) : decodeEntities(`&${name}`) === sign;
  if (whole !== '' && isIt) return at + whole.length;
  if (byte !== undefined && sign > '\u007f') return bytesEnd(text, at, sign);
  // A backslash before a sign makes it stand for itself.
  const bare = /^\\+$/.test(whole) && sign !== '\\' ? at + whole.length : at;
  return text.startsWith(sign, bare) ? bare + 1 : -1;
}

/** Where the bytes of a sign end that stand at a place of a text as codes; -1 where they do not. */
function bytesEnd(text: string, at: number, sign: string): number {
  codeOfByte.lastIndex = at;
  for (const each of Buffer.from(sign)) {
    if (Number.parseInt(codeOfByte.exec(text)?.[1] ?? '', 16) !== each) return -1;
  }
  return codeOfByte.lastIndex;
}

const shortCode = /^\d{4,5}$/;

/** Between quotes as they are or as codes, or in a field of a form. */
const wholeValue: Form['isMeant'] = (before, behind) =>
  /["'] \\?["'\\]|t; &q|22 %2|[a-z]= (?:&|$)/i.test(`${before.slice(-2)} ${behind.slice(0, 2)}`);

/** A code of a sign that is no part of a word, though its last one may be a letter or a digit. */
const endsInCode = /(?:%(?:25)?(?:20|22|3[CDE]|0[9AD])|=(?:20|22|3D)|\\[nrt]|\\u00[0-3][0-9a-f])$/i;

/** As a word or a whole value; no part of another word, of a path or a placeholder, and no name of a field or an element. */
const wordMeant: Form['isMeant'] = (before, behind) =>
  (endsInCode.test(before) || !/[\p{L}\p{N}_/.<{#$@-]$/u.test(before)) &&
  !/^(?:[\p{L}\p{N}_/=@}]|[.:-][\p{L}\p{N}_]|\\*["']\s*:)/u.test(behind);

/** Digits alone, such as a one-time password, are meant only where they stand alone. */
function standsAlone(digits: string): Form['isMeant'] {
  // So few occur by chance in names, times and addresses.
  if (digits.length < shortest)
    return (before, behind) => !/[\w.-]$|\d:$/.test(before) && !/^[\w-]|^[.:]\d/.test(behind);
  return (before, behind) => !/\d$/.test(before) && !/^\d/.test(behind);
}

/** A number with its sign begins there, wherever it stands. */
const endsThere: Form['isMeant'] = (_, behind) => !/^\d/.test(behind);

/** Keys whose texts say nothing of anybody and have to keep their form. */
const kept = new Set(['sha256', 'file', 'startedAt', 'at', 'until', 'start', 'end', 'operation', 'purpose']);

/** The value with each of its texts changed; keys, numbers and what is listed above stay. */
export function mapRecorded<Value>(value: Value, change: (text: string) => string): Value {
  return changed(value, change) as Value;
}

function changed(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, kept.has(key) ? item : changed(item, change)]),
  );
}
