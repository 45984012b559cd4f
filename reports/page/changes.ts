/** Sections about changes since earlier runs: accepted deviations, drift since the baseline, a recheck. */
import { isGapId } from '../../openapi/gaps/register.ts';
import { mustChange } from '../concluding/deviations-judge.ts';
import { allOf } from '../concluding/outcome.ts';
import { recheckGroups } from '../concluding/recheck.ts';
import type { Drift, Run, UsedEntry } from '../run/run.ts';
import { minute } from '../run/words.ts';
import { causeWords, circumstances, driftSummary, ordered } from '../texts/drift-text.ts';
import { html, type Markup } from './markup.ts';
import { idList, verdictMark } from './verdicts.ts';

export const changes = (run: Run): Markup => html`${deviations(run)}${drift(run)}${recheck(run)}`;

/** A list under a heading; nothing for an empty one. */
export function notes(title: string, list: readonly string[]): Markup | null {
  if (list.length === 0) return null;
  return html`<section><h2>${title}</h2><ul>${list.map((each) => html`<li>${each}</li>`)}</ul></section>`;
}

/** The status of an entry, in words that need no context. */
const fates: Record<UsedEntry['status'], string> = {
  accepted: 'accepted',
  stale: 'not needed any more',
  expired: 'past its date',
  unknown: 'no such requirement',
  exceeded: 'fails too often',
  unused: 'passed this time',
  'not-judged': 'not judged',
  'other-target': 'about other targets',
};

/** Entries that have to be changed come first, those without use for this run last. */
const order = ['expired', 'unknown', 'stale', 'exceeded', 'accepted', 'unused', 'not-judged', 'other-target'];

function deviations(run: Run): Markup | null {
  if (!run.deviations || run.deviations.entries.length === 0) return null;
  const { file, stale, entries } = run.deviations;
  const sorted = [...entries].sort((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
  return html`<section aria-labelledby="deviations"><h2 id="deviations">Deviations</h2>
<p>Failures that are known and accepted until a date, as <code>${file}</code> lists them.</p><div class="scroll"><table>
<thead><tr><th scope="col">This run</th><th scope="col">Requirement</th><th scope="col">Until</th><th scope="col">Owner</th><th scope="col">What is accepted</th></tr></thead>
<tbody>${sorted.map((each) => entryRow(each, run, stale))}</tbody></table></div></section>`;
}

function entryRow(each: UsedEntry, run: Run, stale: NonNullable<Run['deviations']>['stale']): Markup {
  const {
    requirement: id,
    status,
    until,
    owner,
    reason = 'known to fail now and then',
    rate,
    link,
    says,
  } = each;
  const gates = mustChange(each, stale);
  const look = gates
    ? 'failed'
    : status === 'accepted' || status === 'stale'
      ? 'deviation'
      : 'not-applicable';
  const found = allOf(run).find((one) => one.id === id);
  const flaky = status === 'accepted' ? found?.deviation?.flaky : undefined;
  return html`<tr><td class="status">${verdictMark(look, fates[status])}</td><th scope="row">${reference(id, run)}</th><td data-name="Until"><time>${until}</time></td><td data-name="Owner">${owner}</td><td>${reason}${link ? html` ${linkTo(link)}` : ''}${rate === undefined ? '' : `; flaky, may fail in ${Math.round(rate * 100)} % of attempts`}${flaky ? `, and failed in ${flaky.failed} of ${flaky.attempts}` : ''}${says ? html`<p${gates ? html` class="edge failed"` : ''}>${says}</p>` : ''}</td></tr>`;
}

/** A link to a ticket of the person who wrote the file; anything but a web address stays text. */
function linkTo(link: string): Markup {
  return /^https?:\/\//.test(link) ? html`<a href="${link}" rel="noreferrer">${link}</a>` : html`${link}`;
}

function drift(run: Run): Markup | null {
  const { drift: differences, baseline } = run;
  if (!differences) return null;
  const since = baseline
    ? html` since the accepted run of <time datetime="${baseline.startedAt}">${minute(baseline.startedAt)}</time>`
    : '';
  const told = baseline ? circumstances({ before: baseline, after: run }) : [];
  return html`<section aria-labelledby="drift"><h2 id="drift">Drift</h2><p>${capital(driftSummary(differences))}${since}.</p>${
    told.length > 0 ? html`<ul>${told.map((each) => html`<li>${capital(each)}.</li>`)}</ul>` : ''
  }${
    differences.length > 0
      ? html`<div class="scroll"><table><thead><tr><th scope="col">This run</th><th scope="col">Requirement or open question</th><th scope="col">Before</th><th scope="col">Now</th></tr></thead>
<tbody>${ordered(differences).map((each) => driftRow(each, run))}</tbody></table></div>`
      : ''
  }</section>`;
}

function driftRow({ id, key, before, after, gating, cause = 'target' }: Drift, run: Run): Markup {
  const look = gating ? 'failed' : 'not-applicable';
  const why = causeWords[cause];
  return html`<tr><td class="status">${verdictMark(look, gating ? 'gates' : 'told')}</td><th scope="row">${reference(id, run)}${key ? html`<br>${key}` : ''}${why ? html`<br><span class="quiet">${why}</span>` : ''}</th><td data-name="Before">${before}</td><td data-name="Now">${after}</td></tr>`;
}

const recheckWords: Readonly<Record<string, string>> = {
  still: 'still failing',
  new: 'failing now and not then',
};

function recheck({ recheck: found }: Run): Markup | null {
  if (!found) return null;
  return html`<section><h2>Recheck</h2><p>Of what did not pass in the run of <time datetime="${found.startedAt}">${minute(found.startedAt)}</time>:</p><dl>${recheckGroups(
    found,
  ).map(
    ([title, ids]) => html`<dt>${recheckWords[title] ?? title}</dt><dd>${idList(ids)}</dd>`,
  )}</dl></section>`;
}

/** A link to a requirement or an open question that is on the page. */
function reference(id: string, run: Run): Markup {
  if (allOf(run).some((each) => each.id === id)) return html`<a href="#${id}">${id}</a>`;
  return isGapId(id) && run.gaps.some((each) => each.id === id)
    ? html`<a href="#gap-${id}">${id}</a>`
    : html`${id}`;
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
