/** Replaces registered secrets wherever they occur in what is recorded. */
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { checkResultSchema } from '../../record/check-result.ts';
import { createdSchema, exchangeSchema } from '../../record/exchange.ts';
import { exploredSchema } from '../../record/explored.ts';
import { secretName } from '../profile/literal-secrets.ts';
import { decodeEntities } from '../untrusted/html.ts';
import { limits } from '../untrusted/limits.ts';
import { cutAt } from '../untrusted/text.ts';
import { base64Within, codesOf, innerOf, spellingsOf } from './spellings.ts';

/** Shorter values occur by chance in ordinary text; replacing them would garble what is recorded. */
const shortest = 6;

/** The least number of digits of a one-time password. */
const shortestCode = 4;

/** The least length of a value in base64 or similar, whose ends are cut off, or with characters as codes: shorter ones occur by chance. */
const shortestCoded = 7;

/** How many characters of a value are searched for at least, after many long values have used up the room. */
const shortestKept = 64;

/** One spelling of a registered value, and the text that replaces it. */
interface Form {
  readonly text: string;
  /** The first and last characters, which are compared first: tokens often begin alike. */
  readonly head: string;
  readonly tail: string;
  readonly instead: string;
  /** Whether a match counts, by the characters before and behind it; absent: it always counts. */
  readonly isMeant: ((before: string, behind: string) => boolean) | undefined;
  /** Whether the form is also searched for with characters written as codes, and broken into lines. */
  readonly coded?: boolean;
  /** Whether the form is only the beginning of a longer value, so that the text after it may be the rest. */
  readonly isBeginning?: boolean;
}

/** Stands for the rest of a text that would take too long to search, or that may hold the rest of a long secret. */
const cutOff = '(not kept: it may hold the rest of a secret)';

/** Number of characters in the head and in the tail of a form. */
const edge = 16;
/** Steps that are spent on each character of a text: at most, and after texts that were made to take long. */
const steps = { most: 32, least: 4 };

/** Forms with the same start, by their text. `lists` groups them by more of their first characters, the longest first. */
interface Start {
  readonly forms: Map<string, Form>;
  lists: ReadonlyMap<string, readonly Form[]> | null;
}

/** With a new token for each call, many forms begin with the same two characters; few texts also match the next ones. */
const moreSigns = 6;
const manyForms = 8;
/** The key of all forms of a start, for texts whose first characters may be codes. */
const all = '';
const none: readonly Form[] = [];

/** The first two characters as a number, by which a text is searched. */
const startAt = (text: string, at: number) => (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);

/** That number in few bits, which may be shared: most places of a text are skipped by this test. */
const bitsOf = (start: number) => (start ^ (start >>> 9)) & 0xffff;

/** The value of a cookie that is set, and not that of one of its attributes. */
const setValue = /(?<!; ?(?:domain|expires|max-age|path|priority|samesite))=[^;]*/gi;

export class Redactor {
  /** The forms of all values by their start. */
  readonly #forms = new Map<number, Start>();
  /** 1 at the bits of each start. */
  readonly #starts = new Uint8Array(0x1_0000);
  /** The registered values, each with its label. */
  readonly known = new Map<string, string>();
  readonly #kept = new Set<string>();
  readonly #oneTime = new Set<string>();
  #steps: number = steps.most;
  /** How many characters of long values may still be registered as a whole. */
  #room: number = limits.secretsCharacters.most;

  /**
   * Registers a secret. Its forms on the wire are found too: percent-encoded, in a form, in JSON and in HTML, and as a
   * part of a longer text in base64 or hexadecimal digits, such as Basic credentials or a header. In the plain form and in
   * base64, all characters but the first may be written as codes, and line ends may stand within. A later label replaces
   * an earlier one. Of a value beyond the bounds only the beginning is searched for; the text after it is cut off.
   * @param label replaces the value, as `[label]`
   */
  add(secret: string, label: string): void {
    if (secret.length >= shortest) this.#replace(secret, label);
    // Such a short number occurs by chance in numbers, times and addresses, but hardly as the whole value of a field.
    else if (shortCode.test(secret)) this.#replace(secret, label, wholeValue);
  }

