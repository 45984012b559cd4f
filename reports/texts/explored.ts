/** Results of exploring, in words, and as files that replay a story. */
import { counted } from '../../record/counted.ts';
import type { Explored, Story } from '../../record/explored.ts';
import { sequenceLines } from '../../record/sequence.ts';
import { stuckCauses } from '../concluding/causes.ts';
import { isScript, scriptFolder } from '../reproduce/scripts.ts';
import type { Run } from '../run/run.ts';

export function exploredSummary({ steps, sequences, blocked, situations, ...more }: Explored): string {
  const { seed, stories, ended } = more;
  const share = Math.round((100 * situations.seen) / Math.max(1, situations.of));
  const stuck = blocked > 0 ? `, ${blocked} of them not to their end` : '';
  const found = stories.length > 0 ? counted(stories.length, 'violation') : 'no violation, which is no proof';
  // A single sequence that is played again is held against no situations.
  const covered =
    situations.of > 0 ? `${situations.seen} of ${situations.of} situations seen (${share} %), ` : '';
  return `${steps} steps in ${counted(sequences, 'sequence')}${stuck} (seed ${seed}; ${ended}): ${covered}${found}`;
}

/** The story in numbered lines; the step that shows the violation is marked. */
export function storyLines({ sequence, breaks }: Story) {
  const until =
    breaks === undefined ? [] : sequenceLines({ ...sequence, steps: sequence.steps.slice(0, breaks + 1) });
  return sequenceLines(sequence).map((text, index) => ({ text, wrong: index === until.length - 1 }));
}

/** Names of the files of the story about a requirement. */
export const storyNames = (id: string) => ({ json: `${id}.sequence.json`, sh: `${id}.sequence.sh` });

/** Causes that are told; the others are in run.json. */
const causesMost = 3;

export function stuckLines(run: Pick<Run, 'explored' | 'exchanges'>): readonly string[] {
  const lines = stuckCauses(run).map(
    ({ says, sequences }) => `${counted(sequences, 'sequence')} ended early: ${says}`,
  );
  const more = lines.length - causesMost;
  return [...lines.slice(0, causesMost), ...(more > 0 ? [`and ${counted(more, 'other cause')}`] : [])];
}

/** Lines for the terminal; none for a run that did not explore. */
export function exploredLines(run: Pick<Run, 'explored' | 'exchanges'>): readonly string[] {
  const { explored } = run;
  if (!explored) return [];
  return [
    exploredSummary(explored),
    ...stuckLines(run),
    ...explored.stories.flatMap((story) => [
      `${story.requirement}: ${story.says}`,
      ...storyLines(story).map(
        ({ text, wrong }, index) => `  ${wrong ? '✗' : ' '} ${String(index + 1).padStart(2)}  ${text}`,
      ),
      `    ${effortOf(story)} · ${scriptFolder}/${storyNames(story.requirement).sh}`,
    ]),
    ...inconsistencies(explored).map((line) => `in two ways: ${line}`),
  ];
}

export function effortOf({ length, firstLength, calls, confirmed }: Story): string {
  if (calls === 0) return `${counted(length, 'step')}; the run ended before it could be made shorter`;
  const again = confirmed ? 'seen once more from nothing' : 'not seen once more';
  return `${counted(length, 'step')}, of ${firstLength} at first; shortened in ${counted(calls, 'call')}, ${again}`;
}

/** Situations left open by the document that turned out in two ways. */
function inconsistencies({ learned }: Explored): readonly string[] {
  return learned
    .filter(({ taken, refused }) => taken > 0 && refused > 0)
    .map(
      ({ situation, taken, refused }) =>
        `${situation}: taken ${counted(taken, 'time')}, refused ${counted(refused, 'time')}`,
    );
}

/** The files of the stories, by their names in the folder of the scripts. */
export function storyFiles({ explored }: Pick<Run, 'explored'>): ReadonlyMap<string, string> {
  return new Map(
    (explored?.stories ?? []).flatMap(({ requirement, sequence }) => {
      const { json, sh } = storyNames(requirement);
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
    // With CDPATH cd could go elsewhere, and print where.
    'run=$(CDPATH= cd "$(dirname "$0")/.." && pwd -P)',
    // The folder of a run may come from a stranger, with a program of that name.
    `case "\${ESIGN_CONFORMANCE:+set}:$(pwd -P)/" in ":$run"/*)`,
    '  echo "start it in a folder in which the suite is installed, outside of $run" >&2; exit 2;; esac',
    `exec \${ESIGN_CONFORMANCE:-npx --offline --no -- esign-conformance} explore --replay-sequence "$(dirname "$0")/${file}" "$@"`,
    '',
  ].join('\n');
}
