/** The types of what programs import from the package. Imports only files whose types are bundled into the same file. */
import type {
  RelayedDelivery,
  SigningModule,
  SigningTask,
  SigningTools,
} from '../harness/people/module-types.ts';
import type { GivenOptions } from '../harness/profile/given-options.ts';
import type {
  Call,
  Delivery,
  Failure,
  Message,
  Operation,
  RequestState,
  SignatureRequest,
  Waiting,
} from '../reference/double-types.ts';
// In the package it is made from run.schema.json, so that it imports nothing.
import type { Run } from '../reports/run/run.ts';

export type {
  Call,
  Delivery,
  Failure,
  Message,
  Operation,
  RelayedDelivery,
  RequestState,
  Run,
  SignatureRequest,
  SigningModule,
  SigningTask,
  SigningTools,
  Waiting,
};

export type RunRequirement = Run['requirements'][number];
export type Verdict = RunRequirement['verdict'];
/** A call and its answer, without secrets. */
export type Exchange = Run['exchanges'][number];
export type Body = NonNullable<Exchange['request']['body']>;

/** The options of the command `run`, by their names and with its defaults; paths are relative to the working folder. */
export interface RunOptions extends Partial<GivenOptions> {
  /** Ends the run when aborted: the result is an incomplete run. */
  readonly signal?: AbortSignal;
}

/**
 * Runs the checks and writes the files of a run; prints nothing. A failed run is a result, not an error.
 * @throws Error when it cannot start: wrong options, a profile with a mistake, a folder that another run writes into
 */
export declare function run(options?: RunOptions): Promise<Run>;

export interface LoadedProfile {
  /** The profile with everything that it extends and with environment variables filled in, so it holds secrets. */
  readonly profile: {
    readonly name?: string;
    readonly address: { readonly baseUrl: string; readonly [key: string]: unknown };
    readonly auth: { readonly kind: string; readonly [key: string]: unknown };
    readonly [key: string]: unknown;
  };
  readonly file?: string;
  /** SHA-256 of the profile as it is written. */
  readonly hash: string;
}

/**
 * Reads a target profile and calls nothing.
 * @param env the variables for `${NAME}` in the profile; those of the process by default
 * @throws Error with file, key, value and the fix
 */
export declare function loadProfile(
  file: string,
  env?: Readonly<Record<string, string | undefined>>,
): LoadedProfile;

export interface ReferenceOptions {
  /** How gaps of the interface document are filled, by name; `serve --list` prints names and values. */
  readonly dialect?: Readonly<Record<string, string | number | boolean>>;
  /**
   * A target profile: files are uploaded and access tokens got in the same way as at this target, unless `dialect` says
   * otherwise. The environment has to have the variables that the profile names.
   */
  readonly profile?: string | LoadedProfile;
  /** Ids of rules that are broken on purpose. */
  readonly faults?: readonly string[];
  /** The port on the loopback address; any free one by default. */
  readonly port?: number;
}

/** The reference service as a double in a test. Unknown names and ids throw an Error that says which there are. */
export interface ReferenceDouble {
  /** Address before all documented paths, without a slash at its end. */
  readonly url: string;
  /** An access token. */
  readonly token: string;
  readonly expiredToken: string;
  readonly credentials: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly tokenEndpoint: string;
  };
  /** The id of a template for requests of type 1, whose people have the roles Employer and Employee. */
  readonly templateId: string;
  /** E-mails and SMS, newest first; at most 200. */
  outbox(wanted?: { readonly to?: string; readonly requestId?: string }): readonly Message[];
  /**
   * Lets a person act at their turn, without a code.
   * @param person a signatoryId, or an e-mail address, which stands for the newest request that waits for that person
   */
  act(person: string, act: 'sign' | 'approve' | 'decline', requestId?: string): Promise<void>;
  /** The next calls of an operation meet this; without a status they are served, otherwise nothing is done. */
  failNext(failure: Failure): void;
  /** The callbacks, of all requests or of one, oldest first. */
  deliveries(requestId?: string): readonly Delivery[];
  /** Sends a callback once more. */
  resend(id: number): void;
  /** The calls of documented endpoints, oldest first; at most 1,000. */
  calls(): readonly Call[];
  /** The signature requests, newest first. */
  requests(): readonly SignatureRequest[];
  /**
   * Resolves with a request once one is in the state; it waits 10 s when `timeoutMs` is left out, 60 s at most. It throws
   * at once where there is no request `requestId`, or where that has ended in another state.
   */
  waitFor(state: RequestState, options?: Waiting): Promise<SignatureRequest>;
  /** Resolves with the newest callback of an event once none of that event is pending; it waits likewise. */
  waitForCallback(event: 1 | 2 | 3, options?: Waiting): Promise<Delivery>;
  /** Forgets all but its clients and tokens. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts the reference service in this process. */
