/** What all steps of a probe share: the client, the record, the limits of the probe, and how a step breaks. */
import { ifCouldNotRun } from '../../record/errors.ts';
import type { Exchange } from '../../record/exchange.ts';
import { received } from '../../record/exchange-text.ts';
import { firstFacts } from '../flows/first-facts.ts';
import type { RunFacts } from '../judging/session.ts';
import type { LoadedProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import { PeopleRedactor } from '../recording/people-redaction.ts';
import { Recorder } from '../recording/recorder.ts';
import { redactorOf } from '../recording/redact.ts';
import { TokenError } from '../target/access/token-request.ts';
import { AccessTokens } from '../target/access/tokens.ts';
import { Budget } from '../target/budgets/calls.ts';
import { RequestBudget } from '../target/budgets/requests.ts';
import type { Answer } from '../target/call.ts';
import { Client, type ClientParts } from '../target/client.ts';
import { senderTo } from '../target/outgoing.ts';
import type { UploadFormat } from '../target/upload.ts';
import type { HttpOutcome, HttpRequest, HttpSender } from '../wire/http.ts';

/** Calls of a probe at most, including repetitions and removals. */
export const mostProbeCalls = 60;
/** Signature requests at most: one of type 0, one of type 3, and one that a call may create which had to be refused. */
export const mostProbeRequests = 3;
/** How long a probe waits for a new id to be known, where the profile says nothing: long, since it measures that time. */
const visibleAfterMs = 10_000;

const seed = 1;

export interface GroundOptions {
  readonly runId: string;
  /** The folder for bodies that are too large for memory. */
  readonly folder: string;
  /** Called with the outcome of each step. */
  readonly say: (step: string, text: string) => void;
}

export class Ground {
  /** The profile, with changes that let a probe go on where a run would stop. */
  readonly profile: Profile;
  readonly recorder: Recorder;
  readonly tokens: AccessTokens;
  readonly sender: ReturnType<typeof counted>;
  readonly facts: RunFacts;
  readonly say: GroundOptions['say'];
  readonly #inner: HttpSender;
  readonly #parts: Omit<ClientParts, 'profile'>;

  constructor({ profile, secrets, ca, tokenFile }: LoadedProfile, { runId, folder, say }: GroundOptions) {
    const { address, limits } = profile;
    const redactor = redactorOf(secrets);
    this.profile = {
      ...profile,
      address: { visibleAfterMs, ...address },
      tolerate: { ...profile.tolerate, numericIds: true },
    };
    this.recorder = new Recorder(redactor, new PeopleRedactor({ profile, runId, seed }), folder);
    this.#inner = senderTo(address, ca, (secret) => redactor.add(secret, 'proxy password'));
    this.sender = counted(this.#inner, mostProbeCalls);
    this.tokens = new AccessTokens(profile.auth, {
      redactor,
      send: (request) => this.sender.send(request),
      address,
      file: tokenFile,
    });
    this.facts = firstFacts({
      profile,
      options: { seed, explore: false },
      run: { runId, callbackUrl: 'https://callback.example.com/' },
      accessCode: '',
      notApplicable: {},
    });
    this.say = (step, text) => say(step, this.recorder.text(text));
    this.#parts = {
      sender: this.sender,
      budget: new Budget({ inFlight: 1, perSecond: address.perSecond }),
      requests: new RequestBudget({
        budget: Math.min(limits?.requests ?? mostProbeRequests, mostProbeRequests),
        forMusts: 0,
      }),
      tokens: this.tokens,
      recorder: this.recorder,
      expiredToken: async () => undefined,
    };
  }

  /** A client for one way of sending things. */
  client(change: Partial<Pick<Profile, 'upload' | 'create'>>, format: UploadFormat): Client {
    return new Client({ ...this.#parts, profile: { ...this.profile, ...change } }, format);
  }

  close(): void {
    this.#inner.close();
  }
}

/** The code of the failure of a call that was not sent. */
export const notSent = 'NOT_SENT';

/** @param limit requests at most */
function counted(inner: Pick<HttpSender, 'send'>, limit: number) {
  let stopped: string | undefined;
  let sent = 0;
  return {
    sent: () => sent,
    async send(request: HttpRequest): Promise<HttpOutcome> {
      const why = stopped ?? (sent >= limit ? `the ${limit} calls of a probe are made` : undefined);
      if (why !== undefined) return { failure: { code: notSent, message: `not sent: ${why}` } };
      sent += 1;
      return inner.send(request);
    },
    /** From now on, nothing is sent. */
    stop(reason: string): void {
      stopped ??= reason;
    },
    /** Sending is allowed again, for removals. */
    resume(): void {
      stopped = undefined;
    },
  };
}

type StepName =
  | 'host name'
  | 'connection'
  | 'proxy'
  | 'TLS'
  | 'base URL'
  | 'access token'
  | 'upload'
  | 'creation'
  | 'signatory';

export class StepBroken extends Error {
  override readonly name = 'StepBroken';
  readonly step: StepName;
  /** What the user can do about it. */
  readonly fix: string;
  /** The call that broke it. */
  readonly exchange: Exchange | undefined;

  constructor(step: StepName, what: string, fix: string, exchange?: Exchange) {
    super(what);
    this.step = step;
    this.fix = fix;
    this.exchange = exchange;
  }
}

/** For `catch`: a call that could not be made, such as one without an access token or with an id that leads elsewhere, breaks the step. */
export const breaks = (step: StepName) =>
  ifCouldNotRun((error): never => {
    const isAuth = error instanceof TokenError;
    const fix = isAuth
      ? 'look at auth in the profile (docs/authorization.md)'
      : 'look at limits in the profile, and at what the target answered';
    throw new StepBroken(step, error.message, fix);
  });

/** The call and its answer, in words. */
export function callAndAnswer({ exchange }: Answer): string {
  return `${exchange.request.method} ${exchange.request.url}: ${received(exchange)}`;
}

/** The error of a step that an answer broke. */
export function stepBrokenBy(answer: Answer, step: StepName, why: string, fix: string): StepBroken {
  return new StepBroken(step, `${callAndAnswer(answer)}${why && `; ${why}`}`, fix, answer.exchange);
}
