/** Plays scripts of flows without a target, so that people can be told at once what they will be asked to do in all flows. */
import { role } from '../../openapi/codes.ts';
import { CouldNotRun, ifCouldNotRun } from '../../record/errors.ts';
import { personOf } from '../judging/sequence/judgement.ts';
import type { Act, SigningDriver, SigningStep, SigningTask } from '../people/driver.ts';
import type { FlowDefinition, FlowScript } from './flow.ts';

/** The steps in the order of the script, if the target does everything as it should. */
export async function rehearse(
  definition: FlowDefinition,
  tasks: readonly SigningTask[],
  notApplicable: Readonly<Record<string, string>>,
): Promise<readonly SigningStep[]> {
  const steps: SigningStep[] = [];
  const rehearsal = rehearsalOf(definition, tasks, notApplicable, (taskOf) => ({
    acts: async (signatory) => {
      const task = taskOf(signatory);
      const act: Act = task.role === role.approver ? 'approve' : 'sign';
      steps.push({ task, act, codes: 'right' });
    },
    mayNot: async (signatory, act, codes, requirement) => {
      if (notApplicable[requirement] === undefined) steps.push({ task: taskOf(signatory), act, codes });
    },
  }));
  await playScript(definition, rehearsal, rehearsal);
  return steps;
}

/** Plays a script to its end, or up to where it needs what only a target shows. */
export async function playScript(
  { script }: Pick<FlowDefinition, 'script'>,
  flow: FlowScript,
  neighbour: FlowScript,
): Promise<void> {
  // The rest of the script depends on what the target shows.
  await script(flow, neighbour).catch(ifCouldNotRun(() => undefined));
}

/** The flow that a script gets without a target: all goes as it should. @param own members that replace these */
export function rehearsalOf(
  { signatories }: Pick<FlowDefinition, 'signatories'>,
  tasks: readonly SigningTask[],
  notApplicable: Readonly<Record<string, string>>,
  own: (taskOf: (signatory: number) => SigningTask) => Partial<FlowScript>,
): FlowScript {
  const taskOf = (signatory: number): SigningTask => {
    const task = tasks[signatory];
    if (!task) throw new CouldNotRun(`nobody is signatory ${signatory}`);
    return task;
  };
  return {
    people: [...signatories.keys()],
    privateMessageOf: (signatory) => signatories[signatory]?.privateMessage ?? '',
    title: '',
    message: '',
    documents: [],
    driverShows: false,
    driverEnters: false,
    applies: (requirement) => notApplicable[requirement] === undefined,
    reads: () => false,
    unreadOf: () => undefined,
    task: taskOf,
    person: (signatory) => personOf({ signatories: tasks }, signatory),
    send: async () => {},
    lull: async () => {},
    acts: async () => {},
    mayNot: async () => {},
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
    ...own(taskOf),
  };
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
