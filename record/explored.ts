/** What exploring came to, as run.json carries it: how far it got, what it learned, and the story of each violation. */
import { type Static, Type } from '@sinclair/typebox';
import { causeSchema } from './finding.ts';
import { flowOutcome } from './flow-finding.ts';
import { atLeast, count, type DeepReadonly, entryId, list, object, optional, text } from './schema-parts.ts';
import { sequenceSchema } from './sequence.ts';
import { timelineSchema } from './timeline.ts';

const story = object({
  requirement: entryId,
  sequence: object(sequenceSchema.properties),
  breaks: optional(count('The step that shows it; absent: what follows at the end does.')),
  says: text('What was expected and seen.'),
  length: atLeast(1, 'Steps: its creation, each person, each step.'),
  firstLength: atLeast(1, 'Steps of the sequence in which it was first seen.'),
  calls: count('Calls that making it shorter took.'),
  confirmed: Type.Boolean({ description: 'Whether the shortest one failed once more from nothing.' }),
  timeline: timelineSchema,
});

export const exploredSchema = object(
  {
    seed: Type.Integer(),
    steps: count(),
    sequences: count(),
    blocked: count('Sequences that could not go on to their end.'),
    stuck: optional(list(object({ cause: causeSchema, flow: optional(flowOutcome) }), 'Why they could not.')),
    situations: object(
      {
        seen: count(),
        of: count(),
        fixed: optional(count('Written by earlier versions.')),
      },
      'Statements beside two or three facts of their moment: how many of those that were imagined.',
    ),
    ended: text('Why it ended.'),
    learned: list(
      object({ situation: text(), taken: count(), refused: count() }),
      'What is open: how often the target took it, and how often it refused it.',
    ),
    stories: list(story),
  },
  'What random sequences showed beyond the checks. Nothing found is no proof.',
);

export type Explored = DeepReadonly<Static<typeof exploredSchema>>;
export type Story = Explored['stories'][number];
