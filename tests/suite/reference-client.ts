/** A small client for tests of the reference service: bodies that it accepts, sent without a socket. */

import { without, withValue } from '../../generators/bodies/edit.ts';
import { minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { minimalStamped } from '../../generators/bodies/stamping.ts';
import { path } from '../../openapi/codes.ts';
import { plainPdf } from '../../reference/plain-pdf.ts';
import { type Reference, type ReferenceOptions, startReference } from '../../reference/server.ts';

/** What came back, with its body as text and as JSON where it is. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

export interface Sending {
  /** Absent: the valid token. `null`: no header at all. */
  readonly authorization?: string | null;
  readonly contentType?: string | null;
}

export class ReferenceClient {
  readonly reference: Reference;

  constructor(reference: Reference) {
    this.reference = reference;
  }

  async send(method: string, target: string, body?: BodyInit, sending: Sending = {}): Promise<Reply> {
    const { authorization = `Bearer ${this.reference.tokens.valid}`, contentType } = sending;
    const headers = new Headers();
    if (authorization !== null) headers.set('Authorization', authorization);
    if (contentType) headers.set('Content-Type', contentType);
    // Node's fetch adds text/plain to a string; bytes are sent without a Content-Type.
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const init = { method, headers, ...(bytes === undefined ? {} : { body: bytes }) };
    const response = await this.reference.handle(new Request(`${this.reference.baseUrl}${target}`, init));
    const text = await response.text();
    return { status: response.status, text, json: objectIn(text), headers: response.headers };
  }

  json(method: string, target: string, body: unknown, sending: Sending = {}): Promise<Reply> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send(method, target, text, { contentType: 'application/json', ...sending });
  }

  upload(bytes: Uint8Array, sending: Sending = {}, fileName = 'a.pdf', field = 'file'): Promise<Reply> {
    const form = new FormData();
    form.set(field, new File([new Uint8Array(bytes)], fileName));
    return this.send('POST', path.upload, form, sending);
  }

  /** Uploads a PDF with the given text; returns its token. */
  async document(text = 'A document'): Promise<string> {
    const { json } = await this.upload(plainPdf([text]));
    return String(json.documentToken);
  }

  create(body: unknown, sending: Sending = {}): Promise<Reply> {
    return this.json('POST', `${path.skeleton}?type=0`, body, sending);
  }

  add(requestId: string, body: unknown, sending: Sending = {}): Promise<Reply> {
    return this.json('POST', path.signatories.replace('{requestId}', requestId), body, sending);
  }

  /** Creates a type 0 request; returns its id. */
  async request(): Promise<string> {
    const { json } = await this.create(skeletonBody([await this.document()]));
    return String(json.requestId);
  }
}

const person = {
  email: 'somebody@example.com',
  name: 'Some Body',
  mobileNumber: '+351910000000',
  color: '#1A73E8',
};

export const skeletonBody = (documents: readonly string[]) => minimalRequest({ title: 'A title', documents });
export const signatoryBody = minimalSignatory({ person });
export const stampedBody = (documents: readonly string[]) =>
  minimalStamped({ title: 'A title', documents, people: [person] });

/** `body` with the value at a JSON Pointer replaced; `undefined` takes the field away. */
export function changed(body: unknown, pointer: string, value: unknown): unknown {
  return value === undefined ? without(body, pointer) : withValue(body, pointer, value);
}

/** Runs `work` against a service of its own, which is closed afterwards. */
export async function withReference<Result>(
  options: ReferenceOptions,
  work: (client: ReferenceClient) => Promise<Result>,
): Promise<Result> {
  const reference = await startReference(options);
  try {
    return await work(new ReferenceClient(reference));
  } finally {
    await reference.close();
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // Not every answer is JSON; `text` has it all.
    return {};
  }
}
