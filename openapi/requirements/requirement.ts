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

/** What an entry may say beside section, level and statement. */
type More = Partial<Pick<Requirement, 'since' | 'needs'>> &
  ({ readonly check?: string } | { readonly notTestable: string });

/**
 * Makes the entries of a file: `under(section).must(statement)`. They share an operation, and the check where an entry
 * names no other one and no reason for having none; without `since` they are as old as the suite.
 */
export function entriesFor(shared: { readonly operation: OperationId | null; readonly check: string }) {
  return (section: string) => {
    const entry = (level: Level, statement: string, more: More): Requirement => {
      const { operation, check } = shared;
      const said = { operation, since: '0.1.0', section, level, statement };
      return 'notTestable' in more ? { ...said, ...more } : { ...said, check, ...more };
    };
    return {
      must: (statement: string, more: More = {}) => entry('must', statement, more),
      should: (statement: string, more: More = {}) => entry('should', statement, more),
    };
  };
}
