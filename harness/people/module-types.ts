/** The interface of a signing module: a file of yours that acts as the people of a request. Names no other file: programs get it from the package. */

/** One person of one request, with all that may be needed to act as them. */
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

/**
 * What the default export of a signing module is. The profile names the file: `signing: {driver: module, module:
 * ./signing.ts}`. Everything that it throws, and everything that takes longer than `signing.timeoutMs`, makes the
 * checks that depend on it `could-not-run`; it never makes them fail.
 */
export interface SigningModule {
  /**
   * Acts as the person, once. It must not try again when the target refuses: whether a refusal was right is for
   * the checks to say.
   * @param act what they do; a signer may also be told to approve, to see that it is refused
   * @param codes `right`: the codes that were sent or set; `none`: none; `wrong`: codes that are not right
   * @returns `done`: the target let the person act; `refused`: it did not, and said so, perhaps why; `unknown`: it could
   *   not be found out, and why
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
  /**
   * Callbacks that arrive somewhere else, as at a relay that is polled: `callbacks.publicUrl` then leads there. Each
   * one is yielded as it came. The iteration goes on until `signal` is aborted at the end of the run.
   */
  deliveries?(signal: AbortSignal): AsyncIterable<RelayedDelivery>;
  /** Is called once, at the end of the run. */
  close?(): Promise<void>;
}

export interface SigningTools {
  /** The base URL of the target. */
  readonly baseUrl: string;
  /**
   * Makes a call that is recorded, with the access token of the run. `{name}` in its URL, headers and body stands
   * for a variable; `name` is what the report calls it.
   */
  call(
    template: {
      /** In capitals. */
      readonly method: string;
      readonly url: string;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
      /** Whether the access token goes along; true when it is left out. */
      readonly authorize?: boolean;
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

/** One callback as it came. */
export interface RelayedDelivery {
  readonly method: string;
  /** The whole URL, or path and query, with which the relay was called. */
  readonly url: string;
  /** Header fields in their order; repeated ones stand apart. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** A text stands for its UTF-8 bytes. */
  readonly body: Uint8Array | string;
  /** ISO 8601: when the relay had received it; the moment at which it was yielded when absent. */
  readonly receivedAt?: string;
}
