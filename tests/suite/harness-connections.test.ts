/** Answers of every shape that HTTP/1 allows, and connections that are kept or not. */
import { expect, test } from '@playwright/test';
import { HttpSender } from '../../harness/wire/http.ts';
import { serve, serveRaw } from './services/loopback.ts';
import { failure, get, limits, outcomeAt, text } from './services/outcome.ts';

const closing = 'Connection: close\r\n';
const whole: readonly (readonly [title: string, raw: string])[] = [
  ['HTTP/1.0 and a body that ends with the connection', 'HTTP/1.0 200 OK\r\n\r\nhello'],
  ['HTTP/1.1 and a body that ends with the connection', `HTTP/1.1 200 OK\r\n${closing}\r\nhello`],
  ['header names in small letters', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'],
  [
    'chunks with extensions and a trailer',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-Sum: 5\r\n\r\n',
  ],
  ['no reason phrase', 'HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello'],
  [
    'an informational answer first',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  ],
];

for (const [title, raw] of whole) {
  test(`an answer with ${title} is whole`, async () => {
    const server = await serveRaw((socket) => socket.once('data', () => socket.end(raw)));
    expect(text(await outcomeAt(server))).toBe('hello');
  });
}

test('connections are kept, without a warning however often they are used', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on('warning', warned);
  const server = await serve((_, response) => response.end('hello'));
  const sender = new HttpSender(limits);
  const calls = 60;
  for (let i = 0; i < calls; i += 1) expect(text(await sender.send(get(server.baseUrl)))).toBe('hello');
  // By then it has been seen that connections stay open.
  await expect.poll(() => server.connections()).toBeGreaterThan(1);
  await expect(async () => {
    const before = server.connections();
    for (let i = 0; i < 20; i += 1) await sender.send(get(server.baseUrl));
    expect(server.connections()).toBe(before);
  }).toPass();
  sender.close();
  await server.close();
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});

test('a target that closes each connection without a word loses no call', async () => {
  const server = await serveRaw((socket) => {
    // The answer promises to keep the connection, which is then closed all the same.
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'));
  });
  const sender = new HttpSender(limits);
  for (let i = 0; i < 30; i += 1) expect(text(await sender.send(get(server.baseUrl)))).toBe('hello');
  sender.close();
  await server.close();
  expect(server.connections()).toBe(30);
});

test('a request over a kept connection that breaks off is not sent a second time', async () => {
  let requests = 0;
  const server = await serve((_, response) => {
    requests += 1;
    if (requests === 2) response.socket?.destroy();
    else response.end('hello');
  });
  const sender = new HttpSender(limits);
  const outcomes: unknown[] = [];
  for (let i = 0; i < 3; i += 1) outcomes.push(failure(await sender.send(get(server.baseUrl))));
  sender.close();
  await server.close();
  expect(outcomes).toEqual([200, { code: 'ECONNRESET', message: 'the connection was reset' }, 200]);
  expect(requests).toBe(3);
});
