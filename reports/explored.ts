/** What exploring showed: as lines for the terminal, as a part of the page, and as files that play a story again. */
import type { Story } from '../record/explored.ts';
import { sequenceLines } from '../record/sequence.ts';
import { visible } from '../record/visible.ts';
import { html, type Markup } from './markup.ts';
import { timeline } from './page/timeline.ts';
import { isScript, scriptFolder } from './reproduce.ts';
import type { Run } from './run.ts';
import { flowsOf } from './timeline.ts';
import { counted } from './words.ts';

/** How far it got, in a sentence or two. */
function exploredSummary({
  steps,
  sequences,
  blocked,
  situations,
  seed,
  stories,
  ended,
}: NonNullable<Run['explored']>): string {
  const share = Math.round((100 * situations.seen) / Math.max(1, situations.of));
  const stuck = blocked > 0 ? `, ${blocked} of them not to their end` : '';
  const found = stories.length > 0 ? counted(stories.length, 'violation') : 'no violation, which is no proof';
  return `${steps} steps in ${counted(sequences, 'sequence')}${stuck} (seed ${seed}; ${ended}): ${situations.seen} of ${situations.of} situations seen (${share} %), ${found}`;
}

/** The story in numbered lines; the one that shows the violation is marked. */
function storyLines({
  sequence,
  breaks,
}: Story): readonly { readonly text: string; readonly wrong: boolean }[] {
  const at = breaks === undefined ? -1 : 1 + sequence.people.length + breaks;
  return sequenceLines(sequence).map((text, index) => ({ text, wrong: index === at }));
}

const names = (id: string) => ({ json: `${id}.sequence.json`, sh: `${id}.sequence.sh` });

/** Lines for the terminal; none for a run that did not explore. */
export function exploredLines({ explored }: Pick<Run, 'explored'>): readonly string[] {
  if (!explored) return [];
  return [
    exploredSummary(explored),
    ...explored.stories.flatMap((story) => [
      `${story.requirement}: ${story.says}`,
      ...storyLines(story).map(
        ({ text, wrong }, index) => `  ${wrong ? '✗' : ' '} ${String(index + 1).padStart(2)}  ${text}`,
      ),
      `    ${effortOf(story)} · ${scriptFolder}/${names(story.requirement).sh}`,
    ]),
    ...inconsistencies(explored).map((line) => `in two ways: ${line}`),
  ];
}

function effortOf({ length, firstLength, calls, confirmed }: Story): string {
  if (calls === 0) return `${length} steps; the run ended before it could be made shorter`;
  const again = confirmed ? 'seen once more from nothing' : 'not seen once more';
  return `${length} steps, of ${firstLength} at first; shortened in ${counted(calls, 'call')}, ${again}`;
}

/** Open situations that came out in two ways. */
function inconsistencies({ learned }: NonNullable<Run['explored']>): readonly string[] {
  return learned
    .filter(({ taken, refused }) => taken > 0 && refused > 0)
    .map(({ situation, taken, refused }) => `${situation}: taken ${taken} times, refused ${refused} times`);
}

/** The files of the stories, by their names in the folder of the scripts. */
export function storyFiles({ explored }: Pick<Run, 'explored'>): ReadonlyMap<string, string> {
  return new Map(
    (explored?.stories ?? []).flatMap(({ requirement, sequence }) => {
      const { json, sh } = names(requirement);
      if (!isScript(sh)) return [];
      return [
        [json, `${JSON.stringify(sequence, null, 2)}\n`],
        [sh, script(requirement, json)],
      ] as const;
    }),
  );
}

function script(requirement: string, file: string): string {
  return [
    '#!/bin/sh',
    `# ${requirement}: plays the shortest sequence that was found to violate it.`,
    '# sh this-file --target profile.yaml (without, against the reference service), in a folder in which the',
    '# suite is installed; elsewhere ESIGN_CONFORMANCE says how it is started. Nothing is installed.',
    `exec \${ESIGN_CONFORMANCE:-npx --offline --no -- esign-conformance} explore --replay-sequence "$(dirname "$0")/${file}" "$@"`,
    '',
  ].join('\n');
}

/** The part of the page; nothing for a run that did not explore. */
export function exploredSection(run: Run): Markup | null {
  const { explored } = run;
  if (!explored) return null;
  const { stories, learned } = explored;
  return html`<section aria-labelledby="explored"><h2 id="explored">Explored sequences</h2>
<p>${exploredSummary(explored)}.</p>
${stories.map((story) => storyView(story, run))}
${
  learned.length > 0
    ? html`<details class="more read"><summary>What is open, and what the target did: ${counted(learned.length, 'situation')}</summary><div class="scroll"><table>
<thead><tr><th scope="col">Situation</th><th scope="col">Taken</th><th scope="col">Refused</th></tr></thead>
<tbody>${learned.map((each) => html`<tr><th scope="row">${each.situation}${each.taken > 0 && each.refused > 0 ? ' (in two ways)' : ''}</th><td data-name="Taken">${each.taken}</td><td data-name="Refused">${each.refused}</td></tr>`)}</tbody></table></div></details>`
    : ''
}
</section>`;
}

function storyView(story: Story, run: Run): Markup {
  const files = names(story.requirement);
  const told = new Set(story.timeline.map(({ flow }) => flow));
  return html`<section class="story"><h3><a href="#${story.requirement}">${story.requirement}</a></h3>
<p class="message edge">${visible(story.says)}</p>
<div class="scroll"><table><thead><tr><th scope="col">Step</th><th scope="col">What happens</th></tr></thead>
<tbody>${storyLines(story).map(({ text, wrong }, index) => html`<tr${wrong ? html` class="wrong"` : ''}><th scope="row">${index + 1}${wrong ? ' ✗' : ''}</th><td data-name="What happens">${visible(text)}</td></tr>`)}</tbody></table></div>
<p class="quiet">${effortOf(story)}. To play it again: <a href="${scriptFolder}/${files.sh}">${files.sh}</a>, with <a href="${scriptFolder}/${files.json}">${files.json}</a></p>
${flowsOf(run)
  .filter(({ name }) => told.has(name))
  .map((flow) => timeline(flow, () => null))}
</section>`;
}
