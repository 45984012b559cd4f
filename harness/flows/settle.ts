/** Settles what only all flows together can tell: whose fault it is that something did not happen. */
import { role } from '../../openapi/codes.ts';
import type { Plan } from '../../record/facts.ts';
import { type FlowJudgement, type FlowResult, withoutEffect } from './flow.ts';
import type { FlowRequest } from './flow-request.ts';

/** The results with what others of them excuse or explain; `ended` has the plan of each. */
export function settle(
  results: FlowResult[],
  ended: readonly { readonly plan: Plan; readonly run: { readonly request: Pick<FlowRequest, 'refused'> } }[],
): FlowResult[] {
  const proved = new Set(
    results.flatMap(({ judgements }) =>
      judgements.filter(({ verdict }) => verdict === 'passed').map(({ requirement }) => requirement),
    ),
  );
  /** Who takes part in the request or tried to, without having to act. */
  const idle = (index: number): Idle | undefined => {
    if (ended[index]?.plan.signatories.some((each) => each.role === role.cc)) return 'cc';
    const refused = ended[index]?.run.request.refused ?? [];
    return refused.some(({ operation }) => operation === 'addSignatory') ? 'refused' : undefined;
  };
  const completes = results.some(
    ({ judgements }, index) =>
      !idle(index) &&
      judgements.some((each) => each.requirement === 'events.process-completed' && each.verdict === 'passed'),
  );
  const early = results.some(({ judgements }) =>
    judgements.some(
      (each) => each.requirement === 'events.process-completed-last' && each.verdict === 'failed',
    ),
  );
  const disordered = results.some(({ judgements }) => judgements.some(breaksOrder));
  const inOrder = (index: number) =>
    new Set(ended[index]?.plan.signatories.map(({ order }) => order)).size > 1;
  return results.map((result, index) => ({
    ...result,
    judgements: result.judgements.flatMap((judgement) => {
      const who = idle(index);
      if (who === 'refused' && judgement.verdict === 'passed')
        return [judgement, ...completedWithout(judgement)];
      if (judgement.verdict !== 'failed') return judgement;
      if (judgement.assumes && !proved.has(judgement.assumes)) {
        return { ...judgement, verdict: 'could-not-run' as const };
      }
      if (disordered && inOrder(index) && !breaksOrder(judgement) && isAboutActs(judgement)) {
        return outOfOrder(judgement);
      }
      if (early && followsFromEarly.has(judgement.requirement)) return beforeCompletion(judgement);
      return completes && who ? withoutIdle(judgement, who) : judgement;
    }),
  }));
}

const breaksOrder = ({ requirement, verdict }: FlowJudgement): boolean =>
  requirement === 'signing.lower-order-first' && verdict === 'failed';

const isAboutActs = ({ requirement }: FlowJudgement): boolean => /^(otp|signing)\./.test(requirement);

/** Where people cannot act in their order, that somebody could not act says nothing else. */
function outOfOrder(judgement: FlowJudgement): FlowJudgement {
  const message = `people do not act in their order: ${judgement.message}`;
  return { ...judgement, verdict: 'could-not-run', message };
}

type Idle = 'cc' | 'refused';

const idleRules = {
  cc: {
    requirement: 'signing.cc-cannot-act',
    message: 'the request completes without a CC, and does not complete with one',
  },
  refused: {
    requirement: withoutEffect.addSignatory,
    message: 'other requests complete, and one does not to which additions were refused',
  },
} as const;

/** A request that completes without somebody and not with them waits for who cannot act, or takes no part. */
function withoutIdle(judgement: FlowJudgement, who: Idle): FlowJudgement {
  return judgement.requirement === 'events.process-completed'
    ? { ...judgement, ...idleRules[who] }
    : judgement;
}

function completedWithout(judgement: FlowJudgement): readonly FlowJudgement[] {
  if (judgement.requirement !== 'events.process-completed') return [];
  const { requirement } = idleRules.refused;
  return [
    { ...judgement, requirement, message: 'the request completed without those whose addition was refused' },
  ];
}

/** Where event 3 comes too early in one request, it may in another one: before events 2, and with nothing to attach yet. */
const followsFromEarly: ReadonlySet<string> = new Set([
  'events.documents-attached',
  'events.signatures-before-completed',
]);

function beforeCompletion(judgement: FlowJudgement): FlowJudgement {
  const message = `event 3 comes too early in another request: ${judgement.message}`;
  return { ...judgement, verdict: 'could-not-run', message };
}
