/** Reading callbacks: in all formats, from the places that a profile names, and of unknown shape where they leave no doubt. */

import { expect, test } from '@playwright/test';
import { type DecodeSettings, decode } from '../../harness/callbacks/decode.ts';
import type { Message } from '../../record/delivery.ts';
import type { CallbackEvent, Decoded, KnownRequests } from '../../record/event.ts';

const pdf = Buffer.from(`%PDF-1.7\n${'x'.repeat(300)}\n%%EOF`);
const base64 = pdf.toString('base64');
const id = '5b1f9f3e-8f52-4c5a-9a54-1d1c7a4a7a01';
const known: KnownRequests = {
  requestIds: [id, 'another-request-id'],
  signatories: [
    { id: 'sig-11111111', email: 'ann@example.com', name: 'Ann Smith' },
    { id: 'sig-22222222', email: 'bob@example.com', name: 'Bob Jones' },
  ],
};

function message(
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
function short(decoded: Decoded): readonly string[] {
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

function read(body: unknown, settings: DecodeSettings = {}, contentType?: string): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return short(decode(message(text, contentType), settings, known));
}

test('unknown JSON payloads are read where they leave no doubt', () => {
  const rows: [payload: unknown, expected: string][] = [
    [{ event: 1, requestId: id }, '1 ours'],
    [{ CallbackType: '2', RequestId: id, SignatoryId: 'sig-22222222' }, '2 ours id=sig-22222222'],
    [{ eventType: 2, data: { request: { id }, signer: 'ANN@example.com' } }, '2 ours email=ann@example.com'],
    [{ event: { code: 2, name: 'x' }, signatory: { name: 'Bob Jones', kind: 1 } }, '2 name=Bob Jones'],
    [{ event: 'signature_request_completed', requestId: id }, '3 ours'],
    [{ type: 'com.acme.signatory.completed', actor: 'bob@example.com' }, '2 email=bob@example.com'],
    [{ eventName: 'RequestReceived', statusUrl: `https://a.example/requests/${id}/status` }, '1 ours'],
    [{ event: 1, requestId: `{${id.toUpperCase()}}` }, '1 ours'],
    [{ EventType: 3, Recipients: [{ OTP: { Type: 1 } }], code: 'x' }, '3'],
    [{ Message: JSON.stringify({ event: 2, signatoryId: 'sig-11111111' }), code: 2 }, '2 id=sig-11111111'],
    [{ eventId: 2, signerEmail: 'ann@example.com', next: 'bob@example.com' }, '2 email=ann@example.com'],
    [{ event: 2, signatory: { id: 'sig-11111111', email: 'ann@example.com' } }, '2 id=sig-11111111'],
    [{ event: 1, CallbackTypes: [1, 2, 3], Documents: ['a'.repeat(300)] }, '1'],
  ];
  for (const [payload, expected] of rows) expect(read(payload), JSON.stringify(payload)).toEqual([expected]);
});

test('what leaves a doubt is not read, and says why and what to set', () => {
  const rows: [payload: unknown, message: RegExp][] = [
    [{ event: 'completed' }, /"completed" at \/event is not known; .* callbacks\.decoding\.codes/],
    [{ OTP: { Type: 1 } }, /no field names the event/],
    [{ of: { state: 'OPEN' }, note: 'a text', kind: 'SIGNED' }, /decoding\.event \(\/kind\?\)/],
    [{ eventType: 1, eventCode: 2 }, /1 at \/eventType and 2 at \/eventCode name different events/],
    [{ eventType: 'viewed', type: 2 }, /"viewed" at \/eventType is not known/],
  ];
  for (const [payload, message] of rows)
    expect(read(payload).join(), JSON.stringify(payload)).toMatch(message);
});

test('events that stand in a line each are a list', () => {
  const lines = [{ event: 1 }, { event: 2, signatoryId: 'sig-11111111' }].map((each) => JSON.stringify(each));
  const read = decode(message(`${lines.join('\r\n')}\r\n`, 'application/x-ndjson'), {}, known);
  expect(short(read)).toEqual(['1', '2 id=sig-11111111']);
});

test('deliveries that are no events are said to be unreadable', () => {
  const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><a>&b;</a>`;
  const rows: [title: string, contentType: string, body: string][] = [
    ['JSON that is cut off', 'application/json', '{"event": 1, "requestId": "'],
    ['a bare number', 'application/json', '2'],
    ['null', 'application/json', 'null'],
    ['an HTML page', 'text/html', '<!DOCTYPE html><html><body>502 Bad Gateway</body></html>'],
    ['XML with entities that grow', 'application/xml', bomb],
    ['XML nested without end', 'application/xml', `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`],
    ['multipart without a boundary', 'multipart/form-data', '--x\r\n\r\n1\r\n--x--'],
    ['multipart that is cut off', 'multipart/form-data; boundary=x', '--x\r\nX-A: event\r\n\r\n1'],
    ['random bytes', 'application/octet-stream', '\u0000\u00ff\u0010\u0080 nothing'],
  ];
  for (const [title, contentType, body] of rows) {
    const decoded = decode(message(body, contentType), {}, known);
    expect(decoded, title).toMatchObject({ readable: false });
    expect(decoded.problems.join(), title).not.toBe('');
  }
});

test('what is kept of a delivery is short, however long the names and ids in it are', () => {
  const long = 'k'.repeat(100_000);
  const said = [
    message(`<${long}></b>`, 'application/xml'),
    message(`<a ${long}></a>`, 'application/xml'),
    message('?', `x/${long}`),
    message(JSON.stringify({ event: 2, requestId: long, deliveryId: long })),
  ].map((each) => JSON.stringify(decode(each, {}, known)));
  for (const each of said) expect(each.length).toBeLessThan(1_000);
});

test('an event is readable although its signatory is not', () => {
  const rows: [payload: unknown, message: RegExp, several?: true][] = [
    [{ event: 2 }, /names no signatory/],
    [{ event: 2, signatoryId: 'unknown-1' }, /"unknown-1" at \/signatoryId is none of the signatories/],
    [{ event: 2, signatories: [{ email: 'ann@example.com' }] }, /only lists signatories/, true],
    [{ event: 2, signatory: 'Ann Smith', signer: 'bob@example.com' }, /names several signatories/, true],
  ];
  for (const [payload, expected, several] of rows) {
    const decoded = decode(message(JSON.stringify(payload)), {}, known);
    const unread = { field: 'signatory', message: expect.stringMatching(expected), several };
    expect(decoded).toMatchObject({ readable: true, events: [{ code: 2, unread: [unread] }] });
  }
  const alone = { ...known, signatories: known.signatories.slice(0, 1) };
  const listed = message(JSON.stringify({ event: 2, signatories: [{ email: 'ann@example.com' }] }));
  expect(short(decode(listed, {}, alone))).toEqual(['2 email=ann@example.com']);
});

test('short ids count only where a key says that an id stands there', () => {
  const digits: KnownRequests = { requestIds: ['17'], signatories: [{ id: '3', email: 'ann@example.com' }] };
  const one = message(JSON.stringify({ event: 2, requestId: 17, signatoryId: 3, order: 3, page: 17 }));
  expect(decode(one, {}, digits)).toMatchObject({
    events: [{ requestId: '17', signatory: { by: 'id', value: '3' } }],
  });
  const other = message(JSON.stringify({ event: 2, order: 3, page: 17 }));
  const decoded = decode(other, {}, digits);
  expect(decoded.readable && decoded.events[0]).toHaveProperty('requestId', undefined);
  expect(decoded.readable && decoded.events[0]).toHaveProperty('signatory', undefined);
});

test('an id of the run is known in another form, where the profile says that it stands', () => {
  const encoded: KnownRequests = { requestIds: ['aB+/cd==', 'AB+/cd=='], signatories: [] };
  const settings = { decoding: { requestId: '/subject' } } as const;
  const rows: [subject: string, all: KnownRequests, expected: string][] = [
    [`{${id.toUpperCase()}}`, known, id],
    ['aB+/cd==', encoded, 'aB+/cd=='],
    ['another%2Drequest-id', known, 'another-request-id'],
    // Two ids could be meant.
    ['ab%2B%2Fcd%3D%3D', encoded, 'ab%2B%2Fcd%3D%3D'],
  ];
  for (const [subject, all, requestId] of rows) {
    const read = decode(message(JSON.stringify({ event: 1, subject })), settings, all);
    expect(read).toMatchObject({ events: [{ requestId }] });
  }
});

test('times of all forms are read, and only those of the event', () => {
  const ms = Date.UTC(2024, 0, 2, 3, 4, 5);
  const rows: unknown[] = [
    '2024-01-02T03:04:05Z',
    '2024-01-02T04:04:05+01:00',
    '2024-01-02 03:04:05',
    '2024-01-02T03:04:05.0000000Z',
    'Tue, 02 Jan 2024 03:04:05 GMT',
    ms,
    ms * 1_000,
    String(ms / 1_000),
    `/Date(${ms})/`,
  ];
  for (const time of rows) {
    const decoded = decode(message(JSON.stringify({ event: 1, time })), {}, known);
    expect(decoded.readable && decoded.events[0]?.time, String(time)).toEqual({ ms, at: '/time' });
  }
  for (const payload of [
    { time: 'soon' },
    { time: 12 },
    { createdAt: rows[0] },
    { request: { time: rows[0] } },
  ]) {
    const decoded = decode(message(JSON.stringify({ event: 1, ...payload })), {}, known);
    expect(decoded.readable && decoded.events[0], JSON.stringify(payload)).toHaveProperty('time', undefined);
  }
});

test('a repeated delivery is known by a header or a field', () => {
  const withHeader = message('{"event":1}', '', { headers: [['Webhook-Id', 'msg_1']] });
  expect(decode(withHeader, {}, known)).toMatchObject({ events: [{ deliveryId: 'msg_1' }] });
  expect(decode(message('{"event":1,"deliveryId":12}'), {}, known)).toMatchObject({
    events: [{ deliveryId: '12' }],
  });
  const cloudEvent = message('{"specversion":"1.0","id":"e-1","type":"1"}', 'application/cloudevents+json');
  expect(decode(cloudEvent, {}, known)).toMatchObject({ events: [{ deliveryId: 'e-1' }] });
  // Names of the subscription, which all deliveries share.
  const subscription = message('{"event":1,"webhookId":"w"}', '', { headers: [['X-Webhook-Id', 'w']] });
  expect(decode(subscription, {}, known)).not.toMatchObject({ events: [{ deliveryId: 'w' }] });
  expect(decode(message('{"eventId":1}'), {}, known)).not.toMatchObject({ events: [{ deliveryId: '1' }] });
});

test('an event may stand in the query of a call without a body', () => {
  const called = (query: string) => message('', '', { method: 'GET', target: `/callback/a?b=c&${query}` });
  expect(short(decode(called(`event=1&requestId=${id}`), {}, known))).toEqual(['1 ours']);
  expect(short(decode(called('challenge=abc'), {}, known))).toEqual([]);
  expect(decode(called(`event=begun&requestId=${id}`), {}, known)).toMatchObject({ readable: false });
});

test('a service that tries out the URL tells of no event', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    expect(short(decode(message('', '', { method }), {}, known))).toEqual([]);
  }
  // A POST may name the event in a header field or in the query. What CallbackUrl has in its query says nothing.
  const callbackUrl = 'http://127.0.0.1/callback/x?flow=a&note=twice';
  const posted = (body: string, header: string, query = '') => {
    const headers = [['Content-Length', '0'] as const, [header, 'begun'] as const];
    const called = message(body, '', { headers, target: `/callback/x?flow=a&note=twice${query}` });
    return short(decode(called, {}, { ...known, callbackUrl }));
  };
  for (const body of ['', '{}']) {
    expect(posted(body, 'Accept')).toEqual([]);
    const unnamed = [expect.stringContaining('no field names the event')];
    expect([posted(body, 'X-What'), posted(body, 'Accept', '&was=begun')]).toEqual([unnamed, unnamed]);
  }
});

test('a message that the profile calls other by a word in it is no event, wherever events have their code', () => {
  const codes = { ping: 'other' } as const;
  const ping = message('{"soort":"ping","challenge":"ab12"}');
  const begun = message('{"code":"begun","soort":"ping"}');
  for (const more of [{}, { list: '/events', event: '/code' }]) {
    const settings = { decoding: { codes, ...more } };
    expect(short(decode(ping, settings, known))).toEqual(['other']);
    const problem = 'where "ping" is none of the three events, callbacks.decoding.codes';
    expect(short(decode(ping, { decoding: more }, known))).toEqual([expect.stringContaining(problem)]);
    // What stands in the place of an event is an event, whose name the profile may have wrong.
    expect(decode(begun, settings, known)).toMatchObject({ readable: false });
  }
  expect(short(decode(message('{"code":1}'), { decoding: { codes } }, known))).toEqual(['1']);
  const named = message('{"ping":true}');
  expect(short(decode(named, { decoding: { codes } }, known))).toEqual(['other']);
  expect(short(decode(named, {}, known))).toEqual([expect.stringContaining('where "ping" is none of')]);
});

test('a call without a body that names an event in its query is none that tries out the URL', () => {
  const called = message('', '', { method: 'GET', target: '/callback/x?event=signed' });
  const of = (codes: Record<string, 2>) =>
    decode(called, { decoding: { event: { query: 'event' }, codes } }, known).readable;
  expect([of({ signed: 2 }), of({ sigend: 2 })]).toEqual([true, false]);
});

test('charsets and byte order marks are taken as declared', () => {
  const utf16 = Buffer.from(`\ufeff${JSON.stringify({ event: 1, requestId: id })}`, 'utf16le');
  expect(short(decode(message(utf16, 'application/json; charset=utf-16le'), {}, known))).toEqual(['1 ours']);
  expect(read(`\ufeff${JSON.stringify({ event: 1 })}`)).toEqual(['1']);
  expect(read({ event: 1 }, {}, 'application/vnd.acme.event+json; charset=unheard-of')).toEqual(['1']);
  expect(read({ event: 1 }, {}, '')).toEqual(['1']);
});

test('several events in one delivery are found in a list', () => {
  const events = [
    { event: 2, signerEmail: 'ann@example.com' },
    { event: 3, requestId: id },
  ];
  expect(read(events)).toEqual(['2 email=ann@example.com', '3 ours']);
  expect(read({ requestId: id, events })).toEqual(['2 ours email=ann@example.com', '3 ours']);
  const batch = { decoding: { list: '/batch/list' } };
  expect(read({ batch: { list: events } }, batch)).toEqual(['2 email=ann@example.com', '3 ours']);
  expect(read({ batch: {} }, batch)).toEqual(['nothing stands at /batch/list (callbacks.decoding.list)']);
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
  const who = { called: 'Bob Jones' };
  const given = { what: { kind: 'signed' }, who, when: 1_700_000_000, event: 3, requestId: 'x' };
  const delivery = message(JSON.stringify(given), 'application/json', {
    target: '/callback/x?delivery=d-1',
    headers: [['x-request', id]],
  });
  const event = {
    ...{ code: 2, name: 'signed', requestId: id, signatory: { by: 'name', value: 'Bob Jones' } },
    ...{ time: { ms: 1_700_000_000_000, at: '/when' }, deliveryId: 'd-1', attachments: [], unread: [] },
  };
  expect(decode(delivery, settings, known)).toEqual({ readable: true, problems: [], events: [event] });
  expect(read({ what: { kind: 'viewed' } }, settings)).toEqual(['other']);
  expect(read({ what: { kind: '2' } }, settings)).toEqual([
    '"2" at /what/kind is no event that callbacks.decoding.event and codes know',
  ]);
  const bare = decode(message('{"what":{"kind":"signed"}}'), settings, known);
  const lacking = ['requestId', 'signatory', 'time', 'deliveryId'];
  expect(bare.readable && bare.events[0]?.unread.map(({ field }) => field)).toEqual(lacking);
});

test('XML is read by its local names, with attributes and text', () => {
  const xml = `<?xml version="1.0"?><s:Envelope xmlns:s="urn:s"><s:Body><n:Notification xmlns:n="urn:n">
    <n:EventType kind="code">2</n:EventType><n:RequestId>${id}</n:RequestId>
    <n:Signatory id="sig-22222222"><Name>Bob &amp; Co</Name></n:Signatory></n:Notification></s:Body></s:Envelope>`;
  expect(read(xml, {}, 'text/xml; charset=utf-8')).toEqual(['2 ours id=sig-22222222']);
  const soap = { decoding: { event: '/Envelope/Body/Notification/EventType' } };
  expect(read(xml, soap, 'application/soap+xml')).toEqual(['2 ours id=sig-22222222']);
  const list = '<Events><Event type="1"/><Event type="3"/></Events>';
  const typedAt = { decoding: { list: '/Events/Event', event: '/@type' } };
  expect(read(list, typedAt, 'application/xml')).toEqual(['1', '3']);
  const named = '<e:Hook xmlns:e="urn:e"><e:Event><e:Kind>signed</e:Kind><e:No>1</e:No></e:Event></e:Hook>';
  expect(read(named, {}, 'application/xml').join()).toContain('(/Hook/Event/Kind?)');
  const typed = named.replaceAll('e:Kind', 'e:Type');
  expect(read(typed, {}, 'application/xml').join()).toContain('"signed" at /Hook/Event/Type is not known');
  expect(read('<a><b></a>', {}, 'application/xml')[0]).toMatch(/cannot be read as xml: line 1/);
});

test('forms are read with brackets, dots and JSON inside', () => {
  const form = 'application/x-www-form-urlencoded';
  const bracketed = `event=2&requestId=${id}&signer%5Bemail%5D=bob%40example.com`;
  expect(read(bracketed, {}, form)).toEqual(['2 ours email=bob@example.com']);
  const indexed = { decoding: { list: '/events', event: '/code' } };
  expect(read('events[1][code]=3&events[0][code]=1', indexed, form)).toEqual(['1', '3']);
  expect(read('events.1.code=3&events.0.code=1', indexed, form)).toEqual(['1', '3']);
  const inside = `json=${encodeURIComponent(`{"event":{"type":2},"signer":"ann@example.com"}`)}`;
  const at = { decoding: { event: '/json/event/type' } };
  expect(read(inside, at, form)).toEqual(['2 email=ann@example.com']);
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
    [{ event: 3, file: { Name: 'b.pdf', Data: base64.replace(/(.{76})/g, '$1\r\n') } }, '3 b.pdf:the pdf'],
    [{ event: 3, attachment: { data: [...pdf] } }, '3 -:the pdf'],
    [{ event: 3, attachments: [{ content: Buffer.alloc(300, 'zip').toString('base64') }] }, '3 -:300 bytes'],
    [{ event: 3, token: 'a'.repeat(400) }, '3'],
  ];
  for (const [payload, expected] of rows)
    expect(read(payload), JSON.stringify(payload).slice(0, 80)).toEqual([expected]);
  const link = 'https://a.example/x';
  for (const [key, at, item] of [
    ['attachments', '/url', { url: link }],
    ['documents', '/content', { content: link }],
    ['files', '/downloadUrl', { downloadUrl: link }],
    ['files', '', link],
  ] as const) {
    const linked = message(JSON.stringify({ event: 3, [key]: [item] }));
    const text = expect.stringContaining(`/${key}/0${at} is a link`);
    expect(decode(linked, {}, known)).toMatchObject({
      events: [{ unread: [{ field: 'attachments', message: text }] }],
    });
  }
  const opaque = message(JSON.stringify({ event: 3, attachments: { blob: '!'.repeat(300) } }));
  expect(decode(opaque, {}, known)).toMatchObject({ events: [{ unread: [{ field: 'attachments' }] }] });
});

const uri = 'https://files.example.com/1';
const toldElsewhere: readonly (readonly [object, DecodeSettings['attachments'], at: string | undefined])[] = [
  [{ files: [{ data: base64 }], id: 'c0ffee' }, { as: 'base64', list: '/id', content: '' }, '/files/0/data'],
  [{ dokumenter: [{ uri }] }, { as: 'url', list: '/data', content: '/uri' }, '/dokumenter/0/uri'],
  [{ documents: null, link: uri }, { as: 'url', list: '/documents', content: '/uri' }, undefined],
];

for (const [body, attachments, at] of toldElsewhere) {
  test(`a file that stands elsewhere than the profile says is told: ${JSON.stringify(body)}, ${attachments?.list}`, () => {
    const given = message(JSON.stringify({ event: 3, ...body }));
    const unread = at ? [{ field: 'attachments', message: expect.stringContaining(` ${at},`) }] : [];
    expect(decode(given, { attachments }, known)).toMatchObject({ events: [{ unread }] });
  });
}
