/** Messages for tests of decoding, and short forms of what is read in them. */
import { type DecodeSettings, decode } from '../../harness/callbacks/decode.ts';
import type { Message } from '../../record/delivery.ts';
import type { CallbackEvent, Decoded, Known } from '../../record/event.ts';

export const pdf = Buffer.from(`%PDF-1.7\n${'x'.repeat(300)}\n%%EOF`);
export const base64 = pdf.toString('base64');
export const id = '5b1f9f3e-8f52-4c5a-9a54-1d1c7a4a7a01';
export const known: Known = {
  requestIds: [id, 'another-request-id'],
  signatories: [
    { id: 'sig-11111111', email: 'ann@example.com', name: 'Ann Smith' },
    { id: 'sig-22222222', email: 'bob@example.com', name: 'Bob Jones' },
  ],
};

export function message(
  body: string | Uint8Array,
  contentType = 'application/json',
  more: Partial<Message> = {},
): Message {
  const headers = contentType ? [['content-type', contentType] as const] : [];
  return {
    method: 'POST',
    target: '/callback/x',
    url: 'http://127.0.0.1/callback/x',
    headers,
    body: Buffer.from(body),
    ...more,
  };
}

/** The events of a delivery, each in short: code, request, person, files. */
export function short(decoded: Decoded): readonly string[] {
  if (!decoded.readable) return decoded.problems;
  return decoded.events.map(({ code, requestId, signatory, attachments }) =>
    [
      code,
      requestId === id ? 'ours' : requestId,
      signatory && `${signatory.by}=${signatory.value}`,
      ...attachments.map(({ name, content }) => `${name ?? '-'}:${sizeOf(content)}`),
    ]
      .filter((part) => part !== undefined)
      .join(' '),
  );
}

function sizeOf(content: CallbackEvent['attachments'][number]['content']): string {
  if (content.kind === 'bytes')
    return Buffer.from(content.bytes).equals(pdf) ? 'the pdf' : `${content.bytes.length} bytes`;
  return content.kind === 'link' ? content.url : 'unreadable';
}

export function read(body: unknown, settings: DecodeSettings = {}, contentType?: string): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return short(decode(message(text, contentType), settings, known));
}
