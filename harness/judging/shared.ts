/** What the checks share: documents, requests and accepted calls, each made once, when it is first needed. */
import { maximalRequest, minimalRequest, plainMessage } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { minimalStamped, stampLabels } from '../../generators/bodies/stamping.ts';
import { fileNameOf, type GeneratedDocument } from '../../generators/documents/document.ts';
import { docx } from '../../generators/documents/docx.ts';
import { labelledPdf } from '../../generators/documents/pdf.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { is4xx } from '../../record/exchange.ts';
import type { SharedCall } from '../../record/finding.ts';
import type { Profile } from '../profile/schema.ts';
import { pause } from '../target/budgets/pause.ts';
import { type Answer, type Call, isAccepted } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import { filledCreation, peopleOf } from '../target/creation-body.ts';
import type { UploadFormat } from '../target/upload.ts';
import { againAfter, classify, isNotThere, isTransient } from './classify.ts';
import { firstUpload, guessedCreation, type UploadOnce } from './guesses.ts';
import { inRound, longestTitleAt, personAt } from './names.ts';
import type { RunFacts } from './session.ts';
import { endsDocument, namesDocuments, SharedDocuments } from './shared-documents.ts';
import { placesFor, type SignatoryPlaces } from './signatory-places.ts';
import { lacks, unavailable } from './unavailable.ts';

export class Shared {
  readonly #client: Client;
  readonly #profile: Profile;
  readonly #facts: RunFacts;
  readonly #calls = new Map<SharedCall, Promise<Answer>>();
  /** Calls that are being made once more. */
  readonly #again = new Map<SharedCall, Promise<Answer>>();
  readonly #documents: SharedDocuments;
  readonly #places: SignatoryPlaces;
  /** Places for repeated additions, in requests of their own: how many people a request takes is a requirement of its own. */
  readonly #placesAgain: SignatoryPlaces;
  /** One place in each request; a person who is refused leaves it to the next one. */
  readonly #placesAlone: SignatoryPlaces;
  readonly #round: number;
  /** The call that finds out whether tokens are used up. */
  #finding: Promise<Answer> | undefined;
  #requests = 0;
  #signatories = 0;
  readonly #titled = new Map<string, number>();

