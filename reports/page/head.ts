/** The top of the page: target, verdict, numbers, warnings, and what a profile would make checkable. */
import { html, type Markup } from '../markup.ts';
import type { Run } from '../run.ts';
import { visible } from '../visible.ts';
import { verdictMark } from './requirement.ts';

const meanings: Record<Run['verdict'], string> = {
  conformant: 'Every applicable must passed.',
  partial: 'All of the selected requirements passed; the others were not checked.',
  nonconformant: 'The target does something that the interface document does not allow.',
  incomplete: 'Something could not be checked, so this run proves nothing.',
  error: 'The suite itself broke: this says nothing about the target.',
};

/** Verdict and numbers of a run. */
export function head(run: Run): Markup {
  const { counts } = run;
  return html`<header>
<p class="quiet">Electronic signature request service · conformance report</p>
<h1>${visible(run.target.name)}</h1>
<p class="outcome ${run.verdict}"><strong>${run.verdict}</strong> ${meanings[run.verdict]}</p>
<dl class="numbers">
${number('musts passed', `${counts.musts.passed} of ${counts.musts.applicable}`, `applicable, ${counts.musts.all} in all`)}
${number('failed', counts.requirements.failed)}
${number('could not run', counts.requirements['could-not-run'])}
${number('not applicable', counts.requirements['not-applicable'])}
${counts.requirements.error > 0 ? number('errors of the suite', counts.requirements.error) : ''}
${counts.requirements.pending > 0 ? number('pending', counts.requirements.pending) : ''}
${number('not testable', counts.requirements.notTestable)}
${number('checks', `${counts.checks.reported} of ${counts.checks.expected}`, 'reported of expected')}
${number('calls', counts.exchanges, counts.retries > 0 ? `${counts.retries} repeated` : '')}
${number('signature requests', counts.signatureRequestsCreated, 'created')}
</dl>
<p class="quiet">${visible(run.target.baseUrl)} · <time datetime="${run.startedAt}">${run.startedAt}</time> · ${(run.durationMs / 1000).toFixed(1)} s · suite ${run.suite.version} · contract ${run.contract.version} · seed ${run.seed}</p>
${attention(run)}
${notes('Problems of the suite', run.problems)}
${notes('Warnings', run.warnings)}
${run.unlocks.length > 0 ? unlocks(run) : ''}
</header>`;
}

function number(name: string, value: number | string, detail = ''): Markup {
  return html`<div><dt>${name}</dt><dd>${value}${detail ? html` <span class="quiet">${detail}</span>` : ''}</dd></div>`;
}

function notes(title: string, list: readonly string[]): Markup | null {
  if (list.length === 0) return null;
  return html`<section class="notes"><h2>${title}</h2><ul>${list.map((each) => html`<li>${visible(each)}</li>`)}</ul></section>`;
}

/** Links to what somebody has to act on. */
function attention(run: Run): Markup | null {
  const verdicts = ['error', 'failed', 'could-not-run'] as const;
  const acute = verdicts.flatMap((verdict) => run.requirements.filter((each) => each.verdict === verdict));
  if (acute.length === 0) return null;
  return html`<section class="notes"><h2>What to look at</h2><ul class="attention">${acute.map(
    (each) => html`<li>${verdictMark(each)} <a href="#${each.id}">${each.statement}</a></li>`,
  )}</ul></section>`;
}

function unlocks(run: Run): Markup {
  return html`<section class="notes"><h2>What a profile would make checkable</h2><dl>${run.unlocks.map(
    ({ key, requirements }) =>
      html`<dt><code>${key}</code></dt><dd>${requirements.map((id) => html`<a href="#${id}">${id}</a> `)}</dd>`,
  )}</dl></section>`;
}
