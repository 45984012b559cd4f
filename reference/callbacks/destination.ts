/** Posts a callback to where it may go: http and https only, no redirects, no private networks unless allowed. */
import { type LookupAddress, lookup as resolve } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Networks = 'public-and-loopback' | 'public' | 'any';

/** The destination is one that callbacks are never sent to. */
export class DestinationRefused extends Error {
  constructor(destination: string) {
    super(`Callbacks are not sent to ${destination}`);
    this.name = 'DestinationRefused';
  }
}

/** All of IPv6 that is given out for the public Internet (RFC 4291, 2.4): what embeds IPv4 addresses lies beside it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IP address may be sent to. Only what the registries have given out counts as public: neither private,
 * shared or documentation networks nor addresses that stand for another one (mapped, translated, 6to4, Teredo).
 */
export function isAllowedAddress(address: string, networks: Networks): boolean {
  if (networks === 'any') return true;
  // An IPv4 address mapped into IPv6 is connected to as what it is.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'loopback') return networks === 'public-and-loopback';
  return range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}

/**
 * The status of the answer to a POST. Rejects with `DestinationRefused`, or with the error of the connection.
 * The address that was judged is the one that is connected to, so that a name cannot change in between.
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
  // Node takes port 0 for the usual one.
  if (!send || url.port === '0' || (isIP(host) !== 0 && !isAllowedAddress(host, limits.networks))) {
    return Promise.reject(new DestinationRefused(url.host));
  }
  const options = {
    method: limits.method ?? 'POST',
    headers: { ...headers, 'Content-Length': String(body.byteLength), 'User-Agent': 'esign-reference' },
    lookup: judgedLookup(limits.networks),
    signal: AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]),
    agent: false,
  } as const;
  return new Promise((resolved, rejected) => {
    const sent = send(url, options, (answer) => {
      // The status is all that counts: what follows is thrown away, for as long as the time limit lets it.
      resolved(answer.statusCode ?? 0);
      answer.on('error', rejected);
      answer.resume();
    });
    sent.on('error', rejected);
    // Whoever answers with another protocol (101) gets no error, and says nothing more.
    sent.on('close', () => rejected(new Error('the connection ended without an answer')));
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
