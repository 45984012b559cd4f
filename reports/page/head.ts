/** The top of the page: target, verdict, numbers, failures, and keys that would make more checkable. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../record/counted.ts';
import { received as receivedText } from '../../record/exchange-text.ts';
import { expectedText } from '../../record/finding-text.ts';
import { causesOf, profileLine } from '../concluding/causes.ts';
import { entriesToChange } from '../concluding/deviations-judge.ts';
import { allOf, column } from '../concluding/outcome.ts';
import { ownLine, standing } from '../concluding/scope.ts';
import { deciding, decisive } from '../run/decisive.ts';
import { packageRoot } from '../run/package.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { cut, firstLine, minute, unlocked } from '../run/words.ts';
import { changes, notes } from './changes.ts';
import { html, type Markup, plainText } from './markup.ts';
import { order } from './navigation.ts';
import { idLinks, idList, signs, verdictMark, words } from './verdicts.ts';

const meanings: Record<Run['verdict'], string> = {
  conformant: 'Every applicable must passed.',
  partial: 'Every must of the selection passed; nothing else was checked.',
  nonconformant: 'The target does something that the interface document does not allow.',
  incomplete: 'Something could not be checked: this is no proof of conformance.',
  error: 'The suite itself broke: this says nothing about the target.',
};

const [conformant, partial] = [signs.passed, signs.passed];
const outcomeSigns = {
  ...signs,
  conformant,
  partial,
  nonconformant: signs.failed,
  incomplete: signs['could-not-run'],
};

/** How many failures the top shows; all of them are shown below. */
const most = 12;

export function head(run: Run): Markup {
  const [, word, scope] = /^(\w+);? ?(.*)/.exec(standing(run)) ?? [];
  return html`<header>
<p class="eyebrow">Conformance report · ${run.target.baseUrl} · <time datetime="${run.startedAt}">${minute(run.startedAt)}</time></p>
<h1>${run.target.name}</h1>
<div class="outcome ${run.verdict}">
<p class="word"><span aria-hidden="true">${outcomeSigns[run.verdict]}</span> ${word}${scope ? html` <span class="scope">${scope}</span>` : ''}</p>
<p>${meaningOf(run)}</p>${
    run.own
      ? html`
<p>${ownLine(run)}</p>`
      : ''
  }
</div>
${attention(run)}
${numbers(run)}
${changes(run)}
${notes('Problems of the suite', run.problems)}
${notes('Warnings', run.warnings)}
${run.unlocks.length > 0 ? unlocks(run) : ''}
</header>`;
}

function numbers({ counts, durationMs, suite, seed, strict, verdict }: Run): Markup {
  const { passed, applicable, all } = counts.musts;
  const { requirements: columns, checks, exchanges, retries, signatureRequestsCreated: created } = counts;
  const unreported = checks.expected - checks.reported;
  const width = Math.max(all, 1);
  const left = all - applicable;
  const list = [
    ...order.map((each) => ({ count: columns[each], words: words[each] })),
    { count: unreported, words: `${unreported === 1 ? 'check' : 'checks'} without a result` },
    { count: exchanges, words: retries > 0 ? `calls, ${retries} of them repeated` : 'calls' },
    { count: created, words: created === 1 ? 'signature request' : 'signature requests' },
  ];
  return html`<section class="${verdict}"><h2>In numbers</h2>
<p><strong>${passed}</strong> of <strong>${applicable}</strong> applicable musts passed${left > 0 ? html` <span class="quiet">(${left} of ${all} do not apply or were not asked for)</span>` : ''}</p>
<svg class="meter" viewBox="0 0 ${width} 1" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="rest" width="${width}" height="1"/><rect class="applicable" width="${applicable}" height="1"/><rect class="passed" width="${passed}" height="1"/></svg>
<dl class="numbers">${list.filter(({ count }) => count > 0).map((each) => html`<div><dt>${each.words}</dt><dd>${each.count}</dd></div>`)}<div><dt>s</dt><dd>${(durationMs / 1000).toFixed(1)}</dd></div></dl>
<p class="quiet">A must is a rule that the interface document states together with its outcome; a should is one without, or follows from what is stated. Not testable: no call can show it. ${strict ? 'Failed shoulds count (--strict). ' : ''}esign-conformance ${suite.version}, seed ${seed}</p>
</section>`;
}

/** The meaning of the verdict. Where only the deviations file has to be changed, it does not blame the target. */
function meaningOf(run: Run): string {
  const blamed = run.requirements.some(
    (each) => column(each) === 'failed' && (each.level === 'must' || run.strict),
  );
  if (run.verdict !== 'nonconformant' || blamed) return meanings[run.verdict];
  const why = [
    ...(entriesToChange(run).length > 0 ? ['the file of accepted deviations has to be changed'] : []),
    ...(gating(run) > 0 ? ['something that gates has changed since the accepted run'] : []),
  ];
  return why.length > 0
    ? `No failure of this run counts against the target, but ${why.join(', and ')}.`
    : meanings.nonconformant;
}

const gating = ({ drift = [] }: Run): number => drift.filter((each) => each.gating).length;

