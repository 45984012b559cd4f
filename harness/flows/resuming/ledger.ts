/** Notes during a run what people still have to do, so that the run can be resumed however it ends. */
import { resolve } from 'node:path';
import { ConfigurationError } from '../../../record/errors.ts';
import { sha256Of } from '../../../record/hash.ts';
import type { RunOptions } from '../../profile/run-options.ts';
import type { Profile } from '../../profile/schema.ts';
import type { FlowResult } from '../flow-plan.ts';
import {
  readWaiting,
  removeKey,
  removeState,
  runLeftIn,
  type Waiting,
  type WaitingFlow,
  type WaitingKeys,
  type WaitingState,
  waitingKeys,
  waitingVersion,
  writeKey,
  writeWaiting,
} from './waiting-file.ts';

interface LedgerOptions {
  /** Folder of the run that is beginning. */
  readonly out: string;
  readonly runId: string;
  readonly seed: number;
  readonly profile: Profile;
}

export class WaitingLedger {
  readonly keys: WaitingKeys;
  readonly resumed: boolean;
  readonly #folder: string;
  #state: WaitingState;

  private constructor(folder: string, state: WaitingState, keys: WaitingKeys, resumed: boolean) {
    this.#folder = folder;
    this.#state = state;
    this.keys = keys;
    this.resumed = resumed;
  }

  /** The ledger of a run, absent if nobody signs by hand. @throws ConfigurationError when the run of `resume` cannot go on */
  static for(given: LedgerOptions & Pick<RunOptions, 'resume' | 'manual'>): WaitingLedger | undefined {
    const { resume, manual, profile, out } = given;
    if (resume !== undefined) return WaitingLedger.resume(waitingFor(resume, profile, manual), out);
    if (profile.signing?.driver === 'manual' && manual) return WaitingLedger.begin(given);
    return undefined;
  }

  /** The ledger of a new run: what an earlier one left in the folder is forgotten. */
  static begin({ out, runId, seed, profile }: LedgerOptions): WaitingLedger {
    const left = runLeftIn(out);
    if (left !== undefined) removeKey(left);
    removeState(out);
    const { baseUrl } = profile.address;
    const state: WaitingState = {
      waitingVersion,
      runId,
      seed,
      baseUrl,
      people: peopleOf(profile),
      flows: [],
      results: [],
    };
    const keys = waitingKeys();
    // If this fails, it should fail before people have begun.
    writeKey(runId, keys.key);
    return new WaitingLedger(out, state, keys, false);
  }

  static resume(waiting: Waiting, out: string): WaitingLedger {
    const ledger = new WaitingLedger(out, waiting.state, waitingKeys(waiting.key), true);
    ledger.#write();
    // From now on the new run can be resumed, and the old one not.
    if (resolve(out) !== waiting.folder) removeState(waiting.folder);
    return ledger;
  }

  get runId(): string {
    return this.#state.runId;
  }

  get seed(): number {
    return this.#state.seed;
  }

  get port(): number | undefined {
    return this.#state.port;
  }

  /** Names of the flows that wait for people, and of those that have come to their end. */
  get names(): readonly string[] {
    return [...this.#state.flows, ...this.#state.results].map(({ name }) => name);
  }

  get results(): readonly FlowResult[] {
    return this.#state.results as unknown as readonly FlowResult[];
  }

  /** Names of the flows that wait for people. */
  get left(): readonly string[] {
    return this.#state.flows.map(({ name }) => name);
  }

  flow(name: string): WaitingFlow | undefined {
    return this.#state.flows.find((each) => each.name === name);
  }

  listensOn(port: number): void {
    this.#state = { ...this.#state, port };
  }

  /** A request of a flow was created. */
  add(flow: WaitingFlow): void {
    this.#change({ flows: [...this.#state.flows.filter(({ name }) => name !== flow.name), flow] });
  }

  note(name: string, change: Partial<Omit<WaitingFlow, 'name'>>): void {
    const flows = this.#state.flows.map((each) => (each.name === name ? { ...each, ...change } : each));
    this.#change({ flows });
  }

  /** A flow has ended: its result replaces it. */
  finish(result: FlowResult): void {
    const { name, observations, timeline } = result;
    // Indexes of exchanges and deliveries mean nothing in another run.
    const judgements = result.judgements.map(({ found: { received: _, ...found }, ...each }) => {
      return { ...each, found, exchanges: [], deliveries: [] };
    });
    this.#change({
      flows: this.#state.flows.filter((each) => each.name !== name),
      results: [
        ...this.#state.results.filter((each) => each.name !== name),
        {
          name,
          judgements,
          observations: observations.map((each) => ({ ...each, deliveries: [] })),
          timeline: timeline.map(({ delivery: _, ...entry }) => entry),
        },
      ],
    });
  }

  /** At the end of a run: removes the files where no flow waits for people. */
  close(): void {
    if (this.#state.flows.length > 0) return;
    removeState(this.#folder);
    removeKey(this.runId);
  }

  #change(change: Partial<WaitingState>): void {
    this.#state = { ...this.#state, ...change };
    this.#write();
  }

  #write(): void {
    writeWaiting({ state: this.#state, key: this.keys.key, folder: this.#folder });
  }
}

/** What the run at a place left with people. @throws ConfigurationError when it cannot go on, with the reason and the fix */
export function waitingFor(place: string, profile: Profile | undefined, manual: boolean): Waiting {
  if (!manual) throw new ConfigurationError('--resume and --no-manual exclude each other');
  if (!profile) throw new ConfigurationError(`--resume ${place}: name the --target of that run too`);
  const waiting = readWaiting(place);
  const { state } = waiting;
  const refuse = (why: string): never => {
    throw new ConfigurationError(`--resume ${place}: ${why}`);
  };
  const { baseUrl } = profile.address;
  if (baseUrl !== state.baseUrl)
    refuse(`is a run of another target: its address.baseUrl was ${state.baseUrl}, and now is ${baseUrl}`);
  if (peopleOf(profile) !== state.people)
    refuse('its people were others: set people in the profile to what it was then, or start a new run');
  if (profile.signing?.driver !== 'manual')
    refuse('its requests wait for people: the profile needs signing.driver "manual", as it had then');
  if (state.flows.length === 0) refuse('nothing is left to resume: no request of this run waits for people');
  return waiting;
}

const peopleOf = ({ people = {} }: Profile): string => sha256Of(JSON.stringify(people));
