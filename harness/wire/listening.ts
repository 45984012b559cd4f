/** Starts and ends the servers of the suite. */
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { devNull } from 'node:os';
import { limits } from '../untrusted/limits.ts';

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** What a server may have of all that this process may open, since strangers can use that up: others, files and calls need the rest. */
const share = 1 / 4;
/** As many as no server has more of. */
const enough = 4_000;
let openable: number | undefined;

/** How many files and connections this process may still open, `enough` at most. */
function mostOpen(): number {
  const open: number[] = [];
  try {
    while (open.length < enough) open.push(openSync(devNull, 'r'));
  } catch {
    // That was the limit.
  } finally {
    for (const each of open) closeSync(each);
  }
  return open.length;
}

/** @param port 0: any free port @throws the error of the server where it cannot listen */
export async function listening(server: Server, host = '127.0.0.1', port = 0): Promise<Listening> {
  openable ??= mostOpen();
  const wanted = server.maxConnections || limits.serverConnections.most;
  server.maxConnections = Math.max(1, Math.min(wanted, Math.floor(openable * share)));
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
