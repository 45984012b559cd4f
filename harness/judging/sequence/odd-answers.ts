/** Finds answers to acts that count as done and say something else than those to acts that surely were: they may be refusals. Pure. */
import { role } from '../../../openapi/codes.ts';
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import type { Plan } from '../../../record/facts.ts';
import type { Cause } from '../../../record/finding.ts';
import { type FlowJudgement, personOf } from './judgement.ts';

/** What the answers to acts say, by place. */
interface Acted {
  readonly plan: Pick<Plan, 'signatories'>;
  readonly answers: readonly {
    readonly signatory: number;
    readonly exchange: number;
    readonly said: Readonly<Record<string, string>>;
  }[];
  readonly judgements: readonly FlowJudgement[];
}

/** Requirements that show, when they pass, that the people of a flow have acted. */
const shownByEvents: readonly RequirementId[] = [
  'events.signatory-completed',
  'events.process-completed',
  'events.process-completed-last',
];

const isShown = ({ judgements }: Acted) =>
  judgements.some(
    ({ requirement, verdict }) => verdict === 'passed' && shownByEvents.includes(requirement),
  ) &&
  !judgements.some(({ requirement, verdict }) => verdict !== 'passed' && shownByEvents.includes(requirement));

/** By the exchange of each odd answer, why nobody knows what came of the act. A request completes also where its CC could not act. */
export function oddAnswers(flows: readonly Acted[]): ReadonlyMap<number, Cause> {
  const isOfCc = ({ plan }: Acted, signatory: number) => plan.signatories[signatory]?.role === role.cc;
  const shown = flows
    .filter(isShown)
    .map((flow) => flow.answers.filter(({ signatory }) => !isOfCc(flow, signatory)));
  const constant = (answers: typeof shown) => {
    const [first = {}, ...others] = answers.flat().map(({ said }) => said);
    // Ids of one request stand in all of its answers.
    const isEnough = answers.filter(({ length }) => length > 0).length > 1;
    return isEnough
      ? Object.entries(first).filter(([place, what]) => others.every((each) => each[place] === what))
      : undefined;
  };
  const ofAll = constant(shown)?.filter(([place]) => place !== 'call') ?? [];
  const told = (call: string | undefined) =>
    constant(shown.map((answers) => answers.filter(({ said }) => said.call === call))) ?? ofAll;
  return new Map(
    flows.flatMap((flow) =>
      flow.answers
        .filter(({ signatory }) => !isShown(flow) || isOfCc(flow, signatory))
        .filter(({ said }) => told(said.call).some(([place, what]) => said[place] !== what))
        .map(({ signatory, exchange, said: { call } }): [number, Cause] => {
          const what = `${call} was answered in other words (exchange ${exchange}) than where events show that the act was done; let ${call}.result find what says so`;
          return [
            exchange,
            { excuse: 'unknown-outcome', because: { people: [personOf(flow.plan, signatory)], what } },
          ];
        }),
    ),
  );
}
