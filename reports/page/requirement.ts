/** A requirement on the page: statement and verdict; unfolded its checks, rows, exchanges and a reproduction. */
import { areaOf, isOwn } from '../../openapi/requirements/catalogue.ts';
import { received as receivedText } from '../../record/exchange-text.ts';
import { expectedText } from '../../record/finding-text.ts';
import { confirmationWords } from '../concluding/confirmation.ts';
import { deviationLine } from '../concluding/deviations-judge.ts';
import { allOf, column } from '../concluding/outcome.ts';
import { reproduction, scriptFolder, scriptNames } from '../reproduce/scripts.ts';
import { decisive, decisiveExchange } from '../run/decisive.ts';
import type { Run, RunCheck, RunRequirement, RunRow } from '../run/run.ts';
import { type Flow, flowsOf, flowsOfCheck } from '../run/timeline.ts';
import { twinOf } from '../run/twin.ts';
import { unsaidWords } from '../texts/failure.ts';
import { type Placing, placingOf } from './calls.ts';
import { exchangeLine, exchangeView, isPlain } from './exchange.ts';
import { deliveryView, type Lines, linesOf } from './flows.ts';
import { html, type Markup, plainText } from './markup.ts';
import { timeline } from './timeline.ts';
import { isAcute, verdictMark } from './verdicts.ts';

/** The data for rendering requirements, made once for a page. */
export interface Ground {
  readonly run: Run;
  readonly placing: Placing;
  /** Whether the files with reproductions are beside the page. */
  readonly scripts: 'beside' | 'nowhere';
  readonly flows: readonly Flow[];
  readonly lines: Lines;
  /** Ids of the failures that are shown in full: with twins, copies of other calls, and scripts. */
  readonly whole: ReadonlySet<string>;
}

/** How many failures are shown in full: a thousand of them would make a page of many megabytes. */
const mostWhole = 25;

export function groundOf(run: Run, scripts: Ground['scripts']): Ground {
  const flows = flowsOf(run);
  const acute = allOf(run).filter(isAcute).slice(0, mostWhole);
  return {
    run,
    placing: placingOf(run),
    scripts,
    flows,
    lines: linesOf(flows),
    whole: new Set(acute.map(({ id }) => id)),
  };
}

/** A requirement. Failures are unfolded; those that could not run are not, since their reasons stand at the top of the page. */
export function requirement(each: RunRequirement, ground: Ground): Markup {
  const open = (each.verdict === 'failed' || each.verdict === 'error') && ground.whole.has(each.id);
  const its = column(each);
  return html`<details class="requirement ${its} ${each.level}" id="${each.id}"${open ? html` open` : ''}>
<summary>${verdictMark(its)} <span class="statement">${each.statement}</span> <span class="id">${each.id} ${each.level}</span></summary><div class="unfolded"><p class="quiet">${isOwn(each.id) ? `${areaOf(each.id)}: ` : ''}${each.section} <a class="here" href="#${each.id}">link</a>${again(each, ground)}</p>${each.reason && each.checks.every(({ message }) => message !== each.reason) ? html`<p><strong>Why:</strong> ${each.reason}</p>` : ''}${unsaidWords(each).map((words) => html`<p class="quiet">${sentence(words)}</p>`)}${each.notTestable ? html`<p><strong>No check can prove it:</strong> ${each.notTestable}</p>` : ''}${deviation(each)}${each.checks.map((one) => check(one, each, ground))}${reproduce(each, ground)}</div></details>`;
}

const deviationWords = {
  accepted: 'Known:',
  stale: 'An entry of the deviations file is not needed any more:',
  expired: 'The date of an entry of the deviations file is past:',
} as const;

function deviation(each: RunRequirement): Markup | null {
  if (!each.deviation) return null;
  const { status } = each.deviation;
  return html`<p class="edge ${status === 'accepted' ? 'known' : 'failed'}"><strong>${deviationWords[status]}</strong> ${deviationLine(each)} <a href="#deviations">Deviations</a></p>`;
}

function check(one: RunCheck, of: RunRequirement, ground: Ground): Markup {
  const again = confirmationWords(one);
  const repeated =
    one.confirmation?.attempts.flatMap(({ rows }) => rows.flatMap(({ exchanges }) => exchanges)) ?? [];
  // For failures that are not shown in full, the names of the checks are in the traceability table.
  const found = html`${one.message ? html`<p>${one.message}</p>` : ''}${one.rows.length > 0 ? html`<ul class="rows">${one.rows.map((each) => row(each, one, of, ground))}</ul>` : ''}${again ? html`<p class="quiet">${sentence(again)}</p>${inPlace(repeated, of, ground)}` : ''}`;
  if (isAcute(of) && !ground.whole.has(of.id)) return found;
  return html`<section><h4>Check: ${one.title} <span class="quiet">${Math.round(one.durationMs)} ms</span></h4>${found}</section>`;
}

