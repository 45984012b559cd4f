/** The documents that checks share, whose tokens may end: after so many uses, or for no reason that is shown. */
import { message } from '../../openapi/codes.ts';
import { is4xx } from '../../record/exchange.ts';
import type { SharedCall } from '../../record/finding.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import { placesOfText } from '../untrusted/places-of-text.ts';

/** Shared calls whose body names the shared documents. */
const ofDocuments: readonly SharedCall[] = ['skeleton', 'stamped', 'stamped-unversioned', 'fixed'];

export const namesDocuments = (name: SharedCall) => ofDocuments.includes(name);

/**
 * Whether the answer says that a document token was not found. Errors of types 1 to 3 are not shown: there a 4xx with
 * the words stated for type 0 counts.
 */
export const endsDocument = (answer: Answer): boolean =>
  answer.status === 404 ||
  ((is4xx(answer) || answer.denied === true) && placesOfText(message.documentNotFound, answer).length > 0);

export class SharedDocuments {
  readonly #upload: (index: number) => Promise<string>;
  readonly #tokens: Promise<string>[] = [];
  /** In how many requests a token may be used: what the profile says, or 1 once a token turned out to be used up. */
  #mostUses: number;
  #uses = 0;
  #uploaded = 0;
  /** Whether new documents may replace used-up ones: once at first, then after each request created with them. */
  #renewable = true;
  #renewals = 0;

  /** @param upload uploads the document with that number, and gives its token; the first one is uploaded once only */
  constructor(mostUses: number | undefined, upload: (index: number) => Promise<string>) {
    this.#mostUses = mostUses ?? Number.POSITIVE_INFINITY;
    this.#upload = upload;
  }

  /** Whether tokens are known to be good for so many requests only. */
  get end(): boolean {
    return Number.isFinite(this.#mostUses);
  }

  /** Tokens of so many documents, for a request that is about to be created. */
  async take(count: number): Promise<readonly string[]> {
    if (this.#uses >= this.#mostUses) this.forget();
    this.#uses += 1;
    while (this.#tokens.length < count) {
      this.#tokens.push(this.#upload(this.#uploaded));
      this.#uploaded += 1;
    }
    return Promise.all(this.#tokens.slice(0, count));
  }

  /** From now on other documents are uploaded. */
  forget(): void {
    this.#tokens.length = 0;
    this.#uses = 0;
    this.#renewable = false;
    this.#renewals += 1;
    this.#uploaded = Math.max(1, this.#uploaded);
  }

  /**
   * Makes a call whose document tokens may have ended since the upload. Then it is made again with new ones, each of
   * which may be good for one request only.
   */
  async renewing(call: () => Promise<Answer>): Promise<Answer> {
    const renewals = this.#renewals;
    const answer = await call();
    if (!endsDocument(answer) || !(this.#renewable || this.#renewals > renewals)) return answer;
    this.forget();
    const next = await call();
    if (isAccepted(next)) this.#mostUses = 1;
    return next;
  }

  /** A request was created with them. */
  accepted(): void {
    this.#renewable = true;
  }
}
