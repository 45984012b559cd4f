/** The story of a flow as run.json carries it: what was done and what was delivered, in order. */
import type { Static } from '@sinclair/typebox';
import { count, type DeepReadonly, list, literals, object, optional, text, time } from './schema-parts.ts';
import { verdicts } from './verdict.ts';

const attachedFile = object({
  name: optional(text()),
  state: literals(['whole', 'truncated', 'unreadable', 'no-pdf', 'link']),
  size: optional(count('In bytes.')),
  pages: optional(count()),
});

export const timelineSchema = list(
  object({
    at: time,
    until: optional(time),
    kind: literals(
      ['action', 'delivery', 'allowed', 'missing'],
      'allowed: from then on an event may come; missing: until then one was awaited that never came.',
    ),
    flow: optional(text('Signature request that it is about.')),
    title: text(),
    delivery: optional(text('Id of the delivery.')),
    attached: optional(list(attachedFile, 'Files that the delivery brought.')),
    verdict: optional(literals(verdicts)),
    message: optional(text()),
  }),
);

/** One line of a timeline. Times are ISO 8601 in UTC. */
export type TimelineEntry = DeepReadonly<Static<typeof timelineSchema>>[number];
