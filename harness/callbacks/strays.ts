/** Deliveries to URLs that are nobody's: turned away, and shown to a check when they name its request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dismiss } from './answers.ts';
import { type Moment, moment } from './clock.ts';
import { type Delivery, recordOf } from './delivery.ts';
import { discard, receive, type Usage } from './intake.ts';
import type { Ledger } from './ledger.ts';
import type { Mailbox } from './mailbox.ts';
import { UnclaimedDeliveries } from './unclaimed.ts';

/** Narrow limits of their own: strangers must not use up those of the checks. */
const limits = { bodyBytes: 16 * 1024 * 1024, bytes: 64 * 1024 * 1024, arrivalMs: 5_000 };
const heldMost = 200;

export interface StrayOptions {
  /** False where nothing could tell whose they are: then no body is read. */
  readonly identifiable: boolean;
  readonly folder: string;
  readonly heldMs: number;
  readonly deliveriesPerCheck: number;
  readonly ledger: Ledger;
  readonly nextIndex: () => number;
  readonly claimant: (delivery: Delivery) => Promise<Mailbox | undefined>;
  readonly store: (delivery: Delivery, mailbox: Mailbox) => Promise<void>;
}

/** A target may have cut or changed the URL that it was given: that is to be found out rather than lost. */
export class Strays {
  readonly #options: StrayOptions;
  readonly #usage: Usage = { bytes: 0, memoryBytes: 0 };
  readonly #unclaimed: UnclaimedDeliveries;

  constructor(options: StrayOptions) {
    this.#options = options;
    const { ledger } = options;
    const problem = (error: unknown): void => ledger.problem(error);
    const forget = ({ body }: Delivery): void => {
      discard(body, this.#usage).catch(problem);
    };
    this.#unclaimed = new UnclaimedDeliveries({
      heldMs: options.heldMs,
      claimant: options.claimant,
      problem,
      forget,
      found: async (delivery, mailbox) => {
        if (mailbox.begun >= options.deliveriesPerCheck) {
          forget(delivery);
          return;
        }
        ledger.foreign--;
        await options.store(delivery, mailbox);
      },
    });
  }

  async take(request: IncomingMessage, response: ServerResponse, started: Moment): Promise<void> {
    const { identifiable, folder, ledger, nextIndex } = this.#options;
    ledger.foreign++;
    // A body of unknown length may have no end.
    const isSmall = Number(request.headers['content-length']) <= limits.bodyBytes;
    const isRead = identifiable && isSmall && this.#unclaimed.size < heldMost;
    const received = isRead ? await receive(request, { limits, folder, usage: this.#usage }) : undefined;
    dismiss(request, response, 404, 'no check listens here');
    if (!received?.whole) return;
    const answered = { kind: 'status', status: 404 } as const;
    const recorded = recordOf(nextIndex(), request, started, received);
    await this.#unclaimed.add({ ...recorded, check: '', answered, finished: moment() });
  }

  look(): void {
    this.#unclaimed.look();
  }

  clear(): void {
    this.#unclaimed.clear();
  }
}