  /** @param round the round of confirmations, each with objects and names of its own; 0 in the run itself */
  constructor(client: Client, profile: Profile, facts: RunFacts, round = 0) {
    this.#round = round;
    this.#client = client;
    this.#profile = profile;
    this.#facts = facts;
    this.#documents = new SharedDocuments(profile.limits?.documentUses, (index) => this.#document(index));
    const places = (each?: number) => placesFor(profile, () => this.#newRequest(), client, each);
    [this.#places, this.#placesAgain, this.#placesAlone] = [places(), places(), places(1)];
  }

  get(name: SharedCall): Promise<Answer> {
    const known = this.#calls.get(name);
    if (known) return known;
    const made = this.#patiently(() => this.#make(name, 'shared'));
    this.#calls.set(name, made);
    return made;
  }

  /** Makes the call once more. If another check does so already and meets trouble, all who wait get that answer. */
  async repeat(name: SharedCall): Promise<Answer> {
    const underWay = await this.#again.get(name);
    if (underWay && isTransient(underWay)) return underWay;
    const made = this.#repeated(name);
    this.#again.set(name, made);
    try {
      return await made;
    } finally {
      if (this.#again.get(name) === made) this.#again.delete(name);
    }
  }

  async #repeated(name: SharedCall): Promise<Answer> {
    // A document token may be used up: a call that did not find its token is repeated with another one.
    const first = await this.#calls.get(name);
    if (first && endsDocument(first)) this.#documents.forget();
    return this.#patiently(() => this.#make(name, 'cross-check'));
  }

  documents(count: number): Promise<readonly string[]> {
    return this.#documents.take(count);
  }

  async tokensEnd(notFound?: SharedCall): Promise<boolean> {
    if (notFound && namesDocuments(notFound) && !this.#documents.end) {
      this.#finding ??= this.repeat(notFound);
      await this.#finding;
    }
    return this.#documents.end;
  }

  /** Adds somebody who should be refused, to a request that already has somebody. */
  beside(call: (requestId: string) => Promise<Answer>): Promise<Answer> {
    return this.#places.beside(call, is4xx);
  }

  request(count: number | 'own' | 'full' | 'alone'): Promise<string> {
    if (count === 'alone') return this.#placesAlone.take(1);
    if (count === 'full') return this.#fullRequest();
    return count === 'own' ? this.#newRequest() : this.#places.take(count);
  }

  /** A request with every optional field, if one is accepted: additions to it may be treated differently. */
  async #fullRequest(): Promise<string> {
    const { limits, callbackUrl } = this.#facts;
    await this.get('skeleton');
    const documents = await this.documents(Math.min(2, limits.documents ?? 2));
    const title = this.#titleAt(inRound('shared request with every field', this.#round));
    const json = maximalRequest({ title, documents, callbackUrl });
    const call = { operation: 'createSkeletonRequest', purpose: 'shared', freshIds: true } as const;
    const answer = await this.#client.call({ ...call, body: { json } });
    return (isAccepted(answer) && answer.ids.requestId) || this.#newRequest();
  }

  /** Where the signatory of a call was refused, the request still has the place. */
  answered({ requestId }: Call, answer: Answer): void {
    if (!is4xx(answer)) return;
    for (const places of [this.#places, this.#placesAlone]) places.giveBack(requestId);
  }

  async #document(index: number): Promise<string> {
    const first = await this.get('document');
    const { documentToken } = first.ids;
    if (!documentToken) throw unavailable('document', first);
    if (index === 0) return documentToken;
    const name = `shared ${index + 1}`;
    const document = await labelledPdf(this.#source(name), stampLabels);
    const answer = await this.#patiently(() => this.#upload(document, 'shared'));
    if (answer.ids.documentToken) return answer.ids.documentToken;
    throw lacks('another document token', answer);
  }

  async #newRequest(): Promise<string> {
    const first = this.#requests === 0;
    this.#requests += 1;
    const answer = first
      ? await this.get('skeleton')
      : await this.#patiently(() => this.#make('skeleton', 'shared'));
    if (answer.ids.requestId) return answer.ids.requestId;
    throw unavailable('skeleton', answer);
  }

  /**
   * Makes a call again after trouble, which may be over in a moment. Each attempt has a record of its own. The last
   * answer counts, unless nothing could be sent any more.
   */
  async #patiently(make: () => Promise<Answer>): Promise<Answer> {
    let answer = await make();
    for (let time = 0; ; time += 1) {
      const pauseMs = againAfter[classify(answer)].pausesMs[time];
      if (pauseMs === undefined || !this.#client.patience.forAnother) break;
      await pause(pauseMs);
      const next = await make();
      if (next.exchange.failure?.code === 'NOT_SENT') break;
      answer = next;
    }
    return answer;
  }

  async #make(name: SharedCall, purpose: 'shared' | 'cross-check'): Promise<Answer> {
    const answer = await this.#renewing(name, () => this.#call(name, purpose));
    if (isAccepted(answer) && namesDocuments(name)) this.#documents.accepted();
    if (!is4xx(answer) && !isNotThere(answer) && !answer.denied) return answer;
    // A gateway may have refused it, and not the target.
    if (purpose === 'shared' && name !== 'document' && classify(answer) === 'refused') {
      const next = await this.#call(name, purpose);
      if (isAccepted(next)) return { ...next, before: answer };
    }
    const token = name === 'document' ? undefined : (await this.get('document')).documentToken;
    // The suite guessed where the token stands in the answer to the upload, so this call may have sent something
    // else.
    const guess =
      (token && 'doubt' in token ? token.doubt : undefined) ??
      (await guessedCreation(
        name,
        answer.denied ? { ...answer, status: 400 } : answer,
        this.#profile,
        this.#client,
        () => this.#renewing(name, () => this.#call(name, 'cross-check', true)),
        () => this.get('stamped'),
      ));
    return guess === undefined ? answer : { ...answer, guess };
  }

  #renewing(name: SharedCall, call: () => Promise<Answer>): Promise<Answer> {
    return namesDocuments(name) ? this.#documents.renewing(call) : call();
  }

