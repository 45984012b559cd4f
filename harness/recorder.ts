/** Keeps what went over the wire: redacted exchanges, bodies, and a command line that repeats each request. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Created, Exchange, HeaderField, RecordedBody } from './exchange.ts';
import type { HttpRequest } from './http.ts';
import type { PeopleRedactor } from './people-redaction.ts';
import type { Redactor } from './redact.ts';

/** Larger bodies become files beside run.json. */
const largestInline = 16 * 1024;

export class Recorder {
  readonly exchanges: Exchange[] = [];
  readonly created: Created[] = [];
  readonly #redactor: Redactor;
  readonly #people: PeopleRedactor;
  readonly #folder: string;
  readonly #written = new Set<string>();

  /** @param folder where large bodies go; made when the first one comes */
  constructor(redactor: Redactor, people: PeopleRedactor, folder: string) {
    this.#redactor = redactor;
    this.#people = people;
    this.#folder = folder;
  }

  /** Adds an exchange; it gets the next index. */
  add(exchange: Omit<Exchange, 'index'>): Exchange {
    const added = { index: this.exchanges.length, ...exchange };
    this.exchanges.push(added);
    return added;
  }

  headers(fields: readonly HeaderField[]): HeaderField[] {
    return fields.map(([name, value]) => [name, this.#header(name, value)]);
  }

  body(fields: readonly HeaderField[], bytes: Buffer | null): RecordedBody | null {
    if (!bytes || bytes.length === 0) return null;
    const mediaType = headerValue(fields, 'content-type') ?? '';
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = { mediaType, size: bytes.length, sha256 };
    const text = asText(bytes);
    const shown = text === null ? this.#bytes(bytes) : this.text(text);
    if (bytes.length > largestInline) return { ...known, file: this.#store(sha256, shown) };
    if (typeof shown === 'string') return { ...known, text: shown };
    return { ...known, base64: shown.toString('base64') };
  }

  /** A `curl` command for POSIX shells; the access token stands as `$TOKEN`, files are named, not spelled out. */
  curl(request: HttpRequest): string {
    const words = ['curl', '-X', request.method, quote(this.text(request.url.href))];
    for (const [name, value] of request.headers) {
      const lower = name.toLowerCase();
      if (lower === 'content-length' || lower === 'host' || lower === 'connection') continue;
      const shown = this.#header(name, value);
      if (lower === 'authorization' && shown.includes('[access token]')) {
        words.push('-H', '"Authorization: Bearer $TOKEN"');
      } else words.push('-H', quote(shown === '' ? `${name};` : `${name}: ${shown}`));
    }
    const text = request.body && request.body.length <= largestInline ? asText(request.body) : null;
    if (text !== null) words.push('--data-binary', quote(this.text(text)));
    else if (request.body) words.push('--data-binary', '@body.bin');
    return words.join(' ');
  }

  /** The text as it may be written down: without secrets, and with pseudonyms for people. */
  text(text: string): string {
    return this.#people.text(this.#redactor.text(text));
  }

  #header(name: string, value: string): string {
    return this.#people.text(this.#redactor.header(name, value));
  }

  /** Bytes that are no text may hold some: Latin-1 gives each byte a character and back. */
  #bytes(bytes: Buffer): Buffer {
    return Buffer.from(this.text(bytes.toString('latin1')), 'latin1');
  }

  #store(sha256: string, content: string | Buffer): string {
    const name = `${sha256.slice(0, 32)}.${typeof content === 'string' ? 'txt' : 'bin'}`;
    if (!this.#written.has(name)) {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(join(this.#folder, name), content);
      this.#written.add(name);
    }
    return `bodies/${name}`;
  }
}

/** The first value of a header, found without regard to case. */
export function headerValue(fields: readonly HeaderField[], name: string): string | undefined {
  return fields.find(([field]) => field.toLowerCase() === name)?.[1];
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function asText(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return utf8.decode(bytes);
  } catch {
    // Not UTF-8: the caller keeps the bytes instead.
    return null;
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
