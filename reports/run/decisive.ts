/** What decided about a requirement: checks and rows, the call, the calls of a flow. */
import type { Exchange } from '../../record/exchange.ts';
import type { Run, RunCheck, RunRequirement, RunRow } from './run.ts';
import { flowsOfCheck } from './timeline.ts';

/** The checks with the verdict of a requirement, and their rows with it. */
interface Deciding {
  readonly checks: readonly RunCheck[];
  readonly rows: readonly RunRow[];
  /** What is said first, by a row, by a check as a whole, or of the requirement; empty where nothing is. */
  readonly says: string;
}

export function deciding({ verdict, checks, reason = '' }: RunRequirement): Deciding {
  const same = checks.filter((check) => check.verdict === verdict);
  const rows = same.flatMap((check) => check.rows.filter((row) => row.verdict === verdict));
  return { checks: same, rows, says: [...rows, ...same].find(({ message }) => message)?.message ?? reason };
}

interface Decisive {
  readonly row: RunRow;
  readonly exchange: Exchange;
  /** What was expected and received, where it failed. */
  readonly says?: string | undefined;
}

/** The exchange that decided about a row: the one that its finding names, in runs of earlier versions the last one. */
export function decisiveExchange({ finding, exchanges }: RunRow, run: Run): Exchange | undefined {
  return run.exchanges[finding?.received?.exchange ?? exchanges.at(-1) ?? -1];
}

/** The row with the verdict of the requirement, and what decided about it; else the first row that has such a call. */
export function decisive(requirement: RunRequirement, run: Run): Decisive | undefined {
  const rows = requirement.checks.flatMap((check) => check.rows);
  const ordered = [...rows.filter(({ verdict }) => verdict === requirement.verdict), ...rows];
  for (const row of ordered) {
    const exchange = decisiveExchange(row, run);
    if (exchange) return { row, exchange, says: row.verdict === 'failed' ? row.message : undefined };
  }
  return requirement.verdict === 'failed' ? lastOfFlow(requirement, run) : undefined;
}

/** Where no call decided, but what came of a flow: its last call, with which the whole flow can be made again. */
export function lastOfFlow(requirement: RunRequirement, run: Run): Decisive | undefined {
  for (const check of requirement.checks) {
    const flows = flowsOfCheck(check);
    const row = check.rows.find(
      ({ title, verdict }) => verdict === requirement.verdict && flows.some(({ name }) => name === title),
    );
    const exchange = row && callsOfFlow(run, row.title).at(-1);
    if (row && exchange) return { row, exchange, says: row.message };
  }
  return undefined;
}

/** Calls that were made for a flow, from its uploads on; what removed its request at the end is not among them. */
export function callsOfFlow({ exchanges, created }: Run, flow: string): readonly Exchange[] {
  const own = exchanges.filter(({ purpose, row }) => purpose === 'flow' && row === flow);
  const made = new Set(own.map(({ index }) => index));
  // What only looks need not be made again, unless its URL names the request.
  const isFor = ({ request, madeFor = -1 }: Exchange) => request.method !== 'GET' && made.has(madeFor);
  const ids = created.flatMap(({ kind, id, exchange }) =>
    kind === 'request' && id !== '' && made.has(exchange) ? [id] : [],
  );
  return exchanges.filter(
    (each) =>
      made.has(each.index) ||
      (each.purpose === 'template' &&
        each.template !== 'deleteRequest' &&
        (isFor(each) ||
          ids.some(
            (id) => each.request.url.includes(id) || each.request.url.includes(encodeURIComponent(id)),
          ))),
  );
}
