/** How far inside an address lies: one that a stranger names is called only where the target itself lies as far inside. */
import { type LookupAddress, lookup } from 'node:dns';
import { lookup as resolve } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** 0: the public Internet; 1: networks of a company or a carrier; 2: this machine, its link, and what else is nobody's. */
export type Depth = 0 | 1 | 2;

export const tooDeep = 'INNER_ADDRESS';
export const tooDeepWords =
  'a stranger named this address, which lies further inside of your networks than the target does; if it belongs to the target, write its origin into the URL of the call in the profile';

/** All of IPv6 that is given out for the public Internet (RFC 4291, 2.4): what embeds IPv4 addresses lies beside it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
const within: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

function depthOf(address: string): Depth {
  // An IPv4 address mapped into IPv6 is connected to as what it is.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (within.has(range)) return 1;
  return range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast)) ? 0 : 2;
}

/** @param hostname of a URL; a name that leads nowhere is as good as public */
export async function depthOfHost(hostname: string): Promise<Depth> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return depthOf(host);
  const found = await resolve(host, { all: true }).catch(() => []);
  const depths = found.map(({ address }) => depthOf(address));
  return Math.max(0, ...depths) as Depth;
}

/** Looks a name up, and finds no address further inside: the one that was judged is the one that is connected to. */
export function lookupWithin(most: Depth): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const [first, ...more] = (found ?? []).filter(({ address }) => depthOf(address) <= most);
      if (error) callback(error, '', 0);
      else if (!first) callback(Object.assign(new Error(tooDeepWords), { code: tooDeep }), '', 0);
      else if (options.all) callback(null, [first, ...more]);
      else callback(null, first.address, first.family);
    });
  };
}
