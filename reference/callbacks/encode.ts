/** Gives a callback the shape of the dialect, since the document shows none. */
import { randomUUID } from 'node:crypto';
import { event } from '../../openapi/codes.ts';
import type { Dialect } from '../dialect.ts';
import { copyPath } from '../letters.ts';
import type { Service } from '../service.ts';
import type { CallbackContent } from './content.ts';

interface EncodedCallback {
  readonly contentType: string;
  readonly body: Buffer;
}

const names: Readonly<Record<number, string>> = {
  [event.requestReceived]: 'request-received',
  [event.signatoryCompleted]: 'signatory-completed',
  [event.processCompleted]: 'process-completed',
};

export async function encode(content: CallbackContent, service: Service): Promise<EncodedCallback> {
  const flat = flatOf(content, service);
  switch (service.dialect.callbackFormat) {
    case 'json':
      return json(flat, 'application/json');
    case 'nested':
      return json(nestedOf(flat), 'application/json; charset=utf-8');
    case 'list':
      return json({ events: [flat] }, 'application/json');
    case 'cloudevent':
      return json(cloudEventOf(content, flat, service.baseUrl()), 'application/cloudevents+json');
    case 'xml':
      return { contentType: 'application/xml', body: Buffer.from(xmlOf(flat)) };
    case 'form':
      return { contentType: 'application/x-www-form-urlencoded', body: Buffer.from(formOf(flat).toString()) };
    case 'multipart':
      return service.dialect.callbackParts === 'identified'
        ? relatedOf(content, flat)
        : multipartOf(content, flat);
  }
}

interface Attachment {
  readonly name: string;
  readonly content: string;
}

/** The fields of a callback; those without a value are left out. */
interface Flat {
  readonly deliveryId?: string;
  readonly event: number | string;
  readonly requestId: string;
  readonly signatoryId?: string;
  readonly signatoryEmail?: string;
  readonly signatoryName?: string;
  readonly time?: string | number;
  readonly tenant?: string;
  readonly environment?: string;
  readonly version?: string;
  readonly retry?: number;
  readonly documents?: readonly Attachment[];
}

function flatOf(content: CallbackContent, service: Service): Flat {
  const { dialect } = service;
  const { signatory, documents, at } = content;
  const time = timeAs(at, dialect.callbackTime);
  const person = {
    id: { signatoryId: signatory?.id },
    email: { signatoryEmail: signatory?.email },
    name: { signatoryName: signatory?.name },
  }[dialect.callbackSignatoryAs];
  return {
    ...(dialect.callbackDeliveryId ? { deliveryId: content.deliveryId } : {}),
    event: dialect.callbackEventAs === 'code' ? content.event : (names[content.event] ?? ''),
    requestId: content.requestId,
    ...(signatory ? person : {}),
    ...(time === undefined ? {} : { time }),
    ...(dialect.callbackMoreFields ? { tenant: 'sandbox', environment: 'test', version: '2', retry: 0 } : {}),
    ...(documents ? { documents: attachmentsOf(content, service) } : {}),
  };
}

function timeAs(at: number, form: Dialect['callbackTime']): string | number | undefined {
  const seconds = Math.floor(at / 1000);
  return { iso: new Date(at).toISOString(), seconds, milliseconds: at, none: undefined }[form];
}

function attachmentsOf({ documents, requestId }: CallbackContent, service: Service): readonly Attachment[] {
  const { callbackAttachments, callbackFormat } = service.dialect;
  if (callbackFormat === 'multipart') return [];
  return (documents ?? []).map(({ fileName, bytes }, at) => {
    if (callbackAttachments === 'url')
      return { name: fileName, content: `${service.baseUrl()}${copyPath(requestId, at)}` };
    const encoded = bytes.toString('base64');
    const prefix = callbackAttachments === 'data-url' ? 'data:application/pdf;base64,' : '';
    return { name: fileName, content: `${prefix}${encoded}` };
  });
}

function json(body: unknown, contentType: string): EncodedCallback {
  return { contentType, body: Buffer.from(JSON.stringify(body)) };
}

function nestedOf({ deliveryId, time, event: code, requestId, documents, ...rest }: Flat): unknown {
  const { signatoryId: id, signatoryEmail: email, signatoryName: name } = rest;
  const signatory = id ?? email ?? name;
  return {
    meta: { id: deliveryId, time },
    data: {
      type: code,
      request: { id: requestId },
      ...(signatory === undefined ? {} : { signatory: { id, email, name } }),
      ...(documents ? { attachments: documents } : {}),
    },
  };
}

/** CloudEvents 1.0, structured mode. */
function cloudEventOf(content: CallbackContent, flat: Flat, source: string): unknown {
  const { deliveryId: _, event: code, time: __, ...data } = flat;
  return {
    specversion: '1.0',
    id: content.deliveryId,
    source,
    type: String(code),
    subject: content.requestId,
    time: new Date(content.at).toISOString(),
    datacontenttype: 'application/json',
    data,
  };
}

function xmlOf({ documents, ...fields }: Flat): string {
  const element = (name: string, value: unknown) => `<${name}>${escaped(String(value))}</${name}>`;
  const simple = Object.entries(fields).map(([name, value]) => element(name, value));
  const files = documents?.map(
    ({ name, content }) => `<document>${element('name', name)}${element('content', content)}</document>`,
  );
  const list = files ? [`<documents>${files.join('')}</documents>`] : [];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<notification>${[...simple, ...list].join('')}</notification>`;
}

/** Replaces characters that XML cannot hold (XML 1.0, 2.2), and escapes a carriage return, which is else read as a line feed (2.11). */
function escaped(text: string): string {
  const held = text.replace(/[^\t\n\r\u{20}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
  return held.replace(/[&<>\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function formOf({ documents, ...fields }: Flat): URLSearchParams {
  const form = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  for (const [at, { name, content }] of (documents ?? []).entries()) {
    form.set(`documents[${at}][name]`, name);
    form.set(`documents[${at}][content]`, content);
  }
  return form;
}

/** A part with the fields as JSON, and a part for each document. */
async function multipartOf({ documents }: CallbackContent, flat: Flat): Promise<EncodedCallback> {
  const { documents: _, ...fields } = flat;
  const form = new FormData();
  form.set('event', new Blob([JSON.stringify(fields)], { type: 'application/json' }));
  for (const { fileName, bytes } of documents ?? [])
    form.append('documents', new File([new Uint8Array(bytes)], fileName, { type: 'application/pdf' }));
  const encoded = new Response(form);
  return {
    contentType: encoded.headers.get('Content-Type') ?? '',
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}

/** The same in RFC 2387: a root part, and further parts identified by Content-ID. */
function relatedOf({ documents }: CallbackContent, flat: Flat): EncodedCallback {
  const { documents: _, ...fields } = flat;
  // Random, so that no document can contain it.
  const boundary = randomUUID();
  const part = (id: string, type: string, content: string | Uint8Array) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-ID: <${id}>\r\nContent-Type: ${type}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
  const files = (documents ?? []).map(({ bytes }, at) => part(`document-${at}`, 'application/pdf', bytes));
  const root = part('event', 'application/json', JSON.stringify(fields));
  return {
    contentType: `multipart/related; type="application/json"; start="<event>"; boundary=${boundary}`,
    body: Buffer.concat([root, ...files, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
