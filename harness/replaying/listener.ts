/** The listener of a replay: the deliveries of the recording are there from the beginning, and nothing else comes. */
import { createHash } from 'node:crypto';
import type { Delivery } from '../../record/delivery.ts';
import type { Address } from '../callbacks/address.ts';
import type { Listener } from '../callbacks/listener.ts';
import { bytesOf, type Recording } from './recording.ts';

/** @param folder of the recording */
export function replayListener(recorded: NonNullable<Recording['listener']>, folder: string): Listener {
  const deliveries = recorded.deliveries.map((each): Delivery => {
    const bytes = bytesOf(each.body, folder);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { ...each, body: { size: bytes.length, sha256, base64: bytes.toString('base64') } };
  });
  return {
    url: recorded.url,
    localUrl: recorded.localUrl,
    open: (check) => replayAddress(check, recorded, deliveries),
    addresses: () => recorded.addresses,
    deliveries: () => deliveries,
    counts: () => recorded.counts,
    problems: () => [],
    close: () => Promise.resolve(),
  };
}

function replayAddress(
  check: string,
  { url: base, addresses }: NonNullable<Recording['listener']>,
  all: readonly Delivery[],
): Address {
  const recorded = addresses.find((each) => each.check === check);
  const url = recorded?.url ?? `${base}/callback/not-recorded`;
  const own = all.filter(({ index }) => recorded?.looked.includes(index));
  return {
    check,
    url,
    urlWith: (query) => {
      const [path = '', given] = url.split('?');
      return `${path}?${[new URLSearchParams(query).toString(), given].filter(Boolean).join('&')}`;
    },
    claim: () => {},
    answer: () => {},
    deliveries: () => own,
    refused: () => ({ counts: {}, shared: 0, first: [] }),
    wait: () => Promise.resolve(own),
    quiet: () => Promise.resolve([]),
    next: () => Promise.resolve(own),
    inFlight: () => 0,
    close: () => {},
  };
}