function row(each: RunRow, one: RunCheck, of: RunRequirement, ground: Ground): Markup {
  const { run, placing, flows, lines, whole } = ground;
  const { shown, named } = placing.at(each);
  const bad = each.verdict === 'failed' || each.verdict === 'error';
  const deciding = decisiveExchange(each, run);
  const slug = flowsOfCheck(one).find(({ name }) => name === each.title)?.slug;
  const flow = flows.find((some) => some.slug === slug);
  return html`<li>${verdictMark(each.verdict)} ${each.title}${outcome(each, bad, run)}${flow && bad && whole.has(of.id) ? timeline(flow, () => null) : flow ? html`<p class="quiet">In the flow of this name, under Events and signing.</p>` : ''}${inPlace(named, of, ground)}${run.deliveries.filter(({ id }) => each.finding?.evidence.deliveries?.includes(id)).map((delivery) => deliveryView(delivery, lines))}${shown.map(
    (exchange) => {
      // For failures that are not shown in full, the scripts and run.json have the bodies.
      if (isAcute(of) && !whole.has(of.id)) return exchangeLine(exchange);
      const decides = exchange === deciding;
      return exchangeView(exchange, {
        twin: decides && bad ? twinOf(each, run) : null,
        open: decides && bad && isAcute(of),
        finding: decides && bad ? each.finding : undefined,
        of: of.id,
      });
    },
  )}</li>`;
}

/** How many calls that are shown elsewhere are repeated in one place. */
const mostNamed = 6;

/** Calls that are shown elsewhere, repeated here so that the reader need not go there. */
function inPlace(indexes: readonly number[], of: RunRequirement, { run, whole }: Ground): Markup {
  const found = [...new Set(indexes)]
    .sort((one, other) => one - other)
    .flatMap((index) => run.exchanges[index] ?? []);
  const unfolds = isAcute(of) && whole.has(of.id);
  return html`${found.slice(0, mostNamed).map((each) => (unfolds && !isPlain(each) ? exchangeView(each, { copy: true, of: of.id }) : exchangeLine(each, { copy: true })))}${found.length > mostNamed ? html`<p class="call">and ${found.length - mostNamed} more calls</p>` : ''}`;
}

/** What was expected and received, as two lines; any other message as it is. */
function outcome({ message, finding }: RunRow, bad: boolean, { exchanges }: Run): Markup | null {
  if (message === undefined) return null;
  const { expected, received, cause } = finding ?? {};
  const answer = exchanges[received?.exchange ?? -1];
  if (!expected || !answer || cause || received?.also !== undefined)
    return html`<p class="message${bad ? ' edge' : ''}">${message}</p>`;
  return html`<dl class="told edge"><dt>expected</dt><dd>${expectedText(expected)}</dd><dt>received</dt><dd><code>${receivedText(answer)}</code></dd></dl>`;
}

/** Links to the scripts of a requirement that are not on the page. */
function again(each: RunRequirement, { run, scripts, whole }: Ground): Markup | null {
  const names = scriptNames(each.id);
  const shown = (each.verdict === 'failed' || each.verdict === 'error') && whole.has(each.id);
  if (scripts === 'nowhere' || shown || !names || !decisive(each, run)) return null;
  return html` · again: <a href="${scriptFolder}/${names.sh}">sh</a>, <a href="${scriptFolder}/${names.powershell}">PowerShell</a>`;
}

/** The scripts of a failure, on the page. Those of other requirements are only files: on the page they would be a third of it. */
function reproduce(each: RunRequirement, { run, scripts, whole }: Ground): Markup | null {
  const failed = each.verdict === 'failed' || each.verdict === 'error';
  const found = decisive(each, run);
  if (!found) {
    if (each.verdict !== 'failed') return null;
    return html`<section class="reproduce"><h4>Reproduce</h4><p class="quiet">No single call shows it: it rests on what was delivered, or sent to people, in the flow named above.</p></section>`;
  }
  if (!failed || !whole.has(each.id)) return null;
  const names = scripts === 'beside' ? scriptNames(each.id) : null;
  const { calls, listens, needs, sh, powershell } = reproduction(run, each, found.exchange, found.says);
  const script = (name: string, text: string) =>
    html`<details class="more script"><summary>Script for ${name}</summary><pre tabindex="0">${plainText(text)}</pre></details>`;
  return html`<section class="reproduce"><h4>Reproduce</h4>
<p>${found.row.title}: a script makes ${calls === 1 ? 'this call' : `the whole chain of ${calls} calls`} again${calls === 1 ? '' : ', with new ids'}. ${names ? html`In the folder of <code>run.json</code>:` : html`It is started in the folder of <code>run.json</code>, with the secrets that it asks for in the environment: ${needs.join(', ')}.`}</p>
${names ? html`<pre tabindex="0">${needs.map((name) => html`export ${name}=…    # sent to this host\n`)}${listens ? 'export CALLBACK_URL=…    # a receiver of yours, to see the callbacks\n' : ''}sh <a href="${scriptFolder}/${names.sh}">${scriptFolder}/${names.sh}</a></pre>` : ''}${script('sh', sh)}${script('PowerShell', powershell)}</section>`;
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
