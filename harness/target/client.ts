/** Makes the calls of a run: builds them by profile, keeps to the budget, repeats what is safe, records all. */
import { monotonicMs } from '../../record/clock.ts';
import { type Exchange, is2xx, isPage, type Purpose } from '../../record/exchange.ts';
import { assertNoStranger } from '../profile/addresses.ts';
import type { CallTemplate } from '../profile/parts.ts';
import { addressDefaults, type Profile } from '../profile/schema.ts';
import { assertNoProduction } from '../profile/smoke.ts';
import type { Variables } from '../profile/template.ts';
import type { Recorder } from '../recording/recorder.ts';
import { type Place, type Scope, scopeOf } from '../untrusted/place.ts';
import { textOf } from '../untrusted/text.ts';
import type { HttpOutcome, HttpRequest, HttpSender } from '../wire/http.ts';
import type { PlayedCall, Tape } from '../wire/tape.ts';
import { isFinal } from '../wire/transport-failure.ts';
import { authorizationValue, bearerOf, endsToken } from './access/authorization.ts';
import type { Tokens } from './access/tokens.ts';
import { recordAnswer } from './answers/answer-record.ts';
import { IssuedIds } from './answers/issued-ids.ts';
import { BreakerOpen, type Budget } from './budgets/calls.ts';
import { pause } from './budgets/pause.ts';
import type { RequestBudget } from './budgets/requests.ts';
import {
  leaveAlone,
  mayHaveArrived,
  Patience,
  type Resending,
  repeatAfter,
  type Sent,
  statusOf,
  timingOf,
  Visibility,
} from './budgets/retry.ts';
import type { Answer, Authorization, Call } from './call.ts';
import { type Creation, creationBy, type Journal } from './creation.ts';
import { Forms } from './forms.ts';
import { type Draft, draftOf, isTarget, requestOf, templateDraft } from './outgoing.ts';
import type { UploadFormat } from './upload.ts';

export interface ClientParts {
  readonly profile: Profile;
  readonly sender: Pick<HttpSender, 'send'>;
  readonly budget: Budget;
  /** Signature requests that the run may create. */
  readonly requests: RequestBudget;
  readonly tokens: Tokens;
  readonly recorder: Recorder;
  /** Absent where nobody cleans up later. */
  readonly journal?: Journal | undefined;
  /** Keeps the calls, or has them from a recording. */
  readonly tape?: Tape | undefined;
  /** Gives an expired token, or undefined when the profile has no way to one. */
  readonly expiredToken: () => Promise<string | undefined>;
}

/** How a draft is sent and recorded. */
interface Sending extends Pick<Sent, 'graceMs' | 'ended' | 'validated'> {
  readonly draft: Draft;
  /** Statuses that are an answer and no trouble, 429 and 5xx too. */
  readonly refuse?: readonly number[] | undefined;
  /** What it would create; absent for a call that is not of the contract. */
  readonly creation?: Creation;
  readonly authorization: Authorization;
  /** Takes another signature request of the budget: the call was accepted, and is made again. */
  readonly again?: () => Promise<void>;
  readonly about: Pick<Exchange, 'operation' | 'purpose' | 'template' | 'check' | 'row'>;
  /** Whatever the call names: the exchange that created the request that it is for. No part of its key in a recording. */
  readonly madeFor?: number | undefined;
  readonly learn?: Learn | undefined;
  /** What an upload carries, in base64. */
  readonly file?: string | undefined;
}

/** Is shown an answer before it is recorded, so that secrets in it can be registered. */
type Learn = (answer: Scope) => void;

/** `freshIds`: the call names an id that was made a moment ago, and a 404 is retried within the grace. */
type More = { readonly learn?: Learn | undefined; readonly freshIds?: boolean };

/** Whether a refusal may be about something in the body. */
const isOfBody = ({ status }: Answer) => [400, 409, 422].includes(status);

const validatedPurposes: readonly Purpose[] = ['judged', 'shared', 'cross-check', 'flow'];