  /**
   * Registers a one-time password, or a part of a link. It may have few digits, and counts only where they stand alone.
   * A mailbox is read again and again and may hold others each time, so only as many as the bound are registered.
   */
  addOneTime(secret: string, label: string): void {
    const least = /^\d+$/.test(secret) ? shortestCode : shortest;
    const isFull = this.#oneTime.size >= limits.oneTimeSecrets.most;
    if (secret.length < least || isFull || this.#oneTime.has(secret)) return;
    this.#oneTime.add(secret);
    this.#replace(secret, label);
  }

  /** Keeps a text unchanged, such as the origin that is called, even where a registered value is a part of it. */
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

  exchange(secret: string, other: string): void {
    const spelled = spellingsOf(other);
    const coded = codesOf(other);
    this.#setAll(secret, (index, isCoded) => (isCoded ? coded : spelled)[index] ?? other);
  }

  /** The same for one word, such as a name: only where it is a whole value or a whole word. */
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
      if (/^\d+$/.test(secret) && /^\d+(?:[ \u00a0\u202f&-]|$)/.test(text)) return digitsMeant;
      return digits !== undefined && text.endsWith(digits) ? endsThere : word;
    };
    const set = (text: string, shown: string, isMeant: Form['isMeant']) =>
      this.#set({ text, instead: shown, isMeant, coded: inCodes.has(text), isBeginning });
    // In base64, a part of a word cannot be told from a whole word, so words are not searched for there.
    for (const [text, index] of placesOf(word ? [] : codesOf(secret)))
      if (text.length >= shortestCoded) set(text, instead(index, true), undefined);
    for (const [text, index] of placesOf(spellingsOf(secret)))
      set(text, instead(index, false), borderOf(text));
  }

  #set(given: Omit<Form, 'head' | 'tail'>): void {
    // A form of one character, or none, would match everywhere.
    if (given.text.length < 2) return;
    const form = { ...given, head: given.text.slice(0, edge), tail: given.text.slice(-edge) };
    for (const second of [form.text.charAt(1), ...(form.coded ? codeStarts : [])]) {
      const start = startAt(form.text.charAt(0) + second, 0);
      const { forms } = this.#forms.get(start) ?? { forms: new Map() };
      this.#forms.set(start, { forms: forms.set(form.text, form), lists: null });
      this.#starts[bitsOf(start)] = 1;
    }
  }

  /** The forms that may begin at this place of a text. */
  #startingAt(text: string, at: number): readonly Form[] {
    const start = this.#forms.get(startAt(text, at));
    if (!start) return none;
    const lists = start.lists ?? listsOf([...start.forms.values()]);
    start.lists = lists;
    const signs = text.slice(at, at + moreSigns);
    return lists.get(lists.size === 1 || codeStart.test(signs) ? all : signs) ?? [];
  }

  /** The text with each registered value replaced by its label. */
  text(text: string): string {
    if (this.#forms.size === 0) return text;
    let replaced = '';
    let from = 0;
    // Steps are limited, so time stays linear even for a hostile text, such as a token of one character, repeated endlessly.
    const isCut = text.includes(ellipsis);
    const patience = { steps: this.#steps * (text.length + 1_000) };
    for (let at = 0; at < text.length; at += 1) {
      if (this.#starts[bitsOf(startAt(text, at))] !== 1) continue;
      const found = this.#formAt(text, at, isCut, patience);
      if (patience.steps < 0) {
        this.#steps = Math.max(steps.least, this.#steps / 2);
        return replaced + text.slice(from, at) + cutOff;
      }
      if (!found) continue;
      const { form, end } = found;
      replaced += text.slice(from, at) + form.instead;
      if (form.isBeginning) return end < text.length ? replaced + cutOff : replaced;
      from = end;
      at = end - 1;
    }
    return from === 0 ? text : replaced + text.slice(from);
  }

  /** The form that stands at this place of a text, and where it ends; none once there are no steps left. */
  #formAt(text: string, at: number, isCut: boolean, patience: { steps: number }) {
    for (const form of this.#startingAt(text, at)) {
      const whole = endAt(text, at, form, patience);
      const end = whole < 0 && isCut ? cutEnd(text, at, form, patience) : whole;
      if (patience.steps < 0) return undefined;
      if (end >= 0) return { form, end };
    }
    return undefined;
  }

  /** A header value; cookies, and values of Authorization and fields of similar names, are replaced even when they are not registered. */
  header(name: string, value: string): string {
    const lower = name.toLowerCase();
    const known = this.text(value);
    if (lower === 'cookie') return known.replace(/=[^;]*/g, '=[cookie]');
    if (lower === 'set-cookie') return known.replace(setValue, '=[cookie]');
    if (known !== value) return known;
    if (lower === 'authorization' || lower === 'proxy-authorization')
      return value.replace(/^(\S+\s+)?(?!(?:basic|bearer)$)\S.*$/i, '$1[credentials]');
    // Such as the secret of callbacks that the profile does not know.
    if (secretName.test(name)) return '[credentials]';
    return value;
  }
}

/** A redactor that knows the secrets of a profile, by the names of their variables, and what they stand for. */
export function redactorOf(secrets: ReadonlyMap<string, string> = new Map()): Redactor {
  const redactor = new Redactor();
  for (const [name, value] of secrets)
    for (const each of [value, ...innerOf(value)]) redactor.add(each, name);
  return redactor;
}

/** The last place of each text: many spellings of a value are the same. */
const placesOf = (texts: readonly string[]): ReadonlyMap<string, number> =>
  new Map(texts.map((text, index) => [text, index]));

function listsOf(forms: readonly Form[]): NonNullable<Start['lists']> {
  const sorted = [...forms].sort((one, other) => other.text.length - one.text.length);
  const lists = new Map([[all, sorted]]);
  // Forms shorter than the key would belong to many lists.
  if (sorted.length < manyForms || sorted.some(({ text }) => text.length < moreSigns)) return lists;
  for (const form of sorted) {
    const signs = form.text.slice(0, moreSigns);
    const list = lists.get(signs) ?? [];
    list.push(form);
    lists.set(signs, list);
  }
  return lists;
}

/** How many characters before and behind a match `isMeant` gets. */
const around = 6;

/** Where a form that begins at this place ends; -1 where it does not match. */
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

/** What stands where a text was cut off (`inShort`), and how much a message keeps at most: it is cut before it is redacted. */
const ellipsis = '…';
const longestCut = 400;

/** Where the beginning of a form ends that is cut off behind it; -1 where none is at this place, or the form has borders. */
function cutEnd(
  text: string,
  at: number,
  { text: form, instead, isMeant }: Form,
  patience: { steps: number },
) {
  if (isMeant || instead === form) return -1;
  let end = at;
  const most = Math.min(form.length, longestCut);
  while (end - at < most && text.charAt(end) === form.charAt(end - at)) end += 1;
  patience.steps -= end - at;
  return end - at >= shortest && text.charAt(end) === ellipsis ? end : -1;
}

/** Forms also searched for with characters as codes: few, since that takes longer, and no numbers, as digits in two lines are two numbers. */
function formsInCodes(secret: string): ReadonlySet<string> {
  if (secret.length < shortestCoded || /^\d+$/.test(secret)) return new Set();
  const within = [0, 1, 2].flatMap((before) => base64Within(secret, before).slice(0, 2));
  return new Set([secret, Buffer.from(secret).toString('base64'), ...within]);
}

/** How the code of a character, or the end of a line, begins. */
const codeStarts = ['\\', '%', '=', '&', '~', '\r', '\n'] as const;
const codeStartSigns: ReadonlySet<number> = new Set(codeStarts.map((sign) => sign.charCodeAt(0)));
const codeStart = /[\\%=&~\r\n]/;
/** The cost in steps of testing a pattern, and of comparing a form. */
const patternSteps = 32;
const candidateSteps = 8;
/** The code of a character: in JSON, scripts and properties, in HTML and XML, of a byte, in a JSON Pointer. Encoders choose which to encode. */
const codeOfSign =
  /\\{1,8}(?:u([0-9a-f]{4})|x([0-9a-f]{2}))|&(?:amp;){0,4}(?:#x([0-9a-f]{1,6});|#(\d{1,7});|([a-z]{2,8};))|(?:%(?:25){0,4}|=)([0-9a-f]{2})|~([01])|\\{1,8}/iy;
/** The code of a byte in URLs and mail; a character beyond ASCII has several. */
const codeOfByte = /(?:%(?:25){0,4}|=)([0-9a-f]{2})/iy;
/** A line end as it is, in mail, or in JSON: base64 and quoted-printable are written in lines. */
const lineEnd = /=?(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)/y;
/** Blanks at the start of a line, as in indented XML and folded headers. */
const indent = /[ \t]{0,64}/y;
const blank = /[ \t]/;

/** The end of a form in which any character but the first may be a code, and lines may be broken; -1 where it does not match. */
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
    // Before the end of a line `=` is a sign of the form itself, unless it is a mail, where such a sign is a code.
    const isSigned = sign === '=' && text.charAt(end) === '=';
    const ends = lineEnd.test(text) && (!isSigned || text.charAt(lineEnd.lastIndex) === '=');
    indent.lastIndex = ends ? lineEnd.lastIndex : end;
    // The blank may belong to the value itself.
    if (ends && !blank.test(sign)) indent.test(text);
    end = signEnd(text, indent.lastIndex, sign);
    if (end < 0) return -1;
  }
  return end;
}

