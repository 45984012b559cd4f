/** Guessing what callbacks of unknown shape say: only where they leave no doubt. */
import { expect, test } from '@playwright/test';
import { decode } from '../../harness/callbacks/decode.ts';
import type { Known } from '../../record/event.ts';
import { id, known, message, read, short } from './callbacks-messages.ts';

test('unknown JSON payloads are read where they leave no doubt', () => {
  const rows: [payload: unknown, expected: string][] = [
    [{ event: 1, requestId: id }, '1 ours'],
    [{ CallbackType: '2', RequestId: id, SignatoryId: 'sig-22222222' }, '2 ours id=sig-22222222'],
    [
      { eventType: 2, data: { request: { id }, signer: { email: 'ANN@example.com' } } },
      '2 ours email=ann@example.com',
    ],
    [{ type: 3, data: { requestId: id } }, '3 ours'],
    [
      { event: { code: 2, name: 'x' }, signatory: { name: 'Bob Jones', SignatoryType: 1 } },
      '2 name=Bob Jones',
    ],
    [{ event: 'signature_request_completed', requestId: id }, '3 ours'],
    [
      { type: 'com.example.signatory.completed', actor: { email: 'bob@example.com' } },
      '2 email=bob@example.com',
    ],
    [
      { eventName: 'RequestReceived', statusUrl: `https://sandbox.example.com/requests/${id}/status` },
      '1 ours',
    ],
    [{ event: 1, requestId: `{${id.toUpperCase()}}` }, '1 ours'],
    [{ EventType: 3, Recipients: [{ OTP: { Type: 1 } }], code: 'x' }, '3'],
    [{ Message: JSON.stringify({ event: 2, signatoryId: 'sig-11111111' }), code: 2 }, '2 id=sig-11111111'],
    [
      { eventId: 2, signerEmail: 'ann@example.com', nextSigner: { email: 'bob@example.com' } },
      '2 email=ann@example.com',
    ],
    [{ event: 2, signatory: { id: 'sig-11111111', email: 'ann@example.com' } }, '2 id=sig-11111111'],
    [{ event: 1, CallbackTypes: [1, 2, 3], Documents: ['a'.repeat(300)] }, '1'],
  ];
  for (const [payload, expected] of rows) expect(read(payload), JSON.stringify(payload)).toEqual([expected]);
});

test('what leaves a doubt is not read, and says why and what to set', () => {
  const rows: [payload: unknown, message: RegExp][] = [
    [
      { event: 'completed', requestId: id },
      /"completed" at \/event is not known; name its code in callbacks\.decoding\.codes/,
    ],
    [{ event: 7 }, /7 at \/event is not known/],
    [{ requestId: id, signatory: { type: 1 } }, /no field names the event.*callbacks\.decoding\.event/],
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
    ['no body', 'application/json', ''],
    ['JSON that is cut off', 'application/json', '{"event": 1, "requestId": "'],
    ['a bare number', 'application/json', '2'],
    ['null', 'application/json', 'null'],
    ['an HTML page', 'text/html', '<!DOCTYPE html><html><body>502 Bad Gateway</body></html>'],
    ['XML with entities that grow', 'application/xml', bomb],
    ['XML nested without end', 'application/xml', `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`],
    ['multipart without a boundary', 'multipart/form-data', '--x\r\n\r\n1\r\n--x--'],
    [
      'multipart that is cut off',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name=event\r\n\r\n1',
    ],
    ['random bytes', 'application/octet-stream', '\u0000\u00ff\u0010\u0080 nothing'],
  ];
  for (const [title, contentType, body] of rows) {
    const decoded = decode(message(body, contentType), {}, known);
    expect(decoded, title).toMatchObject({ readable: false });
    expect(decoded.problems.join(), title).not.toBe('');
  }
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
  const digits: Known = { requestIds: ['17'], signatories: [{ id: '3', email: 'ann@example.com' }] };
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
  const encoded: Known = { requestIds: ['aB+/cd==', 'AB+/cd=='], signatories: [] };
  const settings = { decoding: { requestId: '/subject' } } as const;
  const rows: [subject: string, all: Known, expected: string][] = [
    [`{${id.toUpperCase()}}`, known, id],
    ['aB+/cd==', encoded, 'aB+/cd=='],
    ['another%2Drequest-id', known, 'another-request-id'],
    // Two ids could be meant.
    ['ab%2B%2Fcd%3D%3D', encoded, 'ab%2B%2Fcd%3D%3D'],
    ['%zz', known, '%zz'],
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
    ms / 1_000,
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
    expect(decode(message('', '', { method }), {}, known)).toEqual({
      readable: true,
      events: [],
      problems: [],
    });
  }
  expect(decode(message('', ''), {}, known)).toMatchObject({ readable: false });
});

test('charsets and byte order marks are taken as declared', () => {
  const utf16 = Buffer.from(`\ufeff${JSON.stringify({ event: 1, requestId: id })}`, 'utf16le');
  expect(short(decode(message(utf16, 'application/json; charset=utf-16le'), {}, known))).toEqual(['1 ours']);
  expect(read(`\ufeff${JSON.stringify({ event: 1 })}`)).toEqual(['1']);
  expect(
    read(JSON.stringify({ event: 1 }), {}, 'application/vnd.acme.event+json; charset=unheard-of'),
  ).toEqual(['1']);
  expect(read(JSON.stringify({ event: 1 }), {}, '')).toEqual(['1']);
});
