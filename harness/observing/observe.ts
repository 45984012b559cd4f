/** Reads from the record of a run what the target does where the interface document is silent. */
import type { Observation } from '../../openapi/observation.ts';
import { Stages } from '../../record/stages.ts';
import {
  answerFields,
  answerShapes,
  creationEncoding,
  mediaTypes,
  otherOperations,
  stampedSpelling,
  successStatuses,
  twoPaths,
} from './accepted.ts';
import { idForms, tokenPlaces, tokenUse, uploadEncoding } from './ids.ts';
import {
  challenges,
  creationErrors,
  errorShapes,
  messagePlaces,
  messageWithoutToken,
  refusalStatuses,
} from './refusals.ts';
import type { Observer, SeenRun } from './seen.ts';
import {
  answerTimes,
  basePath,
  mostAccepted,
  readAfterWrite,
  tellingHeaders,
  tooManyCalls,
} from './service.ts';

/** Every observer of exchanges; what they can say is listed in `openapi/gaps/observed-keys.ts`. */
const observers: Readonly<Record<string, Observer>> = {
  successStatuses,
  mediaTypes,
  answerFields,
  answerShapes,
  twoPaths,
  creationEncoding,
  stampedSpelling,
  otherOperations,
  basePath,
  mostAccepted,
  tellingHeaders,
  tooManyCalls,
  idForms,
  tokenPlaces,
  tokenUse,
  uploadEncoding,
  messageWithoutToken,
  refusalStatuses,
  errorShapes,
  messagePlaces,
  creationErrors,
  challenges,
  answerTimes,
  readAfterWrite,
};

/** What the exchanges of a run show about the gaps. Judges nothing. */
export function observe(seen: SeenRun, stages = new Stages()): Observation[] {
  return Object.entries(observers).flatMap(([name, observer]) =>
    stages.now(`the observer ${name}`, () => observer(seen), []),
  );
}
