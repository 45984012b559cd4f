/** How a server of the suite begins to listen, and ends. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  readonly port: number;
  /** Ends its connections, too. */
  close(): Promise<void>;
}

/**
 * @param port 0: any that is free
 * @throws what the server reports where it cannot listen
 */
export async function listening(server: Server, host = '127.0.0.1', port = 0): Promise<Listening> {
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
