/** A request of the reference service with its people, as tests send and sign it. */
import { otpType, role } from '../../openapi/codes.ts';
import type { StoredMail } from '../../reference/outbox.ts';
import { type ReferenceClient, type Reply, signatoryBody, skeletonBody } from './reference-client.ts';

type ShownMail = Omit<StoredMail, 'sentAt'>;

/** A person of a flow: what endpoint 5 is given, by a short name that makes their address. */
export function somebody(
  name: string,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { ...signatoryBody, Email: `${name}@example.com`, Name: `Name of ${name}`, ...more };
}

export const approver = { SignatoryType: role.approver } as const;
export const cc = { SignatoryType: role.cc } as const;
export const byEmail = { OTP: { IsRequired: true, Type: otpType.email } } as const;

export class Flow {
  readonly client: ReferenceClient;
  readonly requestId: string;
  readonly #ids = new Map<string, string>();

  private constructor(client: ReferenceClient, requestId: string) {
    this.client = client;
    this.requestId = requestId;
  }

  /** Creates a type 0 request with the given people, in their order. */
  static async create(
    client: ReferenceClient,
    people: readonly Record<string, unknown>[],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Flow> {
    const { json } = await client.create({ ...skeletonBody([await client.document()]), ...more });
    const flow = new Flow(client, String(json.requestId));
    for (const person of people) await flow.add(person);
    return flow;
  }

  async add(person: Record<string, unknown>): Promise<Reply> {
    const reply = await this.client.add(encodeURIComponent(this.requestId), person);
    this.#ids.set(String(person.Email).split('@')[0] ?? '', String(reply.json.signatoryId));
    return reply;
  }

  idOf(name: string): string {
    return this.#ids.get(name) ?? '';
  }

  send(): Promise<Reply> {
    return this.#call('POST', '/send');
  }

  sign(name: string, proof: unknown = {}): Promise<Reply> {
    return this.#act(name, 'sign', proof);
  }

  approve(name: string): Promise<Reply> {
    return this.#act(name, 'approve', {});
  }

  askForCode(name: string): Promise<Reply> {
    return this.#act(name, 'otp', {});
  }

  /** Has a code sent; what arrived at the person's address. */
  async emailedCode(name: string): Promise<string | undefined> {
    await this.askForCode(name);
    const mail = (await this.mails(`${name}@example.com`)).find(({ kind }) => kind === 'code');
    return mail?.code ?? undefined;
  }

  status(): Promise<Reply> {
    return this.#call('GET', '/status');
  }

  /** The completed documents. */
  async documents(): Promise<readonly Buffer[]> {
    const { json } = await this.#call('GET', '/documents');
    const list = (json.documents ?? []) as readonly { readonly url: string }[];
    return Promise.all(list.map(({ url }) => this.#download(url)));
  }

  /** What was sent about the request, to one address or number or to all, newest first. */
  async mails(to?: string): Promise<readonly ShownMail[]> {
    const query = new URLSearchParams({ requestId: this.requestId, ...(to === undefined ? {} : { to }) });
    const { json } = await this.client.send('GET', `/_outbox.json?${query}`);
    return json.messages as readonly ShownMail[];
  }

  async #download(url: string): Promise<Buffer> {
    const { reference } = this.client;
    const headers = { Authorization: `Bearer ${reference.tokens.valid}` };
    return Buffer.from(await (await reference.handle(new Request(url, { headers }))).arrayBuffer());
  }

  #act(name: string, what: string, body: unknown): Promise<Reply> {
    return this.#call('POST', `/signatories/${encodeURIComponent(this.idOf(name))}/${what}`, body);
  }

  #call(method: string, below: string, body?: unknown): Promise<Reply> {
    const target = `/_apis/sign/api/v2/requests/${encodeURIComponent(this.requestId)}${below}`;
    return body === undefined ? this.client.send(method, target) : this.client.json(method, target, body);
  }
}
