/** Makes the calls of a run: builds them by the profile, keeps to the budget of requests, and tries other forms after a refusal. */
import { isDeepStrictEqual } from 'node:util';
import { is2xx, isPage, type Purpose } from '../../record/exchange.ts';
import { assertNoStranger } from '../profile/addresses.ts';
import type { CallTemplate } from '../profile/parts.ts';
import { addressDefaults } from '../profile/schema.ts';
import { assertNoProduction, isProduction } from '../profile/smoke.ts';
import type { Variables } from '../profile/template.ts';
import type { Place } from '../untrusted/place.ts';
import { Denials } from './access/denials.ts';
import { IssuedIds } from './answers/issued-ids.ts';
import { ResultCodes } from './answers/result-codes.ts';
import type { RequestBudget } from './budgets/requests.ts';
import { Patience } from './budgets/retry.ts';
import { type Answer, type Call, type Chosen, creationBy, isAccepted } from './call.ts';
import { Dispatch, type DispatchParts, type Learn } from './dispatch.ts';
import { Forms } from './forms.ts';
import { draftOf, isTarget, templateDraft } from './outgoing.ts';
import { type UploadFormat, uploadFormats, wronglySent } from './upload.ts';

export interface ClientParts extends DispatchParts {
  readonly requests: RequestBudget;
}

/** `freshIds`: the call names an id that was made a moment ago, so it is repeated after 404 within the grace. */
type More = { readonly learn?: Learn; readonly freshIds?: boolean };

/** Whether a refusal may be about the body. */
const isOfBody = ({ status, denied }: Answer) => denied || [400, 409, 422].includes(status);

const isOneOf = (way: UploadFormat, ways: readonly UploadFormat[]) =>
  ways.some((each) => isDeepStrictEqual(each, way));

const validatedPurposes: readonly Purpose[] = ['judged', 'shared', 'cross-check', 'flow'];

export class Client {
  readonly #parts: ClientParts;
  readonly #dispatch: Dispatch;
  /** By call of the profile: its successes that were web pages, and whether it had others. */
  readonly #pages = new Map<string, { readonly pages: number[]; others: boolean }>();
  /** Media types of refused files that were sent in the other ways. */
  readonly #resent = new Set<string>();
  readonly codes = new ResultCodes();
  readonly issued = new IssuedIds();
  readonly patience = new Patience();
  readonly denials = new Denials();
  /** How uploads are sent and where their token stands; learned by the run when the profile does not say. */
  uploadFormat: UploadFormat;
  tokenPlace: Place;
  /** The forms in which the target accepts values whose form the document does not show. */
  readonly forms: Forms;

  constructor(parts: ClientParts, uploadFormat: UploadFormat) {
    this.#parts = parts;
    this.#dispatch = new Dispatch(parts, this);
    this.uploadFormat = uploadFormat;
    this.tokenPlace = parts.profile.upload?.token ?? 'auto';
    this.forms = new Forms(parts.profile);
  }

