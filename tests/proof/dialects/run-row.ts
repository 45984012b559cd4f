/** Runs all checks against the service of one row, and tells what did not pass. */
import { join } from 'node:path';
import { loadProfile } from '../../../harness/profile/load.ts';
import { notApplicable } from '../../../harness/profile/needs.ts';
import type { Profile } from '../../../harness/profile/schema.ts';
import { checked } from '../../../openapi/requirements/catalogue.ts';
import type { Cause } from '../../../record/finding.ts';
import type { Verdict } from '../../../record/verdict.ts';
import { packageRoot } from '../../../reports/run/package.ts';
import { loadChecks } from '../../../running/load-checks.ts';
import { chosenChecks, runChecks } from '../../../running/run-checks.ts';
import { flows } from '../../flows/all.ts';
import { judged } from '../faults/run-fault.ts';
import { isDrawn, isOfFlows } from '../faults/selection.ts';
import { type Expected, expected } from './expected.ts';
import { dialectRow, isOfFlowsAlone, type Written } from './rows.ts';
import { withDialect } from './session.ts';

export interface RowJob {
  readonly row: string;
  /** Whether a sample of the checks and flows is enough where nothing fails in it. */
  readonly sampled?: boolean;
}

/** Something that did not pass. */
export interface Found {
  readonly id: string;
  readonly verdict: Verdict;
  readonly message: string;
  /** Whether it is a case in which a compliant service cannot be checked. */
  readonly expected: boolean;
}

export interface RowResult {
  readonly row: string;
  /** How many requirements have which verdict. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  readonly found: readonly Found[];
  readonly passed: readonly string[];
}

/** Checks at the same time, as in a run of the command line. */
const atOnce = 8;

/** A sample has one in so many of the checks of single calls, and of the flows. */
const sample = 3;

const checks = loadChecks();

/** Where something fails in a sample the whole row decides: what several flows show together is missing in a sample. */
export async function doJob(job: RowJob): Promise<RowResult> {
  const result = await resultOf(job);
  return job.sampled && result.found.some(({ expected: is }) => !is) ? resultOf({ row: job.row }) : result;
}

async function resultOf({ row, sampled }: RowJob): Promise<RowResult> {
  const counts: Partial<Record<Verdict, number>> = {};
  const found: Found[] = [];
  const passed: string[] = [];
  const add = (id: string, verdict: Verdict, message: string, cause?: Cause) => {
    // What cannot run in a sample lacks a flow.
    const may = sampled && verdict === 'could-not-run';
    found.push({ id, verdict, message, expected: may || isExpected(row, { id, verdict, cause }) });
  };
  // Drawn by name, so that a new check changes nothing for the others.
  const drawn = (name: string) => !sampled || isDrawn(`${row} ${name}`, sample);
  const dialect = dialectRow(row);
  const { profile } = dialect;
  const all = await checks;
  const isWhole = !isOfFlowsAlone(dialect);
  const some = all.filter(({ ids, title }) => ids.some(isOfFlows) || (isWhole && drawn(title)));
  const chosenFlows = flows.filter(({ name }) => drawn(name));
  await withDialect(dialect, chosenFlows, async (session) => {
    const facts = await session.facts();
    const results = await runChecks(chosenChecks(some, undefined, facts), {
      session,
      facts,
      atOnce,
      stop: new AbortController().signal,
      broken: (problem) => add('an observation', 'error', problem),
    });
    for (const { id, verdict, reason, checks: of } of judged(results, session)) {
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      if (verdict === 'passed') passed.push(id);
      if (verdict === 'passed' || verdict === 'not-applicable') continue;
      const rows = of.flatMap(({ rows: each }) => each.filter((one) => one.verdict === verdict));
      for (const { title, message = '', finding } of rows) {
        add(id, verdict, `${title}: ${message}`, finding?.cause);
      }
      if (rows.length === 0) add(id, verdict, reason ?? of[0]?.message ?? '');
    }
    if (!sampled && typeof profile === 'object' && 'file' in profile && !profile.mistaken) {
      const left = unjudged(profile, session.profile, passed);
      if (left !== undefined) add('the suite', 'error', left);
    }
  });
  return { row, counts, found, passed };
}

/** The share of a service's applicable `must`s that its first profile has to let judge, unless they need more keys. */
const judgedShare = 0.8;

function unjudged({ full }: Written, first: Profile, passed: readonly string[]): string | undefined {
  const of = full === undefined ? first : fullProfile(full, first.address.baseUrl);
  const without = { ...notApplicable(of), ...notApplicable(first) };
  const musts = checked.filter(({ id, level }) => level === 'must' && without[id] === undefined);
  const judged = musts.filter(({ id }) => passed.includes(id));
  if (judged.length >= musts.length * judgedShare) return undefined;
  return `the first profile lets judge ${judged.length} of ${musts.length} musts`;
}

/** The full profile of a service, with secrets that do not work: it is only read. */
function fullProfile(file: string, baseUrl: string): Profile {
  const names = ['TOKEN', 'CLIENT', 'SECRET', 'BASIC', 'REFRESH_TOKEN', 'CALLBACK_SECRET'];
  const env = Object.fromEntries(names.map((name) => [`SANDBOX_${name}`, 'unused']));
  const loaded = loadProfile({ target: join(packageRoot(), file) }, { ...env, SANDBOX_URL: baseUrl });
  if (!loaded) throw new Error(`no profile is in ${file}`);
  return loaded.profile;
}

function isExpected(
  row: string,
  { id, verdict, cause }: Pick<Found, 'id' | 'verdict'> & { readonly cause: Cause | undefined },
): boolean {
  if (/^(?:mistaken|drawn)-/.test(row)) return verdict === 'could-not-run';
  const own = cause && ('excuse' in cause ? cause.excuse : 'answer' in cause ? cause.answer : undefined);
  const holds = ({ causes, profile, rows, requirements }: Expected) =>
    (profile !== 'empty' || row.startsWith('bare-')) &&
    (profile !== 'short' || !row.startsWith('sandbox-')) &&
    (rows?.includes(row) ?? true) &&
    (requirements?.includes(id) ?? true) &&
    (own === undefined ? causes.length === 0 : causes.includes(own));
  return verdict === 'could-not-run' && expected.some(holds);
}
