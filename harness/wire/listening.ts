/** Starts and ends the servers of the suite. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '../untrusted/limits.ts';

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** @param port 0: any free port @throws the error of the server where it cannot listen */
export async function listening(server: Server, host = '127.0.0.1', port = 0): Promise<Listening> {
  server.maxConnections ||= limits.serverConnections.most;
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
