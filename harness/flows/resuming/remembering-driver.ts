/** A driver for resumed runs: repeats the answers that people gave in the run before, asks for the others, and notes them. */
import { monotonicMs } from '../../../record/clock.ts';
import type { ActOutcome, SigningDriver, SigningStep, SigningTask } from '../../people/driver.ts';
import type { WaitingLedger } from './ledger.ts';
import type { WaitingAnswer, WaitingFlow } from './waiting-file.ts';
import { intervalOf, millisecondsOf, spanOf, wallClockOf } from './waiting-file.ts';

/** Which signatory of which flow a task is about. */
type Whose = (task: SigningTask) => { readonly flow: string; readonly signatory: number } | undefined;

/** The driver, with every answer noted as soon as it is given. */
export function rememberingDriver<Driver extends SigningDriver>(
  driver: Driver,
  ledger: WaitingLedger,
  whose: Whose,
): Driver {
  const given = new Map<string, WaitingAnswer[]>();

  /** The answers of an earlier run that have not been asked for again. */
  function answersOf(flow: string): WaitingAnswer[] {
    const answers = given.get(flow) ?? [...(ledger.flow(flow)?.answers ?? [])];
    given.set(flow, answers);
    return answers;
  }

  function isAnswered({ task, act, codes }: SigningStep): (answer: WaitingAnswer) => boolean {
    const signatory = whose(task)?.signatory;
    return (answer) => answer.signatory === signatory && answer.act === act && answer.codes === codes;
  }

  return {
    ...driver,

    async announce(steps) {
      const open = steps.filter((step) => {
        const flow = whose(step.task)?.flow;
        return flow === undefined || !answersOf(flow).some(isAnswered(step));
      });
      const listed = wallClockOf(monotonicMs());
      for (const name of new Set(open.map(({ task }) => whose(task)?.flow))) {
        if (name !== undefined && ledger.flow(name)?.listed === undefined) ledger.note(name, { listed });
      }
      await driver.announce?.(open);
    },

    async act(task, act, codes): Promise<ActOutcome> {
      const mine = whose(task);
      if (!mine) return driver.act(task, act, codes);
      const answers = answersOf(mine.flow);
      const known = answers.findIndex(isAnswered({ task, act, codes }));
      const [answer] = known < 0 ? [] : answers.splice(known, 1);
      if (answer)
        return { kind: answer.kind, at: intervalOf(answer.at), reason: answer.reason, exchanges: [] };
      const outcome = sinceListed(await driver.act(task, act, codes), ledger.flow(mine.flow));
      if (outcome.kind === 'unknown') return outcome;
      const { kind, at } = outcome;
      const reason = outcome.kind === 'refused' ? outcome.reason : '';
      const before = ledger.flow(mine.flow)?.answers ?? [];
      const { signatory } = mine;
      ledger.note(mine.flow, {
        answers: [...before, { signatory, act, codes, kind, reason, at: spanOf(at) }],
      });
      return outcome;
    },
  };
}

/** The outcome, from when the earlier run listed the tasks on: people may have acted between the runs. */
function sinceListed(outcome: ActOutcome, flow: WaitingFlow | undefined): ActOutcome {
  if (outcome.kind === 'unknown' || flow?.listed === undefined) return outcome;
  const startMs = Math.min(outcome.at.startMs, millisecondsOf(flow.listed));
  return { ...outcome, at: { ...outcome.at, startMs } };
}
