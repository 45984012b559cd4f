/** Picks broken rows for the checks: of which operation, at which place, broken in which way. */
import { type BrokenRow, brokenRows, type Damage, wrongTypeRow } from '../../generators/bodies/broken.ts';
import { requestSchema } from '../../openapi/contract.ts';
import type { OperationId } from '../../openapi/requirements/requirement.ts';

/** Rows of one operation, made from a body that it accepts. */
export function broken<Given>(operation: OperationId, valid: (given: Given) => unknown) {
  const all = (given: Given): readonly BrokenRow[] => brokenRows(requestSchema(operation), valid(given));
  return {
    /** What breaks at a place, or below it, in one of the given ways. */
    at:
      (pointer: string, ...damages: readonly Damage[]) =>
      (given: Given): readonly BrokenRow[] =>
        all(given).filter(
          ({ breaks, damage }) =>
            (breaks === pointer || breaks.startsWith(`${pointer}/`)) && damages.includes(damage),
        ),
    /** An optional field of another type, in the valid body with `more` fields. */
    ofWrongType:
      (pointers: string | readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
      (given: Given): readonly BrokenRow[] =>
        [pointers].flat().map((pointer) => {
          return wrongTypeRow(requestSchema(operation), { ...(valid(given) as object), ...more }, pointer);
        }),
    /** A body that is no JSON at all. */
    unreadable: (given: Given): readonly BrokenRow[] =>
      malformed(all(given)).filter(({ input }) => !isValue(input)),
    /** A body that is JSON, but no object. */
    noObject: (given: Given): readonly BrokenRow[] =>
      malformed(all(given)).filter(({ input }) => isValue(input)),
  };
}

function malformed(rows: readonly BrokenRow[]): readonly BrokenRow[] {
  return rows.filter(({ damage }) => damage === 'malformed');
}

function isValue(input: BrokenRow['input']): boolean {
  if ('json' in input) return true;
  try {
    JSON.parse(input.raw);
    return true;
  } catch {
    // That it cannot be parsed is what was asked.
    return false;
  }
}
