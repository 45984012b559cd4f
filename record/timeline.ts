/** The story of a flow as run.json carries it: what was done and what was delivered, in order. */
import { type Static, Type } from '@sinclair/typebox';
import { closed, type DeepReadonly, literals } from './schema-parts.ts';
import { verdicts } from './verdict.ts';

const attachedFile = Type.Object(
  {
    name: Type.Optional(Type.String()),
    state: literals(['whole', 'truncated', 'unreadable', 'no-pdf', 'link'] as const),
    size: Type.Optional(Type.Integer({ minimum: 0, description: 'In bytes.' })),
    pages: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  closed,
);

export const timelineSchema = Type.Array(
  Type.Object(
    {
      at: Type.String({ format: 'date-time' }),
      until: Type.Optional(Type.String({ format: 'date-time' })),
      kind: literals(['action', 'delivery', 'allowed'] as const, 'allowed: from then on an event may come.'),
      flow: Type.Optional(Type.String({ description: 'Signature request that it is about.' })),
      title: Type.String(),
      delivery: Type.Optional(Type.String({ description: 'Id of the delivery.' })),
      attached: Type.Optional(Type.Array(attachedFile, { description: 'Files that the delivery brought.' })),
      verdict: Type.Optional(literals(verdicts)),
      message: Type.Optional(Type.String()),
    },
    closed,
  ),
);

/** One line of a timeline. Times are ISO 8601 in UTC. */
export type TimelineEntry = DeepReadonly<Static<typeof timelineSchema>>[number];
