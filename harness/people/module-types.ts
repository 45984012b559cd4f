/** The interface of a signing module: a file of yours that acts as the people of a request. */
import type { CallTemplate } from '../profile/parts.ts';
import type { Variables } from '../profile/template.ts';
import type { Act, Codes, Outbox, SigningTask } from './driver.ts';
import type { TemplateAnswer } from './template-call.ts';

/**
 * What the default export of a signing module is. The profile names the file: `signing: {driver: module, module:
 * ./signing.ts}`. Everything that it throws, and everything that takes longer than `signing.timeoutMs`, makes the
 * checks that depend on it `could-not-run`; it never makes them fail.
 */
export interface SigningModule {
  /**
   * Acts as the person, once. It must not try again when the target refuses: whether a refusal was right is for
   * the check to say.
   * @param task the person and their request
   * @param act what they do; a signer may also be told to approve, to see that it is refused
   * @param codes `right`: the codes that were sent or set; `none`: none; `wrong`: codes that are not right
   */
  act(task: SigningTask, act: Act, codes: Codes, tools: SigningTools): Promise<Acted>;
  /** Looks at what the person is shown, without acting. */
  view?(task: SigningTask, tools: SigningTools): Promise<Viewed>;
  /**
   * Callbacks that arrive somewhere else, as at a relay that is polled: `callbacks.publicUrl` then leads there. Each
   * one is yielded as it came. The iteration goes on until `signal` is aborted at the end of the run.
   */
  deliveries?(signal: AbortSignal): AsyncIterable<RelayedDelivery>;
  /** Is called once, at the end of the run. */
  close?(): Promise<void>;
}

/**
 * `done`: the target let the person act. `refused`: it did not, and said so; a reason may be told. `unknown`: it
 * could not be found out, and why.
 */
export type Acted = 'done' | 'refused' | { readonly refused: string } | { readonly unknown: string };

export type Viewed =
  | {
      /** All text that the person sees. */
      readonly text: string;
      /** Whether the document could be looked at; absent when that cannot be told. */
      readonly document?: boolean;
    }
  | { readonly unknown: string };

export interface SigningTools {
  /** The base URL of the target. */
  readonly baseUrl: string;
  /**
   * Makes a call that is recorded, with the access token of the run. `{name}` in its URL, headers and body stands
   * for a variable; `name` is what the report calls it.
   */
  call(template: CallTemplate, variables?: Variables, name?: string): Promise<TemplateAnswer>;
  /** The outbox of the profile; null when it has none. */
  readonly outbox: Outbox | null;
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
