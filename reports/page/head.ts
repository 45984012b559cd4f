/** The top of the page: target, verdict, numbers, what to look at, and what a profile would make checkable. */
import { findings } from '../failure.ts';
import { html, type Markup } from '../markup.ts';
import { column } from '../outcome.ts';
import type { Run } from '../run.ts';
import { visible } from '../visible.ts';
import { changes, notes, warnings } from './changes.ts';
import { signs, verdictMark } from './verdicts.ts';

const meanings: Record<Run['verdict'], string> = {
  conformant: 'Every applicable must passed.',
  partial: 'All of the selected requirements passed; the others were not checked.',
  nonconformant: 'The target does something that the interface document does not allow.',
  incomplete: 'Something could not be checked, so this run proves nothing.',
  error: 'The suite itself broke: this says nothing about the target.',
};

const outcomeSigns: Record<Run['verdict'], string> = {
  conformant: signs.passed,
  partial: signs.passed,
  nonconformant: signs.failed,
  incomplete: signs['could-not-run'],
  error: signs.error,
};

/** Verdict and numbers of a run. */
export function head(run: Run): Markup {
  const { counts } = run;
  const { passed, applicable, all } = counts.musts;
  return html`<header>
<p class="eyebrow">Electronic signature request service · conformance report</p>
<h1>${visible(run.target.name)}</h1>
<p class="where">${visible(run.target.baseUrl)} · <time datetime="${run.startedAt}">${run.startedAt.slice(0, 16).replace('T', ' ')} UTC</time></p>
<div class="outcome ${run.verdict}">
<p class="word"><span aria-hidden="true">${outcomeSigns[run.verdict]}</span> ${run.verdict}</p>
<p>${meanings[run.verdict]}</p>
<p class="musts"><strong>${passed}</strong> of <strong>${applicable}</strong> applicable musts passed <span class="quiet">(${all} in all)</span></p>
<svg class="meter" viewBox="0 0 ${Math.max(all, 1)} 1" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="rest" width="${Math.max(all, 1)}" height="1"/><rect class="applicable" width="${applicable}" height="1"/><rect class="passed" width="${passed}" height="1"/></svg>
</div>
<dl class="numbers">
${number('requirements passed', counts.requirements.passed)}
${number('failed', counts.requirements.failed)}
${counts.requirements.deviation > 0 ? number('accepted deviations', counts.requirements.deviation) : ''}
${number('could not run', counts.requirements['could-not-run'])}
${number('not applicable', counts.requirements['not-applicable'])}
${counts.requirements.error > 0 ? number('errors of the suite', counts.requirements.error) : ''}
${number('not testable', counts.requirements.notTestable)}
${number('checks reported', `${counts.checks.reported} of ${counts.checks.expected}`)}
${number(counts.retries > 0 ? `calls, ${counts.retries} repeated` : 'calls', counts.exchanges)}
${number('signature requests created', counts.signatureRequestsCreated)}
</dl>
<p class="quiet">${(run.durationMs / 1000).toFixed(1)} s · scope ${run.scope}${run.strict ? ' · strict' : ''} · suite ${run.suite.version} · contract ${run.contract.version} · seed ${run.seed}</p>
${attention(run)}
${changes(run)}
${notes('Problems of the suite', run.problems)}
${warnings(run)}
${run.unlocks.length > 0 ? unlocks(run) : ''}
</header>`;
}

function number(name: string, value: number | string): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** Links to what somebody has to act on; what could not run is told by its reason. */
function attention(run: Run): Markup | null {
  const acute = (['error', 'failed'] as const).flatMap((verdict) =>
    run.requirements.filter((each) => column(each) === verdict),
  );
  const stuck = findings(run, 'could-not-run');
  if (acute.length + stuck.length === 0) return null;
  return html`<section class="notes"><h2>What to look at</h2>
${acute.length > 0 ? html`<ul class="attention">${acute.map((each) => html`<li>${verdictMark(column(each))} <a href="#${each.id}">${each.statement}</a> <code class="quiet">${each.id}</code></li>`)}</ul>` : ''}
${stuck.length > 0 ? html`<ul class="attention">${stuck.map(({ requirements, lines }) => html`<li>${verdictMark('could-not-run')} <span>${visible(lines.join(' '))}</span> ${idList(requirements.map(({ id }) => id))}</li>`)}</ul>` : ''}
</section>`;
}

/** A few ids as they are, many folded. */
function idList(ids: readonly string[]): Markup {
  const links = ids.map((id) => html`<a href="#${id}">${id}</a> `);
  if (ids.length <= 5) return html`<span class="ids">${links}</span>`;
  return html`<details class="ids"><summary>${ids.length} requirements</summary><p>${links}</p></details>`;
}

function unlocks(run: Run): Markup {
  return html`<section class="notes"><h2>What a profile would make checkable</h2><dl>${run.unlocks.map(
    ({ key, requirements }) => html`<dt><code>${key}</code></dt><dd>${idList(requirements)}</dd>`,
  )}</dl></section>`;
}
