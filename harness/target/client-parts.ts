/** What the client of a run is made of, and how it is told to send a call. */

import type { Created, Exchange } from '../../record/exchange.ts';
import type { Profile } from '../profile/schema.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Scope } from '../untrusted/place.ts';
import type { HttpSender } from '../wire/http.ts';
import type { Tape } from '../wire/tape.ts';
import type { Tokens } from './access/tokens.ts';
import type { Budget } from './budgets/calls.ts';
import type { RequestBudget } from './budgets/requests.ts';
import type { Authorization, Call } from './call.ts';
import type { Draft } from './outgoing.ts';

/** A call that is about to create something. */
export interface Creation {
  readonly kind: Created['kind'];
  /** By which it can be found at the target: the Title of a request, the file name of a document. */
  readonly title: string;
}

/** What a call of the contract would create. */
export function creationBy({ operation, body, requestId, check, row }: Call): Creation {
  const unnamed = ['without a name', check, row].filter(Boolean).join(' ');
  if (operation === 'addSignatory') return { kind: 'signatory', title: `of request ${requestId}` };
  if ('file' in body) return { kind: 'document', title: body.file.name };
  const { Title } = 'json' in body ? ((body.json ?? {}) as { readonly Title?: unknown }) : {};
  const kind = operation === 'uploadDocument' ? 'document' : 'request';
  return { kind, title: typeof Title === 'string' && Title !== '' ? Title : unnamed };
}

/** Where a creation is noted before it is sent: whoever is killed then has at least its title. */
export interface Journal {
  /** @returns to be called when it is known what the call has created, or that it created nothing */
  sending(creation: Creation): () => void;
}

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
export interface Sending {
  readonly draft: Draft;
  /** What it would create; absent for a call that is not of the contract. */
  readonly creation?: Creation;
  readonly authorization: Authorization;
  /** How long the target may need until it knows what was made, or ended, a moment ago; in milliseconds. */
  readonly graceMs: number;
  /** What the call was made for is that something was ended: until then it is a success. */
  readonly ended: boolean;
  /** Takes another signature request of the budget: the call was accepted, and is made again. */
  readonly again?: () => Promise<void>;
  readonly about: Pick<Exchange, 'operation' | 'purpose' | 'template' | 'check' | 'row'>;
  /** The answer to it, should it be a success, has to keep to the contract. */
  readonly validated: boolean;
  readonly learn?: Learn | undefined;
}

/** Is shown an answer before it is recorded, so that secrets in it can be registered. */
export type Learn = (answer: Scope) => void;
