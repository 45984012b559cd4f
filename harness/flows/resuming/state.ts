/** What a run leaves with people: the shape of waiting.json, from which a later run goes on. No secrets in it. */
import { type Static, Type } from '@sinclair/typebox';
import { closed, runId } from '../../../record/schema-parts.ts';

/** Version of the shape; another one is not read. */
export const waitingVersion = 2;

const time = Type.String({ minLength: 20, description: 'ISO 8601 in UTC.' });
const span = Type.Object({ from: time, until: time }, closed);
const codeOf = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3), Type.Literal('other')]);

/** An answer that a person gave, which nobody has to give again. */
const answer = Type.Object(
  {
    signatory: Type.Integer({ minimum: 0, description: 'Position in the plan of the flow.' }),
    act: Type.Union([Type.Literal('sign'), Type.Literal('approve')]),
    codes: Type.Union([Type.Literal('right'), Type.Literal('none'), Type.Literal('wrong')]),
    kind: Type.Union([Type.Literal('done'), Type.Literal('refused')]),
    reason: Type.String(),
    at: span,
  },
  closed,
);

/** A callback that had arrived, as far as its order and its addressee matter. */
const seen = Type.Object(
  {
    at: span,
    arrived: time,
    accepted: Type.Boolean(),
    toCallbackUrl: Type.Boolean({ description: 'Whether it came with path and query as given.' }),
    events: Type.Array(
      Type.Object({ code: codeOf, signatory: Type.Optional(Type.Integer({ minimum: 0 })) }, closed),
    ),
    problems: Type.Array(Type.String()),
  },
  closed,
);

const flow = Type.Object(
  {
    name: Type.String(),
    requestId: Type.String(),
    signatoryIds: Type.Array(Type.Union([Type.String(), Type.Null()])),
    documents: Type.Integer({ minimum: 0 }),
    created: span,
    sent: Type.Optional(span),
    listed: Type.Optional(time),
    answers: Type.Array(answer),
    seen: Type.Array(seen),
  },
  closed,
);

export const waitingSchema = Type.Object(
  {
    waitingVersion: Type.Literal(waitingVersion),
    runId,
    seed: Type.Integer(),
    baseUrl: Type.String(),
    /** SHA-256 of `people` in the profile: others would be other people. */
    people: Type.String(),
    port: Type.Optional(Type.Integer({ minimum: 1, description: 'On which the callback listener listens.' })),
    flows: Type.Array(flow),
    /** Results of the flows that have come to their end. */
    results: Type.Array(
      Type.Object({
        name: Type.String(),
        judgements: Type.Array(Type.Unknown()),
        observations: Type.Array(Type.Unknown()),
        timeline: Type.Array(Type.Unknown()),
      }),
    ),
  },
  closed,
);

export type WaitingState = Static<typeof waitingSchema>;
export type WaitingFlow = Static<typeof flow>;
export type WaitingAnswer = Static<typeof answer>;
export type WaitingDelivery = Static<typeof seen>;
