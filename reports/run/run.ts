/** The run model: what run.json holds, and from which everything else is rendered. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { checkResultSchema, rowSchema } from '../../record/check-result.ts';
import { deliverySchema, unattributedSchema } from '../../record/delivery.ts';
import { createdSchema, exchangeSchema } from '../../record/exchange.ts';
import { exploredSchema } from '../../record/explored.ts';
import { causeSchema } from '../../record/finding.ts';
import {
  asFile,
  count,
  type DeepReadonly,
  entryId,
  httpUrl,
  list,
  literals,
  object,
  operationId,
  optional,
  orNull,
  text,
  time,
} from '../../record/schema-parts.ts';
import { verdicts } from '../../record/verdict.ts';
import { listedSchema, staleModes } from './deviations.ts';

const ids = (description: string) => list(entryId, description);

const deviationSchema = object({
  reason: text(),
  owner: text(),
  until: Type.String({ format: 'date' }),
  status: literals(['accepted', 'stale', 'expired']),
  link: optional(text()),
  flaky: optional(
    object(
      { rate: Type.Number(), failed: count(), attempts: count() },
      'Of the attempts after the first, how many failed, and which share may.',
    ),
  ),
});

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

const usedDeviationsSchema = object(
  {
    file: text(),
    stale: literals(staleModes),
    entries: list(
      object({
        ...listedSchema.properties,
        status: literals(entryStatuses),
        says: optional(text('What to change in the file, with its line.')),
      }),
    ),
  },
  'The deviations file of the run, entry by entry.',
);

const driftSchema = list(
  object({
    id: text('Requirement or gap.'),
    key: optional(text('Of the observation, or the title of the check.')),
    before: text(),
    after: text(),
    gating: Type.Boolean(),
    kind: optional(literals(['verdict', 'check', 'observation'])),
    cause: optional(
      literals(['target', 'suite', 'unclear'] as const, 'suite: another version of it checks other things.'),
    ),
  }),
);

export const baselineHeadSchema = object(
  {
    suite: object({ name: text(), version: text() }),
    contract: object({ version: text() }),
    target: object({ name: text(), profileHash: text() }),
    startedAt: time,
  },
  'The accepted run that drift is measured against.',
);

const recheckSchema = object(
  {
    startedAt: Type.String({ format: 'date-time', description: 'Of the run that was rechecked.' }),
    fixed: ids('Did not pass then, and do now.'),
    still: ids('Failed then as now.'),
    new: ids('Fail now, and did not then: they could not run, or were accepted deviations.'),
    'not-judged': ids('Could not be judged now.'),
  },
  'What became of the requirements that did not pass in an earlier run.',
);

export type UsedDeviations = DeepReadonly<Static<typeof usedDeviationsSchema>>;
export type UsedEntry = UsedDeviations['entries'][number];
export type Drift = DeepReadonly<Static<typeof driftSchema>>[number];
export type BaselineHead = DeepReadonly<Static<typeof baselineHeadSchema>>;
export type Recheck = DeepReadonly<Static<typeof recheckSchema>>;

/** Version of the shape of run.json; the major part changes when an older reader would misread it. */
export const schemaVersion = '1.0';

const exchanges = list(count(), 'Indexes into the list of exchanges; the decisive one last.');

const row = object({ ...rowSchema.properties, exchanges });

/** A reference to a part that is written out elsewhere in the schema, so that it is written only once. */
const asAt = <Schema extends TSchema>(_: Schema, pointer: string) =>
  Type.Unsafe<Static<Schema>>({ $ref: `#/properties/${pointer}` });
const rows = 'requirements/items/properties/checks/items/properties/rows';

const confirmation = object(
  {
    attempts: list(
      object({
        verdict: literals(verdicts),
        message: optional(text()),
        durationMs: Type.Number({ minimum: 0 }),
        rows: asAt(list(row), rows),
      }),
    ),
    note: optional(text('Why it was not asked again.')),
  },
  'What a failed check said when it was asked again at the end of the run.',
);

const check = object({
  ...checkResultSchema.properties,
  rows: list(row),
  confirmation: optional(confirmation),
});

const requirement = object({
  id: entryId,
  level: literals(['must', 'should']),
  section: text(),
  statement: text(),
  operation: orNull(operationId),
  since: text(),
  newer: optional(
    Type.Boolean({ description: 'Newer than the version that the run was held to: it does not gate.' }),
  ),
  verdict: literals(verdicts),
  reason: optional(text('Why it was not judged.')),
  deviation: optional(deviationSchema),
  notTestable: optional(text('Why no check can prove it.')),
  checks: list(check),
});

