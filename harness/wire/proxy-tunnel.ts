/** Agents that reach https hosts through the tunnel of a proxy: CONNECT (RFC 9110, section 9.3.6). */
import type http from 'node:http';
import type { SecureContext } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import type { ProxyServer } from './proxy.ts';

export interface Tunnels {
  /** Keeps its connections. */
  readonly kept: http.Agent;
  /** Makes a connection for each request. */
  readonly fresh: http.Agent;
}

/**
 * @param keep options of an agent that keeps connections
 * @param tls what is trusted, of a proxy that is itself reached by TLS
 */
export function tunnelsThrough(
  { url, authorization }: ProxyServer,
  keep: http.AgentOptions,
  tls: { readonly secureContext?: SecureContext },
): Tunnels {
  const options = { ...tls, headers: authorization ? { 'Proxy-Authorization': authorization } : {} };
  return {
    kept: new HttpsProxyAgent(url, { ...options, ...keep }),
    fresh: new HttpsProxyAgent(url, options),
  };
}
