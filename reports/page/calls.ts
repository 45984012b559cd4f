/** Decides where each exchange is shown on the page: at the row that it decides, or among the other calls. */
import type { Exchange } from '../../record/exchange.ts';
import { allOf } from '../concluding/outcome.ts';
import type { Run, RunRow } from '../run/run.ts';
import { exchangeLine, exchangeView, isPlain } from './exchange.ts';
import { html, type Markup } from './markup.ts';
import { usualHeaders } from './message.ts';

export type Placing = ReturnType<typeof placingOf>;

/** Decides for the whole run, so that no exchange is shown twice. */
export function placingOf(run: Run) {
  const rows = new Map<number, RunRow>();
  const all = allOf(run).flatMap((requirement) =>
    requirement.checks.flatMap((check) => check.rows.map((row) => ({ requirement, row }))),
  );
  // The requirement whose check made a call comes before other requirements that use it too.
  for (const own of [true, false]) {
    for (const { requirement, row } of all) {
      for (const index of row.exchanges) {
        if (rows.has(index) || (own && run.exchanges[index]?.check !== requirement.id)) continue;
        rows.set(index, row);
      }
    }
  }
  return {
    /** The exchanges that are shown at this row, in the order of sending, and the numbers of those that it only names. */
    at: (row: RunRow) => {
      const isHere = (index: number) => rows.get(index) === row;
      const indexes = [...new Set(row.exchanges)].filter((index) => run.exchanges[index]);
      const sent = indexes.filter(isHere).sort((one, other) => one - other);
      return {
        shown: sent.flatMap((index) => run.exchanges[index] ?? []),
        named: indexes.filter((index) => !isHere(index)),
      };
    },
    others: () => run.exchanges.filter(({ index }) => !rows.has(index)),
  };
}

const titles: Record<Exchange['purpose'], string> = {
  shared: 'Shared by several checks',
  judged: 'Calls of checks that no row names',
  'cross-check': 'Asked again before something was blamed',
  confirmation: 'Asked again before something was blamed, by an earlier version',
  flow: 'Creations of flows',
  template: 'Calls that the target profile describes',
  observation: 'Sent to see what the target does about an open question',
  token: 'Access tokens',
};

/** The other calls, grouped by purpose, each group in the order of the run. */
export function otherCalls({ placing }: { readonly placing: Placing }): Markup {
  const others = placing.others();
  const purposes = (Object.keys(titles) as Exchange['purpose'][]).filter((purpose) =>
    others.some((each) => each.purpose === purpose),
  );
  return html`<section aria-labelledby="calls"><h2 id="calls">Other calls</h2>
<p>The calls that no check above shows, redacted. All calls stand in <code>run.json</code> and <code>exchanges.har</code>, there also with the header fields that are alike in all calls and left out on this page: ${usualHeaders}.</p>
${purposes.map((purpose) => {
  const own = others.filter((each) => each.purpose === purpose);
  return html`<details class="more"><summary>${titles[purpose]} <span class="quiet">${own.length}</span></summary>${own.map((each) => (isPlain(each) ? exchangeLine(each) : exchangeView(each)))}</details>`;
})}
</section>`;
}
