/** Reading callbacks in all formats, from the places that a profile names, with what they carry. */
import { expect, test } from '@playwright/test';
import { type DecodeSettings, decode } from '../../harness/callbacks/decode.ts';
import { base64, id, known, message, pdf, read } from './callbacks-messages.ts';

test('several events in one delivery are found in a list', () => {
  const events = [
    { event: 2, signerEmail: 'ann@example.com' },
    { event: 3, requestId: id },
  ];
  expect(read(events)).toEqual(['2 email=ann@example.com', '3 ours']);
  expect(read({ requestId: id, events })).toEqual(['2 ours email=ann@example.com', '3 ours']);
  expect(read({ batch: { list: events } }, { decoding: { list: '/batch/list' } })).toEqual([
    '2 email=ann@example.com',
    '3 ours',
  ]);
  expect(read({ batch: {} }, { decoding: { list: '/batch/list' } })).toEqual([
    'nothing stands at /batch/list (callbacks.decoding.list)',
  ]);
  const partly = decode(message(JSON.stringify([{ event: 1 }, { event: 'later' }])), {}, known);
  expect(partly).toMatchObject({
    readable: true,
    events: [{ code: 1 }],
    problems: [expect.stringContaining('later')],
  });
});

test('places that a profile names are read there and nowhere else', () => {
  const settings: DecodeSettings = {
    decoding: {
      event: '/what/kind',
      codes: { created: 1, signed: 2, done: 3, viewed: 'other' },
      requestId: { header: 'X-Request' },
      signatory: { email: '/who/mail', name: '/who/called' },
      time: { at: '/when', format: 'unix', unit: 's' },
    },
    deliveryId: { query: 'delivery' },
  };
  const given = {
    what: { kind: 'signed' },
    who: { called: 'Bob Jones' },
    when: 1_700_000_000,
    event: 3,
    requestId: 'x',
  };
  const delivery = message(JSON.stringify(given), 'application/json', {
    target: '/callback/x?delivery=d-1',
    headers: [['x-request', id]],
  });
  expect(decode(delivery, settings, known)).toEqual({
    readable: true,
    problems: [],
    events: [
      {
        code: 2,
        requestId: id,
        signatory: { by: 'name', value: 'Bob Jones' },
        time: { ms: 1_700_000_000_000, at: '/when' },
        deliveryId: 'd-1',
        attachments: [],
        unread: [],
      },
    ],
  });
  expect(read({ what: { kind: 'viewed' } }, settings)).toEqual(['other']);
  expect(read({ what: { kind: '2' } }, settings)).toEqual([
    '"2" at /what/kind is no event that callbacks.decoding.event and codes know',
  ]);
  const bare = decode(message('{"what":{"kind":"signed"}}'), settings, known);
  expect(bare.readable && bare.events[0]?.unread.map(({ field }) => field)).toEqual([
    'requestId',
    'signatory',
    'time',
    'deliveryId',
  ]);
});

test('XML is read by its local names, with attributes and text', () => {
  const xml = `<?xml version="1.0"?><s:Envelope xmlns:s="urn:s"><s:Body><n:Notification xmlns:n="urn:n">
    <n:EventType kind="code">2</n:EventType><n:RequestId>${id}</n:RequestId>
    <n:Signatory id="sig-22222222"><Name>Bob &amp; Co</Name></n:Signatory></n:Notification></s:Body></s:Envelope>`;
  expect(read(xml, {}, 'text/xml; charset=utf-8')).toEqual(['2 ours id=sig-22222222']);
  expect(
    read(xml, { decoding: { event: '/Envelope/Body/Notification/EventType' } }, 'application/soap+xml'),
  ).toEqual(['2 ours id=sig-22222222']);
  const list = '<Events><Event type="1"/><Event type="3"/></Events>';
  expect(read(list, { decoding: { list: '/Events/Event', event: '/@type' } }, 'application/xml')).toEqual([
    '1',
    '3',
  ]);
  expect(read('<a><b></a>', {}, 'application/xml')[0]).toMatch(/cannot be read as xml: line 1/);
});

