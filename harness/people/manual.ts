/** Lets people sign: lists in the terminal and on a local page what they are asked to do, and waits, bounded. */
import { monotonicMs } from '../../record/clock.ts';
import { counted } from '../../record/counted.ts';
import { withinTime } from '../untrusted/deadline.ts';
import {
  type ActOutcome,
  type SigningDriver,
  type SigningStep,
  type SigningTask,
  unknown,
} from './driver.ts';
import { type ManualServer, startManualServer } from './manual-server.ts';
import { inOrder, instructionOf, type ManualAnswer, type ManualTask, manualPage } from './manual-task.ts';
import type { OutboxReader } from './outbox.ts';

interface ManualDriverParts {
  /** Requests that people are asked to sign at most. */
  readonly requests: number;
  readonly timeoutMs: number;
  /** The messages to people, in which links are looked for. */
  readonly outbox: OutboxReader;
  /** Takes lines for people. */
  readonly print: (line: string) => void;
}

/** Tasks that come within this time are printed together. */
const gatherMs = 250;

const meanings: Readonly<Record<ManualAnswer, string>> = {
  done: '',
  refused: 'the person who tried says that the service refused it',
  'could-not': 'the person who was asked says that they could not try it',
  'too-late': 'nobody said in time what came of it',
  ended: 'the run ended before somebody said what came of it',
};

export function createManualDriver(parts: ManualDriverParts): SigningDriver {
  const { requests, timeoutMs, outbox, print } = parts;
  const tasks: ManualTask[] = [];
  const waiting = new Map<number, (answer: ManualAnswer) => void>();
  const requestIds = new Set<string>();
  let server: Promise<ManualServer> | undefined;
  let printing: NodeJS.Timeout | undefined;
  let closed = false;

  function answer(number: number, given: ManualAnswer): void {
    waiting.get(number)?.(given);
  }

  async function waitFor(manual: ManualTask): Promise<ManualAnswer> {
    const { number } = manual;
    manual.endMs = monotonicMs() + timeoutMs;
    const answered = new Promise<ManualAnswer>((resolve) => waiting.set(number, resolve));
    manual.answer = await withinTime(timeoutMs, answered, () => 'too-late' as const);
    waiting.delete(number);
    return manual.answer;
  }

  function page(): Promise<ManualServer> {
    server ??= startManualServer({ page: () => manualPage(tasks, monotonicMs()), answer });
    return server;
  }

  function tell(url: string): void {
    for (const line of linesOf(tasks, url, timeoutMs)) print(line);
  }

  function tellSoon(url: string): void {
    printing ??= setTimeout(() => {
      printing = undefined;
      tell(url);
    }, gatherMs);
  }

  function add(step: SigningStep): ManualTask {
    const manual: ManualTask = { ...step, number: tasks.length + 1, listedMs: monotonicMs() };
    tasks.push(manual);
    requestIds.add(step.task.requestId);
    return manual;
  }

  /** The task in the list for a step that is asked for now. */
  function listed({ task, act, codes }: SigningStep): ManualTask | undefined {
    return tasks.find(
      (each) =>
        each.endMs === undefined &&
        each.task.requestId === task.requestId &&
        each.task.email === task.email &&
        each.act === act &&
        each.codes === codes,
    );
  }

  async function findLink(manual: ManualTask): Promise<void> {
    if (!outbox.reads('email')) return;
    const link = await outbox.link(manual.task);
    if (link !== undefined) manual.link = link;
  }

  function refusal({ requestId }: SigningTask): string | undefined {
    if (closed) return meanings.ended;
    if (requestIds.has(requestId) || requestIds.size < requests) return undefined;
    return `people are asked to sign at most ${requests} requests (signing.requests)`;
  }

  function stop(): void {
    closed = true;
    clearTimeout(printing);
    for (const number of [...waiting.keys()]) answer(number, 'ended');
  }

  return {
    shows: false,

    async announce(steps) {
      for (const step of steps) if (refusal(step.task) === undefined) add(step);
      if (tasks.length > 0) tell((await page()).url);
    },

    async act(task, act, codes): Promise<ActOutcome> {
      const reason = refusal(task);
      if (reason !== undefined) return unknown(reason);
      const known = listed({ task, act, codes });
      const manual = known ?? add({ task, act, codes });
      const given = waitFor(manual);
      const { url } = await page();
      if (!known) tellSoon(url);
      // The link is shown when it is found; the task does not wait for it.
      findLink(manual).catch((error: unknown) => {
        // When the run ends, nobody reads messages any more.
        if (!closed) print(`No link for ${task.email}: ${String(error)}`);
      });
      const said = await given;
      // A person who sees the list may act before they are asked.
      const at = { startMs: manual.listedMs, endMs: monotonicMs() };
      if (said === 'done') return { kind: 'done', at, exchanges: [] };
      if (said === 'refused') return { kind: 'refused', at, reason: meanings.refused, exchanges: [] };
      return { ...unknown(meanings[said]), mayBeDone: said !== 'could-not' || undefined };
    },

    view: async () => unknown('a person signs: the suite does not see the page'),

    stop,

    async close() {
      stop();
      await (await server)?.close();
    },
  };
}

/** The list for the terminal: the open tasks, and where to answer. */
function linesOf(tasks: readonly ManualTask[], url: string, timeoutMs: number): readonly string[] {
  const open = inOrder(tasks.filter(({ answer }) => answer === undefined));
  if (open.length === 0) return [];
  const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
  const requests = new Set(open.map(({ task }) => task.requestId)).size;
  const count = `${open.length} to do in ${counted(requests, 'request')}`;
  const head = `People are asked to sign (${count}, ${minutes} min each). Say what came of it at ${url}`;
  return [
    head,
    ...open.map((each) => `  ${each.number}. request ${each.task.requestId}: ${instructionOf(each)}`),
  ];
}
