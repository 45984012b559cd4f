/** The service that the model is held against, with what the commands need to call it and to compare. */
import { createHash } from 'node:crypto';
import { path } from '../../../openapi/codes.ts';
import { type Reference, startReference } from '../../../reference/server.ts';
import { ReferenceClient, type Reply, type Sending } from '../../suite/reference-client.ts';
import { atTurn, type Caller, type Model, type ModelRequest, type Reason } from './model.ts';

export class World {
  readonly client: ReferenceClient;
  readonly #errors: unknown[];

  private constructor(reference: Reference, errors: unknown[]) {
    this.client = new ReferenceClient(reference);
    this.#errors = errors;
  }

  /** @param faults ids of the faults that are on */
  static async start(faults: readonly string[]): Promise<World> {
    const errors: unknown[] = [];
    const dialect = { signatureKind: 'visible' } as const;
    const onError = (error: unknown) => errors.push(error);
    return new World(await startReference({ dialect, faults, onError }), errors);
  }

  close(): Promise<void> {
    return this.client.reference.close();
  }

  as(caller: Caller): Sending {
    const { tokens, other } = this.client.reference;
    const token = {
      owner: tokens.valid,
      stranger: other.token,
      expired: tokens.expired,
      invalid: tokens.invalid,
    };
    return { authorization: caller === 'nobody' ? null : `Bearer ${token[caller]}` };
  }

  /** Calls one of the operations on a request. */
  call(method: string, requestId: string, below: string, caller: Caller, body?: unknown): Promise<Reply> {
    const target = `${path.skeleton}/${encodeURIComponent(requestId)}${below}`;
    return body === undefined
      ? this.client.send(method, target, undefined, this.as(caller))
      : this.client.json(method, target, body, this.as(caller));
  }

  /** The code that was sent last to an address about a request. */
  async code(requestId: string, email: string): Promise<string | undefined> {
    const query = new URLSearchParams({ requestId, to: email });
    const { json } = await this.client.send('GET', `/_outbox.json?${query}`);
    const mails = json.messages as readonly { readonly code: string | null }[];
    return mails.find(({ code }) => code !== null)?.code ?? undefined;
  }

  /** Compares a request with what the model knows of it: states, turns, events, completed documents. */
  async compare(request: ModelRequest): Promise<void> {
    if (this.#errors.length > 0) throw new Error(`the service broke: ${String(this.#errors[0])}`);
    const { status, json } = await this.call('GET', request.id, '/status', 'owner');
    if (request.deleted) return same('status of a deleted request', status, 404);
    const turn = request.state === 'sent' ? atTurn(request) : [];
    same(
      'status',
      {
        status: json.status,
        signatories: list(json.signatories).map(({ signatoryId, status: state }) => {
          return { signatoryId, status: state };
        }),
        events: list(json.callbacks).map(({ event }) => event),
      },
      {
        status: request.state,
        signatories: request.people.map((person) => ({
          signatoryId: person.id,
          status: person.state === 'waiting' && turn.includes(person) ? 'invited' : person.state,
        })),
        events: request.events,
      },
      // Who was invited and has not acted stays invited when somebody else declines.
      request.state === 'declined',
    );
    const completed = await this.call('GET', request.id, '/documents', 'owner');
    const count = request.state === 'completed' ? request.documents.length : 0;
    same('completed documents', list(completed.json.documents).length, count);
  }

  async compareAll(model: Model): Promise<void> {
    for (const request of model.requests) await this.compare(request);
  }
}

/** Throws when an answer is not one that the reasons allow: a success without any, one of them otherwise. */
export function judge(what: string, { status, text }: Reply, reasons: readonly Reason[]): boolean {
  const refused = status >= 400 && status < 500;
  const right =
    reasons.length === 0
      ? status >= 200 && status < 300
      : reasons.some((reason) => (reason === 'refused' ? refused : status === reason));
  if (right) return reasons.length === 0;
  const expected = reasons.length === 0 ? 'success' : [...new Set(reasons)].join(' or ');
  throw new Error(`${what}: expected ${expected} · received ${status} ${text.slice(0, 200)}`);
}

/** An id that nobody gave out, the same for the same number. */
export function madeUpId(number: number): string {
  const digest = createHash('sha256').update(String(number)).digest('hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4000-8000-${digest.slice(12, 24)}`;
}

function same(what: string, actual: unknown, expected: unknown, invitedToo = false): void {
  const shown = (value: unknown) => {
    const text = JSON.stringify(value);
    return invitedToo ? text.replaceAll('"invited"', '"waiting"') : text;
  };
  if (shown(actual) === shown(expected)) return;
  throw new Error(`${what}: expected ${shown(expected)} · received ${shown(actual)}`);
}

function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return (value ?? []) as readonly Readonly<Record<string, unknown>>[];
}
