/** Reads from the record of a run what the target does where the interface document is silent. */
import type { Observation } from '../openapi/observation.ts';
import {
  answerFields,
  answerShapes,
  creationEncoding,
  mediaTypes,
  otherOperations,
  stampedSpelling,
  successStatuses,
  twoPaths,
} from './observers/answers.ts';
import { basePath, mostAccepted } from './observers/extent.ts';
import { tellingHeaders, tooManyCalls } from './observers/headers.ts';
import { idForms, tokenPlaces, tokenUse, uploadEncoding } from './observers/ids.ts';
import {
  challenges,
  creationErrors,
  errorShapes,
  messagePlaces,
  refusalStatuses,
  rejectionStatuses,
} from './observers/refusals.ts';
import type { Observer, SeenRun } from './observers/seen.ts';
import { answerTimes, readAfterWrite } from './observers/timing.ts';

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
  rejectionStatuses,
  refusalStatuses,
  errorShapes,
  messagePlaces,
  creationErrors,
  challenges,
  answerTimes,
  readAfterWrite,
];

/** What the exchanges of a run show about the gaps. Pure; judges nothing. */
export function observe(seen: SeenRun): Observation[] {
  return observers.flatMap((observer) => observer(seen));
}
