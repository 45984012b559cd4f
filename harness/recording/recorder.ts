/** Keeps what went over the wire: redacted exchanges, bodies, and a command line that repeats each request. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Created,
  Exchange,
  HeaderField,
  RecordedBody,
  RecordedDocument,
} from '../../record/exchange.ts';
import { headerValue } from '../untrusted/header.ts';
import { mapTexts } from '../untrusted/map-texts.ts';
import { documentsIn } from '../untrusted/pdf/documents-in.ts';
import { exactTextOf } from '../untrusted/text.ts';
import type { HttpRequest } from '../wire/http.ts';
import { curlCommand } from './curl.ts';
import type { PeopleRedactor } from './people-redaction.ts';
import type { Redactor } from './redact.ts';

/** Longer texts, and all that is no text, become files beside run.json. */
const largestInline = 16 * 1024;

/** How PDFs begin, in bytes and in base64. */
const pdfStarts = ['%PDF-', 'JVBERi0'];

/** Stands for a body that holds documents: they stay with the person who runs the suite. */
export const notKept = '(not kept: it carries documents)';

export class Recorder {
  readonly exchanges: Exchange[] = [];
  created: Created[] = [];
  readonly #redactor: Redactor;
  readonly #people: PeopleRedactor;
  readonly #folder: string;
  readonly #written = new Set<string>();
  /** What is in bodies that are not kept, by their hash. */
  readonly #documents = new Map<string, Promise<readonly RecordedDocument[]>>();

  /** @param folder where large bodies go; made when the first one comes */
  constructor(redactor: Redactor, people: PeopleRedactor, folder: string) {
    this.#redactor = redactor;
    this.#people = people;
    this.#folder = folder;
  }

  /** Takes note of an object that was created; `noted` is told. */
  note(created: Created): void {
    this.created.push(created);
    this.noted(created);
  }

  /** Is told of each object as soon as it is there. */
  noted: (created: Created) => void = () => {};

  /** Adds an exchange; it gets the next index. */
  add(exchange: Omit<Exchange, 'index'>): Exchange {
    const added = { index: this.exchanges.length, ...exchange };
    this.exchanges.push(added);
    return added;
  }

  headers(fields: readonly HeaderField[]): HeaderField[] {
    return fields.map(([name, value]) => [name, this.#header(name, value)]);
  }

  /**
   * A body as run.json carries it.
   * @param keep `no-documents`: of a body with a PDF in it only size and hash are kept
   */
  body(
    fields: readonly HeaderField[],
    bytes: Buffer | null,
    keep: 'all' | 'no-documents' = 'all',
  ): RecordedBody | null {
    if (!bytes || bytes.length === 0) return null;
    const mediaType = headerValue(fields, 'content-type') ?? '';
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = { mediaType, size: bytes.length, sha256 };
    if (keep === 'no-documents' && pdfStarts.some((start) => bytes.includes(start))) {
      if (!this.#documents.has(sha256)) this.#documents.set(sha256, documentsIn(fields, bytes));
      return { ...known, text: notKept };
    }
    const text = exactTextOf(fields, bytes);
    const shown = text === null ? this.#bytes(bytes) : this.text(text);
    if (typeof shown === 'string' && bytes.length <= largestInline) return { ...known, text: shown };
    return { ...known, file: this.#store(sha256, shown) };
  }

  /** A command for POSIX shells that sends the request again; bodies that are no text are named as files. */
  curl(request: HttpRequest): string {
    const body = this.body(request.headers, request.body);
    return curlCommand({
      method: request.method,
      url: this.text(request.url.href),
      headers: this.headers(request.headers),
      // An empty body is one all the same, with a length of 0.
      ...(request.body && !body?.file ? { text: body?.text ?? '' } : {}),
      ...(body?.file === undefined ? {} : { file: body.file }),
    });
  }

  /** The exchanges, also without what was learned to be a secret only after they had been recorded. */
  settled(): Exchange[] {
    return this.exchanges.map((exchange) => this.clean(exchange));
  }

  /** The same at the end of a run, when the documents in bodies that are not kept have been looked at. */
  final(): Promise<Exchange[]> {
    return Promise.all(this.settled().map((exchange) => this.#withDocuments(exchange)));
  }

  async #withDocuments(exchange: Exchange): Promise<Exchange> {
    const body = exchange.response?.body;
    const documents = body?.text === notKept ? await this.#documents.get(body.sha256) : undefined;
    if (!exchange.response || !body || !documents) return exchange;
    return { ...exchange, response: { ...exchange.response, body: { ...body, documents } } };
  }

  /** A value with each of its texts as it may be written down. */
  clean<Value>(value: Value): Value {
    return mapTexts(value, (text) => this.text(text));
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
