/** Finds answers that count as success but differ from those of acts that surely were done: they may be refusals. Pure. */
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

const completion: readonly RequirementId[] = ['events.process-completed', 'events.process-completed-last'];
const signature: readonly RequirementId[] = [...completion, 'events.signatory-completed'];

/** Whether events show that a person who could act did. A request also completes if its CC could not act. */
function isShown({ plan, judgements }: Acted, signatory: number): boolean {
  const part = plan.signatories[signatory]?.role;
  const by = part === role.cc ? [] : part === role.signer ? signature : completion;
  const of = (is: FlowJudgement['verdict']) =>
    judgements.some(({ requirement, verdict }) => verdict === is && by.includes(requirement));
  return of('passed') && !(part === role.approver && of('failed'));
}

/**
 * For each doubtful answer to an act, by its exchange, why nobody knows whether the act was done. Doubtful are answers that
 * differ from those of acts which events show, web pages where no event shows what pages of that call mean, and a 202 that
 * may mean "later". Once events show other acts, every 202 of an act that they do not show is doubtful.
 */
export function oddAnswers(flows: readonly Acted[]): ReadonlyMap<number, Cause> {
  const shown = flows.flatMap((flow, request) =>
    flow.answers
      .map(({ signatory, said }, index) => {
        return { signatory, said, request, isLast: index === flow.answers.length - 1 };
      })
      .filter(({ signatory }) => isShown(flow, signatory)),
  );
  /** What all these answers have in common; nothing if that may be more than "done", such as an id or a state. */
  const constant = (answers: typeof shown) => {
    const [first, ...others] = answers;
    const isEnough =
      others.some(({ request }) => request !== first?.request) &&
      [true, false].every((last) => answers.some(({ isLast }) => isLast === last));
    return first && isEnough
      ? Object.entries(first.said).filter(([at, what]) => others.every(({ said }) => said[at] === what))
      : undefined;
  };
  const ofAll = constant(shown)?.filter(([place]) => place !== 'call') ?? [];
  const told = (call: string | undefined) =>
    constant(shown.filter(({ said }) => said.call === call)) ?? ofAll;
  return new Map(
    flows.flatMap((flow) =>
      flow.answers
        .filter(({ signatory }) => !isShown(flow, signatory))
        .flatMap(({ said, ...answer }) => {
          const { call, page, later } = said;
          const isOdd = told(call).some(([place, what]) => said[place] !== what);
          const isUnseen = page !== undefined && shown.every((each) => each.said.call !== call);
          const isLater = later === 'perhaps' || (later !== undefined && shown.length > 0);
          const what = isLater ? '202, which may mean later' : 'a page';
          return isOdd || isUnseen || isLater ? { ...answer, call, isOdd, what } : [];
        })
        .map(({ signatory, exchange, call, isOdd, what: answer }): [number, Cause] => {
          const how = isOdd
            ? `in other words (exchange ${exchange}) than where events show that the act was done`
            : `with ${answer} (exchange ${exchange}), and no event shows that anything was done`;
          const what = `${call} was answered ${how}; let ${call}.result find what says so`;
          return [
            exchange,
            { excuse: 'unknown-outcome', because: { people: [personOf(flow.plan, signatory)], what } },
          ];
        }),
    ),
  );
}

export interface SendingCall {
  readonly exchange: number;
  readonly status: number;
}

/** Answers to `calls.send` that only the profile calls a success, while others are by status: perhaps nothing was sent. */
export function oddSends(sent: readonly SendingCall[]): ReadonlyMap<number, Cause> {
  const isError = ({ status }: SendingCall) => status >= 400;
  if (sent.every(isError)) return new Map();
  return new Map(
    sent.filter(isError).map(({ exchange, status }): [number, Cause] => {
      const what = `calls.send was answered with ${status} here (exchange ${exchange}) and with success elsewhere; is ${status} right in calls.send.accept?`;
      return [exchange, { excuse: 'unproved', because: { what } }];
    }),
  );
}