/** Where a character that stands at this place, as it is or as a code, ends; -1 where another one stands there. */
function signEnd(text: string, at: number, sign: string): number {
  codeOfSign.lastIndex = at;
  const [whole = '', ...found] = codeOfSign.exec(text) ?? [];
  const [long, short, hex, decimal, name, byte, step] = found;
  const digits = long ?? short ?? hex ?? byte;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  const named = step ? '~/'[Number(step)] : name && decodeEntities(`&${name}`);
  const isIt = named === undefined ? code === sign.charCodeAt(0) : named === sign;
  if (whole !== '' && isIt) return at + whole.length;
  if (byte !== undefined && sign > '\u007f') return bytesEnd(text, at, sign);
  // A backslash before another character only escapes it.
  const bare = /^\\+$/.test(whole) && sign !== '\\' ? at + whole.length : at;
  return text.startsWith(sign, bare) ? bare + 1 : -1;
}

/** The same for a character beyond ASCII, of which each byte is a code. */
function bytesEnd(text: string, at: number, sign: string): number {
  codeOfByte.lastIndex = at;
  for (const each of Buffer.from(sign)) {
    if (Number.parseInt(codeOfByte.exec(text)?.[1] ?? '', 16) !== each) return -1;
  }
  return codeOfByte.lastIndex;
}

