/** Explores a target: runs drawn sequences, judges them like flows, makes failing ones shorter and tells them as stories. */
import { setImmediate } from 'node:timers/promises';
import { type RequirementId, requirement } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import type { Explored, Story } from '../../record/explored.ts';
import { type Exchanges, findingText } from '../../record/finding-text.ts';
import { lengthOf, type Sequence } from '../../record/sequence.ts';
import { slowestMs } from '../flows/flow-deliveries.ts';
import type { FlowParts } from '../flows/flow-parts.ts';
import type { FlowResult } from '../flows/flow-plan.ts';
import { rowOf } from '../flows/flow-service.ts';
import { runFlows } from '../flows/flows.ts';
import { type EndedFlows, settleFlows } from '../flows/settled-flows.ts';
import { Check } from '../judging/check.ts';
import { saidByFlow } from '../judging/parts.ts';
import type { FlowJudgement } from '../judging/sequence/judgement.ts';
import type { FlowRow } from '../judging/session.ts';
import { uselessDriver } from '../people/driver.ts';
import { Drawing, isFull } from './choose.ts';
import type { Means } from './draw.ts';
import { meansOf } from './means.ts';
import { flowOf, type Trace } from './script-of.ts';
import { type FailingAttempt, type KnownOfFailure, shrunk } from './shrink.ts';

export interface ExploreOptions {
  readonly seed: number;
  /** Most steps: creations, additions of people, and what is done then. */
  readonly steps: number;
  /** Most time for beginning sequences, in milliseconds; those that have begun are finished. */
  readonly ms?: number;
  /** One sequence to run instead of drawn ones, as often as it takes to judge it. */
  readonly sequence?: Sequence;
  /** Ends once every situation was seen. */
  readonly thorough?: boolean;
  /** Begins no further sequence once one has failed. */
  readonly untilFound?: boolean;
  /** Most calls at the same time; at least 1. */
  readonly atOnce: number;
  readonly stop: AbortSignal;
}

/** What exploring needs of the run. */
interface ExploreParts {
  readonly flows: FlowParts;
  /** How many calls the run has made so far. */
  readonly calls: () => number;
  readonly exchangeAt: Exchanges;
  /** The results of work; none if the run is interrupted and they do not come soon after. */
  readonly ending: <Value>(work: Promise<readonly Value[]>) => Promise<readonly Value[]>;
  /** Is called with the number of steps that were made. */
  readonly told?: ((steps: number) => void) | undefined;
}

export interface Exploration {
  readonly explored: Explored;
  /** One for each requirement that a sequence proved or violated. */
  readonly results: readonly CheckResult[];
}

/** Most stories, one for each requirement: a target with more mistakes has enough of them to begin with. */
const storiesMost = 10;

/** Most failing sequences that become rows of a requirement. */
const rowsMost = 3;

/** In repeated attempts events are awaited for at least so long. A missing one is expected to be missing again. */
const leastArrivalMs = 2_000;

/** A sequence that ran, and what came of it. */
interface Ran extends FailingAttempt {
  readonly sequence: Sequence;
  readonly results: readonly FlowResult[];
  readonly trace: Trace;
}

export function explore(parts: ExploreParts, options: ExploreOptions): Promise<Exploration> {
  return new Explorer(parts, options).run();
}

class Explorer {
  readonly #parts: ExploreParts;
  readonly #options: ExploreOptions;
  /** The parts of flows, with a driver that does nothing where people sign by hand: they are not asked to sign sequences. */
  readonly #flows: FlowParts;
  #drawn: Drawing | undefined;
  readonly #learned = new Map<string, { taken: number; refused: number }>();
  readonly #stories: { story: Story; row: FlowRow }[] = [];
  /** Requirements whose violation a story explains. */
  readonly #told = new Set<RequirementId>();
  readonly #ran: Ran[] = [];
  readonly #beside: EndedFlows = { ended: [], found: [] };
  #names = 0;
  #found = false;

  constructor(parts: ExploreParts, options: ExploreOptions) {
    this.#parts = parts;
    this.#options = options;
    const { waiting: _, ...flows } = parts.flows;
    const driver = uselessDriver('people are not asked to sign what is explored');
    const byHand = flows.profile.signing?.driver === 'manual';
    this.#flows = byHand ? { ...flows, driver } : flows;
  }

