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
} from './answers.ts';
import { basePath, mostAccepted } from './extent.ts';
import { tellingHeaders, tooManyCalls } from './headers.ts';
import { idForms, tokenPlaces, tokenUse, uploadEncoding } from './ids.ts';
import {
  challenges,
  creationErrors,
  errorShapes,
  messagePlaces,
  messageWithoutToken,
  refusalStatuses,
  rejectionStatuses,
} from './refusals.ts';
import type { Observer, SeenRun } from './seen.ts';
import { answerTimes, readAfterWrite } from './timing.ts';

/** Every observer of exchanges; what they can say is listed in `openapi/gaps/observed-keys.ts`. */
const observers: readonly Observer[] = [
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
  rejectionStatuses,
  refusalStatuses,
  errorShapes,
  messagePlaces,
  creationErrors,
  challenges,
  answerTimes,
  readAfterWrite,
];

/** What the exchanges of a run show about the gaps. Judges nothing. */
export function observe(seen: SeenRun, stages = new Stages()): Observation[] {
  return observers.flatMap((observer) =>
    stages.now(`the observer ${observer.name}`, () => observer(seen), []),
  );
}
