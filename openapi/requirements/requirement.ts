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

/** `must`: stated with its outcome. `should`: stated or implied, but what happens otherwise is not stated. */
type Level = 'must' | 'should';

/** A gap about the status of refusals, or about whether something is refused. */
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

/** How an entry is proved: by a check; or not at all, with the reason. */
type HowProved =
  /** The file in `tests/conformance/` (without its ending) whose check covers the entry. */
  { readonly check: string } | { readonly notTestable: string };

export type Requirement = {
  /** Heading of the interface document under which the statement stands. */
  readonly section: string;
  readonly statement: string;
  readonly level: Level;
  /** The operation of the contract that it belongs to; `null` for statements about the service as a whole. */
  readonly operation: OperationId | null;
  /** Version of the suite in which the id first appeared. */
  readonly since: string;
  /** The needs of the check; if the profile does not meet them, the requirement is not applicable. */
  readonly needs?: readonly NeedId[];
  /** If a refusal is stated without its status: the gap that the answers to its check are observed for. */
  readonly statusGap?: StatusGap;
} & HowProved;

/** One area's entries, keyed by id (`area.slug`); ids are never renamed or reused. */
export type Area = Readonly<Record<string, Requirement>>;

interface Shared {
  readonly operation: OperationId | null;
  readonly check: string;
  readonly since?: string;
  readonly needs?: readonly NeedId[];
  readonly statusGap?: StatusGap;
}

/**
 * Makes the entries of a file: `under(section).must(statement)`, with further needs of the entry. Entries share an
 * operation and a check, unless their section has another; without `since` they date from the first version of the suite.
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
      /** @param reason why no check can decide it */
      notTestable: (statement: string, reason: string, level: Level = 'must'): Requirement => {
        return { ...said(level, statement), notTestable: reason };
      },
    };
  };
}
