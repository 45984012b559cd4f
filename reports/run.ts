/** The run model: what run.json holds, and from which everything else is rendered. */
import { type Static, Type } from '@sinclair/typebox';
import { deliverySchema, unattributedSchema } from '../record/delivery.ts';
import { createdSchema, exchangeSchema } from '../record/exchange.ts';
import { causeSchema, findingSchema } from '../record/finding.ts';
import { closed, type DeepReadonly, httpUrl, literals, operationId } from '../record/schema-parts.ts';
import { timelineSchema } from '../record/timeline.ts';
import { verdicts } from '../record/verdict.ts';
import { listedSchema, staleModes } from './deviations.ts';

const count = Type.Integer({ minimum: 0 });
const ids = (description: string) => Type.Array(Type.String(), { description });

/** An entry of the deviations file that speaks of a requirement of the run. */
const deviationSchema = Type.Object(
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
const entryStatuses = [
  'accepted',
  'stale',
  'expired',
  'unknown',
  'exceeded',
  'unused',
  'not-judged',
  'other-target',
] as const;

const usedDeviationsSchema = Type.Object(
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

const driftSchema = Type.Array(
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

const recheckSchema = Type.Object(
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

/** Version of the shape of run.json; the major part changes when an older reader would misread it. */
export const schemaVersion = '1.0';

const exchanges = Type.Array(count, {
  description: 'Indexes into the list of exchanges; the decisive one last.',
});

const row = Type.Object(
  {
    title: Type.String(),
    verdict: literals(verdicts),
    message: Type.Optional(Type.String()),
    exchanges,
    finding: Type.Optional(findingSchema),
  },
  closed,
);

const confirmation = Type.Object(
  {
    attempts: Type.Array(
      Type.Object(
        {
          verdict: literals(verdicts),
          message: Type.Optional(Type.String()),
          durationMs: Type.Number({ minimum: 0 }),
          rows: Type.Array(row),
        },
        closed,
      ),
    ),
    note: Type.Optional(Type.String({ description: 'Why it was not asked again.' })),
  },
  { ...closed, description: 'What a failed check said when it was asked again at the end of the run.' },
);

const check = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    verdict: literals(verdicts),
    message: Type.Optional(Type.String()),
    durationMs: Type.Number({ minimum: 0 }),
    rows: Type.Array(row),
    timeline: Type.Optional(timelineSchema),
    confirmation: Type.Optional(confirmation),
  },
  closed,
);

const requirement = Type.Object(
  {
    id: Type.String(),
    level: literals(['must', 'should'] as const),
    section: Type.String(),
    statement: Type.String(),
    operation: Type.Union([operationId, Type.Null()]),
    since: Type.String(),
    newer: Type.Optional(
      Type.Boolean({ description: 'Newer than the version that the run was held to: it does not gate.' }),
    ),
    verdict: literals(verdicts),
    reason: Type.Optional(Type.String({ description: 'Why it was not judged.' })),
    deviation: Type.Optional(deviationSchema),
    notTestable: Type.Optional(Type.String({ description: 'Why no check can prove it.' })),
    checks: Type.Array(check),
  },
  closed,
);

const gap = Type.Object(
  {
    id: Type.String(),
    question: Type.String(),
    status: literals(['observed', 'answered-by-profile', 'unobserved'] as const),
    profile: Type.Optional(
      Type.String({ description: 'What the target profile says, as YAML; secrets stand as references.' }),
    ),
    observations: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          value: Type.Union([
            Type.String(),
            Type.Number(),
            Type.Boolean(),
            Type.Array(Type.Union([Type.String(), Type.Number()])),
          ]),
          stability: literals(['stable', 'volatile'] as const),
          exchanges,
        },
        closed,
      ),
    ),
  },
  closed,
);

