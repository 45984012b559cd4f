/** Keeps all calls of a run: as they were for judging, and redacted for everything that is written and shown. */
import { curlOf } from '../../record/curl.ts';
import {
  type Created,
  type Exchange,
  type HeaderField,
  headerOf,
  type RecordedBody,
  type RecordedDocument,
} from '../../record/exchange.ts';
import { sha256Of } from '../../record/hash.ts';
import { parseJson } from '../../record/json.ts';
import { Stages } from '../../record/stages.ts';
import { limits } from '../untrusted/limits.ts';
import { documentsIn } from '../untrusted/pdf/documents-in.ts';
import { exactTextOf } from '../untrusted/text.ts';
import type { HttpOutcome, HttpRequest } from '../wire/http.ts';
import { LargeBodies, tooMuch } from './large-bodies.ts';
import type { PeopleRedactor } from './people-redaction.ts';
import { mapRecorded, type Redactor } from './redact.ts';
import { base64Within } from './spellings.ts';

/** Texts longer than this, and all bodies that are no text, become files beside run.json. */
const largestInline = 16 * 1024;

/** How PDFs begin, in bytes and in base64, also behind a line break; and archives, in which secrets could not be found. */
const documentStarts = [
  '%PDF-',
  ...[0, 1, 2].flatMap((before) => base64Within('%PDF-', before).slice(0, 1)),
  ...['PK\u0003\u0004', 'UEsDB', Buffer.from([0x1f, 0x8b, 8]), 'H4sIA'],
];

/** Stands for a body that holds documents, which stay with the person who runs the suite. */
export const notKept = '(not kept: it carries documents)';

/** Stands for the answer of a mailbox that has messages to others, whose codes and links are not known. */
const ofOthers = '(not kept: it has messages to others)';

/** Stands for a body with a content coding that was not undone: secrets in it could not be found. */
export const notUndone = '(not kept: its content coding was not undone)';

/** How much is kept of a line that a stranger sent, or of a media type. */
const lineKept = 200;

/** A message of a stranger: `line` is its reason phrase or its URL. */
interface Message<Body> {
  readonly line: string;
  readonly headers: readonly HeaderField[];
  readonly body: Body | null;
}

/** `no-documents`: of a body with a PDF or an archive in it only size and hash are kept. */
type Keep = 'all' | 'no-documents';

interface SentRequest {
  readonly request: HttpRequest;
  readonly about: Omit<Exchange, 'index' | 'request' | 'response' | 'failure' | 'violations' | 'curl'>;
}

/** A call with its outcome. */
export interface Heard extends SentRequest {
  /** The index that `begin` returned. */
  readonly index: number;
  readonly outcome: HttpOutcome;
  readonly violations: Exchange['violations'];
}

/** The failure of a call that was still under way at the end of the run. */
const unanswered = { code: 'NO_ANSWER', message: 'the run ended before an answer came' };

export class Recorder {
  /**
   * The exchanges as they were, in the order of sending: for judging only, since they hold secrets. Bodies that are
   * long, or no text, are redacted here too.
   */
  readonly exchanges: Exchange[] = [];
  /** Indexes of answers of which no more than size and hash is kept. */
  readonly #withheld = new Set<number>();
  readonly #underWay = new Map<number, SentRequest>();
  created: Created[] = [];
  readonly #redactor: Redactor;
  readonly #people: PeopleRedactor;
  readonly #large: LargeBodies;
  /** Characters of JSON of the messages of strangers so far. */
  #heard = 0;
  /** The documents in bodies that are not kept, by the hash of the body. */
  readonly #documents = new Map<string, Promise<readonly RecordedDocument[]>>();

  /** @param folder of the run @param mostKept bytes of all large bodies together */
  constructor(
    redactor: Redactor,
    people: PeopleRedactor,
    folder: string,
    stages = new Stages(),
    mostKept: number = limits.keptBytes.most,
  ) {
    this.#redactor = redactor;
    this.#people = people;
    this.#large = new LargeBodies({ folder, stages, mostKept, redacted: (text) => this.text(text) });
  }

  /** Adds a created object, in the form that `noted` returns. */
  note(created: Created): void {
    this.created.push(this.noted(created));
  }

  /** Called with each object as soon as it was created. */
  noted: (created: Created) => Created = (created) => created;

  /** Records that a call is sent now; returns the index of its exchange. */
  begin(sent: SentRequest): number {
    const index = this.exchanges.length;
    const { method, url, headers } = sent.request;
    const request = { method, url: withoutCredentials(url).href, headers: [...headers], body: null };
    const open = { response: null, failure: unanswered, violations: [], curl: '' };
    this.exchanges.push({ index, ...sent.about, request, ...open });
    this.#underWay.set(index, sent);
    return index;
  }

