/** Settles what only all flows together can tell: whose fault it is that something did not happen. */
import { role } from '../../openapi/codes.ts';
import type { Plan } from '../../record/facts.ts';
import type { FlowJudgement, FlowResult } from './flow.ts';

/** The results with what others of them excuse or explain; `ended` has the plan of each. */
export function settle(results: FlowResult[], ended: readonly { readonly plan: Plan }[]): FlowResult[] {
  const proved = new Set(
    results.flatMap(({ judgements }) =>
      judgements.filter(({ verdict }) => verdict === 'passed').map(({ requirement }) => requirement),
    ),
  );
  const withCc = (index: number) =>
    ended[index]?.plan.signatories.some((each) => each.role === role.cc) ?? false;
  const completes = results.some(
    ({ judgements }, index) =>
      !withCc(index) &&
      judgements.some((each) => each.requirement === 'events.process-completed' && each.verdict === 'passed'),
  );
  const early = results.some(({ judgements }) =>
    judgements.some(
      (each) => each.requirement === 'events.process-completed-last' && each.verdict === 'failed',
    ),
  );
  return results.map((result, index) => ({
    ...result,
    judgements: result.judgements.map((judgement) => {
      if (judgement.verdict !== 'failed') return judgement;
      if (judgement.assumes && !proved.has(judgement.assumes)) {
        return { ...judgement, verdict: 'could-not-run' as const };
      }
      if (early && followsFromEarly.has(judgement.requirement)) return beforeCompletion(judgement);
      return completes && withCc(index) ? withoutCc(judgement) : judgement;
    }),
  }));
}

/** A request that completes without a CC and not with one waits for the CC, who cannot act. */
function withoutCc(judgement: FlowJudgement): FlowJudgement {
  if (judgement.requirement !== 'events.process-completed') return judgement;
  const message = 'the request completes without a CC, and does not complete with one';
  return { ...judgement, requirement: 'signing.cc-cannot-act', message };
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
