/** People, mailboxes and calls for tests of the signing drivers: all of them on loopback. */

import type { ServerResponse } from 'node:http';
import type { SigningTask } from '../../harness/people/driver.ts';
import { createOutbox } from '../../harness/people/outbox.ts';
import type { MakeCall } from '../../harness/people/template-call.ts';
import type { MailboxSettings } from '../../harness/profile/signing-settings.ts';
import { templateDraft } from '../../harness/target/outgoing.ts';
import { type OtpType, role } from '../../openapi/codes.ts';
import { type Arrived, serve } from './services/loopback.ts';

/** Of a profile without outbox. */
export const noOutbox = createOutbox({}, () => Promise.reject(new Error('nobody calls')));

export function personWith(
  changes: Partial<SigningTask> & { readonly otpType?: OtpType; readonly accessCode?: string } = {},
): SigningTask {
  const { otpType: type, accessCode, ...rest } = changes;
  return {
    requestId: 'req-7',
    signatoryId: 'sig-1',
    email: 'anna@example.com',
    name: 'Anna Example',
    mobileNumber: '+12025550123',
    role: role.signer,
    order: 1,
    ...(type === undefined ? {} : { otp: { type, ...(accessCode === undefined ? {} : { accessCode }) } }),
    ...rest,
  };
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** Value of the header Authorization. */
  readonly authorization?: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly body?: unknown;
}

export interface Service {
  readonly baseUrl: string;
  readonly seen: readonly Seen[];
  readonly call: MakeCall;
}

/** Runs `work` with a service that answers as `answer` says, and takes it away afterwards. */
export async function withService<Result>(
  answer: (seen: Seen) => Reply | undefined | Promise<Reply | undefined>,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const seen: Seen[] = [];
  const reply = async ({ method, url, headers, body }: Arrived, response: ServerResponse) => {
    const { pathname: path, searchParams: query } = new URL(url, 'http://localhost');
    const { authorization } = headers;
    const access = authorization === undefined ? {} : { authorization };
    const entry = { method, path, query, body: body.toString('utf8'), ...access };
    seen.push(entry);
    const given: Reply = (await answer(entry)) ?? { status: 404 };
    const { status = 200, headers: more, body: content = '' } = given;
    const isText = typeof content === 'string';
    const type = given.type ?? (isText ? 'text/html' : 'application/json');
    response.writeHead(status, { 'content-type': type, ...more });
    response.end(isText ? content : JSON.stringify(content));
  };
  const { baseUrl, close } = await serve((request, response) => {
    reply(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  try {
    return await work({ baseUrl, seen, call: callTo(baseUrl) });
  } finally {
    await close();
  }
}

/** Makes calls as the run host's client does, without a record. */
function callTo(baseUrl: string): MakeCall {
  let index = 0;
  return async (template, variables, name) => {
    const { method, url, headers: fields, body } = templateDraft(name, template, variables, baseUrl);
    const headers = fields.map(([field, value]): [string, string] => [field, value]);
    const response = await fetch(url, { method, headers, body: body && new Uint8Array(body) });
    const exchange = index;
    index += 1;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    return { status: response.status, url: url.href, text, bytes, headers: [], index: exchange };
  };
}

/** A mail as Mailpit tells of it in its list and alone. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly created?: string;
  readonly attachments?: readonly { readonly FileName: string; readonly ContentType: string }[];
}

/** The two calls of Mailpit's API that read messages; `undefined` for all others. */
export function mailpit(mails: readonly Mail[], { method, path, query }: Seen): Reply | undefined {
  if (method !== 'GET') return undefined;
  if (path === '/api/v1/search') {
    const wanted = (query.get('query') ?? '').replace(/^to:/, '').toLowerCase();
    const messages = mails.flatMap((mail, at) =>
      mail.to.toLowerCase().includes(wanted) ? [entryOf(mail, at)] : [],
    );
    return { body: { total: mails.length, count: messages.length, start: 0, tags: [], messages } };
  }
  const id = /^\/api\/v1\/message\/mail-(\d+)$/.exec(path)?.[1];
  const mail = id === undefined ? undefined : mails[Number(id)];
  if (!mail) return undefined;
  const { text = '', html = '', attachments = [] } = mail;
  return {
    body: { ...entryOf(mail, Number(id)), Text: text, HTML: html, Inline: [], Attachments: attachments },
  };
}

function entryOf({ to, subject, created, attachments = [] }: Mail, at: number) {
  return {
    ID: `mail-${at}`,
    To: [{ Name: '', Address: to }],
    Subject: subject,
    Created: created ?? `2026-01-02T03:04:${String(at).padStart(2, '0')}.000Z`,
    Attachments: attachments.length,
  };
}

export const mailpitSettings = {
  list: { method: 'GET', url: '/api/v1/search?query=to:{email}', authorize: false },
  messages: '/messages',
  id: '/ID',
  message: { method: 'GET', url: '/api/v1/message/{messageId}', authorize: false },
} as const;

/** A mailbox in which SMS stand under the number. */
export const mailpitSmsSettings = {
  ...mailpitSettings,
  list: { ...mailpitSettings.list, url: '/api/v1/search?query=to:{mobileNumber}' },
} as const;

/** An outbox that reads these mails from a mail server. */
export function withMailpit(
  mails: readonly Mail[],
  work: (outbox: ReturnType<typeof createOutbox>, calls: () => number) => Promise<void>,
  settings: { readonly link?: string; readonly code?: string; readonly waitMs?: number } = {},
): Promise<void> {
  return withService(
    (seen) => mailpit(mails, seen),
    ({ call, seen }) =>
      work(createOutbox({ email: mailpitSettings, waitMs: 300, ...settings }, call), () => seen.length),
  );
}

/** An outbox that lists this body, without a mail server. */
export function listing(channel: 'email' | 'sms', body: unknown, names: Partial<MailboxSettings> = {}) {
  const answer = { status: 200, bytes: Buffer.alloc(0), headers: [], index: 0 };
  const call = async () => ({ ...answer, text: JSON.stringify(body) });
  return createOutbox({ [channel]: { list: { method: 'GET', url: '/list' }, ...names }, waitMs: 60 }, call);
}
