/** Posts a callback, but only to allowed places: http and https, no redirects, no private networks unless allowed. */
import { type LookupAddress, lookup as resolve } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Networks = 'public-and-loopback' | 'public' | 'any';

/** The destination is one that callbacks must not be sent to. */
export class DestinationRefused extends Error {
  constructor(destination: string) {
    super(`Callbacks are not sent to ${destination}`);
    this.name = 'DestinationRefused';
  }
}

/** The IPv6 addresses assigned for the public Internet (RFC 4291, 2.4); those that embed IPv4 addresses are outside of it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IP address may be sent to. Only addresses that the registries assigned count as public: no private,
 * shared or documentation networks, and no addresses that stand for another one (mapped, translated, 6to4, Teredo).
 */
export function isAllowedAddress(address: string, networks: Networks): boolean {
  if (networks === 'any') return true;
  // An IPv4 address mapped into IPv6 is judged as IPv4, since that is what the connection uses.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'loopback') return networks === 'public-and-loopback';
  return range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}

/**
 * The status of the answer to a POST. Rejects with `DestinationRefused`, or with the error of the connection.
 * The connection uses the address that was judged, so that a name cannot change its address in between.
 */
export function post(
  target: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  limits: {
    readonly timeoutMs: number;
    readonly networks: Networks;
    readonly method?: 'POST' | 'PUT' | 'HEAD';
  },
  signal: AbortSignal,
): Promise<number> {
  const url = new URL(target);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const send = { 'http:': requestHttp, 'https:': requestHttps }[url.protocol];
  // Port 0 is refused, since Node would use the default port for it.
  if (!send || url.port === '0' || (isIP(host) !== 0 && !isAllowedAddress(host, limits.networks)))
    return Promise.reject(new DestinationRefused(url.host));
  const options = {
    method: limits.method ?? 'POST',
    headers: { ...headers, 'Content-Length': String(body.byteLength), 'User-Agent': 'esign-reference' },
    lookup: judgedLookup(limits.networks),
    signal,
    agent: false,
  } as const;
  return new Promise((resolved, rejected) => {
    // A timer, since Node 20 collects a signal made of several ones as garbage before it tells of the time.
    const late = () => sent.destroy(new DOMException('The time is up', 'TimeoutError'));
    const timer = setTimeout(late, limits.timeoutMs);
    const sent = send(url, options, (answer) => {
      // Only the status counts; the rest of the answer is read and dropped within the time limit.
      resolved(answer.statusCode ?? 0);
      answer.on('error', rejected);
      answer.resume();
    });
    sent.on('error', rejected);
    // A change of the protocol (101) gives neither an answer nor an error, so the end of the connection rejects.
    sent.on('close', () => {
      clearTimeout(timer);
      rejected(new Error('the connection ended without an answer'));
    });
    sent.end(body);
  });
}

function judgedLookup(networks: Networks): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const allowed = found.filter(({ address }) => isAllowedAddress(address, networks));
      const [first] = allowed;
      if (!first) callback(new DestinationRefused(hostname), '', 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