export class Client {
  readonly #parts: ClientParts;
  readonly #bodies = new WeakMap<Answer, Buffer>();
  readonly #visibility = new Visibility();
  /** The access token was refused, and was not taken again since. */
  #doubted = false;
  /** By the call of the profile: its successes that were web pages, and whether others were none. */
  readonly #pages = new Map<string, { readonly pages: number[]; others: boolean }>();
  readonly issued = new IssuedIds();
  readonly patience = new Patience();
  /** How uploads are sent and where their token stands; learned by the run when the profile does not say. */
  uploadFormat: UploadFormat;
  tokenPlace: Place;
  /** In which form it takes what the document shows none of. */
  readonly forms: Forms;

  constructor(parts: ClientParts, uploadFormat: UploadFormat) {
    this.#parts = parts;
    this.uploadFormat = uploadFormat;
    this.tokenPlace = parts.profile.upload?.token ?? 'auto';
    this.forms = new Forms(parts.profile.people?.mobileNumbers !== undefined);
  }

  /**
   * Makes a call of the contract. Trouble on the way is an answer with status 0, never an exception. What is valid and
   * refused is sent in the other forms that the document allows, until one is accepted.
   * @throws SuiteError when the body breaks the contract though the call is not `deliberate`
   * @throws TokenError when there is no access token to send
   * @throws CouldNotRun when the run may not create another signature request
   */
  async call(call: Call, format?: UploadFormat): Promise<Answer> {
    const { forms } = this;
    const sent = forms.first(call);
    const answer = await this.#call(forms.call(call, sent), format);
    if (call.deliberate || call.purpose === 'observation' || (call.authorization ?? 'valid') !== 'valid') {
      return answer;
    }
    if (is2xx(answer)) forms.learn(call, sent);
    const tried: number[] = [];
    for (const chosen of isOfBody(answer) ? forms.others(call, sent) : []) {
      const other = await this.#call(forms.call(call, chosen), format);
      if (is2xx(other)) {
        forms.learn(call, chosen);
        return { ...other, tried: [answer.exchange.index, ...tried] };
      }
      tried.push(other.exchange.index);
      if (!isOfBody(other)) break;
    }
    return tried.length > 0 ? { ...answer, tried } : answer;
  }

