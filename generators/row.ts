/** The row: one input with a name and the outcome that the interface document gives it. */

/** By the document: every compliant service accepts the input, every one refuses it, or the document is silent. */
export type Outcome = 'accepted' | 'refused' | 'silent';

/** One named input. A refused row is an accepted one with exactly one thing broken, named by `breaks`. */
export interface Row<Input> {
  /** Says what is special about the input: `Title is null`. */
  readonly title: string;
  readonly outcome: Outcome;
  /** The place that is wrong: a JSON Pointer into the body, or `body` for the body as a whole. */
  readonly breaks?: string;
  readonly input: Input;
}

/** A request body: a JSON value, or a text that is sent as it is, since no JSON value gives it. */
export type Body = { readonly json: unknown } | { readonly raw: string };

export function acceptedBody(title: string, json: unknown): Row<Body> {
  return { title, outcome: 'accepted', input: { json } };
}

export function refusedBody(title: string, breaks: string, json: unknown): Row<Body> {
  return { title, outcome: 'refused', breaks, input: { json } };
}
