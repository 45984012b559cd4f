/** The row: one input with a name and the outcome that the interface document gives it. */

/**
 * What the document says about an input: every compliant service accepts it, every compliant service
 * refuses it, or the document is silent and what happens is an observation.
 */
export type Outcome = 'accepted' | 'refused' | 'silent';

/** One named input. A refused row is an accepted one with exactly one thing broken, named by `breaks`. */
export interface Row<Input> {
  /** Says what is particular, in the words of a person: `Title is null`. */
  readonly title: string;
  readonly outcome: Outcome;
  /** The one thing that is wrong: a JSON Pointer into the body, or `body` for the body as a whole. */
  readonly breaks?: string;
  readonly input: Input;
}

/** A request body: a JSON value, or bytes that are sent as they are because no JSON value gives them. */
export type Body = { readonly json: unknown } | { readonly raw: string };

/** A body that every compliant service accepts. */
export function acceptedBody(title: string, json: unknown): Row<Body> {
  return { title, outcome: 'accepted', input: { json } };
}

/** A body in which one thing is wrong. */
export function refusedBody(title: string, breaks: string, json: unknown): Row<Body> {
  return { title, outcome: 'refused', breaks, input: { json } };
}
