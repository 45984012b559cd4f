/** The shape of a catalogue entry: one statement of the interface document. */

import type { NeedId } from './needs.ts';

/** Operations of the contract; the names are its `operationId`s. */
export type OperationId =
  | 'uploadDocument'
  | 'createRequest'
  | 'createStampedRequest'
  | 'createSkeletonRequest'
  | 'addSignatory';

/** `must`: stated with its outcome. `should`: stated, but what happens otherwise is not. */
export type Level = 'must' | 'should';

/** How an entry is proved: by a check, or by none for a reason. */
export type Evidence =
  /** The file in `tests/conformance/` (without its ending) whose check covers the entry. */
  { readonly check: string } | { readonly notTestable: string };

export type Requirement = {
  /** Heading of the interface document under which the statement stands. */
  readonly section: string;
  /** The statement in this project's own words. */
  readonly statement: string;
  readonly level: Level;
  /** Where in the contract it is anchored; `null` for statements about the service as a whole. */
  readonly operation: OperationId | null;
  /** Version of the suite in which the id first appeared. */
  readonly since: string;
  /** What the check needs of a profile; without it the requirement is not applicable. */
  readonly needs?: readonly NeedId[];
} & Evidence;

/** One area's entries, keyed by id (`area.slug`); ids are never renamed or reused. */
export type Area = Readonly<Record<string, Requirement>>;
