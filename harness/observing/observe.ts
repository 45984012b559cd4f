/** Reads from the record of a run what the target does where the interface document is silent. */
import type { Observation } from '../../openapi/observation.ts';
import { Stages } from '../../record/stages.ts';
import * as accepted from './accepted.ts';
import * as ids from './ids.ts';
import * as refusals from './refusals.ts';
import type { Observer, SeenRun } from './seen.ts';
import * as service from './service.ts';

/** All observers, which are all exports of these files; the keys they may use stand in `openapi/gaps/observed-keys.ts`. */
const observers: Readonly<Record<string, Observer>> = { ...accepted, ...service, ...ids, ...refusals };

/** What the exchanges of a run show about the gaps. Judges nothing. */
export function observe(seen: SeenRun, stages = new Stages()): Observation[] {
  return Object.entries(observers).flatMap(([name, observer]) =>
    stages.now(`the observer ${name}`, () => observer(seen), []),
  );
}
