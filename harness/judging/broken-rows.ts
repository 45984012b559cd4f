/** Picks broken rows for the checks: of which operation, at which place, broken in which way. */
import { type BrokenRow, brokenRows, type Damage, wrongTypeRow } from '../../generators/bodies/broken.ts';
import { acceptedBody, type Body, type Row } from '../../generators/row.ts';
import { requestSchema } from '../../openapi/contract.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { OperationId } from '../../openapi/requirements/requirement.ts';
import type { Operation } from './operations.ts';

/**
 * Rows of one operation, made from a body that it accepts.
 * @param others further bodies, by what they are, in which the same is broken; a target may take them or not
 */
export function broken<Given>(
  operation: OperationId,
  valid: (given: Given) => unknown,
  others: Readonly<Record<string, (given: Given) => unknown>> = {},
) {
  const rowsOf = (body: unknown): readonly BrokenRow[] => brokenRows(requestSchema(operation), body);
  const all = (given: Given) => rowsOf(valid(given));
  const carriers = Object.entries({ '': valid, ...others });
  return {
    /** Rows that are broken at a place, or below it, in one of the given ways: each row in another body, the first in the usual one. */
    at:
      (pointer: string, ...damages: readonly Damage[]) =>
      (given: Given): readonly (BrokenRow & { readonly whole?: Row<Body> })[] => {
        const found = carriers.map(([whose, body]) => {
          const valid = body(given);
          // The usual body is the twin of every row.
          const whole = whose === '' ? {} : { whole: acceptedBody(`nothing broken, ${whose}`, valid) };
          return rowsOf(valid)
            .filter(
              ({ breaks, damage }) =>
                (breaks === pointer || breaks.startsWith(`${pointer}/`)) && damages.includes(damage),
            )
            .map((row) => ({ ...row, ...whole, title: [row.title, whose].filter(Boolean).join(', ') }));
        });
        return (found[0] ?? []).map((row, index) => found[index % found.length]?.[index] ?? row);
      },
    /** Rows without a field, of a body that is not the usual one; `whose` names that body in the title. */
    lacking:
      (pointer: string, whose: string) =>
      (given: Given): readonly BrokenRow[] =>
        all(given)
          .filter(({ breaks, damage }) => breaks === pointer && damage === 'missing')
          .map((row) => ({ ...row, title: `${row.title}, ${whose}` })),
    /** The body with nothing missing. If it is accepted, nothing else in it is the reason of a refusal. */
    whole: (given: Given) => [acceptedBody('nothing missing', valid(given))],
    /** An optional field of another type, in the valid body with `more` fields. */
    ofWrongType:
      (pointers: string | readonly string[], more: (given: Given) => object = () => ({})) =>
      (given: Given) => {
        const body = { ...(valid(given) as object), ...more(given) };
        const whole = acceptedBody('nothing broken', body);
        const rowAt = (pointer: string) => wrongTypeRow(requestSchema(operation), body, pointer);
        return [pointers].flat().map((pointer) => ({ ...rowAt(pointer), whole }));
      },
    /** A body that is no JSON at all. */
    unreadable: (given: Given): readonly BrokenRow[] =>
      malformed(all(given)).filter(({ input }) => !isValue(input)),
    /** A body that is JSON, but no object. */
    noObject: (given: Given): readonly BrokenRow[] =>
      malformed(all(given)).filter(({ input }) => isValue(input)),
  };
}

/** A body that lacks every field, for the requirement about one of them. */
const emptyBody = (breaks: string) => () => [
  { title: 'an object without fields', outcome: 'refused' as const, breaks, input: { json: {} } },
];

/**
 * Checks that bodies without a field are refused with 400: the usual body, and others, by what they are. A service may refuse
 * another body for something else in it, so its refusal counts only where the same body with the field is accepted.
 */
export function refusalsWithout<Given>(
  operation: Operation<Given, Body>,
  pointer: string,
  usual: Pick<Broken<Given>, 'at'>,
  others: Readonly<Record<string, Pick<Broken<Given>, 'lacking' | 'whole'>>>,
  { andAll = false } = {},
): readonly (() => Promise<void>)[] {
  return [
    () => operation.refuses(usual.at(pointer, 'missing'), 400),
    // Which of the fields it misses first is up to the service: a wrong status for one of them is that one's.
    ...(andAll
      ? [
          () =>
            operation.refuses(emptyBody(pointer), 400, {
              rows: usual.at('', 'missing'),
              blames: 'unless-alike',
            }),
        ]
      : []),
    ...Object.entries(others).map(
      ([what, body]) =>
        () =>
          operation.refuses(body.lacking(pointer, what), 400, { rows: body.whole, blames: 'if-accepted' }),
    ),
  ];
}

type Broken<Given> = ReturnType<typeof broken<Given>>;

/** Rows that a requirement says are refused, with their words up to the verb: `a malformed body is`. Without a status any 4xx will do. */
export type RefusedRows<Given> = readonly [
  id: RequirementId,
  what: string,
  rows: Parameters<Operation<Given, Body>['refuses']>[0],
  status?: 400,
];

/** A valid body that is not declared as JSON, and its fields as a form, nested ones with names as in PHP: `OTP[Type]`. */
export function otherContentTypes(valid: object) {
  const row = (title: string, contentType: string, input: Body) => ({
    title,
    outcome: 'refused' as const,
    input,
    differs: { contentType },
  });
  const form = 'application/x-www-form-urlencoded';
  return [
    row('Content-Type: text/plain', 'text/plain', { json: valid }),
    row('the fields as a form', form, { raw: new URLSearchParams(fieldsOf(valid)).toString() }),
  ];
}

function fieldsOf(value: unknown, name = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, name ? `${name}[${key}]` : key));
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
    // The answer to the question: the text is no JSON.
    return false;
  }
}
