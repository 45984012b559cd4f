/** Sends deliveries to a listener under test: whole ones, raw ones, slow ones, and those that break off. */

import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '../../harness/callbacks/address.ts';
import { type Listener, type ListenerOptions, startListener } from '../../harness/callbacks/listener.ts';

/** What came back: a status, or the code of the error that the sender met. */
export type Outcome = { readonly status: number } | { readonly error: string };

export interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** Posts a body as JSON unless told otherwise, on a connection of its own. */
export function send(url: string, body: string | Uint8Array, sending: Sending = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const { method = 'POST', headers = { 'content-type': 'application/json' } } = sending;
    const call = request(url, { method, headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0 }));
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message }));
    call.end(body);
  });
}

/** A raw connection to the listener. */
export function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Everything that the listener writes until it closes the connection. */
export function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

/** The same as below with one address that is open. */
export function withAddress<Result>(
  options: Parameters<typeof withListener>[0],
  work: (address: Address, listener: Listener, folder: string) => Promise<Result>,
): Promise<Result> {
  return withListener(options, (listener, folder) => work(listener.open('check'), listener, folder));
}

/** Runs `work` with a listener in a folder of its own, and takes both away afterwards. */
export async function withListener<Result>(
  options: Omit<ListenerOptions, 'folder'>,
  work: (listener: Listener, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-listener-'));
  const listener = await startListener({ ...options, folder });
  try {
    return await work(listener, folder);
  } finally {
    await listener.close();
    await rm(folder, { recursive: true, force: true });
  }
}