  /** Made when it is needed first: where one sequence is played, that would take longer than playing it. */
  get #drawing(): Drawing {
    this.#drawn ??= new Drawing(this.#options.seed, meansOf(this.#flows));
    return this.#drawn;
  }

  async run(): Promise<Exploration> {
    const { steps, ended } = await this.#runSequences();
    // Causes are looked for last, since all sequences together say most about them.
    await this.#explain();
    const stuck = this.#ran.flatMap(({ results }) => results.find(({ blocked }) => blocked)?.blocked ?? []);
    return {
      explored: {
        seed: this.#options.seed,
        steps,
        sequences: this.#ran.length,
        blocked: stuck.length,
        stuck: stuck.flatMap(({ cause, flow }) => (cause ? [{ cause, flow }] : [])),
        situations: this.#situations(),
        ended: meansOf(this.#flows).signs
          ? ended
          : `${ended}; nobody can be let sign, so they are creations and additions alone`,
        learned: [...this.#learned].map(([situation, counts]) => ({ situation, ...counts })),
        stories: this.#stories.map(({ story }) => story),
      },
      results: await this.#results(),
    };
  }

  /** How many situations came about, of those that were imagined; of a sequence that could not go on, those before that. */
  #situations(): Explored['situations'] {
    const played = this.#ran.flatMap(({ sequence, trace }) =>
      trace.played === undefined ? [] : [{ ...sequence, steps: sequence.steps.slice(0, trace.played) }],
    );
    return this.#drawn?.shownBy(played) ?? { seen: 0, of: 0 };
  }

  #endOf(steps: number, began: number): string | undefined {
    const { steps: most, ms, stop, thorough, untilFound } = this.#options;
    if (stop.aborted) return 'the run was interrupted';
    if (untilFound && this.#found) return 'a violation was found';
    if (thorough && this.#drawing.isAllShown) return 'every situation was seen';
    if (isFull(steps, most)) return `${steps} steps were made`;
    return ms !== undefined && performance.now() - began >= ms
      ? `${Math.round(ms / 1000)} s have passed`
      : undefined;
  }

  /** Runs sequences, several at the same time: one that only waits for callbacks does not count. */
  async #runSequences(): Promise<{ steps: number; ended: string }> {
    const { sequence, steps: most } = this.#options;
    // Three times as many as calls in flight: some wait for a turn or a code, and long ones have to begin early to end with the others.
    const atOnce = 3 * this.#options.atOnce;
    const began = performance.now();
    // A single sequence may not show that people can act and are written to, and that callbacks come at all: a plain one does.
    if (sequence) await this.#parts.ending(this.#begin(plainest(meansOf(this.#flows))).ran.then(() => []));
    const all: Promise<readonly Ran[]>[] = [];
    const acting = new Set<Promise<unknown>>();
    /** The sequences in the order in which they ended. */
    const last: Ran[] = [];
    let steps = 0;
    let ended = this.#endOf(steps, began);
    while (ended === undefined) {
      const next = sequence ?? this.#drawing.next(most - steps);
      steps += lengthOf(next);
      const { acted, ran } = this.#begin(next);
      all.push(this.#parts.ending(ran.then((each) => [each])));
      void ran.then((each) => last.push(each));
      const place = acted.finally(() => acting.delete(place));
      acting.add(place);
      // Choosing the next one takes its time: the calls of those before go on meanwhile.
      await (acting.size >= atOnce ? Promise.race(acting) : setImmediate());
      this.#parts.told?.(steps);
      const isStuck = last.length >= atOnce && whyStuck(last.slice(-atOnce));
      ended = sequence ? 'the sequence was played' : isStuck || this.#endOf(steps, began);
    }
    const ran = (await Promise.all(all)).flat();
    // Settled only now: the last sequences may have proved something that the first ones rest on.
    const results = settleFlows(this.#beside, this.#flows);
    const named = (names: readonly string[]) => results.filter(({ name }) => names.includes(name));
    this.#ran.push(...ran.map((each) => ({ ...each, results: named(each.results.map(({ name }) => name)) })));
    const isStopped = this.#options.stop.aborted;
    return { steps, ended: isStopped ? ended : (whyStuck(last.slice(-atOnce)) ?? ended) };
  }

  /** Begins a sequence, which is judged together with all that ended before; `acted` resolves once its steps are done. */
  #begin(sequence: Sequence, { reads = true, parts = this.#flows } = {}) {
    this.#names += 1;
    let acted = () => {};
    const done = new Promise<void>((resolve) => {
      acted = resolve;
    });
    const { definition, trace } = flowOf(`explored ${this.#names}`, sequence, { reads, acted });
    const run = async (): Promise<Ran> => {
      const results = await runFlows([definition], parts, this.#beside);
      this.#found ||= failuresOf({ results }).some((each) => requirement(each.requirement).level === 'must');
      for (const { situation, taken } of trace.learned) {
        const { taken: yes, refused: no } = this.#learned.get(situation) ?? { taken: 0, refused: 0 };
        this.#learned.set(situation, { taken: yes + (taken ? 1 : 0), refused: no + (taken ? 0 : 1) });
      }
      return { sequence, results, trace, breaks: trace.breaks };
    };
    const ran = run();
    return { ran, acted: Promise.race([done, ran]) };
  }

  /** Parts for attempts that will be confirmed later: events are awaited only twice as long as the slowest one took. */
  get #quickParts(): FlowParts {
    const { grace } = this.#flows;
    const quickMs = Math.max(leastArrivalMs, 2 * slowestMs(this.#beside.ended));
    return { ...this.#flows, grace: { ...grace, arrivalMs: Math.min(grace.arrivalMs, quickMs) } };
  }

  /** Takes the shortest violation of each `must`, makes it shorter still, and tells it as a story. */
  async #explain(): Promise<void> {
    const seen = [...this.#ran];
    // In a sequence that failed, the steps before the failure held.
    const held = seen.flatMap((ran) => {
      const { sequence, breaks } = ran;
      if (hasHeld(ran)) return [sequence];
      return breaks === undefined ? [] : [{ ...sequence, steps: sequence.steps.slice(0, breaks) }];
    });
    const failures = seen
      .toSorted((one, other) => lengthOf(upToViolation(one)) - lengthOf(upToViolation(other)))
      .flatMap((first) => failuresOf(first).map((failure) => ({ first, failure })));
    for (const { first, failure } of failures) {
      const isKnown = this.#told.has(failure.requirement) || this.#stories.length >= storiesMost;
      if (isKnown || requirement(failure.requirement).level !== 'must') continue;
      const alike = seen.filter(
        (each) => each !== first && failuresOf(each).some((one) => isSameViolation(one, failure)),
      );
      const { requirement: violated } = failure;
      await this.#tellShortest(first, failure, {
        requirement: violated,
        held,
        alike: alike.map(upToViolation),
      });
    }
  }

  async #tellShortest(first: Ran, failure: FlowJudgement, known: KnownOfFailure): Promise<void> {
    const { calls, exchangeAt, ending } = this.#parts;
    const { stop } = this.#options;
    const from = calls();
    const spent = () => calls() - from;
    const reads = isAboutMessages(failure);
    const attempt = async (sequence: Sequence, forCertain: boolean): Promise<Ran | undefined> => {
      const { ran } = this.#begin(sequence, { reads, ...(forCertain ? {} : { parts: this.#quickParts }) });
      const [ended] = await ending(ran.then((each) => [each]));
      return ended && failuresOf(ended).some((each) => isSameViolation(each, failure)) ? ended : undefined;
    };
    const {
      sequence,
      result: last,
      confirmed,
    } = await shrunk({ sequence: first.sequence, result: first }, { attempt, spent, stop }, known);
    const decisive = failuresOf(last).find((each) => isSameViolation(each, failure)) ?? failure;
    const row = rowIn(last, decisive.requirement, exchangeAt);
    this.#told.add(failure.requirement).add(decisive.requirement);
    if (!row || this.#stories.some(({ story }) => story.requirement === decisive.requirement)) return;
    this.#stories.push({
      row,
      story: {
        requirement: decisive.requirement,
        sequence,
        breaks: last.breaks,
        says: findingText(decisive.found, exchangeAt) ?? '',
        length: lengthOf(sequence),
        firstLength: lengthOf(first.sequence),
        calls: spent(),
        confirmed,
        timeline: last.results.flatMap(({ name, timeline }) =>
          timeline.map((each) => ({ flow: name, ...each })),
        ),
      },
    });
  }

  /** What the sequences say about each requirement: its story, other failures, and how many sequences did not violate it. */
  async #results(): Promise<readonly CheckResult[]> {
    const all = this.#ran.flatMap(({ results }) => results.flatMap(({ judgements }) => judgements));
    const decided = all.filter(({ verdict }) => verdict !== 'could-not-run');
    const told = this.#stories.map(({ story }) => story.requirement as RequirementId);
    const ids = [...new Set([...decided.map((each) => each.requirement), ...told])];
    return (await Promise.all(ids.map((id) => this.#resultOf(id)))).flat();
  }

  async #resultOf(id: RequirementId): Promise<readonly CheckResult[]> {
    const { exchangeAt } = this.#parts;
    const rows = this.#ran.flatMap((ran) => rowIn(ran, id, exchangeAt) ?? []);
    const told = this.#stories.filter(({ story }) => story.requirement === id);
    // A shorter sequence showed that another requirement is violated: the failure is told there.
    const elsewhere = told.length === 0 && this.#told.has(id);
    const failed = rows.filter(({ verdict }) => verdict === 'failed' && told.length === 0 && !elsewhere);
    const holds = rows.filter(({ verdict }) => verdict === 'passed').length;
    const none = { found: {}, exchanges: [], deliveries: [] } as const;
    const shown: FlowRow[] = [
      ...told.map(({ row }) => row),
      ...failed.slice(0, rowsMost),
      ...(holds > 0 ? [{ title: `${holds} explored sequences`, verdict: 'passed' as const, ...none }] : []),
    ];
    if (shown.length === 0) return [];
    const check = new Check({ title: 'explored sequences', tags: [`@${id}`] });
    const [story] = told;
    if (story) check.showTimeline(story.story.timeline);
    await check.judge(shown, saidByFlow);
    return check.results();
  }
}