/** Links to errors and failures, those of musts first, of which none may be left out for a should; requirements that could not run are grouped by their reason. */
function attention(run: Run): Markup | null {
  const acute = (['error', 'failed'] as const).flatMap((verdict) =>
    (['must', 'should'] as const).flatMap((level) =>
      allOf(run).filter((each) => column(each) === verdict && each.level === level),
    ),
  );
  const stuck = causesOf(run);
  const entries = entriesToChange(run).length;
  const drifted = gating(run);
  if (acute.length + stuck.length + entries + drifted === 0) return null;
  return html`${acute.length > 0 ? html`<section class="failed"><h2 class="unseen">What failed</h2><ul class="attention">${acute.slice(0, most).map((each) => failure(each, run))}</ul>${acute.length > most ? html`<p>… and ${acute.length - most} more below</p>` : ''}</section>` : ''}
${stuck.length > 0 ? html`<section><h2 class="unseen">What could not run</h2><ul class="attention">${stuck.map((each) => html`<li>${verdictMark('could-not-run')} <span>${each.says}${profileLine(each) === undefined ? '' : html`<br><span class="quiet">${profileLine(each)}</span>`}</span> ${idList(each.requirements)}</li>`)}</ul></section>` : ''}
${entries + drifted > 0 ? html`<ul class="attention">${entries > 0 ? item('to change', '#deviations', `${entries === 1 ? 'An entry' : `${entries} entries`} of the deviations file`) : ''}${drifted > 0 ? item('drift', '#drift', `${drifted === 1 ? 'A difference' : `${drifted} differences`} to the accepted run`) : ''}</ul>` : ''}`;
}

/** Longest answer in the list of failures, in characters. */
const longest = 80;

/** One failure in the list: its statement, and the answer that decided. */
function failure(each: RunRequirement, run: Run): Markup {
  const found = decisive(each, run);
  const { expected, received, cause } = found?.row.finding ?? {};
  const answer = run.exchanges[received?.exchange ?? -1];
  const decided =
    expected && answer && !cause
      ? html`expected <code>${expectedText(expected)}</code> → received <code>${cut(receivedText(answer), longest)}</code>`
      : cut(firstLine(found?.says ?? deciding(each).says), 2 * longest);
  return html`<li>${verdictMark(column(each))} <a href="#${each.id}">${each.statement}</a>${each.level === 'should' ? html` <span class="quiet">should</span>` : ''} <span class="decided quiet">${decided}</span></li>`;
}

function item(word: string, to: string, text: string): Markup {
  return html`<li>${verdictMark('failed', word)} <a href="${to}">${text}</a></li>`;
}

function unlocks(run: Run): Markup {
  const count = new Set(run.unlocks.flatMap(({ requirements }) => requirements)).size;
  return html`<details class="more"><summary>What a profile would make checkable: ${counted(count, 'requirement')} more</summary>${unlocked(
    run.unlocks,
  ).map(
    ({ key, says, requirements }) =>
      html`<section><h3><code>${key}</code> <span class="quiet">${says}</span></h3>${idLinks(requirements)}${toPaste(key)}</section>`,
  )}</details>`;
}

/** Lines to paste into the profile for a key, and where they belong; nothing for a key that the example does not have. */
function toPaste(key: string): Markup | '' {
  const [path = ''] = key.split(/[ ,]/);
  const lines = profileLines(path);
  if (lines === undefined) return '';
  const [name, ...above] = path.split('.').reverse();
  const section = html`<code>${above.toReversed().join('.')}:</code>`;
  // The key may be there with another value.
  const instead = / (?:with|than|least)\b/.test(key)
    ? html`, in place of <code>${name}:</code> if that is there`
    : '';
  const place =
    above.length === 0
      ? html`At the end of the profile; <code>driver: http</code> needs <code>calls.sign</code> or <code>calls.complete</code> besides.`
      : html`Below ${section} of the profile, indented as what is there${instead}; without ${section} in it, that line first.`;
  return html`<details class="more script lines"><summary>Lines to add, as targets/example.yaml has them</summary><p>${place}</p><pre tabindex="0">${plainText(lines)}</pre></details>`;
}

/**
 * The lines of targets/example.yaml for a key, with their comments, without the sections around them.
 * @param path names with dots between them, as in `calls.sign`
 * @returns YAML, or `undefined` for a key that the example does not have
 */
function profileLines(path: string): string | undefined {
  let lines = readFileSync(join(packageRoot(), 'targets', 'example.yaml'), 'utf8').split('\n');
  let first = '';
  for (const [depth, name] of path.split('.').entries()) {
    const indent = '  '.repeat(depth);
    // Some keys are commented out, where the example uses an alternative.
    const shown = lines.map((line) => line.replace(/^( *)# /, '$1'));
    const at = shown.findIndex((line) => line.startsWith(`${indent}${name}:`));
    if (at < 0) return undefined;
    const end = lines.findIndex((line, index) => index > at && !line.startsWith(`${indent}  `));
    first = shown[at] ?? '';
    lines = lines.slice(at + 1, end < 0 ? undefined : end);
  }
  return [first, ...lines].join('\n').trimEnd();
}
