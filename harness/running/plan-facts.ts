/** What each check costs, counted in runs against the reference service: bench/plan-facts.ts writes plan-facts.json. */
import { readFileSync } from 'node:fs';

/** Calls and what they make. `slots`: places taken in shared requests. `people`: those of requests of types 1 to 3. */
export interface Cost {
  readonly calls: number;
  readonly requests: number;
  readonly documents: number;
  readonly slots: number;
  readonly signatories: number;
  readonly people: number;
}

export const noCost: Cost = { calls: 0, requests: 0, documents: 0, slots: 0, signatories: 0, people: 0 };

/** The file: counts that are 0 are left out. */
export interface PlanFacts {
  /** By requirement. One that is not here has no costs of its own: it looks at shared calls or at flows. */
  readonly checks: Readonly<Record<string, Partial<Cost>>>;
  /** Those that cost something else with --explore. */
  readonly checksExplored: Readonly<Record<string, Partial<Cost>>>;
  /** Calls that are observed and not judged. */
  readonly observations: Readonly<Record<'usual' | 'explored', Partial<Cost>>>;
  /** Calls of a flow besides those that create its request: sending, signing, reading messages. */
  readonly callsOfFlow: number;
}

export const planFacts: PlanFacts = JSON.parse(
  readFileSync(new URL('./plan-facts.json', import.meta.url), 'utf8'),
);