const shortCode = /^\d{4,5}$/;

/** Whether a match is a whole value: between quotes, plain or as codes, or in a field of a form. */
const wholeValue: Form['isMeant'] = (before, behind) =>
  /["'] \\?["'\\]|t; &q|22 %2|[a-z]= (?:&|$)/i.test(`${before.slice(-2)} ${behind.slice(0, 2)}`);

/** A code at the end of the text before a match. It separates words, even if its last character is a letter or a digit. */
const endsInCode = /(?:%(?:25)?(?:20|22|3[CDE]|0[9AD])|=(?:20|22|3D)|\\[nrt]|\\u00[0-3][0-9a-f])$/i;

/** Whether a match is a whole word or value: no part of another word, a path or a placeholder, and no name of a field or an element. */
const wordMeant: Form['isMeant'] = (before, behind) =>
  (endsInCode.test(before) || !/[\p{L}\p{N}_/.<{#$@-]$/u.test(before)) &&
  !/^(?:[\p{L}\p{N}_/=@}]|[.:-][\p{L}\p{N}_]|\\*["']\s*:)/u.test(behind);

/** Whether digits stand alone: only then a number such as a one-time password is meant. */
function standsAlone(digits: string): Form['isMeant'] {
  // So few digits also occur by chance in names, times and addresses.
  if (digits.length < shortest)
    return (before, behind) => !/[\w.-]$|\d:$/.test(before) && !/^[\w-]|^[.:]\d/.test(behind);
  return (before, behind) => !/\d$/.test(before) && !/^\d/.test(behind);
}

/** Whether a number with its plus ends here; it may stand anywhere. */
const endsThere: Form['isMeant'] = (_, behind) => !/^\d/.test(behind);

/** Our own words in what is recorded, such as verdicts, excuses and ids: a secret may be one of them, or a part of one. */
const ours = new Set<unknown>([...catalogue, ...gaps].map(({ id }) => id));
JSON.stringify([checkResultSchema, exchangeSchema, createdSchema, exploredSchema], (key, value: unknown) => {
  if (key === 'const') ours.add(value);
  return value;
});

/** How texts under these keys look that are data too: hashes, names of files, times, and places in a body. */
const data: ReadonlyMap<string, RegExp> = new Map([
  ['sha256', /^[0-9a-f]{64}$/],
  ['file', /^bodies\/[0-9a-f]+\.(?:bin|txt)$/],
  ['method', /^(?:DELETE|OPTIONS)$/],
  ...['startedAt', 'at', 'until', 'start', 'end'].map((key) => [key, /^\/|^[\dT:.-]+Z$/] as const),
]);

/** The value with each of its texts changed; keys, numbers and data of ours stay, and so does the scheme of a URL. */
export function mapRecorded<Value>(value: Value, change: (text: string) => string): Value {
  return mapShownTexts(value, change) as Value;
}

function mapShownTexts(value: unknown, change: (text: string) => string, key = ''): unknown {
  if (typeof value === 'string') {
    if (ours.has(value) || data.get(key)?.test(value)) return value;
    const [scheme = ''] = (key === 'url' && /^https?:\/\//i.exec(value)) || [];
    const shown = change(value);
    return shown.startsWith(scheme) ? shown : scheme + shown;
  }
  if (Array.isArray(value)) return value.map((item) => mapShownTexts(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapShownTexts(item, change, name)]),
  );
}
