/** The types of what programs import from the package. They name no other file but the types of the double, which the package has in the same file. */
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

export type { Call, Delivery, Failure, Message, Operation, RequestState, SignatureRequest, Waiting };

export type Verdict = 'passed' | 'failed' | 'could-not-run' | 'not-applicable' | 'error';

/** The options of the command `run` by their names there; paths are relative to the working folder. */
export interface RunOptions {
  /** Path of a target profile. Without it and `baseUrl`, the reference service is the target. */
  readonly target?: string;
  /** A target without a profile; its access token is read from ESIGN_TOKEN. */
  readonly baseUrl?: string;
  /** Folder for run.json and the reports; `reports/out` when it is left out. */
  readonly out?: string;
  /** Ids of requirements and names of areas. */
  readonly only?: readonly string[];
  readonly strict?: boolean;
  /** A version of the suite, such as `0.1.0`: requirements that came later are reported and do not gate. */
  readonly since?: string;
  readonly seed?: number;
  /** Calls in flight at the same time, 1 or more. */
  readonly concurrency?: number;
  readonly explore?: boolean;
  /** Steps of random sequences after the checks. */
  readonly exploreSteps?: number;
  /** Path of a sequence to be played after the checks. */
  readonly replaySequence?: string;
  /** Whether people may be asked to sign, where the profile says that people do; true when it is left out. */
  readonly manual?: boolean;
  /** Whether failures are asked about again at the end; true when it is left out. */
  readonly confirm?: boolean;
  readonly deviations?: string;
  readonly stale?: 'fail' | 'warn';
  readonly baseline?: string;
  readonly strictDrift?: boolean;
  readonly driftFactor?: number;
  readonly recheck?: string;
  readonly resume?: string;
  /** Signature requests that may be created at most. */
  readonly budget?: number;
  readonly record?: string;
  readonly replay?: string;
  /** Ends the run: what is known by then is an incomplete run. */
  readonly signal?: AbortSignal;
}

/** What run.json holds; `esign-conformance/run.schema.json` describes all of it. */
export interface Run {
  readonly schemaVersion: string;
  readonly suite: { readonly name: string; readonly version: string };
  readonly contract: { readonly version: string };
  readonly target: { readonly name: string; readonly baseUrl: string; readonly profileHash: string };
  readonly scope: 'full' | 'partial';
  readonly strict: boolean;
  readonly seed: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: 'conformant' | 'nonconformant' | 'incomplete' | 'partial' | 'error';
  /** As the command line ends: 0 to 4. */
  readonly exitCode: number;
  readonly counts: {
    readonly requirements: Readonly<Record<Verdict | 'deviation' | 'notTestable', number>>;
    readonly musts: { readonly passed: number; readonly applicable: number; readonly all: number };
    readonly exchanges: number;
    readonly signatureRequestsCreated: number;
  };
  readonly requirements: readonly RunRequirement[];
  readonly exchanges: readonly Exchange[];
  readonly warnings: readonly string[];
  /** What broke in the suite itself. */
  readonly problems: readonly string[];
}

export interface RunRequirement {
  readonly id: string;
  readonly level: 'must' | 'should';
  /** Section of the interface document. */
  readonly section: string;
  readonly statement: string;
  readonly verdict: Verdict;
  /** Why it was not judged. */
  readonly reason?: string;
  /** Why no check can prove it. */
  readonly notTestable?: string;
  readonly checks: readonly {
    readonly title: string;
    readonly verdict: Verdict;
    readonly message?: string;
    readonly durationMs: number;
    readonly rows: readonly {
      readonly title: string;
      readonly verdict: Verdict;
      /** What was expected and what came. */
      readonly message?: string;
      /** Indexes into the exchanges of the run; the decisive one last. */
      readonly exchanges: readonly number[];
    }[];
  }[];
}

/** A call and its answer, without secrets. */
export interface Exchange {
  readonly index: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: Body | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: Body | null;
  } | null;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Makes the call again; the access token stands as $TOKEN. */
  readonly curl: string;
}

export interface Body {
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  readonly text?: string;
}

/**
 * Runs the checks and writes what a run leaves; prints nothing. A failed run is a result, not an error.
 * @throws Error when it cannot start: wrong options, a profile with a mistake, a folder that another run writes into
 */
export declare function run(options?: RunOptions): Promise<Run>;