const counts = Type.Object(
  {
    requirements: Type.Object(
      {
        passed: count,
        failed: count,
        'could-not-run': count,
        'not-applicable': count,
        error: count,
        deviation: count,
        notTestable: count,
      },
      { ...closed, description: 'Each requirement of the run is counted once.' },
    ),
    musts: Type.Object(
      { passed: count, applicable: count, all: count },
      { ...closed, description: 'all: the testable musts of the whole catalogue.' },
    ),
    checks: Type.Object({ expected: count, reported: count }, closed),
    exchanges: count,
    signatureRequestsCreated: count,
    retries: count,
  },
  closed,
);

export const runSchema = Type.Object(
  {
    schemaVersion: Type.String({ pattern: '^1\\.' }),
    suite: Type.Object({ name: Type.String(), version: Type.String() }, closed),
    contract: Type.Object({ version: Type.String() }, closed),
    target: Type.Object(
      { name: Type.String(), baseUrl: Type.Union([httpUrl, Type.Literal('')]), profileHash: Type.String() },
      closed,
    ),
    scope: literals(['full', 'partial'] as const),
    selection: Type.Optional(Type.Array(Type.String(), { description: 'Ids of a partial run.' })),
    strict: Type.Boolean(),
    since: Type.Optional(
      Type.String({ description: 'Version of the suite after which requirements do not gate.' }),
    ),
    seed: Type.Integer(),
    startedAt: Type.String({ format: 'date-time' }),
    durationMs: Type.Number({ minimum: 0 }),
    verdict: literals(['conformant', 'nonconformant', 'incomplete', 'partial', 'error'] as const),
    exitCode: Type.Integer({ minimum: 0, maximum: 4 }),
    standing: Type.Optional(
      Type.String({ description: 'The verdict in words, with the areas in which it was not examined.' }),
    ),
    examined: Type.Optional(
      Type.Array(Type.Object({ area: Type.String(), judged: count, testable: count }, closed), {
        description: 'How many of the testable requirements of each area were judged.',
      }),
    ),
    counts,
    requirements: Type.Array(requirement),
    gaps: Type.Array(gap),
    exchanges: Type.Array(exchangeSchema),
    deliveries: Type.Array(deliverySchema),
    unattributed: Type.Optional(
      Type.Array(unattributedSchema, {
        description: 'What came to the callback listener and is no callback of this run.',
      }),
    ),
    created: Type.Array(createdSchema),
    causes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            cause: causeSchema,
            says: Type.String({ description: 'The same in words.' }),
            requirements: Type.Array(Type.String()),
            notApplicable: Type.Optional(
              Type.String({ description: 'What a profile lists there for a target that does not offer it.' }),
            ),
          },
          closed,
        ),
        { description: 'Why requirements could not run: each cause once, with those that it stopped.' },
      ),
    ),
    deviations: Type.Optional(usedDeviationsSchema),
    baseline: Type.Optional(baselineHeadSchema),
    drift: Type.Optional(driftSchema),
    recheck: Type.Optional(recheckSchema),
    mustRun: Type.Optional(
      Type.Array(Type.String(), { description: 'Areas and requirement ids that may not be not-applicable.' }),
    ),
    interrupted: Type.Optional(
      Type.Boolean({ description: 'Whether it did not reach its end: what is missing is not judged.' }),
    ),
    warnings: Type.Array(Type.String()),
    problems: Type.Array(Type.String(), { description: 'What broke in the suite itself.' }),
    unlocks: Type.Array(
      Type.Object({ key: Type.String(), requirements: Type.Array(Type.String()) }, closed),
      { description: 'Keys of a target profile that would make more requirements applicable.' },
    ),
  },
  {
    ...closed,
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A run of the conformance suite (run.json)',
  },
);

export type Run = DeepReadonly<Static<typeof runSchema>>;
export type RunRequirement = Run['requirements'][number];
export type RunCheck = RunRequirement['checks'][number];
export type RunGap = Run['gaps'][number];
export type RunVerdict = Run['verdict'];
export type Counts = Run['counts'];
export type Deviation = NonNullable<RunRequirement['deviation']>;
export type Confirmation = NonNullable<RunCheck['confirmation']>;
