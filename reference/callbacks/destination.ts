/** Posts a callback to where it may go: http and https only, no redirects, no private networks unless allowed. */
import { type LookupAddress, lookup as resolve } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export type Networks = 'public-and-loopback' | 'public' | 'any';

/** The destination is one that callbacks are never sent to. */
export class DestinationRefused extends Error {
  constructor(destination: string) {
    super(`Callbacks are not sent to ${destination}`);
    this.name = 'DestinationRefused';
  }
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Networks that are not public (RFC 6890), loopback aside. */
const inner = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  inner.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 128],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  inner.addSubnet(net, prefix, 'ipv6');
}

/** Whether an IP address may be sent to. An IPv4 address in an IPv6 one counts as what it is. */
export function isAllowedAddress(address: string, networks: Networks): boolean {
  if (networks === 'any') return true;
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (loopback.check(address, family)) return networks === 'public-and-loopback';
  return !inner.check(address, family);
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
  if (!send || (isIP(host) !== 0 && !isAllowedAddress(host, limits.networks))) {
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
