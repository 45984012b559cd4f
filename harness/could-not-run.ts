/** The error for what cannot be judged, because something that it builds on is missing. */

/** Thrown when a prerequisite is missing; says which. */
export class CouldNotRun extends Error {
  override readonly name = 'CouldNotRun';
}
