/** Plays scripts of flows without a target, so that people can be told at once what they will be asked to do in all flows. */
import { role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { CouldNotRun, ifCouldNotRun } from '../../record/errors.ts';
import { personOf } from '../judging/sequence/judgement.ts';
import type { SigningDriver, SigningStep, SigningTask } from '../people/driver.ts';
import type { FlowDefinition, FlowScript } from './flow.ts';

/** The steps in the order of the script, if the target does everything as it should; up to where that alone is not enough. */
export async function rehearse(
  { signatories, script }: FlowDefinition,
  tasks: readonly SigningTask[],
  notApplicable: Readonly<Record<string, string>>,
): Promise<readonly SigningStep[]> {
  const steps: SigningStep[] = [];
  const task = (signatory: number): SigningTask => {
    const known = tasks[signatory];
    if (!known) throw new CouldNotRun(`nobody is signatory ${signatory}`);
    return known;
  };
  const applies = (requirement: RequirementId) => notApplicable[requirement] === undefined;
  const flow: FlowScript = {
    people: [...signatories.keys()],
    privateMessageOf: (signatory) => signatories[signatory]?.privateMessage ?? '',
    title: '',
    message: '',
    documents: [],
    driverShows: false,
    driverEnters: false,
    applies,
    reads: () => false,
    unreadOf: () => undefined,
    task,
    person: (signatory) => personOf({ signatories: tasks }, signatory),
    send: async () => {},
    lull: async () => {},
    acts: async (signatory) => {
      const own = task(signatory);
      steps.push({ task: own, act: own.role === role.approver ? 'approve' : 'sign', codes: 'right' });
    },
    mayNot: async (signatory, act, codes, requirement) => {
      if (applies(requirement)) steps.push({ task: task(signatory), act, codes });
    },
    mayNotEnter: async () => false,
    actsByEmail: async () => {},
    done: [],
    failed: [],
    tries: async () => undefined,
    refuse: async () => {},
    creates: async () => {},
    adds: async () => false,
    deletes: async () => false,
    view: () => Promise.reject(new CouldNotRun('a rehearsal shows nothing')),
    messages: async () => [],
    unsigned: async () => undefined,
    follow: async () => null,
    requestOtp: async () => false,
    code: async () => undefined,
    judge: () => {},
    judgeMessage: () => {},
    judgeCompleted: () => {},
    hasFailed: () => false,
    observe: () => {},
  };
  // The rest of a script may depend on what a target shows.
  await script(flow, flow).catch(ifCouldNotRun(() => undefined));
  return steps;
}

/** Takes the steps of a flow. Resolves once all flows have given theirs, and the driver was told. */
export type Gathering = (steps: readonly SigningStep[]) => Promise<void>;

/** Gathers the steps of all flows for the driver; resolves at once if the driver need not be told beforehand. */
export function gathering(flows: number, driver: SigningDriver): Gathering {
  if (!driver.announce) return async () => {};
  const all: SigningStep[] = [];
  let missing = flows;
  let open = () => {};
  const told = new Promise<void>((resolve) => {
    open = resolve;
  });
  return (steps) => {
    all.push(...steps);
    missing -= 1;
    if (missing === 0) void Promise.resolve(driver.announce?.(all)).finally(open);
    return told;
  };
}
