/** What tiny services do with calls: judge and keep them, ask people in turn, send e-mails, and let people complete. */
import { unzipSync } from 'fflate';
import { PDFDocument } from 'pdf-lib';
import { isObject } from '../../../../openapi/dereference.ts';
import { type Asked, type Other, Refused, type Tokens, type Told } from './host.ts';
import { type Body, type Choices, judgeSignatory, judgeSkeleton, judgeStamped, objectIn } from './rules.ts';

interface Person {
  readonly id: string;
  readonly email: string;
  readonly color: string;
  readonly name: string;
  readonly order: number;
  /** 1 signs, 2 approves, 3 gets a copy. */
  readonly part: number;
  readonly secret: string;
  invited: boolean;
  done: boolean;
}

interface Case {
  readonly title: string;
  readonly message: string;
  readonly documents: readonly string[];
  readonly callback: string | undefined;
  readonly types: readonly number[];
  readonly attached: boolean;
  readonly people: Person[];
  sent: boolean;
  told: Promise<void>;
}

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly string[];
}

interface Happened {
  readonly code: 1 | 2 | 3;
  readonly requestId: string;
  readonly signatoryId?: string;
  /** Signed documents: those of the final event, where they are to be attached. */
  readonly files: readonly Buffer[];
}

/** Sends a request; or, with the id of a person too, completes that person, without a code. */
type Act = readonly [requestId: string, signatoryId?: string];

/** The parts that each service decides for itself. */
export interface Vendor {
  readonly path: string;
  readonly tokens: Tokens;
  readonly choices: Choices;
  readonly authorize: (call: Asked | Other) => void;
  /** The document of an upload. */
  readonly file: (asked: Asked) => Buffer | Promise<Buffer>;
  /** Which media type other calls have, and what any other type, and JSON that is no object, are refused with. */
  readonly json: readonly [type: RegExp, otherType: number, noObject: number];
  /** Refuses a body that is valid by the document; `isTaken`: two people of the request have one address or Color. */
  readonly mistrust?: (body: Body, endpoint: Asked['endpoint'], isTaken: boolean) => void;
  /** What is said of an unknown id. */
  readonly lost: Readonly<Record<'DOC' | 'REQ', string>>;
  /** Refuses an id in another way. */
  readonly find?: (kind: 'DOC' | 'REQ', id: string, endpoint: Asked['endpoint']) => void;
  readonly newId: (kind: 'DOC' | 'REQ' | 'SIG') => string;
  /** The answers to accepted calls; a type 3 body makes a request. */
  readonly made: {
    readonly upload: (token: string) => Told;
    readonly skeleton: (requestId: string) => Told;
    readonly signatory: (requestId: string, signatoryId: string) => Told;
    readonly stamping: (requestId: string) => Told;
  };
  /** Text of an invitation. */
  readonly invite: (about: { title: string; message: string; secret: string; name: string }) => string;
  /** The e-mail with the final copy: with a file or a link. */
  readonly copy: (requestId: string, documents: number) => Pick<Letter, 'text' | 'attachments'>;
  /** A callback: media type and body. */
  readonly callback: (event: Happened) => readonly [string, string];
  /** Tries out each CallbackUrl by a POST without a body, which is about no event. */
  readonly triesUrls?: true;
  readonly authorization?: string;
  /** Calls that the document does not show: those without a token, and all others, which tell something or are acts. */
  readonly open?: (call: Other, office: Office) => Told | undefined;
  readonly other: (call: Other, office: Office) => Told | Act | undefined;
  readonly early: readonly [status: number, message: string];
  readonly done: Told;
  readonly refuse: (refused: Refused, endpoint: Asked['endpoint'] | null) => Told;
}

export class Office {
  readonly files = new Map<string, Buffer>();
  readonly letters: Letter[] = [];
  readonly #cases = new Map<string, Case>();
  readonly #habits: Vendor;

  constructor(habits: Vendor) {
    this.#habits = habits;
  }

  async answer(asked: Asked): Promise<Told> {
    const { authorize, file, json, newId, made } = this.#habits;
    authorize(asked);
    if (asked.endpoint === 'upload') {
      const document = await file(asked);
      const token = newId('DOC');
      this.files.set(token, document);
      return made.upload(token);
    }
    const [type, otherType, noObject] = json;
    if (!type.test(asked.contentType)) throw new Refused(otherType, 'Unsupported Media Type');
    const body = objectIn(asked.body.toString('utf8'), noObject);
    if (asked.endpoint === 'signatory') return this.#add(asked, body);
    return asked.endpoint === 'skeleton' ? this.#open(asked, body) : this.#stamp(asked, body);
  }

