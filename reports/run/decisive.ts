/** Finds what decided about a requirement: checks, rows, the call, or the calls of a flow. */
import type { Exchange } from '../../record/exchange.ts';
import type { Run, RunRequirement, RunRow } from './run.ts';
import { flowsOfCheck } from './timeline.ts';

export function deciding({ verdict, checks, reason = '' }: RunRequirement) {
  const same = checks.filter((check) => check.verdict === verdict);
  const rows = same.flatMap((check) => check.rows.filter((row) => row.verdict === verdict));
  return { checks: same, rows, says: [...rows, ...same].find(({ message }) => message)?.message ?? reason };
}

interface Decisive {
  readonly row: RunRow;
  readonly exchange: Exchange;
  readonly says?: string;
}

/** The exchange that decided about a row: the one in its finding; in runs of earlier versions the last one. */
export function decisiveExchange({ finding, exchanges }: RunRow, run: Run): Exchange | undefined {
  return run.exchanges[finding?.received?.exchange ?? exchanges.at(-1) ?? -1];
}

/** The first row with the verdict of the requirement and a decisive call; otherwise the first row with a call. */
export function decisive(requirement: RunRequirement, run: Run): Decisive | undefined {
  const rows = requirement.checks.flatMap((check) => check.rows);
  const ordered = [...rows.filter(({ verdict }) => verdict === requirement.verdict), ...rows];
  for (const row of ordered) {
    const exchange = decisiveExchange(row, run);
    if (exchange) return { row, exchange, says: row.verdict === 'failed' ? row.message : undefined };
  }
  return requirement.verdict === 'failed' ? lastOfFlow(requirement, run) : undefined;
}

/** For a failure in a flow that no single call decided: the last call of the flow, by which all of it can be reproduced. */
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

/** The calls of a flow from its uploads on, without the removal of its request at the end. */
export function callsOfFlow({ exchanges, created }: Run, flow: string): readonly Exchange[] {
  const own = exchanges.filter(({ purpose, row }) => purpose === 'flow' && row === flow);
  const made = new Set(own.map(({ index }) => index));
  // Calls that only read need not be reproduced, unless their URL names the request.
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
