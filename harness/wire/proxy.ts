/** The proxy on the way to a URL, as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name it, and the tunnel through it. */
import type http from 'node:http';
import type { SecureContext } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';
import { ConfigurationError } from '../../record/errors.ts';
import { percentDecoded } from '../untrusted/text.ts';

export interface ProxyServer {
  /** The address of the proxy without credentials. */
  readonly url: URL;
  /** Value of the header `Proxy-Authorization`, when the variable carries a user name. */
  readonly authorization?: string;
  /** For messages: host and port, and the variable that names them. */
  readonly words: string;
  /** Texts that must not be written down: the password and its encoded forms. */
  readonly secrets: readonly string[];
}

/** Says by which proxy a URL is reached; `undefined` when it is called directly. */
export type FindProxy = (url: URL) => ProxyServer | undefined;

/** The proxy for a URL; none on this machine. @throws ConfigurationError when the variable names no usable proxy */
export function proxyFor(url: URL): ProxyServer | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const found = getProxyForUrl(url.href);
  if (found === '') return undefined;
  const variable = variableFor(url);
  const written = process.env[variable] ?? found;
  // Without a scheme, a proxy is reached over http, whatever is called through it.
  const address = written.includes('://') ? written : `http://${written}`;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new ConfigurationError(
      `the variable ${variable} of the environment names no proxy; write http://host:port (or unset it, or list ${url.hostname} in NO_PROXY)`,
    );
  const proxy = new URL(address);
  const user = percentDecoded(proxy.username);
  const password = percentDecoded(proxy.password);
  const words = `the proxy ${proxy.host} (${variable})`;
  const encoded = `${proxy.username}:${proxy.password}`;
  proxy.username = '';
  proxy.password = '';
  if (user === '' && password === '') return { url: proxy, words, secrets: [] };
  const pair = `${user}:${password}`;
  return {
    url: proxy,
    words,
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
    // A user name without a password is a token.
    secrets: password === '' ? [user] : [password, pair, encoded],
  };
}

export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|::1|\[::1\])$/i.test(hostname);
}

/** The variable that applies to the URL: the one in small letters first, as curl does. */
function variableFor({ protocol }: URL): string {
  const names = [`${protocol}_proxy`.replace(':', ''), 'all_proxy'].flatMap((name) => [
    name,
    name.toUpperCase(),
  ]);
  return names.find((name) => process.env[name]) ?? 'HTTPS_PROXY';
}

export interface Tunnels {
  /** Keeps its connections open. */
  readonly kept: http.Agent;
  /** Makes a connection for each request. */
  readonly fresh: http.Agent;
}

/** @param keep options of an agent that keeps connections @param tls trusted certificates, for a proxy reached over TLS */
export function tunnelsThrough(
  { url, authorization }: ProxyServer,
  keep: http.AgentOptions,
  tls: { readonly secureContext?: SecureContext },
): Tunnels {
  const options = { ...tls, headers: authorization ? { 'Proxy-Authorization': authorization } : {} };
  return { kept: new Tunnel(url, { ...options, ...keep }), fresh: new Tunnel(url, options) };
}

/** Ends also a connection to a proxy that has not answered, on the event `abandoned` of the request: it would keep the process alive. */
class Tunnel extends HttpsProxyAgent<string> {
  override connect(...[request, options]: Parameters<HttpsProxyAgent<string>['connect']>) {
    const abandoned = new AbortController();
    request.once('abandoned', () => abandoned.abort());
    this.connectOpts = { ...this.connectOpts, signal: abandoned.signal };
    return super.connect(request, options);
  }
}