  #open({ endpoint }: Asked, body: Body): Told {
    const { choices, mistrust, newId, made } = this.#habits;
    const documents = judgeSkeleton(body, choices);
    mistrust?.(body, endpoint, false);
    this.#find('DOC', documents, endpoint);
    const requestId = newId('REQ');
    const url = body.CallbackUrl;
    const told =
      this.#habits.triesUrls && typeof url === 'string'
        ? fetch(url, { method: 'POST' }).then(
            () => undefined,
            () => undefined,
          )
        : Promise.resolve();
    this.#cases.set(requestId, {
      title: String(body.Title),
      message: String(body.Message),
      documents,
      callback: typeof url === 'string' ? url : undefined,
      types: Array.isArray(body.CallbackTypes) ? body.CallbackTypes.map(Number) : [],
      attached: body.CompletedDocumentsAttached === true,
      people: [],
      sent: false,
      told,
    });
    return made.skeleton(requestId);
  }

  #add({ requestId, endpoint }: Asked, body: Body): Told {
    const { choices, mistrust, newId, made } = this.#habits;
    this.#find('REQ', [requestId], endpoint);
    judgeSignatory(body, choices);
    const { people = [] } = this.#cases.get(requestId) ?? {};
    const email = String(body.Email);
    const color = body.Color === undefined ? email : String(body.Color);
    const isTaken = people.some((each) => each.email === email || each.color === color);
    mistrust?.(body, endpoint, isTaken);
    const id = newId('SIG');
    people.push({
      id,
      email,
      color,
      name: String(body.Name),
      order: Number(body.Order),
      part: Number(body.SignatoryType),
      secret: typeof body.PrivateMessage === 'string' ? body.PrivateMessage : '',
      invited: false,
      done: false,
    });
    return made.signatory(requestId, id);
  }

  #stamp({ endpoint, type }: Asked, body: Body): Told {
    const { choices, mistrust, newId, made } = this.#habits;
    if (choices.otherType !== undefined && type !== '3') throw new Refused(choices.otherType, 'type');
    this.#find('DOC', judgeStamped(body, choices), endpoint);
    const colors = [body.Signatories].flat().flatMap((each) => (isObject(each) && each.Color) || []);
    mistrust?.(body, endpoint, new Set(colors).size < colors.length);
    return made.stamping(newId('REQ'));
  }

  #find(kind: 'DOC' | 'REQ', ids: readonly string[], endpoint: Asked['endpoint']): void {
    const { find, lost } = this.#habits;
    const known = kind === 'DOC' ? this.files : this.#cases;
    for (const id of ids) {
      find?.(kind, id, endpoint);
      if (!known.has(id)) throw new Refused(404, lost[kind]);
    }
  }

  /** An act can be early; a CC has nothing to do. */
  act(...[requestId, id]: Act): 'done' | 'early' | 'unknown' {
    const found = this.#cases.get(requestId);
    if (found && id === undefined && !found.sent) {
      found.sent = true;
      this.#tell(found, { code: 1, requestId, files: [] });
      this.#invite(found);
      return 'done';
    }
    const person = found?.people.find((each) => each.id === id);
    if (!found || !person) return 'unknown';
    if (person.part === 3) return 'done';
    if (!found.sent || person.done || !atTurn(found).includes(person)) return 'early';
    person.done = true;
    if (person.part === 1) this.#tell(found, { code: 2, requestId, signatoryId: id, files: [] });
    this.#invite(found);
    if (atTurn(found).length === 0) this.#finish(found, requestId);
    return 'done';
  }

  #invite(found: Case): void {
    for (const person of atTurn(found).filter(({ invited }) => !invited)) {
      person.invited = true;
      const { title, message } = found;
      const text = this.#habits.invite({ title, message, secret: person.secret, name: person.name });
      this.letters.push({ to: person.email, subject: `To sign: ${title}`, text, attachments: [] });
    }
  }

  #finish(found: Case, requestId: string): void {
    const uploaded = found.attached ? found.documents.flatMap((token) => this.files.get(token) ?? []) : [];
    found.told = found.told.then(async () => {
      this.#tell(found, { code: 3, requestId, files: await Promise.all(uploaded.map(asPdf)) });
    });
    for (const { email } of found.people.filter(({ part }) => part === 3)) {
      this.letters.push({
        to: email,
        subject: `Signed: ${found.title}`,
        ...this.#habits.copy(requestId, found.documents.length),
      });
    }
  }

  /** A document of a request that everybody has completed. */
  copyOf(requestId: string, index = 0): Buffer | undefined {
    const found = this.#cases.get(requestId);
    const done = found && atTurn(found).length === 0 ? found.documents : [];
    return this.files.get(done[index] ?? '');
  }

  /** Sends callbacks one after the other; one that is not accepted is not repeated. */
  #tell(found: Case, event: Happened): void {
    const { callback, types } = found;
    if (callback === undefined || !(types.includes(0) || types.includes(event.code))) return;
    const [type, body] = this.#habits.callback(event);
    const { authorization: Authorization } = this.#habits;
    const headers = { 'Content-Type': type, ...(Authorization ? { Authorization } : {}) };
    const post = () => fetch(callback, { method: 'POST', headers, body });
    found.told = found.told.then(post).then(
      () => undefined,
      () => undefined,
    );
  }
}

/** A file as the PDF to be signed; a DOCX becomes one line of its text. */
async function asPdf(file: Buffer): Promise<Buffer> {
  if (file.subarray(0, 4).toString() === '%PDF') return file;
  // DOC files are not read here: their page stays empty.
  const isZip = file.subarray(0, 2).toString() === 'PK';
  const word = isZip ? unzipSync(file)['word/document.xml'] : undefined;
  const text = Buffer.from(word ?? [])
    .toString('latin1')
    .replaceAll(/<[^>]*>/g, ' ');
  const pdf = await PDFDocument.create();
  pdf.addPage().drawText(text.replaceAll(/[^ -~]/g, '').trim(), { x: 20, y: 700, size: 8 });
  return Buffer.from(await pdf.save());
}

/** The people of the lowest Order who can act and have not. */
function atTurn({ people }: Case): readonly Person[] {
  const open = people.filter(({ part, done }) => part !== 3 && !done);
  const first = Math.min(...open.map(({ order }) => order));
  return open.filter(({ order }) => order === first);
}
