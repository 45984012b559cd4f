/** A session as a worker sees it: each method is a call to the run host. */
import http from 'node:http';
import { CouldNotRun } from '../../record/errors.ts';
import type { Session } from '../judging/session.ts';
import type { HostAddress, Reply, SessionMethod } from './host.ts';

/** Connects to the run host. */
export function remoteSession(address: HostAddress): Session {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const ask =
    (method: SessionMethod) =>
    async (...args: unknown[]): Promise<never> => {
      const reply = await send(address, agent, JSON.stringify({ method, args }));
      if ('value' in reply) return reply.value as never;
      const { name, message, found } = reply.error;
      if (name === 'CouldNotRun') throw new CouldNotRun(message, found);
      throw Object.assign(new Error(message), { name });
    };
  return {
    facts: ask('facts'),
    call: ask('call'),
    template: ask('template'),
    shared: ask('shared'),
    repeat: ask('repeat'),
    documents: ask('documents'),
    request: ask('request'),
    observe: ask('observe'),
    evidence: ask('evidence'),
  };
}

function send(address: HostAddress, agent: http.Agent, body: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      address.url,
      { method: 'POST', agent, headers: { Authorization: `Bearer ${address.key}` } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          if (response.statusCode !== 200)
            reject(new Error(`the run host answered with ${response.statusCode}`));
          else resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Reply);
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
