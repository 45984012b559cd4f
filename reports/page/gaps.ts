/** The open questions on the page: what the interface document leaves open, and what the run observed, as one table. */
import { readFileSync } from 'node:fs';
import { type GapEntry, isGapId, gap as registered } from '../../openapi/gaps/register.ts';
import { shownValue } from '../accepted/drift.ts';
import type { Run, RunGap } from '../run/run.ts';
import { html, type Markup, plainText } from './markup.ts';
import { choices, inline } from './verdicts.ts';

type Observation = RunGap['observations'][number];

/** Observations of a run against the reference service, by gap and key: `npm run sample` writes them. */
const ofReference: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(new URL('./reference-answers.json', import.meta.url), 'utf8'),
);

/** The stable observations of a run, by gap and key: the content of reference-answers.json. */
export function answersOf({ gaps }: Run): Record<string, Record<string, string>> {
  return Object.fromEntries(
    gaps.flatMap(({ id, observations }) => {
      const stable = observations.filter(({ stability }) => stability === 'stable');
      if (stable.length === 0) return [];
      return [[id, Object.fromEntries(stable.map(({ key, value }) => [key, shownValue(value)]))]];
    }),
  );
}

/** The choices of questions, by the names that the style sheet uses. */
const shown = { all: 'everything', answered: 'answered', open: 'not answered', differing: 'what differs' };

export function gapSection(run: Run): Markup {
  return html`<section aria-labelledby="gaps"><h2 id="gaps">Open questions</h2>
<p>What the interface document leaves open or says in two ways. Nothing here can fail: what this target does is a fact to ask its vendor about and to build on.${run.baseline ? ' What differs from the accepted run is marked' : ' What differs from the reference service, which is one way of many, is marked'}.</p>
${choices('Open questions', 'gaps', shown)}
<table class="gaps"><thead><tr><th scope="col">Question</th><th scope="col">Answer</th></tr></thead><tbody>
${run.gaps.map((each) => row(each, run))}</tbody></table></section>`;
}

function row(each: RunGap, run: Run): Markup {
  const { id, question, status, profile, observations } = each;
  const entry = isGapId(id) ? registered(id) : undefined;
  const others = differences(each, run);
  const answered = observations.length > 0 || Boolean(profile);
  const classes = `gap${others.size > 0 ? ' differs' : ''}${answered ? '' : ' unseen-here'}`;
  return html`<tr class="${classes}" id="gap-${id}"><th scope="row">${question} <code class="quiet">${id}</code></th><td>
${observations.length > 0 ? answers(observations, others) : profile ? html`<p><code>${firstLine(profile)}</code> <span class="quiet">says the profile</span></p>` : html`<p class="quiet">${status === 'answered-by-profile' ? 'answered by the profile' : entry?.observed === undefined && entry?.needs === undefined ? 'a run cannot see it: ask the vendor' : 'not seen'}</p>`}
${details(each, entry)}</td></tr>`;
}

/** How many observations a row shows unfolded. */
const most = 4;

function answers(observations: RunGap['observations'], others: ReadonlyMap<string, string>): Markup {
  const list = (some: RunGap['observations']) =>
    html`<dl>${some.map((each) => html`<dt>${each.key}</dt> <dd>${value(each, others)}</dd>`)}</dl>`;
  // Differing observations come first, so that they are not folded.
  const sorted = [...observations].sort(
    (one, other) => Number(others.has(other.key)) - Number(others.has(one.key)),
  );
  if (observations.length <= most) return list(sorted);
  return html`${list(sorted.slice(0, most))}<details class="more read"><summary>${observations.length - most} more</summary>${list(sorted.slice(most))}</details>`;
}

function value({ key, value: seen, stability }: Observation, others: ReadonlyMap<string, string>): Markup {
  const other = others.get(key);
  return html`${shownValue(seen)}${stability === 'volatile' ? html` <span class="quiet">(varies)</span>` : ''}${other === undefined ? '' : html` <span class="verdict differs">≠ ${other}</span>`}`;
}

/** By key, what was observed in the baseline; without one, what the reference service does. */
function differences(
  { id, observations }: RunGap,
  { drift = [], baseline }: Run,
): ReadonlyMap<string, string> {
  if (baseline) {
    const own = drift.filter((each) => each.id === id && each.key !== undefined);
    return new Map(own.map(({ key = '', before }) => [key, `${before} before`]));
  }
  return new Map(
    observations.flatMap(({ key, value: seen, stability }) => {
      const other = ofReference[id]?.[key];
      if (stability === 'volatile' || other === undefined || other === shownValue(seen)) return [];
      return [[key, `${other} at the reference service`]];
    }),
  );
}

/** Where the document leaves the question open, what the profile says, how a run observes it, and from which calls. */
function details({ profile, observations }: RunGap, entry: GapEntry | undefined): Markup | null {
  if (!entry) return null;
  const { section, profileKey, observed, needs } = entry;
  const calls = [...new Set(observations.flatMap(({ exchanges }) => exchanges))];
  return html`<details class="more"><summary>details</summary><p class="quiet">Interface document: ${section}.</p>
${profileKey === undefined ? '' : html`<p class="quiet">Profile key <code>${profileKey}</code>${profile === undefined ? ', not in this profile' : profile === '' ? '' : ':'}</p>${profile ? html`<pre tabindex="0">${plainText(profile)}</pre>` : ''}`}
${observed === undefined ? '' : html`<p class="quiet">How a run sees it: ${inline(observed)}</p>`}
${needs === undefined ? '' : html`<p class="quiet">To see more, a run needs ${inline(needs)}.</p>`}
${calls.length > 0 ? html`<p class="quiet">Seen in exchange ${calls.slice(0, 12).map((index) => html`<a href="#exchange-${index}">${index}</a> `)}${calls.length > 12 ? `and ${calls.length - 12} more` : ''}</p>` : ''}</details>`;
}

function firstLine(text: string): string {
  const [first = '', ...more] = text.split('\n');
  return more.length > 0 ? `${first} …` : first;
}
