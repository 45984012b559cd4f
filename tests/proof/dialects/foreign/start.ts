/** Starts one of the tiny services by its name. */
import type { Foreigner } from '../rows.ts';
import { startGatewayService } from './gateway.ts';
import type { ForeignService } from './host.ts';
import { startJavaService } from './java.ts';
import { startPhpService } from './php.ts';
import { startQueueService } from './queue.ts';
import { startRegistryService } from './registry.ts';

const starts: Readonly<Record<Foreigner, () => Promise<ForeignService>>> = {
  gateway: startGatewayService,
  java: startJavaService,
  php: startPhpService,
  queue: startQueueService,
  registry: startRegistryService,
};

export function startForeign(name: Foreigner): Promise<ForeignService> {
  return starts[name]();
}
