/** How far inside of networks an address lies: an address that a stranger names must not lie further inside than the target. */
import { type LookupAddress, lookup } from 'node:dns';
import { lookup as resolve } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** 0: the public Internet; 1: networks of a company or a carrier; 2: this machine, its link, and all reserved addresses. */
export type Depth = 0 | 1 | 2;

export const tooDeep = 'INNER_ADDRESS';
export const tooDeepWords =
  'a stranger named this address, which lies further inside of your networks than the target does; if it belongs to the target, write its origin into the URL of the call in the profile';

/** The IPv6 addresses assigned for the public Internet (RFC 4291, 2.4); those that embed IPv4 addresses are outside of it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
const within: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

function depthOf(address: string): Depth {
  // An IPv4 address mapped into IPv6 is judged as IPv4, since that is what the connection uses.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (within.has(range)) return 1;
  return range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast)) ? 0 : 2;
}

/**
 * How far inside the host of a URL lies. Of several addresses of a name the outermost counts: otherwise a target could
 * add one of this machine to its name, and then lead everywhere; the others of a name are left out by `lookupWithin`.
 * @param hostname a name without an address counts as public, since nothing can be reached by it
 */
export async function depthOfHost(hostname: string): Promise<Depth> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return depthOf(host);
  const found = await resolve(host, { all: true }).catch(() => []);
  const depths = found.map(({ address }) => depthOf(address));
  return found.length === 0 ? 0 : (Math.min(...depths) as Depth);
}

/** Looks a name up and returns no address further inside than `most`, so that the address that was checked is the one connected to. */
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