test('forms are read with brackets, dots and JSON inside', () => {
  const form = 'application/x-www-form-urlencoded';
  expect(read(`event=2&requestId=${id}&signer%5Bemail%5D=bob%40example.com`, {}, form)).toEqual([
    '2 ours email=bob@example.com',
  ]);
  const indexed = { decoding: { list: '/events', event: '/code' } };
  expect(read('events[1][code]=3&events[0][code]=1', indexed, form)).toEqual(['1', '3']);
  expect(read('events.1.code=3&events.0.code=1', indexed, form)).toEqual(['1', '3']);
  expect(
    read(
      `json=${encodeURIComponent(`{"event":{"type":2},"signer":"ann@example.com"}`)}`,
      { decoding: { event: '/json/event/type' } },
      form,
    ),
  ).toEqual(['2 email=ann@example.com']);
  // The default of many HTTP clients, on a body that is none.
  expect(read({ event: 1 }, {}, form)).toEqual(['1']);
  const attachments = { as: 'base64', list: '/files', content: '/data', name: '/name' } as const;
  const files = `event=3&files[0][name]=a.pdf&files[0][data]=${encodeURIComponent(base64)}`;
  expect(read(files, { attachments }, form)).toEqual(['3 a.pdf:the pdf']);
});

test('attachments of unknown payloads are found in whatever form they have', () => {
  const rows: [payload: unknown, expected: string][] = [
    [{ event: 3, documents: [{ name: 'a.pdf', content: base64 }] }, '3 a.pdf:the pdf'],
    [{ event: 3, pdf: `data:application/pdf;base64,${base64}` }, '3 -:the pdf'],
    [{ event: 3, CompletedDocuments: [base64, base64] }, '3 -:the pdf -:the pdf'],
    [
      { event: 3, file: { FileName: 'b.pdf', Data: base64.replaceAll(/(.{76})/g, '$1\r\n') } },
      '3 b.pdf:the pdf',
    ],
    [{ event: 3, attachment: { data: [...pdf] } }, '3 -:the pdf'],
    [{ event: 3, buffer: { type: 'Buffer', data: [...pdf] } }, '3 -:the pdf'],
    [{ event: 3, attachments: [{ content: Buffer.alloc(300, 'zip').toString('base64') }] }, '3 -:300 bytes'],
    [{ event: 3, documents: [{ url: 'https://files.example.com/a.pdf' }] }, '3'],
    [{ event: 3, token: 'a'.repeat(400) }, '3'],
  ];
  for (const [payload, expected] of rows)
    expect(read(payload), JSON.stringify(payload).slice(0, 80)).toEqual([expected]);
  for (const [key, field] of [
    ['attachments', 'url'],
    ['documents', 'content'],
    ['files', 'downloadUrl'],
  ] as const) {
    const linked = message(JSON.stringify({ event: 3, [key]: [{ [field]: 'https://a.example/x' }] }));
    const text = expect.stringContaining(`/${key}/0/${field} is a link`);
    expect(decode(linked, {}, known)).toMatchObject({
      events: [{ unread: [{ field: 'attachments', message: text }] }],
    });
  }
  const opaque = decode(
    message(JSON.stringify({ event: 3, attachments: { blob: '!'.repeat(300) } })),
    {},
    known,
  );
  expect(opaque).toMatchObject({ events: [{ unread: [{ field: 'attachments' }] }] });
});

test('attachments that a profile describes are read from there', () => {
  const payload = {
    event: 3,
    files: [
      { n: 'a.pdf', body: { c: base64 } },
      { n: 'b.pdf', body: { c: '???' } },
    ],
    links: [{ u: 'https://files.example.com/a.pdf' }],
    one: `data:application/pdf,${encodeURIComponent('%PDF-1.7')}`,
  };
  const at = (attachments: DecodeSettings['attachments']) =>
    read(payload, attachments ? { attachments } : {});
  expect(at({ as: 'base64', list: '/files', content: '/body/c', name: '/n' })).toEqual([
    '3 a.pdf:the pdf b.pdf:unreadable',
  ]);
  expect(at({ as: 'url', list: '/links', content: '/u' })).toEqual(['3 -:https://files.example.com/a.pdf']);
  expect(at({ as: 'data-url', list: '/one' })).toEqual(['3 -:8 bytes']);
  expect(at({ as: 'base64', list: '/absent' })).toEqual(['3']);
});
