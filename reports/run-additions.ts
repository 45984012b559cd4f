/** Parts of run.json about what came before the run: accepted deviations, a baseline, an earlier run to recheck. */
import { type Static, Type } from '@sinclair/typebox';
import { closed, type DeepReadonly, literals } from '../record/schema-parts.ts';
import { listedSchema, staleModes } from './deviations.ts';

const count = Type.Integer({ minimum: 0 });
const ids = (description: string) => Type.Array(Type.String(), { description });

/** An entry of the deviations file that speaks of a requirement of the run. */
export const deviationSchema = Type.Object(
  {
    reason: Type.String(),
    owner: Type.String(),
    until: Type.String({ format: 'date' }),
    status: literals(['accepted', 'stale', 'expired'] as const),
    link: Type.Optional(Type.String()),
    flaky: Type.Optional(
      Type.Object(
        { rate: Type.Number(), failed: count, attempts: count },
        { ...closed, description: 'Of the attempts after the first, how many failed, and which share may.' },
      ),
    ),
  },
  closed,
);

/** What became of an entry in this run. */
export const entryStatuses = [
  'accepted',
  'stale',
  'expired',
  'unknown',
  'exceeded',
  'unused',
  'not-judged',
  'other-target',
] as const;

export const usedDeviationsSchema = Type.Object(
  {
    file: Type.String(),
    stale: literals(staleModes),
    entries: Type.Array(
      Type.Object(
        {
          ...listedSchema.properties,
          status: literals(entryStatuses),
          says: Type.Optional(Type.String({ description: 'What to change in the file, with its line.' })),
        },
        closed,
      ),
    ),
  },
  { ...closed, description: 'The deviations file of the run, entry by entry.' },
);

export const driftSchema = Type.Array(
  Type.Object(
    {
      id: Type.String({ description: 'Requirement or gap.' }),
      key: Type.Optional(Type.String({ description: 'Of the observation, or the title of the check.' })),
      before: Type.String(),
      after: Type.String(),
      gating: Type.Boolean(),
      kind: Type.Optional(literals(['verdict', 'check', 'observation'] as const)),
      cause: Type.Optional(
        literals(
          ['target', 'suite', 'unclear'] as const,
          'suite: another version of it checks other things.',
        ),
      ),
    },
    closed,
  ),
);

export const baselineHeadSchema = Type.Object(
  {
    suite: Type.Object({ name: Type.String(), version: Type.String() }, closed),
    contract: Type.Object({ version: Type.String() }, closed),
    target: Type.Object({ name: Type.String(), profileHash: Type.String() }, closed),
    startedAt: Type.String({ format: 'date-time' }),
  },
  { ...closed, description: 'The accepted run that drift is measured against.' },
);

export const recheckSchema = Type.Object(
  {
    startedAt: Type.String({ format: 'date-time', description: 'Of the run that was rechecked.' }),
    fixed: ids('Did not pass then, and do now.'),
    still: ids('Failed then as now.'),
    new: ids('Fail now, and did not then: they could not run, or were accepted deviations.'),
    'not-judged': ids('Could not be judged now.'),
  },
  { ...closed, description: 'What became of the requirements that did not pass in an earlier run.' },
);

export type UsedDeviations = DeepReadonly<Static<typeof usedDeviationsSchema>>;
export type UsedEntry = UsedDeviations['entries'][number];
export type Drift = DeepReadonly<Static<typeof driftSchema>>[number];
export type BaselineHead = DeepReadonly<Static<typeof baselineHeadSchema>>;
export type Recheck = DeepReadonly<Static<typeof recheckSchema>>;
