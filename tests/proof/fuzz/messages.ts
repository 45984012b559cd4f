/** HTTP messages for the fuzz of the callback listener: well-formed, strange and broken ones, to every kind of address. */
import fc from 'fast-check';
import { plainPdf } from '../../../reference/plain-pdf.ts';
import { damaged, oddText, rarelyDamaged, spoiled } from './mutations.ts';

/** Whose address a message goes to. */
type To = 'own' | 'unknown' | 'foreign';

/** A message as it goes out; a failure shows it as text. */
export class FuzzMessage {
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
const boundary = 'a-boundary';

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

interface Content {
  readonly type: string;
  readonly body: Buffer;
}

/** A PDF, whole or damaged, in base64. */
const attached = fc.oneof(rarelyDamaged(pdf), damaged(pdf)).map((bytes) => bytes.toString('base64'));

const json: fc.Arbitrary<Content> = fc
  .record({ body: fc.constantFrom(...events).chain(spoiled), attached })
  .map(({ body, attached: content }) =>
    Buffer.from((JSON.stringify(body) ?? '').replaceAll('{pdf}', content)),
  )
  .chain(rarelyDamaged)
  .map((body) => ({ type: 'application/json', body }));

const multipart: fc.Arbitrary<Content> = fc
  .record({ event: oddText, bytes: fc.oneof(rarelyDamaged(pdf), damaged(pdf)), name: oddText })
  .map(({ event, bytes, name }) => {
    const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
    return Buffer.concat([
      Buffer.from(`${part('name="event"')}${event}\r\n`),
      Buffer.from(part(`name="file"; filename=${JSON.stringify(name)}`)),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
  })
  .chain(rarelyDamaged)
  .map((body) => ({ type: `multipart/form-data; boundary=${boundary}`, body }));

const content: fc.Arbitrary<Content> = fc.oneof(
  { weight: 6, arbitrary: json },
  { weight: 2, arbitrary: multipart },
  { weight: 1, arbitrary: damaged(Buffer.from(xml)).map((body) => ({ type: 'application/xml', body })) },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.tuple(fc.constantFrom('event', 'a[0][b]', 'a[__proto__][x]', 'a[99999999]', 'requestId'), oddText),
      )
      .map((pairs) => new URLSearchParams(pairs).toString())
      .map((text) => ({ type: 'application/x-www-form-urlencoded', body: Buffer.from(text) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 400 })
      .map((bytes) => ({ type: 'text/plain', body: Buffer.from(bytes) })),
  },
);

const field: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      'X-Signature',
      'Authorization',
      'Content-Encoding',
      'Content-Length',
      'Transfer-Encoding',
      'Expect',
      'Host',
      'Upgrade',
      'webhook-timestamp',
    ),
    fc.oneof(
      oddText,
      fc.constantFrom('gzip', 'chunked', '100-continue', '-1', '5, 6', '99999999999', 'websocket'),
    ),
  )
  .map(([name, value]) => `${name}: ${value}\r\n`);

/** Says how long the body is, in one of the right ways or in a wrong one. */
const framing = fc.constantFrom(
  'length',
  'length',
  'length',
  'length',
  'length',
  'chunked',
  'too-long',
  'too-short',
  'none',
);

/** @param path of the address that is open */
export function fuzzMessage(path: string): fc.Arbitrary<FuzzMessage> {
  const targets = { own: path, unknown: path.replace(/.{4}$/, '0000'), foreign: '/' };
  const usual = fc.record({
    to: fc.constantFrom<To>('own', 'own', 'own', 'unknown', 'foreign'),
    method: fc.constantFrom('POST', 'POST', 'POST', 'PUT', 'GET', 'OPTIONS', 'BREW'),
    query: fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: oddText.map((text) => `?x=${text}`) },
    ),
    content,
    fields: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(field, { maxLength: 3 }) },
    ),
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
    // One in ten is broken as a message, its head included.
    const sent = fc.oneof(
      { weight: 9, arbitrary: fc.constant(bytes) },
      { weight: 1, arbitrary: damaged(bytes) },
    );
    return sent.map((message) => new FuzzMessage(message));
  });
}
