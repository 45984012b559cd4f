/** The page on which people find what they are asked to do, and say what came of it. */
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { countdown, inOrder, instructionOf, type ManualAnswer, type ManualTask } from './manual-task.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The page reloads itself this often: the list grows, and the time runs. */
export const reloadSeconds = 2;

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
li{margin:0 0 1.5rem}form{display:flex;gap:.5rem;flex-wrap:wrap}button{font:inherit;padding:.3rem .8rem}
time{font-variant-numeric:tabular-nums}h2{font-size:1rem;margin-top:2rem}.answered,.later{opacity:.6}
@media(prefers-color-scheme:dark){:root{color-scheme:dark}}`;

const told: Readonly<Record<ManualAnswer, string>> = {
  done: 'It went through.',
  refused: 'It was refused.',
  'could-not': 'It could not be tried.',
  'too-late': 'The time was up.',
  ended: 'The run ended before.',
};

export async function manualPage(tasks: readonly ManualTask[], nowMs: number): Promise<string> {
  const open = tasks.filter(({ answer }) => answer === undefined);
  const requests = [...new Set(inOrder(tasks).map(({ task }) => task.requestId))];
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${reloadSeconds}"><title>${open.length} to do – signing by hand</title>
<style>${style}</style></head><body><main><h1>Signing by hand</h1>
<p>${open.length === 0 ? 'There is nothing to do at the moment. More may come: leave this page open.' : 'Do these from top to bottom, and say of each what the service did.'}</p>
${requests.map((id) => html`<h2>Request ${id}</h2><ol>${inOrder(tasks.filter(({ task }) => task.requestId === id)).map((each) => item(each, nowMs))}</ol>`)}
</main></body></html>`;
  return page.toString();
}

function item(each: ManualTask, nowMs: number): Html {
  const { number, link, answer, endMs } = each;
  const instruction = instructionOf(each);
  if (answer !== undefined)
    return html`<li class="answered">${instruction} <strong>${told[answer]}</strong></li>`;
  if (endMs === undefined) return html`<li class="later">${instruction} <em>After the one above.</em></li>`;
  return html`<li><p>${instruction} <time>${countdown(endMs - nowMs)}</time> left</p>
<p>${link === undefined ? 'The link to the signing page is in the e-mail to this person.' : html`<a href="${link}" target="_blank" rel="noreferrer">Open the signing page</a>`}</p>
<form method="post" action="tasks/${number}">
<button name="answer" value="done">Done: it went through</button>
<button name="answer" value="refused">The service refused it</button>
<button name="answer" value="could-not">I could not try it</button>
</form></li>`;
}