export interface LoadedProfile {
  /** With all that it extends, and with the environment filled in: it holds secrets. */
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
 * @param env for its `${NAME}` references; the environment of the process when it is left out
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
   * A target profile: files are uploaded, and access tokens got, as at this target. What the dialect says goes first.
   * The environment has to have what the profile refers to.
   */
  readonly profile?: string | LoadedProfile;
  /** Ids of rules that are broken on purpose. */
  readonly faults?: readonly string[];
  /** On the loopback address; any free one when it is left out. */
  readonly port?: number;
}

/** The reference service as a double in a test. What is asked for in vain throws an Error that says what there is. */
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
  /** E-mails and SMS, newest first. */
  outbox(wanted?: { readonly to?: string; readonly requestId?: string }): readonly Message[];
  /**
   * Lets a person act at their turn, without a code.
   * @param person e-mail address, of whose requests the newest that waits for them counts; or a signatoryId
   */
  act(person: string, act: 'sign' | 'approve' | 'decline', requestId?: string): Promise<void>;
  /** The next calls of an operation are answered so, and nothing is done; one call when `times` is left out. */
  failNext(failure: Failure): void;
  /** The callbacks, oldest first. */
  deliveries(): readonly Delivery[];
  /** Sends a callback once more. */
  resend(id: number): void;
  /** The calls of documented endpoints, oldest first; at most 1,000. */
  calls(): readonly Call[];
  /** The signature requests, newest first. */
  requests(): readonly SignatureRequest[];
  /** Resolves with a request once one is in the state; it waits 10 s when `timeoutMs` is left out, 60 s at most. */
  waitFor(state: RequestState, options?: Waiting): Promise<SignatureRequest>;
  /** Forgets all but its clients and tokens. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts the reference service in this process. */
export declare function startReference(options?: ReferenceOptions): Promise<ReferenceDouble>;

/** What the default export of a signing module is: `signing: {driver: module, module: ./signing.ts}` in a profile. */
export interface SigningModule {
  /**
   * Acts as the person, once; whether a refusal was right is for the checks to say.
   * @param act what they do; a signer may also be told to approve, to see that it is refused
   * @param codes `right`: the codes that were sent or set; `none`: none; `wrong`: codes that are not right
   */
  act(
    task: SigningTask,
    act: 'sign' | 'approve',
    codes: 'right' | 'none' | 'wrong',
    tools: SigningTools,
  ): Promise<'done' | 'refused' | { readonly refused: string } | { readonly unknown: string }>;
  /** Looks at what the person is shown, without acting. */
  view?(
    task: SigningTask,
    tools: SigningTools,
  ): Promise<
    | {
        /** All text that the person sees. */
        readonly text: string;
        /** Whether the document could be looked at; absent when that cannot be told. */
        readonly document?: boolean;
      }
    | { readonly unknown: string }
  >;
  /** Callbacks that arrive elsewhere, as at a relay that is polled, each as it came, until `signal` is aborted. */
  deliveries?(signal: AbortSignal): AsyncIterable<{
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: Uint8Array | string;
    /** ISO 8601; the moment at which it was yielded when it is left out. */
    readonly receivedAt?: string;
  }>;
  /** Is called once, at the end of the run. */
  close?(): Promise<void>;
}

/** One person of one request. */
export interface SigningTask {
  readonly requestId: string;
  /** Absent where the answer to the addition carried none. */
  readonly signatoryId?: string;
  readonly email: string;
  readonly name: string;
  readonly mobileNumber: string;
  /** Value of SignatoryType. */
  readonly role: 1 | 2 | 3;
  readonly order: number;
  /** Absent: no OTP was asked for. */
  readonly otp?: { readonly type: 1 | 2 | 3 | 4; readonly accessCode?: string };
}

export interface SigningTools {
  /** The base URL of the target. */
  readonly baseUrl: string;
  /** Makes a call that is recorded, with the access token of the run; `{name}` in it stands for a variable. */
  call(
    template: {
      readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      readonly url: string;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    },
    variables?: Readonly<Record<string, string | undefined>>,
    name?: string,
  ): Promise<{
    /** 0 when no answer arrived. */
    readonly status: number;
    readonly text: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
  }>;
  /** The outbox of the profile; null when it has none. */
  readonly outbox: {
    /** The first link to the signing page in a message of the person. */
    link(task: SigningTask): Promise<string | undefined>;
    /** The newest one-time password in a message of that channel, not one of `seen`. */
    code(task: SigningTask, channel: 'email' | 'sms', seen?: readonly string[]): Promise<string | undefined>;
  } | null;
}
