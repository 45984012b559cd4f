/**
 * Counts in two recorded runs what each check costs, and writes harness/session/plan-facts.json:
 * `npx tsx bench/plan-facts.ts RUN EXPLORED_RUN`, both full runs against the reference service.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Cost, PlanFacts } from '../harness/session/plan.ts';
import type { Run } from '../reports/run/run.ts';
import { readRun } from '../reports/run/run-file.ts';

type Exchange = Run['exchanges'][number];

const [usual, explored] = process.argv.slice(2).map(readRun);
if (!usual || !explored) throw new Error('name two runs: one without and one with --explore');

const checks = byCheck(usual);
const changed = Object.entries(byCheck(explored)).filter(
  ([id, cost]) => JSON.stringify(cost) !== JSON.stringify(checks[id]),
);
const about = (run: Run, wanted: string) => costOf(run.exchanges.filter(({ purpose }) => purpose === wanted));
const ofFlows = about(usual, 'flow');
const acts = usual.exchanges.filter(
  ({ purpose, template = '' }) => purpose === 'template' && !/^(delete|invalidate|expire)/.test(template),
);
const { calls = 0, requests = 0, documents = 0, signatories = 0 } = ofFlows;
const facts: PlanFacts = {
  checks,
  checksExplored: Object.fromEntries(changed),
  observations: { usual: about(usual, 'observation'), explored: about(explored, 'observation') },
  callsOfFlow: Number(((calls + acts.length - requests - documents - signatories) / requests).toFixed(1)),
};

writeFileSync(
  fileURLToPath(new URL('../harness/session/plan-facts.json', import.meta.url)),
  JSON.stringify(facts),
);

function byCheck({ exchanges }: Run): PlanFacts['checks'] {
  const ids = [...new Set(exchanges.flatMap(({ check }) => (check ? [check] : [])))].sort();
  return Object.fromEntries(ids.map((id) => [id, costOf(exchanges.filter(({ check }) => check === id))]));
}

/** Counts that are not 0. */
function costOf(exchanges: readonly Exchange[]): Partial<Cost> {
  const of = (operation: RegExp) => exchanges.filter((each) => operation.test(each.operation ?? ''));
  const accepted = (operation: RegExp) =>
    of(operation).filter(({ response }) => response && response.status >= 200 && response.status < 300);
  const all: Cost = {
    calls: exchanges.length,
    requests: accepted(/^create/).length,
    documents: accepted(/^upload/).length,
    slots: of(/^add/).length,
    signatories: accepted(/^add/).length,
    people: accepted(/^create(Stamped)?Request$/).reduce((sum, each) => sum + peopleIn(each), 0),
  };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

function peopleIn({ request }: Exchange): number {
  const body: unknown = JSON.parse(request.body?.text ?? 'null');
  const signatories = (body as { Signatories?: unknown } | null)?.Signatories;
  return Array.isArray(signatories) ? signatories.length : 0;
}
