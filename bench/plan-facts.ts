/**
 * Counts in two recorded runs what each check costs, and writes harness/plan-facts.ts:
 * `npx tsx bench/plan-facts.ts RUN EXPLORED_RUN`, both full runs against the reference service.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Cost } from '../harness/plan-facts.ts';
import type { Run } from '../reports/run.ts';
import { readRun } from '../reports/run-file.ts';

type Exchange = Run['exchanges'][number];

const [usual, explored] = process.argv.slice(2).map(readRun);
if (!usual || !explored) throw new Error('name two runs: one without and one with --explore');

const costs = byCheck(usual);
const changed = Object.entries(byCheck(explored)).filter(([id, cost]) => line(cost) !== line(costs[id]));
const about = (run: Run, purpose: string) => costOf(run.exchanges.filter((each) => each.purpose === purpose));
const flows = usual.exchanges.filter(
  ({ purpose, operation }) => purpose === 'flow' && /^create/.test(operation ?? ''),
);
const templates = usual.exchanges.filter(
  ({ template = '' }) => !/^(delete|invalidate|expire)/.test(template),
);
const calls = templates.filter(({ purpose }) => purpose === 'template').length / flows.length;

writeFileSync(
  fileURLToPath(new URL('../harness/plan-facts.ts', import.meta.url)),
  `/** What each check costs, counted in runs against the reference service; written by bench/plan-facts.ts. */

/** Calls and what they make. \`slots\`: places taken in shared requests. \`people\`: those of requests of types 1 to 3. */
export interface Cost {
  readonly calls: number;
  readonly requests: number;
  readonly documents: number;
  readonly slots: number;
  readonly signatories: number;
  readonly people: number;
}

/** Costs by requirement. One that is not here has none of its own: it looks at shared calls or at flows. */
export const checkCosts: Readonly<Record<string, Cost>> = {
${Object.entries(costs).map(entry).join('\n')}
};

/** Those that cost something else with --explore. */
export const exploredCosts: Readonly<Record<string, Cost>> = {
${changed.map(entry).join('\n')}
};

/** Calls that are observed and not judged. */
export const observationCosts: Readonly<Record<'usual' | 'explored', Cost>> = {
  usual: ${line(about(usual, 'observation'))},
  explored: ${line(about(explored, 'observation'))},
};

/** Calls of a flow besides those that create its request: sending, signing, reading messages. */
export const flowCosts = { calls: ${calls.toFixed(1)} };
`,
);

function byCheck({ exchanges }: Run): Record<string, Cost> {
  const ids = [...new Set(exchanges.flatMap(({ check }) => (check ? [check] : [])))].sort();
  return Object.fromEntries(ids.map((id) => [id, costOf(exchanges.filter(({ check }) => check === id))]));
}

function costOf(exchanges: readonly Exchange[]): Cost {
  const of = (operation: RegExp) => exchanges.filter((each) => operation.test(each.operation ?? ''));
  const accepted = (operation: RegExp) =>
    of(operation).filter(({ response }) => response && response.status >= 200 && response.status < 300);
  return {
    calls: exchanges.length,
    requests: accepted(/^create/).length,
    documents: accepted(/^upload/).length,
    slots: of(/^add/).length,
    signatories: accepted(/^add/).length,
    people: accepted(/^create(Stamped)?Request$/).reduce((sum, each) => sum + peopleIn(each), 0),
  };
}

function peopleIn({ request }: Exchange): number {
  const body: unknown = JSON.parse(request.body?.text ?? 'null');
  const signatories = (body as { Signatories?: unknown } | null)?.Signatories;
  return Array.isArray(signatories) ? signatories.length : 0;
}

function entry([id, cost]: [string, Cost]): string {
  return `  '${id}': ${line(cost)},`;
}

function line(cost: Cost | undefined): string {
  if (!cost) return '';
  const parts = Object.entries(cost).map(([name, value]) => `${name}: ${value}`);
  return `{ ${parts.join(', ')} }`;
}
