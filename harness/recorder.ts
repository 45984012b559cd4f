/** Keeps what went over the wire: redacted exchanges, bodies, and a command line that repeats each request. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Created, Exchange, HeaderField, RecordedBody } from './exchange.ts';
import type { HttpRequest } from './http.ts';
import type { Redactor } from './redact.ts';

/** Larger bodies become files beside run.json. */
const largestInline = 16 * 1024;

export class Recorder {
  readonly exchanges: Exchange[] = [];
  readonly created: Created[] = [];
  readonly #redactor: Redactor;
  readonly #folder: string;
  readonly #written = new Set<string>();

  /** @param folder where large bodies go; made when the first one comes */
  constructor(redactor: Redactor, folder: string) {
    this.#redactor = redactor;
    this.#folder = folder;
  }

  /** Adds an exchange; it gets the next index. */
  add(exchange: Omit<Exchange, 'index'>): Exchange {
    const added = { index: this.exchanges.length, ...exchange };
    this.exchanges.push(added);
    return added;
  }

  headers(fields: readonly HeaderField[]): HeaderField[] {
    return fields.map(([name, value]) => [name, this.#redactor.header(name, value)]);
  }

  body(fields: readonly HeaderField[], bytes: Buffer | null): RecordedBody | null {
    if (!bytes || bytes.length === 0) return null;
    const mediaType = headerValue(fields, 'content-type') ?? '';
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = { mediaType, size: bytes.length, sha256 };
    const text = asText(bytes);
    const shown = text === null ? null : this.#redactor.text(text);
    if (bytes.length > largestInline) return { ...known, file: this.#store(sha256, shown ?? bytes) };
    return shown === null ? { ...known, base64: bytes.toString('base64') } : { ...known, text: shown };
  }

  /** A `curl` command for POSIX shells; the access token stands as `$TOKEN`, files are named, not spelled out. */
  curl(request: HttpRequest): string {
    const words = ['curl', '-X', request.method, quote(this.#redactor.text(request.url.href))];
    for (const [name, value] of request.headers) {
      const lower = name.toLowerCase();
      if (lower === 'content-length' || lower === 'host' || lower === 'connection') continue;
      const shown = this.#redactor.header(name, value);
      if (lower === 'authorization' && shown.includes('[access token]')) {
        words.push('-H', '"Authorization: Bearer $TOKEN"');
      } else words.push('-H', quote(shown === '' ? `${name};` : `${name}: ${shown}`));
    }
    const text = request.body && request.body.length <= largestInline ? asText(request.body) : null;
    if (text !== null) words.push('--data-binary', quote(this.#redactor.text(text)));
    else if (request.body) words.push('--data-binary', '@body.bin');
    return words.join(' ');
  }

  text(text: string): string {
    return this.#redactor.text(text);
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
