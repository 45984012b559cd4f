/** Turns a flow into a sequence by playing its script without a target, to count the situations that it brings about. */
import { role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { most, type Refusal, refusals, type Sequence, type Step } from '../../record/sequence.ts';
import type { FlowDefinition, FlowScript } from '../flows/flow.ts';
import type { FlowPlan, FlowSignatory, RefusedCall } from '../flows/flow-plan.ts';
import { playScript, rehearsalOf } from '../flows/rehearse.ts';
import type { SigningTask } from '../people/driver.ts';
import { refusedCalls } from './script-of.ts';

/** The sequence of a flow, without what no step can express. */
export async function sequenceOf(
  definition: FlowDefinition,
  notApplicable: Readonly<Partial<Record<RequirementId, string>>>,
): Promise<Sequence> {
  const { neighbour, refused = [], documents, subscription, attached, away, stamped } = definition;
  const steps: Step[] = refused.flatMap(refusedStep);
  // A request of type 3 is sent with its creation.
  if (stamped) steps.push({ do: 'send' });
  const script = (plan: FlowPlan, beside: boolean) =>
    rehearsalOf(plan, plan.signatories.map(taskOf), notApplicable, (task) =>
      noting(task, (step) => steps.push(beside ? { ...step, beside } : step)),
    );
  await playScript(
    definition,
    script(definition, false),
    script(neighbour ?? definition, neighbour !== undefined),
  );
  return {
    people: definition.signatories.map(({ role: own, order, otp, privateMessage, color }) => ({
      role: own === role.cc ? 'cc' : own === role.approver ? 'approver' : 'signer',
      order,
      otp,
      privateMessage: privateMessage ? true : undefined,
      color: color ? true : undefined,
    })),
    // A flow without documents uses the one that the run shares.
    documents: documents.length > 0 ? documents.slice(0, most.documents) : ['page'],
    subscription,
    attached,
    listenerAway: away,
    stamped,
    neighbour: neighbour ? true : undefined,
    steps,
  };
}

function taskOf({ role: own, order, otp }: FlowSignatory, index: number): SigningTask {
  const person = { email: `${index}`, name: `${index}`, mobileNumber: `${index}` };
  const accessCode = String(1_000 + index);
  return {
    requestId: '',
    ...person,
    role: own,
    order,
    signatoryId: '',
    otp: otp && { type: otp, accessCode },
  };
}

/** The code of each person, for any channel. All are even, so that codes which scripts derive from them belong to nobody. */
const codes = Array.from({ length: most.people }, (_, who) => String(100_000 + 2 * who));

/** The members of a flow that a script calls, each of which only notes the step. */
function noting(taskOf: (who: number) => SigningTask, note: (step: Step) => void): Partial<FlowScript> {
  const act = (who: number, as: 'sign' | 'approve', code?: 'none' | 'wrong') => {
    const own = taskOf(who).role === role.approver ? 'approve' : 'sign';
    note({ do: 'act', who, as: as === own ? undefined : as, code: taskOf(who).otp ? code : undefined });
  };
  const unseen = { kind: 'unknown', reason: 'there is no page', exchanges: [] } as const;
  return {
    driverShows: true,
    driverEnters: true,
    reads: () => true,
    requestOtp: async () => true,
    code: async (who) => codes[who],
    send: async () => note({ do: 'send' }),
    lull: async () => note({ do: 'lull' }),
    acts: async (who) => act(who, taskOf(who).role === role.approver ? 'approve' : 'sign'),
    mayNot: async (who, as, entered) => act(who, as, entered === 'right' ? undefined : entered),
    mayNotEnter: async (who, entered) => {
      const of = codes.findIndex((code) => Object.values(entered).includes(code));
      note({ do: 'act', who, ...(of < 0 || of === who ? { code: 'wrong' } : { code: 'other', of }) });
      return true;
    },
    actsByEmail: async (who) => act(who, 'sign'),
    refuse: async (call) => refusedStep(call).forEach(note),
    view: async (who) => {
      note({ do: 'view', who });
      return unseen;
    },
  };
}

/** The step that makes the same refused call, if there is one. */
function refusedStep({ operation, change, authorization }: RefusedCall): Step[] {
  const same = (Object.keys(refusals) as Refusal[]).find((each) => {
    const other = refusedCalls[each];
    return (
      refusals[each] === operation &&
      other.authorization === authorization &&
      Object.keys(other.change ?? {}).join() === Object.keys(change ?? {}).join()
    );
  });
  return same ? [{ do: 'refused', call: same }] : [];
}
