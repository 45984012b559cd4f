/** HTTP messages for the fuzz of the callback listener: well-formed, strange and broken ones, to every kind of address. */
import fc from 'fast-check';
import { plainPdf } from '../../../reference/plain-pdf.ts';
import { content, damaged, form, mostly, multipart, oddText, rarelyDamaged, spoiled } from './mutations.ts';

/** Whose address a message goes to. */
type To = 'own' | 'unknown' | 'foreign';

/** A message as it is sent; a failure shows it as text. */
class FuzzMessage {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  toString(): string {
    return JSON.stringify(this.bytes.toString('latin1'));
  }

  [fc.toStringMethod](): string {
    return this.toString();
  }
}

const pdf = plainPdf(['A document']);

const events: readonly unknown[] = [
  { event: 1, requestId: 'request-1', time: '2026-01-01T00:00:00Z' },
  { event: 2, requestId: 'request-1', signatoryId: 'signatory-1', deliveryId: 'delivery-1' },
  [{ eventType: 'request.completed', data: { id: 'request-1' } }, { event: 2 }],
  { event: 3, documents: [{ name: 'a.pdf', content: '{pdf}' }, { url: 'http://127.0.0.1:1/a.pdf' }] },
  {
    specversion: '1.0',
    type: '3',
    data: { requestId: 'request-1', attachments: ['data:application/pdf;base64,{pdf}'] },
  },
];

const xml =
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;&b;&b;">]>' +
  '<callback><event>2</event><requestId>request-1</requestId><signatory id="signatory-1">&c;</signatory></callback>';

const damagedPdf = fc.oneof(rarelyDamaged(pdf), damaged(pdf));

const json = fc
  .record({ body: fc.constantFrom(...events).chain(spoiled), attached: damagedPdf })
  .map(({ body, attached }) =>
    Buffer.from((JSON.stringify(body) ?? '').replaceAll('{pdf}', attached.toString('base64'))),
  )
  .chain(rarelyDamaged);

const parts = fc
  .record({ event: oddText, bytes: damagedPdf, name: oddText })
  .map(({ event, bytes, name }): [string, Buffer][] => [
    ['name="event"', Buffer.from(event)],
    [`name="file"; filename=${JSON.stringify(name)}`, bytes],
  ]);

const someContent = fc.oneof(
  { weight: 6, arbitrary: content('application/json', json) },
  { weight: 2, arbitrary: multipart(parts) },
  { weight: 1, arbitrary: content('application/xml', damaged(Buffer.from(xml))) },
  { weight: 1, arbitrary: form(10, 'event', 'a[0][b]', 'a[__proto__][x]', 'a[99999999]', 'requestId') },
  { weight: 1, arbitrary: content('text/plain', fc.uint8Array({ maxLength: 400 })) },
);

const field: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      ...['X-Signature', 'Authorization', 'Content-Encoding', 'Content-Length', 'Transfer-Encoding'],
      ...['Expect', 'Host', 'Upgrade', 'webhook-timestamp'],
    ),
    fc.oneof(
      oddText,
      fc.constantFrom('gzip', 'chunked', '100-continue', '-1', '5, 6', '99999999999', 'websocket'),
    ),
  )
  .map(([name, value]) => `${name}: ${value}\r\n`);

/** How a message tells the length of its body: in one of the right ways or in a wrong one. */
const framing = fc.oneof(
  { weight: 5, arbitrary: fc.constant('length' as const) },
  { weight: 4, arbitrary: fc.constantFrom('chunked', 'too-long', 'too-short', 'none') },
);

/** @param path the path of the open address */
export function fuzzMessage(path: string): fc.Arbitrary<FuzzMessage> {
  const targets = { own: path, unknown: path.replace(/.{4}$/, '0000'), foreign: '/' };
  const usual = fc.record({
    to: fc.constantFrom<To>('own', 'own', 'own', 'unknown', 'foreign'),
    method: fc.constantFrom('POST', 'POST', 'POST', 'PUT', 'GET', 'OPTIONS', 'BREW'),
    query: mostly(
      4,
      fc.constant(''),
      oddText.map((text) => `?x=${text}`),
    ),
    content: someContent,
    fields: mostly(2, fc.constant([]), fc.array(field, { maxLength: 3 })),
    framing,
  });
  return usual.chain(({ to, method, query, content: { type, body }, fields, framing: framed }) => {
    const lengths = {
      length: body.length,
      'too-long': body.length + 50,
      'too-short': Math.floor(body.length / 2),
    };
    const frame =
      framed === 'chunked'
        ? 'Transfer-Encoding: chunked\r\n'
        : framed === 'none'
          ? ''
          : `Content-Length: ${lengths[framed]}\r\n`;
    const head = `${method} ${targets[to]}${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\n`;
    const chunks = [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')];
    const bytes = Buffer.concat([
      Buffer.from(`${head}${frame}${fields.join('')}\r\n`),
      ...(framed === 'chunked' ? chunks : [body]),
    ]);
    // One in ten is damaged as a whole, with its header.
    return mostly(9, fc.constant(bytes), damaged(bytes)).map((message) => new FuzzMessage(message));
  });
}
