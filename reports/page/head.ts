/** The top of the page: target, verdict, numbers, what to look at, and what a profile would make checkable. */

import { visible } from '../../record/visible.ts';
import { causesOf, profileLine } from '../causes.ts';
import { entriesToChange } from '../deviations-text.ts';
import { html, type Markup } from '../markup.ts';
import { column } from '../outcome.ts';
import type { Run } from '../run.ts';
import { standing } from '../scope.ts';
import { changes, notes } from './changes.ts';
import { idList } from './id-list.ts';
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
  const [word, ...rest] = standing(run).split(' ');
  return html`<header>
<p class="eyebrow">Electronic signature request service · conformance report</p>
<h1>${visible(run.target.name)}</h1>
<p class="where">${visible(run.target.baseUrl)} · <time datetime="${run.startedAt}">${run.startedAt.slice(0, 16).replace('T', ' ')} UTC</time></p>
<div class="outcome ${run.verdict}">
<p class="word"><span aria-hidden="true">${outcomeSigns[run.verdict]}</span> ${word}${rest.length > 0 ? html` <span class="scope">${rest.join(' ')}</span>` : ''}</p>
<p>${meaningOf(run)}</p>
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
${notes('Warnings', run.warnings)}
${run.unlocks.length > 0 ? unlocks(run) : ''}
</header>`;
}

/** A target that does nothing wrong is not blamed for a file that has to be changed. */
function meaningOf(run: Run): string {
  const blamed = run.requirements.some(
    (each) => column(each) === 'failed' && (each.level === 'must' || run.strict),
  );
  if (run.verdict !== 'nonconformant' || blamed) {
    return meanings[run.verdict];
  }
  const why = [
    ...(entriesToChange(run).length > 0 ? ['the file of accepted deviations has to be changed'] : []),
    ...(gating(run) > 0 ? ['something that gates has changed since the accepted run'] : []),
  ];
  return why.length > 0
    ? `No failure of this run counts against the target, but ${why.join(', and ')}.`
    : meanings.nonconformant;
}

function gating({ drift = [] }: Run): number {
  return drift.filter((each) => each.gating).length;
}

function number(name: string, value: number | string): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** Links to what somebody has to act on; what could not run is told by its reason. */
function attention(run: Run): Markup | null {
  const acute = (['error', 'failed'] as const).flatMap((verdict) =>
    run.requirements.filter((each) => column(each) === verdict),
  );
  const stuck = causesOf(run);
  const entries = entriesToChange(run).length;
  const drifted = gating(run);
  if (acute.length + stuck.length + entries + drifted === 0) return null;
  return html`<section class="notes"><h2>What to look at</h2>
${acute.length > 0 ? html`<ul class="attention">${acute.map((each) => html`<li>${verdictMark(column(each))} <a href="#${each.id}">${each.statement}</a> <code class="quiet">${each.id}</code></li>`)}</ul>` : ''}
${stuck.length > 0 ? html`<ul class="attention">${stuck.map((each) => html`<li>${verdictMark('could-not-run')} <span>${visible(each.says)}</span> ${profileLine(each) ?? ''} ${idList(each.requirements)}</li>`)}</ul>` : ''}${entries + drifted > 0 ? html`<ul class="attention">${entries > 0 ? item('to change', '#deviations', `${entries === 1 ? 'An entry' : `${entries} entries`} of the deviations file`) : ''}${drifted > 0 ? item('drift', '#drift', `${drifted === 1 ? 'A difference' : `${drifted} differences`} to the accepted run`) : ''}</ul>` : ''}
</section>`;
}

function item(sign: string, to: string, text: string): Markup {
  return html`<li><span class="verdict failed"><span aria-hidden="true">${signs.failed}</span> ${sign}</span> <a href="${to}">${text}</a></li>`;
}

function unlocks(run: Run): Markup {
  return html`<section class="notes"><h2>What a profile would make checkable</h2><dl>${run.unlocks.map(
    ({ key, requirements }) => html`<dt><code>${key}</code></dt><dd>${idList(requirements)}</dd>`,
  )}</dl></section>`;
}
