/** Starts the flows of a run when they are first asked for, and gives each check its rows. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { counted } from '../../record/counted.ts';
import type { Cause } from '../../record/finding.ts';
import { type Exchanges, findingText } from '../../record/finding-text.ts';
import { grouped } from '../../record/grouped.ts';
import type { FlowJudgement } from '../judging/sequence/judgement.ts';
import type { FlowEvidence, FlowRow } from '../judging/session.ts';
import { type FlowDefinition, withNeighbours } from './flow.ts';
import type { FlowPlan, FlowResult } from './flow-plan.ts';
import { runFlows } from './flows.ts';
import type { OpenFlows } from './open-flows.ts';

export type FlowService = ReturnType<typeof flowService>;

/** @param applies whether a requirement can be checked @param earlier results of the run that this one goes on with */
export function flowService(
  definitions: readonly FlowDefinition[],
  open: () => Promise<OpenFlows>,
  exchangeAt: Exchanges,
  applies: (requirement: RequirementId) => boolean,
  earlier: readonly FlowResult[] = [],
) {
  const before = [...earlier];
  const plans = withNeighbours(definitions);
  let running: Promise<readonly FlowResult[]> | null = null;
  let opened: OpenFlows | null = null;
  let isStopped = false;
  let unfinished: readonly string[] = [];

  /** Starts the flows once. An error on the way is thrown to every caller that asks for evidence. */
  function start(): Promise<readonly FlowResult[]> {
    running ??= open().then(async (now) => {
      opened = now;
      if (isStopped) stop();
      const results = await runFlows(definitions, now.parts);
      unfinished = unfinishedAmong([...results, ...before], { plans, applies, exchangeAt });
      return results;
    });
    return running;
  }

  function stop(): void {
    isStopped = true;
    opened?.parts.driver.stop?.();
  }

  return {
    start,
    stop,

    /** Which flows did not come to their end, if no verdict says so: one sentence for each reason. */
    unfinished: () => unfinished,

    hasAny: definitions.length > 0,

    async finished(): Promise<readonly FlowResult[]> {
      return running ? [...(await running.catch(() => [])), ...before] : [];
    },

    /** @param ifBegun begins no flows: gives no rows where none have begun */
    async evidence(requirement: RequirementId, ifBegun = false): Promise<FlowEvidence> {
      if ((ifBegun && !running) || plans.length + before.length === 0) return { rows: [], timeline: [] };
      const results = [...(await start()), ...before];
      const about = results.flatMap((result) => {
        const proves = plans.find(({ name }) => name === result.name)?.proves.includes(requirement) ?? false;
        const row = rowOf(result, requirement, proves, exchangeAt);
        return row ? [{ row, result }] : [];
      });
      const rows = about.map(({ row }) => row);
      const isProved = rows.some(({ verdict }) => verdict === 'passed');
      const telling = isProved
        ? rows.filter(({ verdict }) => verdict !== 'could-not-run')
        : rows.filter(({ found }) => found.cause !== undecided);
      return {
        // Flows that could not tell are left out if another one proves the requirement, or says why it could not.
        rows: telling.length > 0 ? telling : rows,
        timeline: about.flatMap(({ result }) =>
          result.timeline.map((each) => ({ flow: result.name, ...each })),
        ),
      };
    },
  };
}

interface Context {
  readonly plans: readonly FlowPlan[];
  readonly applies: (requirement: RequirementId) => boolean;
  readonly exchangeAt: Exchanges;
}

/**
 * Sentences about flows that stopped. If other flows prove all their requirements, no verdict shows it, although what
 * only their people and documents could show was not seen. If another verdict of the flows shows that something is
 * wrong, nothing is said.
 */
function unfinishedAmong(
  results: readonly FlowResult[],
  { plans, applies, exchangeAt }: Context,
): readonly string[] {
  const judged = results.flatMap(({ judgements }) => judgements);
  const passed = new Set(judged.flatMap((each) => (each.verdict === 'passed' ? [each.requirement] : [])));
  const stopped = results.flatMap(({ name, blocked }) => {
    const proves = plans.find((plan) => plan.name === name)?.proves.filter(applies) ?? [];
    // A flow that only explores proves nothing.
    if (!blocked || proves.length === 0) return [];
    const isProved = proves.every((id) => passed.has(id));
    return [{ name, isProved, why: findingText(blocked, exchangeAt) ?? '' }];
  });
  const isTold = judged.some(({ verdict }) => verdict === 'failed') || stopped.some((each) => !each.isProved);
  if (isTold) return [];
  return [...grouped(stopped, ({ why }) => why)].map(([why, flows]) => {
    const names = flows.map(({ name }) => `"${name}"`).join(', ');
    const count = counted(flows.length, 'flow');
    return `${count} did not come to an end (${names}): ${why}. Other flows prove the requirements; what only these show was not seen`;
  });
}

const undecided: Cause = { excuse: 'undecided', because: {} };

/** What a flow says about a requirement; `null` where it says nothing. */
export function rowOf(
  { name: title, judgements, blocked }: FlowResult,
  requirement: RequirementId,
  proves: boolean,
  exchangeAt: Exchanges,
): FlowRow | null {
  const own = judgements.filter((each) => each.requirement === requirement);
  const about: readonly Omit<FlowJudgement, 'requirement'>[] =
    own.length > 0 || !proves
      ? own
      : [{ verdict: 'could-not-run', found: blocked ?? { cause: undecided }, exchanges: [] }];
  const [first] = (['failed', 'could-not-run', 'passed'] as const).flatMap((verdict) =>
    about.filter((each) => each.verdict === verdict),
  );
  if (!first) return null;
  const { verdict, found } = first;
  const decisive = about.filter((each) => each.verdict === verdict);
  const said = decisive.map((each) => findingText(each.found, exchangeAt) ?? '');
  return {
    title,
    verdict,
    found,
    message: verdict === 'passed' ? undefined : [...new Set(said)].join('; '),
    exchanges: [...new Set(decisive.flatMap(({ exchanges }) => exchanges))],
    deliveries: [...new Set(decisive.flatMap(({ deliveries = [] }) => deliveries))],
  };
}
