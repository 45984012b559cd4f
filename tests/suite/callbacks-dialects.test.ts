/** Every shape that the reference service can give a callback is read without a profile, or said to be unreadable. */
import { expect, test } from '@playwright/test';
import { plainPdf } from '../../generators/documents/pdf.ts';
import { decode } from '../../harness/callbacks/decode.ts';
import type { CallbackEvent, Known } from '../../record/event.ts';
import type { CallbackContent } from '../../reference/callbacks/content.ts';
import { encode } from '../../reference/callbacks/encode.ts';
import type { Service } from '../../reference/service.ts';

const person = { id: '0b0a0e60-1f5d-4a36-9f0e-1d7d5f3a9e11', email: 'ann@example.com', name: 'Ann Smith' };
const other = { id: '0b0a0e60-1f5d-4a36-9f0e-1d7d5f3a9e12', email: 'bob@example.com', name: 'Bob Jones' };
const requestId = '7d444840-9dc0-11d1-b245-5ffdce74fad2';
const known: Known = { requestIds: [requestId, 'another-request'], signatories: [person, other] };
const at = Date.UTC(2024, 4, 6, 7, 8, 9);

const formats = ['json', 'nested', 'list', 'cloudevent', 'xml', 'form', 'multipart'] as const;
const ways = ['base64', 'data-url', 'url'] as const;
const times = { iso: at, seconds: at, milliseconds: at, none: undefined } as const;

/** The callback of the reference service in a dialect, as the listener gets it and a profile-less run reads it. */
async function read(
  dialect: Partial<Service['dialect']>,
  content: Partial<CallbackContent>,
): Promise<CallbackEvent> {
  const whole = {
    deliveryId: 'd-0001',
    event: 1,
    requestId,
    signatory: null,
    at,
    documents: null,
    ...content,
  } as const;
  const service = { dialect, baseUrl: () => 'http://127.0.0.1:8080' } as unknown as Service;
  const { contentType, body } = await encode(whole, service);
  const message = {
    method: 'POST',
    target: '/callback/x',
    url: 'http://127.0.0.1/callback/x',
    headers: [['Content-Type', contentType]] as const,
    body,
  };
  const decoded = decode(message, {}, known);
  if (!decoded.readable) throw new Error(decoded.problems.join());
  const [event] = decoded.events;
  if (!event || decoded.events.length > 1) throw new Error(`it has ${decoded.events.length} events`);
  return event;
}

for (const callbackFormat of formats) {
  test(`callbacks as ${callbackFormat} are read whatever names event, signatory and time`, async () => {
    for (const callbackEventAs of ['code', 'name'] as const) {
      for (const callbackSignatoryAs of ['id', 'email', 'name'] as const) {
        for (const callbackTime of ['iso', 'seconds', 'milliseconds', 'none'] as const) {
          const dialect = {
            callbackFormat,
            callbackEventAs,
            callbackSignatoryAs,
            callbackTime,
            callbackDeliveryId: true,
          };
          const title = JSON.stringify(dialect);
          const event = await read(dialect, { event: 2, signatory: person });
          expect(event, title).toMatchObject({
            code: 2,
            requestId,
            signatory: { by: callbackSignatoryAs, value: person[callbackSignatoryAs] },
            unread: [],
          });
          // A CloudEvent always has its time.
          const ms = callbackFormat === 'cloudevent' ? at : times[callbackTime];
          expect(event.time?.ms, title).toBe(ms);
          expect((await read(dialect, { event: 1 })).code, title).toBe(1);
          expect((await read(dialect, { event: 3 })).code, title).toBe(3);
        }
      }
    }
  });

  test(`PDFs attached to callbacks as ${callbackFormat} are found, and links are not taken for them`, async () => {
    const { bytes } = await plainPdf({ run: 'run-1', seed: 1, name: 'dialects' });
    const file = { fileName: 'signed agreement.pdf', bytes: Buffer.from(bytes) };
    for (const callbackAttachments of ways) {
      const dialect = {
        callbackFormat,
        callbackAttachments,
        callbackEventAs: 'code',
        callbackTime: 'iso',
      } as const;
      const { attachments, unread } = await read(dialect, { event: 3, documents: [file, file] });
      if (callbackAttachments === 'url' && callbackFormat !== 'multipart') {
        expect(attachments, callbackAttachments).toEqual([]);
        expect(unread, callbackAttachments).toMatchObject([{ field: 'attachments' }]);
        continue;
      }
      expect(
        attachments.map(({ name }) => name),
        callbackAttachments,
      ).toEqual([file.fileName, file.fileName]);
      for (const { content } of attachments) {
        expect(
          content.kind === 'bytes' && Buffer.from(content.bytes).equals(file.bytes),
          callbackAttachments,
        ).toBe(true);
      }
    }
    const none = await read({ callbackFormat, callbackEventAs: 'code', callbackTime: 'iso' }, { event: 3 });
    expect(none).toMatchObject({ attachments: [], unread: [] });
  });
}
