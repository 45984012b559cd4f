/** The shape of a catalogue entry: one statement of the interface document. */

import type { GapId } from '../gaps/register.ts';
import type { NeedId } from './needs.ts';

/** Operations of the contract; the names are its `operationId`s. */
export type OperationId =
  | 'uploadDocument'
  | 'createRequest'
  | 'createStampedRequest'
  | 'createSkeletonRequest'
  | 'addSignatory';

/** `must`: stated with its outcome. `should`: stated, or follows from what is, and what happens otherwise is not. */
export type Level = 'must' | 'should';

/** A gap about the status of what is refused, or of its refusal. */
export type StatusGap = Extract<
  GapId,
  | 'upload.error-status'
  | 'upload.other-format-status'
  | 'auth.rejection-status'
  | 'errors.content-type-status'
  | 'errors.empty-documents-status'
  | 'errors.enumeration-status'
  | 'errors.wrong-type-optional'
  | 'errors.wrong-type-status'
>;

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
  /** Where a refusal is stated and its status is not: the gap that the answers of its check tell about. */
  readonly statusGap?: StatusGap;
} & Evidence;

/** One area's entries, keyed by id (`area.slug`); ids are never renamed or reused. */
export type Area = Readonly<Record<string, Requirement>>;

/** What entries have in common. */
interface Shared {
  readonly operation: OperationId | null;
  readonly check: string;
  readonly since?: string;
  readonly needs?: readonly NeedId[];
  readonly statusGap?: StatusGap;
}

/**
 * Makes the entries of a file: `under(section).must(statement)`, with what the entry needs beside what all of them do.
 * They share an operation and a check, where a section has no other one; without `since` they are as old as the suite.
 */
export function entriesFor(ofFile: Shared) {
  return (section: string, ofSection: Partial<Shared> = {}) => {
    const { check, since = '0.1.0', needs: shared = [], ...others } = { ...ofFile, ...ofSection };
    const said = (level: Level, statement: string) => ({ ...others, since, section, level, statement });
    const tested =
      (level: Level) =>
      (statement: string, ...own: readonly NeedId[]): Requirement => {
        const needs = [...shared, ...own];
        return { ...said(level, statement), check, ...(needs.length === 0 ? {} : { needs }) };
      };
    return {
      must: tested('must'),
      should: tested('should'),
      /** @param reason why no check can tell */
      notTestable: (statement: string, reason: string, level: Level = 'must'): Requirement => {
        return { ...said(level, statement), notTestable: reason };
      },
    };
  };
}
