/** A baseline: the part of a run that later runs are compared with for drift. It has no exchanges, so it can be committed. */
import { type Static, Type } from '@sinclair/typebox';
import { ConfigurationError } from '../../record/errors.ts';
import { readOwnJson } from '../../record/own-files.ts';
import {
  asFile,
  type DeepReadonly,
  entryId,
  list,
  literals,
  object,
  text,
} from '../../record/schema-parts.ts';
import { verdicts } from '../../record/verdict.ts';
import { contractCheckTitle } from '../concluding/conclude.ts';
import { type BaselineHead, baselineHeadSchema, type Run } from '../run/run.ts';
import { assertDistinct, readRun, runFile } from '../run/run-file.ts';

const baselineVersion = '1.0';

/** The verdict, or `deviation` for an accepted failure: if it becomes a failure again, the deviation tells that. */
const standings = [...verdicts, 'deviation'] as const;
export type Standing = (typeof standings)[number];

const scalar = Type.Union([text(), Type.Number(), Type.Boolean()]);

export const baselineSchema = asFile(
  {
    baselineVersion: Type.String({ pattern: '^1\\.' }),
    ...baselineHeadSchema.properties,
    requirements: list(
      object({
        id: entryId,
        level: literals(['must', 'should']),
        standing: literals(standings),
        checks: list(text(), 'Titles of the checks that reported.'),
      }),
    ),
    observations: list(
      object({
        gap: entryId,
        key: text(),
        value: Type.Union([scalar, list(Type.Union([text(), Type.Number()]))]),
        stability: literals(
          ['stable', 'volatile', 'drawn'],
          'drawn: of an explored situation, to which not every run comes.',
        ),
      }),
    ),
  },
  'An accepted run of the conformance suite, to measure drift against',
);

export type Baseline = DeepReadonly<Static<typeof baselineSchema>>;

/** Which run a baseline is of. */
export function headOf({ suite, contract, target, startedAt }: BaselineHead): BaselineHead {
  return { suite, contract, target: { name: target.name, profileHash: target.profileHash }, startedAt };
}

export function baselineOf(run: Run): Baseline {
  return {
    baselineVersion,
    ...headOf(run),
    requirements: run.requirements
      .filter(({ notTestable }) => notTestable === undefined)
      .map(({ id, level, verdict, deviation, checks }) => ({
        id,
        level,
        standing: verdict === 'failed' && deviation?.status === 'accepted' ? 'deviation' : verdict,
        // The check about broken contracts exists only where it failed, so it is left out.
        checks: checks.filter(({ title }) => title !== contractCheckTitle).map(({ title }) => title),
      })),
    observations: [
      ...run.gaps.flatMap(({ id, observations }) =>
        observations.map(({ key, value, stability }) => ({ gap: id, key, value, stability })),
      ),
      ...(run.explored?.learned ?? []).map(({ situation: key, taken, refused }) => ({
        gap: 'explored.situation',
        key,
        value: taken > 0 && refused > 0 ? 'in two ways' : taken > 0 ? 'taken' : 'refused',
        stability: 'drawn' as const,
      })),
    ],
  };
}

/** A run to compare with a baseline: a whole run, or the part that was selected. */
interface Comparable {
  readonly baseline: Baseline;
  readonly selection?: readonly string[];
}

/**
 * Reads a baseline, or makes one of a full run.
 * @param place a baseline, a run.json, or a folder that holds one
 * @throws ConfigurationError when it is none of these, or a run that proves too little to be compared with
 */
export function readBaseline(place: string): Baseline {
  return read(place, (run, file) => ({ baseline: baselineOf(acceptable(run, file)) })).baseline;
}

/** Reads what is compared with a baseline: another one, or any run. @throws ConfigurationError when it is neither */
export function readComparable(place: string): Comparable {
  return read(place, (run) => ({ baseline: baselineOf(run), selection: run.selection }));
}

function read(place: string, ofRun: (run: Run, file: string) => Comparable): Comparable {
  const file = runFile(place);
  const value = readOwnJson('baseline', file, (given) =>
    isBaseline(given) ? baselineSchema : Type.Unknown(),
  );
  if (!isBaseline(value)) return ofRun(readRun(file), file);
  const baseline = value as Baseline;
  assertDistinct(file, { requirements: baseline.requirements });
  return { baseline };
}

function isBaseline(value: unknown): boolean {
  return value !== null && typeof value === 'object' && 'baselineVersion' in value;
}

/** @throws ConfigurationError for a selection and for a run in which the suite itself broke: they are no baselines */
export function acceptable(run: Run, file: string): Run {
  if (run.scope === 'partial')
    throw new ConfigurationError(
      `${file}: scope "partial" is no baseline: it says nothing about what was left out; run without --only, --recheck and --grep`,
    );
  if (run.verdict === 'error')
    throw new ConfigurationError(
      `${file}: verdict "error" is no baseline: the suite itself broke in this run; run again`,
    );
  return run;
}

/** The text that is committed: each requirement and observation on a line of its own, so that diffs can be read. */
export function baselineText(baseline: Baseline): string {
  const { requirements, observations, ...head } = baseline;
  const list = (items: readonly unknown[]) =>
    items.length === 0 ? '[]' : `[\n${items.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n ]`;
  const heads = Object.entries(head).map(
    ([key, value]) => ` ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{\n${[
    ...heads,
    ` "requirements": ${list(requirements)}`,
    ` "observations": ${list(observations)}`,
  ].join(',\n')}\n}\n`;
}
