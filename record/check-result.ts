/** What a check hands to whoever runs it; under Playwright as JSON, in an attachment of its test. */
import { type Static, Type } from '@sinclair/typebox';
import type { RequirementId } from '../openapi/requirements/catalogue.ts';
import { findingSchema } from './finding.ts';
import { count, type DeepReadonly, entryId, list, literals, object, optional, text } from './schema-parts.ts';
import { timelineSchema } from './timeline.ts';
import { verdicts } from './verdict.ts';

/** Name of the attachment. Its body is one result, or a list when one test covers several requirements. */
export const attachmentName = 'conformance-check';

export const rowSchema = object({
  title: text(),
  verdict: literals(verdicts),
  message: optional(text()),
  exchanges: list(count()),
  finding: optional(findingSchema),
});

export const checkResultSchema = object({
  id: entryId,
  title: text(),
  verdict: literals(verdicts),
  message: optional(text()),
  durationMs: Type.Number({ minimum: 0 }),
  rows: list(rowSchema),
  timeline: optional(timelineSchema),
});

/**
 * The result of one check of one requirement.
 *
 * `rows[].title` says what was sent (`OTP {IsRequired: true, Type: 2}, no MobileNumber`), `rows[].message`
 * what was expected and what came (`expected 400 · received 200 {…}`), `rows[].exchanges` the calls by their
 * index, the decisive one last. Reports add the request line, the `curl` and the number of the exchange.
 * `rows[].finding` says the same as data.
 * `message` speaks of the check as a whole: why it could not run, or which line of the profile excludes it.
 */
export type CheckResult = DeepReadonly<Omit<Static<typeof checkResultSchema>, 'id'>> & {
  readonly id: RequirementId;
};