export declare function startReference(options?: ReferenceOptions): Promise<ReferenceDouble>;

/** The default export of a module `….check.mjs` for `--checks`: the check of each requirement, by its id. */
export type OwnChecks = Readonly<Record<string, OwnCheck>>;

/** A check, which reports by its rows. An error outside of rows is a mistake of the check: exit code 4. */
export type OwnCheck = (parts: OwnParts) => Promise<void> | void;

export interface OwnParts {
  readonly facts: {
    /** Short and different for each run. */
    readonly runId: string;
    readonly seed: number;
    readonly callbackUrl: string;
  };
  readonly upload: OwnOperation<object, OwnDocument>;
  /** Endpoint 4. */
  readonly skeleton: OwnOperation<
    { readonly title: string; readonly documents: readonly string[]; readonly callbackUrl: string },
    OwnBody
  >;
  /** Endpoint 5, with requests that have room. */
  readonly signatory: OwnOperation<
    { personOf(place: string): OwnPerson; readonly accessCode: string },
    OwnBody
  >;
  /** Endpoint 3. */
  readonly stamping: OwnOperation<OwnStamped, OwnBody>;
  /** Endpoint 2 with type 3. */
  readonly unversioned: OwnOperation<OwnStamped, OwnBody>;
  /** Judges a single row in a way of your own. */
  row(title: string, judge: () => Promise<OwnJudged>): Promise<void>;
  /** Makes a call of the contract that is recorded. */
  call(call: {
    readonly operation:
      | 'uploadDocument'
      | 'createRequest'
      | 'createStampedRequest'
      | 'createSkeletonRequest'
      | 'addSignatory';
    readonly body: OwnBody;
    /** The request that a signatory is added to. */
    readonly requestId?: string;
    /** For createRequest: 1, 2 or 3. */
    readonly type?: number;
    readonly row?: string;
    /** Whether the call breaks the contract on purpose. */
    readonly deliberate?: boolean;
  }): Promise<Answer>;
  /** The answer to the accepted call of this kind that all checks share. */
  shared(name: 'document' | 'skeleton' | 'signatory' | 'stamped'): Promise<Answer>;
  /** Tokens of so many documents. */
  documents(count: number): Promise<readonly string[]>;
  /** The id of a request with room for so many signatories; `own`: of one that nobody else gets. */
  request(room: number | 'own'): Promise<string>;
  passed(answer: Answer): OwnJudged;
  /** @param said what was expected and what came; secrets and people are taken out */
  failed(answer: Answer, said: string): OwnJudged;
  /** For an answer that proves nothing, such as 503: the row could not run. */
  unproved(answer: Answer, said: string): OwnJudged;
  /** Ends a check without rows as not applicable. */
  skip(reason: string): void;
}

export interface OwnOperation<Given, Input> {
  /** An input that is accepted, to be changed in a row. */
  valid(given: Given): Input | Promise<Input>;
  /** Each row is accepted. */
  accepts(rows: (given: Given) => readonly OwnRow<Input>[]): Promise<void>;
  /** Each row is refused, while the call that all checks share is accepted. */
  refuses(
    rows: (given: Given) => readonly OwnRow<Input>[],
    refusal: 400 | 401 | 404 | '4xx' | 'rejection' | 'no-token',
  ): Promise<void>;
  /** Judges the answer to the accepted call that all checks share. */
  answers(title: string, judge: (answer: Answer) => OwnJudged): Promise<void>;
}

export interface OwnRow<Input> {
  readonly title: string;
  readonly input: Input | (() => Promise<Input> | Input);
}

export type OwnBody = { readonly json: unknown } | { readonly raw: string };
export type OwnPerson = { readonly name: string; readonly email: string; readonly mobileNumber: string };
export type OwnStamped = {
  readonly title: string;
  readonly documents: readonly string[];
  readonly people: readonly OwnPerson[];
};
export interface OwnDocument {
  readonly name: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** The answer to a call. Only for judging, since it holds secrets and people. */
export interface Answer {
  /** 0 when none arrived. */
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly ids: {
    readonly documentToken?: string;
    readonly requestId?: string;
    readonly signatoryId?: string;
  };
}

/** Made by `passed`, `failed` or `unproved`. */
export interface OwnJudged {
  readonly verdict: 'passed' | 'failed' | 'could-not-run';
}
