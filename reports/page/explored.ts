/** Explored sequences on the page: how far they got, the stories that show violations, and questions that are open. */
import { counted } from '../../record/counted.ts';
import type { Story } from '../../record/explored.ts';
import { scriptFolder } from '../reproduce/scripts.ts';
import type { Run } from '../run/run.ts';
import { type Flow, flowsOf } from '../run/timeline.ts';
import { effortOf, exploredSummary, storyLines, storyNames, stuckLines } from '../texts/explored.ts';
import { html, type Markup } from './markup.ts';
import { timeline } from './timeline.ts';

export function exploredSection(run: Run): Markup | null {
  const { explored } = run;
  if (!explored) return null;
  const { stories, learned } = explored;
  const flows = new Map(flowsOf(run).map((flow) => [flow.name, flow]));
  return html`<section aria-labelledby="explored"><h2 id="explored">Explored sequences</h2>
<p>${exploredSummary(explored)}.</p>
${stuckLines(run).map((line) => html`<p class="quiet">${line}</p>`)}
${stories.map((story) => storyView(story, flows))}
${
  learned.length > 0
    ? html`<details class="more read"><summary>What is open, and what the target did: ${counted(learned.length, 'situation')}</summary><div class="scroll"><table>
<thead><tr><th scope="col">Situation</th><th scope="col">Taken</th><th scope="col">Refused</th></tr></thead>
<tbody>${learned.map((each) => html`<tr><th scope="row">${each.situation}${each.taken > 0 && each.refused > 0 ? ' (in two ways)' : ''}</th><td data-name="Taken">${each.taken}</td><td data-name="Refused">${each.refused}</td></tr>`)}</tbody></table></div></details>`
    : ''
}
</section>`;
}

function storyView(story: Story, flows: ReadonlyMap<string, Flow>): Markup {
  const files = storyNames(story.requirement);
  const told = [...new Set(story.timeline.map(({ flow }) => flow))].flatMap(
    (name) => flows.get(name ?? '') ?? [],
  );
  return html`<section class="story"><h3><a href="#${story.requirement}">${story.requirement}</a></h3>
<p class="message edge">${story.says}</p>
<div class="scroll"><table><thead><tr><th scope="col">Step</th><th scope="col">What happens</th></tr></thead>
<tbody>${storyLines(story).map(({ text, wrong }, index) => html`<tr${wrong ? html` class="wrong"` : ''}><th scope="row">${index + 1}${wrong ? ' ✗' : ''}</th><td data-name="What happens">${text}</td></tr>`)}</tbody></table></div>
<p class="quiet">${effortOf(story)}. To play it again: <a href="${scriptFolder}/${files.sh}">${files.sh}</a>, with <a href="${scriptFolder}/${files.json}">${files.json}</a></p>
${told.map((flow) => timeline(flow, () => null))}
</section>`;
}