  /** @param plain sends creations of types 1 to 3 as if the profile did not say how */
  async #call(name: SharedCall, purpose: 'shared' | 'cross-check', plain = false): Promise<Answer> {
    const place = inRound(`shared ${name}`, this.#round);
    const create = (made: Pick<Call, 'operation' | 'type' | 'requestId'>, json: unknown) =>
      this.#client.call({ ...made, purpose, freshIds: true, body: { json }, ...(plain ? { plain } : {}) });
    const ingredients = async (...people: (readonly string[])[]) => ({
      title: this.#titleAt(place),
      documents: await this.documents(1),
      people: people.map((at) => personAt(this.#facts, place, ...at)),
    });
    switch (name) {
      case 'document':
        return purpose === 'shared'
          ? this.#firstUpload()
          : this.#upload(await labelledPdf(this.#source(`${name} ${purpose}`), stampLabels), purpose);
      case 'docx':
        return this.#upload(docx(this.#source(`${name} ${purpose}`)), purpose);
      case 'skeleton':
        return create({ operation: 'createSkeletonRequest' }, minimalRequest(await ingredients()));
      case 'signatory': {
        const requestId = await (purpose === 'shared' ? this.#places : this.#placesAgain).take(1);
        // A person of their own each time: one address twice in a request may well be refused.
        this.#signatories += 1;
        const person = personAt(this.#facts, place, String(this.#signatories));
        const added = await create({ operation: 'addSignatory', requestId }, minimalSignatory({ person }));
        if (added.status < (purpose === 'shared' ? 500 : 400)) return added;
        // The reason may be the other people of the request: the person is added once more, where nobody else is.
        const alone = await this.request('alone');
        return create({ operation: 'addSignatory', requestId: alone }, minimalSignatory({ person }));
      }
      case 'stamped':
        return create({ operation: 'createStampedRequest' }, minimalStamped(await ingredients([])));
      case 'stamped-unversioned':
        return create({ operation: 'createRequest', type: 3 }, minimalStamped(await ingredients([])));
      case 'template':
      case 'fixed': {
        const settings = this.#facts.creations[name];
        if (!settings) throw new CouldNotRun(`the profile has no create.${name}`);
        const type = name === 'template' ? 1 : 2;
        const people = Array.from({ length: peopleOf(settings) }, (_, index) => [String(index + 1)]);
        const given = { ...(await ingredients(...people)), message: plainMessage };
        return create({ operation: 'createRequest', type }, filledCreation(settings, given));
      }
    }
  }

  /** A title of its own each time: that titles may occur twice is not shown, and neither how long they may be. */
  #titleAt(place: string): string {
    const time = (this.#titled.get(place) ?? 0) + 1;
    this.#titled.set(place, time);
    return longestTitleAt(this.#facts, time === 1 ? place : `${place} ${time}`);
  }

  /** Uploads a plain PDF; without a profile's word on the encoding, tries the usual ones until one is accepted. */
  async #firstUpload(): Promise<Answer> {
    const document = await labelledPdf(this.#source(firstDocument), stampLabels);
    const other = docx(this.#source('another format'));
    const uploading = (of: GeneratedDocument): UploadOnce => {
      return (format, guessed) => this.#upload(of, guessed ? 'observation' : 'shared', format);
    };
    return firstUpload(this.#client, this.#profile, uploading(document), uploading(other));
  }

  #upload(
    document: GeneratedDocument,
    purpose: 'shared' | 'cross-check' | 'observation',
    format?: UploadFormat,
  ): Promise<Answer> {
    return this.#client.call(
      { operation: 'uploadDocument', purpose, body: { file: fileOf(document) } },
      format,
    );
  }

  #source(name: string): { run: string; seed: number; name: string } {
    return { run: this.#facts.runId, seed: this.#facts.seed, name: inRound(name, this.#round) };
  }
}

/** The name of the document that is uploaded first. */
export const firstDocument = 'shared 1';

export function sharedFileName({ runId: run, seed }: RunFacts): string {
  return fileNameOf({ run, seed, name: firstDocument }, 'pdf');
}

/** A generated document as it travels in a call. */
export function fileOf(document: GeneratedDocument): { name: string; mediaType: string; base64: string } {
  return {
    name: document.fileName,
    mediaType: document.mediaType,
    base64: Buffer.from(document.bytes).toString('base64'),
  };
}