  /** Records the outcome of a call; returns the exchange as it was. */
  add({ index, request, outcome, about, violations }: Heard): Exchange {
    this.#underWay.delete(index);
    // The origin that is called stays readable, even if it contains a secret. Not for a stranger's URL, which may name a secret as host.
    if (!request.elsewhere) this.#redactor.keep(request.url.origin);
    const response = 'response' in outcome ? outcome.response : null;
    const { method, url, headers, body } = request;
    // Answers to calls of the profile may hold signed documents; those to calls of the contract do not.
    const keep = about.operation ? 'all' : 'no-documents';
    const exchange: Exchange = {
      index,
      ...about,
      request: { method, url: withoutCredentials(url).href, headers, body: this.#body(headers, body) },
      response: response && { ...response, body: this.#body(response.headers, response.body, keep) },
      failure: 'failure' in outcome ? outcome.failure : undefined,
      violations,
      curl: '',
    };
    this.exchanges[index] = exchange;
    return exchange;
  }

  /** Keeps no more of the body of an answer than its size and hash: it has messages to others. */
  withhold(index: number): void {
    this.#withheld.add(index);
  }

  /** The exchange as it may be shown, by the secrets that are known now. */
  shown({ request, response, ...rest }: Exchange): Exchange {
    const { method, url, headers, body } = request;
    const asked = {
      method,
      ...this.clean({ url }),
      headers: this.#headers(headers),
      body: this.#shownBody(body),
    };
    const answer = response && {
      status: response.status,
      reason: this.text(response.reason),
      headers: this.#headers(response.headers),
      body: this.#shownBody(response.body, this.#withheld.has(rest.index)),
    };
    return { ...this.clean(rest), request: asked, response: answer, curl: curlOf(asked) };
  }

  /** A message as run.json has it. */
  heard({ line, headers, body }: Message<Buffer>, keep: Keep): Message<RecordedBody> {
    return this.#bounded({
      line: this.text(line),
      headers: this.#headers(headers),
      body: this.#shownBody(this.#body(headers, body, keep)),
    });
  }

  /** The message as it is; after the limit is reached, only a line, size and hash of it. */
  #bounded(message: Message<RecordedBody>): Message<RecordedBody> {
    const { line, body } = message;
    const size = JSON.stringify(message).length;
    if (this.#heard + size <= limits.recordCharacters.most) {
      this.#heard += size;
      return message;
    }
    const kept = body?.text === undefined ? body : { ...body, text: tooMuch };
    return { line: line.slice(0, lineKept), headers: [], body: kept };
  }

  #headers(fields: readonly HeaderField[]): HeaderField[] {
    return fields.map(([name, value]) => [this.text(name), this.#header(name, value)]);
  }

  #shownBody(body: RecordedBody | null, isWithheld?: boolean): RecordedBody | null {
    if (!body) return null;
    const mediaType = this.text(body.mediaType).slice(0, lineKept);
    return { ...this.clean(body), mediaType, ...(isWithheld ? { file: undefined, text: ofOthers } : {}) };
  }

  /** A body as it was; one that is long, or no text, is redacted and written to a file. */
  #body(fields: readonly HeaderField[], bytes: Buffer | null, keep: Keep = 'all'): RecordedBody | null {
    if (!bytes || bytes.length === 0) return null;
    const sha256 = sha256Of(bytes);
    const known = { mediaType: headerOf(fields, 'content-type') ?? '', size: bytes.length, sha256 };
    if (keep === 'no-documents' && documentStarts.some((start) => bytes.includes(start))) {
      if (!this.#documents.has(sha256)) this.#documents.set(sha256, documentsIn(fields, bytes));
      return { ...known, text: notKept };
    }
    const text = exactTextOf(fields, bytes);
    if (text !== null && bytes.length <= largestInline) return { ...known, text };
    return { ...known, ...this.#large.keep(sha256, text ?? bytes) };
  }

  /** The record of a body that holds documents: its media type, size and hash. */
  sizeOf(fields: readonly HeaderField[], { size, sha256 }: Pick<RecordedBody, 'size' | 'sha256'>) {
    return this.#shownBody({
      mediaType: headerOf(fields, 'content-type') ?? '',
      size,
      sha256,
      text: notKept,
    });
  }

  /** The exchanges at the end of a run, as they may be shown; large bodies are redacted again. Some have no answer yet. */
  settled(): Exchange[] {
    for (const [index, sent] of this.#underWay)
      this.add({ ...sent, index, outcome: { failure: unanswered }, violations: [] });
    this.#large.redactAgain();
    return this.exchanges.map((each) => {
      const exchange = this.shown(each);
      if (!exchange.response) return exchange;
      const { status, reason: line, ...rest } = exchange.response;
      const { line: reason, ...kept } = this.#bounded({ line, ...rest });
      return { ...exchange, response: { status, reason, ...kept } };
    });
  }

  /** The same, after the documents in bodies that are not kept were counted and hashed. */
  final(): Promise<Exchange[]> {
    return Promise.all(this.settled().map((exchange) => this.#withDocuments(exchange)));
  }

  async #withDocuments(exchange: Exchange): Promise<Exchange> {
    const body = exchange.response?.body;
    const documents = body?.text === notKept ? await this.#documents.get(body.sha256) : undefined;
    if (!exchange.response || !body || !documents) return exchange;
    return { ...exchange, response: { ...exchange.response, body: { ...body, documents } } };
  }

  clean<Value>(value: Value): Value {
    return mapRecorded(value, (text) => this.text(text));
  }

  /** The text redacted: without secrets, and with pseudonyms for people. */
  text(text: string): string {
    const shown = this.#plain(text);
    if (shown.length > largestInline || !/^\s*[[{].*\\u00[2-7]/is.test(shown)) return shown;
    // Reports show JSON as it reads. Where secrets stand in it whose signs are all codes, it is written anew.
    const read = JSON.stringify(parseJson(shown)) ?? '';
    const clean = this.#plain(read);
    return clean === read ? shown : clean;
  }

  #plain(text: string): string {
    return this.#people.text(this.#redactor.text(text));
  }

  #header(name: string, value: string): string {
    return this.#people.text(this.#redactor.header(name, value));
  }
}

/** The URL without user name and password, which are never recorded. */
function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}
