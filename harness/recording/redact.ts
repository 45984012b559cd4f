/** Keeps secrets out of everything that is recorded: registered values are replaced wherever they occur. */

/** Shorter values occur by chance in ordinary text; replacing them would garble what is recorded. */
const shortest = 6;

/** Digits of a one-time password at least. */
const shortestCode = 4;

export class Redactor {
  readonly #replacements = new Map<string, string>();
  /** The registered values, each with its label. */
  readonly known = new Map<string, string>();
  #pattern: RegExp | null = null;

  /**
   * Registers a secret. Its forms on the wire are covered too: percent-encoded, in a form, in base64, in JSON and
   * in HTML. A label given later stands instead of an earlier one.
   * @param label stands in the place of the value, as `[label]`
   */
  add(secret: string, label: string): void {
    if (secret.length >= shortest) this.#replace(secret, label);
  }

  /** Registers what people are sent to sign with: digits of it may be few, and count where they stand alone. */
  addOneTime(secret: string, label: string): void {
    const least = /^\d+$/.test(secret) ? shortestCode : shortest;
    if (secret.length >= least) this.#replace(secret, label);
  }

  #replace(secret: string, label: string): void {
    this.known.set(secret, label);
    for (const form of formsOf(secret)) this.#replacements.set(form, `[${label}]`);
    this.#pattern = null;
  }

  /** Puts another value in the place of one, in each of its forms. */
  exchange(secret: string, other: string): void {
    const others = formsOf(other);
    for (const [index, form] of formsOf(secret).entries())
      this.#replacements.set(form, others[index] ?? other);
    this.#pattern = null;
  }

  /** The text with each registered value replaced by its label. */
  text(text: string): string {
    if (this.#replacements.size === 0) return text;
    this.#pattern ??= new RegExp(
      [...this.#replacements.keys()]
        .sort((a, b) => b.length - a.length)
        .map(patternOf)
        .join('|'),
      'g',
    );
    return text.replace(this.#pattern, (found) => this.#replacements.get(found) ?? found);
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

/** Digits alone, such as a one-time password, are meant only where they stand alone. */
function patternOf(form: string): string {
  // So few occur by chance in names, times and addresses.
  if (/^\d+$/.test(form) && form.length < shortest) return `(?<![\\w.-]|\\d:)${form}(?![\\w-]|[.:]\\d)`;
  if (/^\d+$/.test(form)) return `(?<!\\d)${form}(?!\\d)`;
  return form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** How a value may be spelled on the wire; two values have their forms in the same order. */
function formsOf(secret: string): readonly string[] {
  const percent = encodeURIComponent(secret);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret);
  return [
    secret,
    percent,
    form,
    // Some encoders write hexadecimal digits in small letters.
    ...[percent, form].map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    json,
    json.replaceAll('/', '\\/'),
    ...htmlForms(secret),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}

function htmlForms(secret: string): string[] {
  const escaped = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['&#39;', '&#x27;', '&apos;'].map((quote) =>
    escaped.replaceAll('"', '&quot;').replaceAll("'", quote),
  );
}