/** A sequence that every target can complete. */
function plainest({ signs, callbacks }: Means): Sequence {
  return {
    people: [{ role: 'signer', order: 1 }],
    documents: ['page'],
    subscription: callbacks ? [1, 2, 3] : undefined,
    steps: signs ? [{ do: 'send' }, { do: 'act', who: 0 }] : [],
  };
}

function failuresOf({ results }: Pick<Ran, 'results'>): readonly FlowJudgement[] {
  return results.flatMap(({ judgements }) => judgements.filter(({ verdict }) => verdict === 'failed'));
}

/** Whether a sequence came to its end without any violation. */
function hasHeld(ran: Ran): boolean {
  return failuresOf(ran).length === 0 && ran.results.every(({ blocked }) => blocked === undefined);
}

/** A sequence up to the step that shows a violation: later steps cannot be the cause. */
function upToViolation({ sequence, breaks = sequence.steps.length }: Ran): Sequence {
  return { ...sequence, steps: sequence.steps.slice(0, breaks + 1) };
}

/** Pairs of expectations whose failures are the same: in a shorter sequence another requirement may be blamed. */
const sameExpectations = ['can,can', 'completes,completes', 'completes,events'];

function isSameViolation(one: FlowJudgement, other: FlowJudgement): boolean {
  const expected = [one, other].map(({ found }) => found.flow?.expected.is);
  return one.requirement === other.requirement || sameExpectations.includes(expected.sort().join());
}

function isAboutMessages({ requirement: id }: FlowJudgement): boolean {
  return [
    'signing.email-used',
    'signing.title-mailed',
    'signing.private-message',
    'signing.cc-receives-copy',
  ].includes(id);
}

/** What a sequence says about a requirement, as a row. */
function rowIn({ results }: Ran, id: RequirementId, exchangeAt: Exchanges): FlowRow | undefined {
  const rows = results.flatMap((result) => rowOf(result, id, false, exchangeAt) ?? []);
  return rows.find(({ verdict }) => verdict === 'failed') ?? rows[0];
}

/** Why it makes no sense to go on: none of the last sequences could be run. */
function whyStuck(ran: readonly Ran[]): string | undefined {
  const blocked = ran.flatMap(({ results }) =>
    results.flatMap((each) => (each.judgements.length === 0 && each.blocked ? [each.blocked] : [])),
  );
  const [first] = blocked;
  if (!first || blocked.length < ran.length) return undefined;
  return `nothing more could be made: ${findingText(first, () => undefined) ?? 'it was not judged'}`;
}
