/** Deliveries that belong to no known address: kept until an address claims their request id, or time is up. */
import { monotonicMs } from '../../record/clock.ts';
import type { Delivery } from '../../record/delivery.ts';
import { inTurn } from '../target/budgets/pause.ts';
import type { OpenAddress } from './address.ts';

interface UnclaimedOptions {
  /** How long each is kept. */
  readonly heldMs: number;
  /** The address that has claimed one of these ids, if the delivery names it. */
  readonly claimant: (delivery: Delivery, requestIds: readonly string[]) => Promise<OpenAddress | undefined>;
  /** The ids that are claimed now. */
  readonly claimed: () => readonly string[];
  readonly found: (delivery: Delivery, address: OpenAddress) => Promise<void>;
  readonly forget: (delivery: Delivery) => Promise<void>;
  readonly problem: (error: unknown) => void;
}

export type UnclaimedDeliveries = ReturnType<typeof unclaimedDeliveries>;

export function unclaimedDeliveries({ heldMs, claimant, claimed, found, forget, problem }: UnclaimedOptions) {
  const held = new Map<Delivery, number>();
  let timer: NodeJS.Timeout | undefined;
  const turns = inTurn();

  /** Gives a delivery to its address. Never rejects. One at a time, since the first success moves the file of its body. */
  function find(delivery: Delivery, requestIds: () => readonly string[]): Promise<void> {
    const look = async (): Promise<void> => {
      if (!held.has(delivery)) return;
      const address = await claimant(delivery, requestIds());
      if (address && held.delete(delivery)) await found(delivery, address);
    };
    return turns('', look).catch(problem);
  }

  function drop(delivery: Delivery): void {
    if (held.delete(delivery)) forget(delivery).catch(problem);
  }

  function schedule(): void {
    clearTimeout(timer);
    const [first] = held.values();
    if (first === undefined) return;
    timer = setTimeout(expire, Math.max(1, first - monotonicMs()));
    timer.unref();
  }

  function expire(): void {
    const now = monotonicMs();
    for (const [delivery, untilMs] of [...held]) if (untilMs <= now) drop(delivery);
    schedule();
  }

  return {
    size: () => held.size,

    /** Keeps a delivery. Its id may have been claimed while it was answered, so that is looked up at once. */
    async add(delivery: Delivery): Promise<void> {
      held.set(delivery, monotonicMs() + heldMs);
      schedule();
      await find(delivery, claimed);
    },

    look(requestId: string): void {
      for (const delivery of held.keys()) void find(delivery, () => [requestId]);
    },

    clear(): void {
      clearTimeout(timer);
      for (const delivery of [...held.keys()]) drop(delivery);
    },
  };
}
