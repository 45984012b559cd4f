/** The open questions on the page: what the interface document leaves open, and what the run saw. */
import { type GapEntry, gaps as register } from '../../openapi/gaps/register.ts';
import { visible } from '../../record/visible.ts';
import { html, type Markup, plainText } from '../markup.ts';
import type { Run, RunGap } from '../run.ts';
import { inline } from './text.ts';

const words: Record<RunGap['status'], string> = {
  observed: 'observed',
  'answered-by-profile': 'answered by the profile',
  unobserved: 'not observed',
};

/** The register with the observations of a run. */
export function gapSection(run: Run): Markup {
  return html`<section aria-labelledby="gaps"><h2 id="gaps">Open questions</h2>
<p>What the interface document leaves open or says in two ways. Nothing here can fail: what this target does is a fact to ask its vendor about and to build on.</p>
${run.gaps.map(gap)}</section>`;
}

function gap({ id, question, status, profile, observations }: RunGap): Markup {
  const entry = register.find((each) => each.id === id);
  return html`<details class="gap ${status}" id="gap-${id}"><summary><span class="verdict ${status}">${words[status]}</span> <span class="statement">${question}</span> <span class="id"><code>${id}</code></span></summary><div class="unfolded">
${entry ? html`<p class="quiet">Interface document: ${entry.section}.</p>${said(entry, profile)}` : ''}
${observations.length > 0 ? html`<dl>${observations.map(observation)}</dl>` : unseen(status, entry)}
</div></details>`;
}

/** What the target profile says; a profile that says nothing leaves the question to the run. */
function said({ profileKey }: GapEntry, words: string | undefined): Markup | null {
  if (profileKey === undefined) return null;
  if (!words)
    return html`<p class="quiet">Profile key: <code>${profileKey}</code>${words === undefined ? ', not in this profile' : ''}.</p>`;
  const shown = visible(words);
  return shown.includes('\n')
    ? html`<p>The profile says, as <code>${profileKey}</code>:</p><pre tabindex="0">${plainText(shown)}</pre>`
    : html`<p>The profile says: <code>${profileKey}: ${shown}</code></p>`;
}

function observation({ key, value, stability, exchanges }: RunGap['observations'][number]): Markup {
  const shown = Array.isArray(value) ? value.join(', ') : String(value);
  return html`<dt>${visible(key)}${stability === 'volatile' ? html` <span class="quiet">changes from run to run</span>` : ''}</dt>
<dd>${visible(shown)}${exchanges.length > 0 ? html` <span class="quiet">from ${exchanges.map((index) => html`<a href="#exchange-${index}">${index}</a> `)}</span>` : ''}</dd>`;
}

function unseen(status: RunGap['status'], entry: GapEntry | undefined): Markup {
  const { observed, needs } = entry ?? {};
  const more = needs === undefined ? '' : html` To see it, a run needs ${inline(needs)}.`;
  if (status === 'answered-by-profile') {
    return html`<p>This run saw nothing more of it.</p>`;
  }
  if (observed === undefined) {
    return needs === undefined
      ? html`<p>A run cannot see it: ask the vendor.</p>`
      : html`<p>This run saw nothing of it.${more}</p>`;
  }
  return html`<p>This run saw nothing of it. How a run sees it: ${inline(observed)}${more}</p>`;
}