const gap = object({
  id: entryId,
  question: text(),
  status: literals(['observed', 'answered-by-profile', 'unobserved']),
  profile: optional(text('What the target profile says, as YAML; secrets stand as references.')),
  observations: list(
    object({
      key: text(),
      value: Type.Union([text(), Type.Number(), Type.Boolean(), list(Type.Union([text(), Type.Number()]))]),
      stability: literals(['stable', 'volatile']),
      exchanges,
    }),
  ),
});

const columns = object(
  {
    passed: count(),
    failed: count(),
    'could-not-run': count(),
    'not-applicable': count(),
    error: count(),
    deviation: count(),
    notTestable: count(),
  },
  'Each requirement of the run is counted once.',
);

const counts = object({
  requirements: columns,
  musts: object(
    { passed: count(), applicable: count(), all: count() },
    'all: the testable musts of the whole catalogue.',
  ),
  checks: object({ expected: count(), reported: count() }),
  exchanges: count(),
  signatureRequestsCreated: count(),
  retries: count(),
});

export const runSchema = asFile(
  {
    schemaVersion: Type.String({ pattern: '^1\\.' }),
    suite: object({ name: text(), version: text() }),
    contract: object({ version: text() }),
    target: object({ name: text(), baseUrl: Type.Union([httpUrl, Type.Literal('')]), profileHash: text() }),
    scope: literals(['full', 'partial']),
    selection: optional(list(text(), 'Ids of a partial run.')),
    strict: Type.Boolean(),
    since: optional(text('Version of the suite after which requirements do not gate.')),
    seed: Type.Integer(),
    startedAt: time,
    durationMs: Type.Number({ minimum: 0 }),
    verdict: literals(['conformant', 'nonconformant', 'incomplete', 'partial', 'error']),
    exitCode: Type.Integer({ minimum: 0, maximum: 4 }),
    standing: optional(text('The verdict in words, with the areas in which it was not examined.')),
    examined: optional(
      list(
        object({ area: text(), judged: count(), testable: count() }),
        'How many of the testable requirements of each area were judged.',
      ),
    ),
    counts,
    requirements: list(requirement),
    own: optional(
      object(
        {
          prefix: Type.String({ pattern: '^[a-z]+$', description: 'What all their ids begin with.' }),
          requirements: asAt(list(requirement), 'requirements'),
          counts: columns,
          exitCode: Type.Integer({ minimum: 0, maximum: 4, description: 'What they alone would end with.' }),
        },
        "Requirements of a team's own: counted apart, and no part of the verdict.",
      ),
    ),
    gaps: list(gap),
    exchanges: list(exchangeSchema),
    deliveries: list(deliverySchema),
    unattributed: optional(
      list(unattributedSchema, 'What came to the callback listener and is no callback of this run.'),
    ),
    created: list(createdSchema),
    causes: optional(
      list(
        object({
          cause: asAt(causeSchema, `${rows}/items/properties/finding/properties/cause`),
          says: text('The same in words.'),
          requirements: list(entryId),
          notApplicable: optional(text('What a profile lists there for a target that does not offer it.')),
        }),
        'Why requirements could not run: each cause once, with those that it stopped.',
      ),
    ),
    explored: optional(exploredSchema),
    deviations: optional(usedDeviationsSchema),
    baseline: optional(baselineHeadSchema),
    drift: optional(driftSchema),
    recheck: optional(recheckSchema),
    mustRun: optional(list(text(), 'Areas and requirement ids that may not be not-applicable.')),
    interrupted: optional(
      Type.Boolean({ description: 'Whether it did not reach its end: what is missing is not judged.' }),
    ),
    warnings: list(text()),
    problems: list(text(), 'What broke in the suite itself.'),
    unlocks: list(
      object({ key: text(), requirements: list(entryId) }),
      'Keys of a target profile that would make more requirements applicable.',
    ),
  },
  'A run of the conformance suite (run.json)',
);

export type Run = DeepReadonly<Static<typeof runSchema>>;
export type RunRequirement = Run['requirements'][number];
export type RunCheck = RunRequirement['checks'][number];
export type RunRow = RunCheck['rows'][number];
export type RunGap = Run['gaps'][number];
export type RunVerdict = Run['verdict'];
export type Counts = Run['counts'];
export type Deviation = NonNullable<RunRequirement['deviation']>;
export type Confirmation = NonNullable<RunCheck['confirmation']>;
