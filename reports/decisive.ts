/** The call that decided about a requirement. */
import type { Exchange } from './exchange-schema.ts';
import type { Run, RunCheck, RunRequirement } from './run.ts';

export interface Decisive {
  readonly row: RunCheck['rows'][number];
  readonly exchange: Exchange;
  /** What was expected and received, where it failed. */
  readonly says?: string | undefined;
}

/** The row with the verdict of the requirement, and its last exchange; else the first row that has one. */
export function decisive(requirement: RunRequirement, run: Run): Decisive | undefined {
  const rows = requirement.checks.flatMap((check) => check.rows);
  const ordered = [...rows.filter(({ verdict }) => verdict === requirement.verdict), ...rows];
  for (const row of ordered) {
    const exchange = run.exchanges[row.exchanges.at(-1) ?? -1];
    if (exchange) return { row, exchange, says: row.verdict === 'failed' ? row.message : undefined };
  }
  return undefined;
}
