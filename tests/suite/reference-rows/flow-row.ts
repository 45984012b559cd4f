/** Rows of requests that are sent and signed: each plays a request of its own and tells whether a requirement held. */

import type { ReferenceClient } from '../reference-client.ts';
import { Flow, somebody } from '../reference-flow.ts';
import type { Receiver } from '../reference-receiver.ts';

export interface FlowRound {
  readonly client: ReferenceClient;
  readonly receiver: Receiver;
}

export interface FlowRow {
  readonly requirement: string;
  readonly title: string;
  readonly holds: (round: FlowRound) => Promise<boolean>;
}

export function flowRow(
  requirement: string,
  title: string,
  holds: (round: FlowRound) => Promise<boolean>,
): FlowRow {
  return { requirement, title: `${requirement}: ${title}`, holds };
}

/** A request that was sent to the people. */
export async function sent(
  { client }: FlowRound,
  people: readonly Record<string, unknown>[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<Flow> {
  const flow = await Flow.create(client, people, more);
  await flow.send();
  return flow;
}

/** A request with one signer, sent. */
export function single(
  round: FlowRound,
  person: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<Flow> {
  return sent(round, [somebody('only', person)], more);
}

/** Titles of the rows that did not hold. */
export async function broken(round: FlowRound, rows: readonly FlowRow[]): Promise<readonly FlowRow[]> {
  const wrong: FlowRow[] = [];
  for (const row of rows) if (!(await row.holds(round))) wrong.push(row);
  return wrong;
}