  /**
   * Makes a call of the contract. Trouble on the way is an answer with status 0, never an exception. A valid body that is
   * refused is sent in the other forms that the document allows, until one is accepted.
   * @throws SuiteError when the body breaks the contract though the call is not `deliberate`
   * @throws TokenError when there is no access token to send
   * @throws CouldNotRun when the run may not create another signature request
   */
  async call(call: Call, format?: UploadFormat): Promise<Answer> {
    const { forms } = this;
    const sent = forms.first(call);
    const answer = { ...(await this.#call(forms.call(call, sent), format)), forms: sent };
    if (call.deliberate || call.purpose === 'observation' || (call.authorization ?? 'valid') !== 'valid')
      return answer;
    if (isAccepted(answer)) forms.learn(call, sent);
    const tried: number[] = [];
    return (
      (await this.#inOtherForm(call, answer, format, tried)) ??
      (format === undefined ? await this.#inOtherWay(call, answer, tried) : undefined) ??
      (tried.length > 0 ? { ...answer, tried } : answer)
    );
  }

  /** The answer to a refused body in another form, if that form proves accepted; `tried` gets the other exchanges. */
  async #inOtherForm(
    call: Call,
    answer: Answer & { readonly forms: Chosen },
    format: UploadFormat | undefined,
    tried: number[],
  ): Promise<Answer | undefined> {
    const { forms } = this;
    for (const chosen of isOfBody(answer) ? forms.others(call, answer.forms) : []) {
      const other = await this.#call(forms.call(call, chosen), format);
      if (isAccepted(other)) forms.learn(call, chosen);
      // 404 also shows it: the target looked for something, such as a document that was used up meanwhile, and so
      // accepted the form.
      if (isAccepted(other) || other.status === 404)
        return { ...other, forms: chosen, tried: [answer.exchange.index, ...tried] };
      tried.push(other.exchange.index);
      if (!isOfBody(other)) break;
    }
    return undefined;
  }

  /** The answer to a refused file accepted in another way; if the profile's way is wrong, the refusal with that guess. */
  async #inOtherWay(call: Call, answer: Answer, tried: number[]): Promise<Answer | undefined> {
    for (const way of this.#otherWays(call, answer)) {
      const other = await this.#call(call, way);
      if (isAccepted(other) && isOneOf(way, uploadFormats(this.#parts.profile.upload))) {
        this.uploadFormat = way;
        return { ...other, tried: [answer.exchange.index, ...tried] };
      }
      tried.push(other.exchange.index);
      if (isAccepted(other)) return { ...answer, tried, guess: wronglySent(way) };
    }
    return undefined;
  }

  /**
   * How else a refused file may be sent. The way that was found out with a PDF, or that the profile names, may be
   * wrong: some services find a PDF in a body of any kind. For each format of a file this is tried once.
   */
  #otherWays({ body }: Call, answer: Answer): readonly UploadFormat[] {
    const { profile } = this.#parts;
    const isRefused = isOfBody(answer) || answer.status === 415 || is2xx(answer);
    if (!('file' in body) || isAccepted(answer) || !isRefused || isProduction(profile)) return [];
    const { mediaType } = body.file;
    if (this.#resent.has(mediaType)) return [];
    this.#resent.add(mediaType);
    return uploadFormats(undefined).filter((way) => !isDeepStrictEqual(way, this.uploadFormat));
  }

  async #call(call: Call, format: UploadFormat = this.uploadFormat): Promise<Answer> {
    const { operation, purpose, authorization = 'valid', deliberate = false } = call;
    const { profile } = this.#parts;
    if (deliberate || authorization !== 'valid') assertNoProduction(profile);
    const sound = !deliberate && authorization === 'valid';
    // The token may have ended a moment ago, unless the profile gives it. Uploads are left out: they may refuse with 200.
    const expiring = authorization === 'expired' && profile.auth.expiredToken === undefined;
    const ended = call.endedIds ?? (expiring && operation !== 'uploadDocument');
    const draft = await draftOf(call, format, profile);
    if (!('file' in call.body)) assertNoStranger(draft.body, profile);
    const { requests } = this.#parts;
    let settle = await requests.take(call);
    let created = false;
    try {
      const answer = await this.#dispatch.send({
        draft,
        creation: creationBy(call),
        authorization,
        graceMs: call.freshIds || ended ? this.#graceMs : 0,
        ended,
        again: async () => {
          settle?.(true);
          settle = null;
          settle = await requests.take(call);
        },
        about: { operation, purpose, check: call.check, row: call.row },
        validated: sound && validatedPurposes.includes(purpose),
        file: 'file' in call.body ? call.body.file.base64 : undefined,
      });
      created = isAccepted(answer);
      if (sound) this.denials.note('contract', answer);
      return answer;
    } finally {
      settle?.(created);
    }
  }

  /** Makes a call of the profile. @throws TokenError without an access token @throws CouldNotRun when it has no URL */
  async template(
    name: string,
    template: CallTemplate,
    variables: Variables,
    more: More = {},
  ): Promise<Answer> {
    const { profile } = this.#parts;
    const { address } = profile;
    const draft = templateDraft(name, template, variables, address.baseUrl);
    assertNoStranger(draft.body, profile);
    const authorized = draft.elsewhere ? false : (template.authorize ?? isTarget(draft.url, address));
    if (name === 'deleteRequest' || name === 'invalidateDocument') this.issued.forget(variables);
    const answer = await this.#dispatch.send({
      draft,
      // Locked or in conflict may mean "not allowed now" here, and the target may count a repeated attempt.
      refuse: template.refuse ?? [409, 423],
      authorization: authorized ? 'valid' : 'absent',
      graceMs: more.freshIds ? this.#graceMs : 0,
      ended: false,
      about: { operation: null, purpose: 'template', template: name },
      madeFor: this.#creationFor(variables),
      validated: false,
      learn: more.learn,
    });
    if (authorized) this.denials.note('profile', answer);
    if (is2xx(answer)) {
      const key = name.replace(/^calls\./, '');
      const seen = this.#pages.get(key) ?? { pages: [], others: false };
      this.#pages.set(key, seen);
      if (isPage(answer.text)) seen.pages.push(answer.exchange.index);
      else seen.others = true;
    }
    const isOther =
      !name.startsWith('outbox.') && template.result === undefined && this.codes.isOther(answer);
    return isOther ? { ...answer, otherCode: true } : answer;
  }

  /** Web pages that answered calls of the profile with a success, where other answers were no pages: a gateway may have sent them. */
  get strays(): ReadonlySet<number> {
    return new Set([...this.#pages.values()].flatMap(({ pages, others }) => (others ? pages : [])));
  }

  get #graceMs(): number {
    return this.#parts.profile.address.visibleAfterMs ?? addressDefaults.visibleAfterMs;
  }

  /** The exchange that created the request of a call. */
  #creationFor({ requestId = '' }: Variables): number | undefined {
    if (requestId === '') return undefined;
    const { created } = this.#parts.recorder;
    return created.find(({ kind, id }) => kind === 'request' && id === requestId)?.exchange;
  }

  /** Why a flow is not whole: nothing could be sent when it was judged, or its calls are not those of the recording. */
  endOf(flow: string): 'gone' | 'unrecorded' | undefined {
    const { budget, tape } = this.#parts;
    if (budget.isOver) tape?.lost.add(flow);
    if (budget.isOver || tape?.lost.has(flow)) return 'gone';
    return tape?.lacks?.(flow) ? 'unrecorded' : undefined;
  }

  /** Whether answers come from a recording and not from the target. */
  get replays(): boolean {
    return Boolean(this.#parts.tape?.play);
  }

  bytesOf(answer: Answer): Uint8Array {
    return this.#dispatch.bytesOf(answer);
  }
}