  async #call(call: Call, format: UploadFormat = this.uploadFormat): Promise<Answer> {
    const { operation, purpose, authorization = 'valid', deliberate = false } = call;
    const { profile } = this.#parts;
    if (deliberate || authorization !== 'valid') assertNoProduction(profile);
    const sound = !deliberate && authorization === 'valid';
    // An expired token that the profile gives has expired long ago; an upload may refuse one with 200.
    const expiring = authorization === 'expired' && profile.auth.expiredToken === undefined;
    const ended = call.endedIds ?? (expiring && operation !== 'uploadDocument');
    const draft = await draftOf(call, format, profile);
    if (!('file' in call.body)) assertNoStranger(draft.body, profile);
    const { requests } = this.#parts;
    let settle = await requests.take(call);
    let created = false;
    try {
      const answer = await this.#send({
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
        about: {
          operation,
          purpose,
          ...(call.check ? { check: call.check } : {}),
          ...(call.row ? { row: call.row } : {}),
        },
        validated: sound && validatedPurposes.includes(purpose),
        file: 'file' in call.body ? call.body.file.base64 : undefined,
      });
      created = is2xx(answer);
      this.#visibility.gave(answer.ids);
      return answer;
    } finally {
      settle?.(created);
    }
  }

  /**
   * Makes a call that the profile describes.
   * @throws TokenError when there is no access token to send
   * @throws CouldNotRun when its variables do not make a URL
   */
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
    const answer = await this.#send({
      draft,
      // Locked may mean "not allowed now", and an attempt that is repeated may count.
      refuse: template.refuse ?? [423],
      authorization: authorized ? 'valid' : 'absent',
      graceMs: more.freshIds ? this.#graceMs : 0,
      ended: false,
      about: { operation: null, purpose: 'template', template: name },
      madeFor: this.#creationFor(name, variables),
      validated: false,
      learn: more.learn,
    });
    if (is2xx(answer)) {
      const seen = this.#pages.get(name) ?? { pages: [], others: false };
      this.#pages.set(name, seen);
      if (isPage(answer.text)) seen.pages.push(answer.exchange.index);
      else seen.others = true;
    }
    return answer;
  }

  /** Web pages with which calls of the profile were answered that have other answers too: a gateway may say 200. */
  get strays(): ReadonlySet<number> {
    return new Set([...this.#pages.values()].flatMap(({ pages, others }) => (others ? pages : [])));
  }

  get #graceMs(): number {
    return this.#parts.profile.address.visibleAfterMs ?? addressDefaults.visibleAfterMs;
  }

  /** The call that created the request; calls that read a mailbox belong to none. */
  #creationFor(name: string, { requestId = '' }: Variables): number | undefined {
    if (requestId === '' || name.startsWith('outbox.')) return undefined;
    const { created } = this.#parts.recorder;
    return created.find(({ kind, id }) => kind === 'request' && id === requestId)?.exchange;
  }

  /** Whether a flow is judged when nothing is sent any more: the target is taken as gone, or the run ends. */
  isLost(flow: string): boolean {
    const { budget, tape } = this.#parts;
    if (budget.isOver) tape?.lost.add(flow);
    return budget.isOver || (tape?.lost.has(flow) ?? false);
  }

  /** Whether a recording answers in the place of the target. */
  get replays(): boolean {
    return Boolean(this.#parts.tape?.play);
  }

  /** The body of an answer as it came; only here, since answers also travel to workers. */
  bytesOf(answer: Answer): Uint8Array {
    return this.#bodies.get(answer) ?? Buffer.alloc(0);
  }

  async #send(sending: Sending): Promise<Answer> {
    // May take a call of its own, which must not wait for the place that this one holds.
    if (sending.authorization === 'expired') await this.#expiredToken();
    const play = this.#parts.tape?.play;
    if (play) return this.#played(sending, play);
    // What a flow does next waits for what it did; the calls of checks do not wait for each other.
    const ofFlow = sending.about.purpose === 'flow' || sending.about.purpose === 'template';
    return this.#parts.budget
      .run(() => this.#attempts(sending), ofFlow)
      .catch((error: unknown) => this.#unsent(sending, error));
  }

  /** Answers from a recording, with all that the run made of the call at that time. */
  async #played(sending: Sending, play: NonNullable<Tape['play']>): Promise<Answer> {
    const value = await this.#authorization(sending.authorization);
    const request = requestOf(sending.draft, this.#parts.profile.address, value);
    for (;;) {
      const index = this.#begun(sending, request);
      const played = await play({ about: sending.about, request, authorization: this.#label(value) });
      const answer = this.#recorded(index, sending, request, played.outcome, played);
      if (!played.again) return answer;
    }
  }

  #authorization(authorization: Authorization): Promise<string | null> {
    return authorizationValue(authorization, this.#parts.tokens, () => this.#expiredToken());
  }

  #label(value: string | null): string {
    return value === null ? '' : this.#parts.recorder.text(value);
  }

  /** Sends a call, and again as long as there is a reason to. */
  async #attempts(sending: Sending): Promise<Answer> {
    const { budget, sender, journal } = this.#parts;
    const startedMs = performance.now();
    const before: Resending[] = [];
    let renewed: string | undefined;
    let noted: (() => void) | undefined;
    let index: number | undefined;
    for (;;) {
      // Of a call that is sent again.
      noted?.();
      // First, since a token may run out while the call waits for its turn.
      await budget.pace();
      const value = renewed ? `Bearer ${renewed}` : await this.#authorization(sending.authorization);
      const request = requestOf(sending.draft, this.#parts.profile.address, value);
      const startedAt = new Date().toISOString();
      noted = sending.creation && journal?.sending(sending.creation);
      // A call that is sent again keeps its number.
      index ??= this.#begun(sending, request, startedAt);
      const startMs = monotonicMs();
      const outcome = await sender.send(request);
      const at = { startMs, endMs: monotonicMs() };
      const sent = { ...sending, request, startedMs };
      const again =
        this.#notTaken(sending, request, outcome, before) ??
        (renewed === undefined ? await this.#renewed(sending, outcome, bearerOf(value)) : null) ??
        this.#visibility.early(sent, statusOf(outcome), before.length);
      // A success that is asked for again has made something, which is to be on record.
      if (!again || again.because === 'ended') {
        const asked = { about: sending.about, request, authorization: this.#label(value) };
        const played = { outcome, timing: timingOf(startedAt, at, before), at, again: again !== null };
        this.#parts.tape?.keep({ ...asked, ...played });
        const answer = this.#recorded(index, sending, request, outcome, played);
        if (!again) {
          this.#visibility.ended(sent, statusOf(outcome));
          if (!mayHaveArrived(outcome)) noted?.();
          return answer;
        }
        index = undefined;
        await sending.again?.();
      }
      renewed = again.token ?? renewed;
      before.push(again);
      if (again.pauseMs > 0) await budget.away(() => pause(again.pauseMs));
    }
  }

  /** The reason to send a call again that was not taken up; the budget gets to know how the target fares. */
  #notTaken(
    { refuse = [] }: Sending,
    request: HttpRequest,
    outcome: HttpOutcome,
    before: readonly Resending[],
  ): Resending | null {
    const { budget } = this.#parts;
    if (refuse.includes(statusOf(outcome))) {
      this.patience.answered();
      budget.answered();
      return null;
    }
    this.patience.saw(outcome);
    const repeats = before.filter(({ because }) => because === 'not-taken').length;
    const pauseMs = this.patience.forRepeats ? repeatAfter(request, outcome, repeats) : null;
    if ('response' in outcome) budget.answered();
    else budget.failed(outcome.failure.message, isFinal(outcome.failure) && pauseMs === null);
    const asked = leaveAlone(outcome);
    if (asked) budget.giveUp(asked);
    if (pauseMs === null) return null;
    const status = statusOf(outcome);
    // What is locked or too early is a single thing: other calls go on.
    if (status === 429 || status === 503) budget.pause(pauseMs);
    const what = 'response' in outcome ? String(status) : outcome.failure.message;
    return { status, because: 'not-taken', pauseMs, what };
  }

  /** The reason to send a call again whose access token has ended: there is another one. */
  async #renewed(sending: Sending, outcome: HttpOutcome, token: string): Promise<Resending | null> {
    if (sending.authorization !== 'valid') return null;
    const { tokens } = this.#parts;
    const status = statusOf(outcome);
    if (is2xx({ status })) this.#doubted = false;
    if (!endsToken(outcome, sending.about.operation)) {
      if (status !== 0) tokens.took(token);
      return null;
    }
    const renewed = await tokens.after(token);
    this.#doubted = renewed === undefined;
    if (renewed === undefined) return null;
    return { status, because: 'token', pauseMs: 0, what: String(status), token: renewed };
  }

  async #expiredToken(): Promise<string> {
    const token = await this.#parts.expiredToken();
    if (token === undefined) throw new Error('an expired token was asked for that nobody has');
    return token;
  }

  /** The answer of a call that was not sent because the target is gone. */
  #unsent(sending: Sending, error: unknown): Answer {
    if (!(error instanceof BreakerOpen)) throw error;
    const failure = { code: 'NOT_SENT', message: `not sent: ${error.message}` };
    const timing = { startedAt: new Date().toISOString(), durationMs: 0, retries: [] };
    const now = monotonicMs();
    const at = { startMs: now, endMs: now };
    const index = this.#begun(sending, sending.draft, timing.startedAt);
    return this.#recorded(index, sending, sending.draft, { failure }, { timing, at });
  }

  /** The number of a call that is sent now. */
  #begun(sending: Sending, request: HttpRequest, startedAt = new Date().toISOString()): number {
    const about = { ...shownOf(sending), startedAt, durationMs: 0, retries: [] };
    return this.#parts.recorder.begin({ request, about });
  }

  #recorded(
    index: number,
    sending: Sending,
    request: HttpRequest,
    outcome: HttpOutcome,
    { timing, at }: Pick<PlayedCall, 'timing' | 'at'>,
  ): Answer {
    const { recorder, profile } = this.#parts;
    const { validated, learn, file } = sending;
    if (learn && 'response' in outcome) {
      const { headers, body } = outcome.response;
      learn(scopeOf({ headers, text: textOf(headers, body) }));
    }
    const about = { ...shownOf(sending), ...timing };
    const parts = { index, request, outcome, about, validated, issued: this.issued, file };
    const recorded = recordAnswer(recorder, profile, this.tokenPlace, parts);
    const answer: Answer = { ...recorded, at, ...(this.#doubted ? { doubted: true } : {}) };
    if ('response' in outcome) this.#bodies.set(answer, outcome.response.body);
    return answer;
  }
}

function shownOf({ about, madeFor }: Sending) {
  return madeFor === undefined ? about : { ...about, madeFor };
}
