/** The calls that no row of a check shows: shared ones, observations, calls of flows and of the profile. */
import type { Exchange } from '../../record/exchange.ts';
import { html, type Markup } from '../markup.ts';
import { exchangeLine, exchangeView, isPlain } from './exchange.ts';
import { usualHeaders } from './headers.ts';
import type { Ground } from './requirement.ts';

const titles: Record<Exchange['purpose'], string> = {
  shared: 'Shared by several checks',
  judged: 'Calls of checks that no row names',
  confirmation: 'Asked again before something was blamed',
  flow: 'Creations of flows',
  template: 'Calls that the target profile describes',
  observation: 'Sent to see what the target does about an open question',
  token: 'Access tokens',
};

/** Grouped by what they were made for, each group in the order of the run. */
export function otherCalls({ placing }: Ground): Markup {
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
