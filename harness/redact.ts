/** Keeps secrets out of everything that is recorded: registered values are replaced wherever they occur. */

/** Shorter values occur by chance in ordinary text; replacing them would garble what is recorded. */
const shortest = 6;

export class Redactor {
  readonly #replacements = new Map<string, string>();
  #pattern: RegExp | null = null;

  /**
   * Registers a secret. Its forms on the wire are covered too: percent-encoded, base64, inside JSON strings.
   * @param label stands in the place of the value, as `[label]`
   */
  add(secret: string, label: string): void {
    if (secret.length < shortest || this.#replacements.has(secret)) return;
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ];
    for (const form of forms) this.#replacements.set(form, `[${label}]`);
    this.#pattern = null;
  }

  /** The text with each registered value replaced by its label. */
  text(text: string): string {
    if (this.#replacements.size === 0) return text;
    this.#pattern ??= new RegExp(
      [...this.#replacements.keys()]
        .sort((a, b) => b.length - a.length)
        .map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
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
