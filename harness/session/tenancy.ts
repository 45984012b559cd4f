/** Makes a run a good tenant of its target: limits what it calls and creates, and removes what it made. */
import { setMaxListeners } from 'node:events';
import { CouldNotRun } from '../../record/errors.ts';
import type { Created } from '../../record/exchange.ts';
import type { RunGiven } from '../flows/first-facts.ts';
import type { RunOptions } from '../profile/run-options.ts';
import type { Profile } from '../profile/schema.ts';
import { isProduction, smokeRequests } from '../profile/smoke.ts';
import { isSuccess, type Variables } from '../profile/template.ts';
import type { Recorder } from '../recording/recorder.ts';
import { Budget } from '../target/budgets/calls.ts';
import { RequestBudget } from '../target/budgets/requests.ts';
import type { Answer } from '../target/call.ts';
import { cleanUp, leftOf, removalBy } from '../target/cleanup.ts';
import { Client, type ClientParts } from '../target/client.ts';
import { uploadFormats } from '../target/upload.ts';
import { unlessAborted } from '../untrusted/deadline.ts';
import { limits } from '../untrusted/limits.ts';
import { CleanupJournal } from './cleanup-journal.ts';
import { exploredRequests, planOf } from './plan.ts';

/** How long the end of a run waits for calls under way. */
const endingMs = 3_000;
const interruptedWords = 'the run was interrupted';

interface TenancyParts {
  readonly profile: Profile;
  readonly recorder: Recorder;
  readonly options: Pick<
    RunOptions,
    'out' | 'concurrency' | 'only' | 'explore' | 'manual' | 'budget' | 'exploreSteps' | 'exploreMs'
  >;
  readonly run: Pick<RunGiven, 'runId' | 'flows' | 'replay'>;
  /** Ends all calls under way. */
  readonly hangUp: () => void;
}

export class Tenancy {
  /** Sentences that the user should know. */
  readonly warnings: string[] = [];
  interrupted = false;
  /** Aborted some time after an interrupt, when work under way has had its time to end. */
  readonly #overdue = new AbortController();
  readonly #profile: Profile;
  readonly #recorder: Recorder;
  /** Absent in a replay, which creates nothing: what its recording lists may be anybody's. */
  readonly #journal: CleanupJournal | undefined;
  readonly #pace: ConstructorParameters<typeof Budget>[0];
  readonly #budget: Budget;
  readonly #removals: Budget;
  readonly #requests: RequestBudget;
  readonly #hangUp: () => void;
  #cleaner: Client | undefined;

  constructor({ profile, recorder, options, run, hangUp }: TenancyParts) {
    const { address, limits: ofTarget } = profile;
    // Each check that waits for something adds a listener.
    setMaxListeners(0, this.#overdue.signal);
    this.#profile = profile;
    this.#recorder = recorder;
    this.#hangUp = hangUp;
    const journal = run.replay ? undefined : new CleanupJournal(options.out, run.runId, address.baseUrl);
    if (journal) recorder.noted = (created) => journal.note(created);
    this.#journal = journal;
    this.#pace = {
      inFlight: Math.min(options.concurrency, address.inFlight ?? Number.POSITIVE_INFINITY),
      perSecond: address.perSecond,
    };
    this.#budget = new Budget({ ...this.#pace, withinMs: limits.runMs.most + (options.exploreMs ?? 0) });
    this.#removals = new Budget(this.#pace);
    this.#requests = new RequestBudget({
      limit: isProduction(profile) ? smokeRequests : ofTarget?.requests,
      budget: options.budget,
      more: exploredRequests(options),
      forMusts: planOf({ profile, options, flows: run.flows }).requestsForMusts,
    });
  }

  /** The client of the run, which keeps to its budgets. */
  client(given: Pick<ClientParts, 'sender' | 'tokens' | 'expiredToken' | 'tape'>): Client {
    const parts: ClientParts = {
      ...given,
      profile: this.#profile,
      recorder: this.#recorder,
      budget: this.#budget,
      requests: this.#requests,
      journal: this.#journal,
    };
    const [format = { encoding: 'raw' as const }] = uploadFormats(this.#profile.upload);
    // Removals have a budget of their own, so that they go on when no other call is allowed any more.
    this.#cleaner = new Client({ ...parts, budget: this.#removals }, format);
    return new Client(parts, format);
  }

  /** Notes a call of the profile that may have removed an object. */
  called(name: string, variables: Variables, answer: Answer): void {
    const removal = removalBy(name);
    if (!removal || !isSuccess(this.#profile.calls?.[removal.name] ?? {}, answer)) return;
    const { kind } = removal;
    const ids = Object.values(variables);
    this.#recorder.created = this.#recorder.created.map((each) =>
      each.kind === kind && ids.includes(each.id) ? { ...each, removed: true } : each,
    );
  }

  /** Ends all calls to the target except removals. */
  interrupt(): void {
    if (this.interrupted) return;
    this.interrupted = true;
    this.#budget.giveUp(interruptedWords);
    setTimeout(() => this.#overdue.abort(), endingMs).unref();
  }

  /** The result of work; an empty list when the run is interrupted and the work does not end soon after. */
  ending<T>(work: Promise<readonly T[]>): Promise<readonly T[]> {
    return unlessAborted(this.#overdue.signal, work, () => []);
  }

  /**
   * The result of work for a check. Without this, Playwright would wait after an interrupt for a check that itself waits
   * for people or messages.
   * @throws CouldNotRun when the run is interrupted, and the work does not end soon after
   */
  unlessInterrupted<T>(work: Promise<T>): Promise<T> {
    return unlessAborted(this.#overdue.signal, work, () => {
      throw new CouldNotRun(interruptedWords);
    });
  }

  /** Removes the objects that this run, or the given one, created; each that cannot be removed gives a warning. */
  async cleanUp(ofAnother?: readonly Created[]): Promise<readonly Created[]> {
    // Calls under way may still create something.
    await this.#budget.idle(endingMs);
    const created = ofAnother ?? this.#recorder.created;
    const client = this.#cleaner;
    if (!client || leftOf(this.#profile, created).length === 0) return created;
    const enough = () => {
      if (!this.interrupted) return;
      this.#removals.giveUp(`${interruptedWords}, and this took long`);
      this.#hangUp();
    };
    // The interrupt may come in the middle of the removals.
    const timer = setInterval(enough, limits.removingMs.most);
    const done = await cleanUp(this.#profile, created, (name, template, variables) =>
      client.template(name, template, variables),
    ).finally(() => clearInterval(timer));
    this.warnings.push(...done.failures);
    if (!ofAnother) this.#recorder.created = [...done.created];
    return done.created;
  }

  /** Why the list of created objects is not complete; absent when it is. */
  get unlisted(): Error | undefined {
    return this.#journal?.trouble;
  }

  /** Removes the journal: the run has come to its end, and run.json lists what it leaves. */
  end(): void {
    this.#journal?.end();
  }
}
