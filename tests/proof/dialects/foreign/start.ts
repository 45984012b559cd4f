/** Starts one of the tiny services by its name. */
import type { Foreigner } from '../rows.ts';
import { gateway } from './gateway.ts';
import { type ForeignService, Refused, serveForeign } from './host.ts';
import { java } from './java.ts';
import { Office, type Vendor } from './office.ts';
import { php } from './php.ts';
import { queue } from './queue.ts';
import { registry } from './registry.ts';

const vendors: Readonly<Record<Foreigner, (base: () => string) => Vendor>> = {
  gateway,
  java,
  php,
  queue,
  registry,
};

export async function startForeign(name: Foreigner): Promise<ForeignService> {
  let baseUrl = '';
  const vendor = vendors[name](() => baseUrl);
  const office = new Office(vendor);
  const service = await serveForeign(
    vendor.path,
    vendor.tokens,
    (asked) => office.answer(asked),
    vendor.refuse,
    (call) => {
      const open = vendor.open?.(call, office);
      if (open) return open;
      vendor.authorize(call);
      const wanted = vendor.other(call, office);
      if (wanted === undefined || 'status' in wanted) return wanted;
      const came = office.act(...wanted);
      if (came === 'early') throw new Refused(...vendor.early);
      return came === 'done' ? vendor.done : undefined;
    },
  );
  baseUrl = service.baseUrl;
  return service;
}
