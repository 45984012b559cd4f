/** A run and its host: the session opens when a check first asks for it, and gives the record at its end. */
import { dirname } from 'node:path';
import { WaitingLedger, waitingFor } from '../harness/flows/resuming/ledger.ts';
import { newRunId } from '../harness/judging/names.ts';
import { saidUnder } from '../harness/profile/literal-secrets.ts';
import { assertLoggedIn, type LoadedProfile, loadProfile } from '../harness/profile/load.ts';
import { missingKeys } from '../harness/profile/needs.ts';
import type { RunOptions } from '../harness/profile/run-options.ts';
import { targetName } from '../harness/profile/schema.ts';
import { replayOf } from '../harness/replaying/deck.ts';
import { lockFolder } from '../harness/session/folder-lock.ts';
import { type Host, startHost } from '../harness/session/host.ts';
import { RunSession } from '../harness/session/run-session.ts';
import { gaps } from '../openapi/gaps/register.ts';
import { counted } from '../record/counted.ts';
import { display } from '../record/own-files.ts';
import { Stages } from '../record/stages.ts';
import type { RunRecord } from '../reports/assembling/record.ts';
import { flows } from '../tests/flows/all.ts';
import type { Target } from './reference-target.ts';

export class HostedRun {
  readonly #options: RunOptions;
  readonly #loaded: LoadedProfile | null;
  readonly #host: Host;
  readonly startedAt = new Date().toISOString();
  #session: Promise<RunSession> | null = null;
  #target: Target | null = null;
  #waiting: WaitingLedger | undefined;
  readonly #unlock: (() => void)[] = [];
  #isClosed = false;

  private constructor(options: RunOptions, loaded: LoadedProfile | null, host: Host) {
    this.#options = options;
    this.#loaded = loaded;
    this.#host = host;
  }

  /** Starts the host and nothing else. @throws ConfigurationError when the profile cannot be used */
  static async start(options: RunOptions): Promise<HostedRun> {
    const loaded = loadProfile(options);
    if (loaded) assertLoggedIn(loaded);
    const host = await startHost(() => hosted.session());
    const hosted = new HostedRun(options, loaded, host);
    return hosted;
  }

  get address(): Host['address'] {
    return this.#host.address;
  }

  session(): Promise<RunSession> {
    this.#session ??= this.#open();
    return this.#session;
  }

  get isOpen(): boolean {
    return this.#session !== null;
  }

  /** Ends all calls to the target except removals. */
  async interrupt(): Promise<void> {
    await (await this.#session)?.interrupt();
  }

  /**
   * Ends the run: removes what it created, makes its record, and closes the session. Errors on the way become
   * problems of the record, and the rest is done all the same. The folder stays locked until `close`.
   */
  async end(confirmation?: RunRecord['confirmation']): Promise<RunRecord> {
    const run = await this.session();
    const { stages, recorder, tenancy } = run;
    // Requests that people still have to sign stay at the target until the run is resumed.
    const waits = (this.#waiting?.left.length ?? 0) > 0;
    if (!waits) await stages.run('the clean-up', () => tenancy.cleanUp(), null);
    const record = await this.#record(run, confirmation);
    await this.#closeSession(stages);
    if (tenancy.unlisted) stages.note('the list of what the run created', tenancy.unlisted);
    return { ...record, problems: recorder.clean(stages.problems) };
  }

  /** To be called after run.json was written: from then on run.json lists the objects that the run left. */
  async written(): Promise<void> {
    (await this.#session)?.tenancy.end();
  }

  async #record(run: RunSession, confirmation?: RunRecord['confirmation']): Promise<RunRecord> {
    const { profile, recorder, stages } = run;
    // Observations are made first, so that the exchanges taken afterwards have all that they refer to.
    const observations = await stages.run('the observations', () => run.observations(), []);
    const exchanges =
      (await stages.run('documents in answers', () => recorder.final(), null)) ??
      stages.now('the record of exchanges', () => recorder.settled(), []);
    return {
      target: {
        name: targetName(profile),
        baseUrl: profile.address.baseUrl,
        profileHash: this.#target?.loaded.hash ?? '',
      },
      seed: this.#waiting?.seed ?? this.#options.seed,
      startedAt: this.startedAt,
      exchanges,
      ...(await stages.run('the record of callbacks', () => run.callbacks(), {
        deliveries: [],
        unattributed: [],
      })),
      created: run.created(),
      observations,
      answeredByProfile: recorder.clean(answeredGaps(this.#target?.loaded ?? { profile })),
      retries: recorder.exchanges.reduce((sum, { retries }) => sum + retries.length, 0),
      warnings: [
        ...stages.now('the warnings', () => run.warnings(), []),
        ...leftWith(this.#waiting, this.#options),
      ],
      unlocks: missingKeys(profile, this.#options.only),
      confirmation,
      mustRun: profile.mustRun,
    };
  }

  async close(): Promise<void> {
    const stages = new Stages();
    await this.#closeSession(stages);
    for (const unlock of this.#unlock.splice(0)) stages.now('the lock of the folder', unlock, null);
    await stages.run('the run host', () => this.#host.close(), null);
    stages.assertWhole();
  }

  /** Closes the session, once. If it could not be opened, those who asked for it have got the error. */
  async #closeSession(stages: Stages): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    if (this.#isClosed) return;
    this.#isClosed = true;
    await stages.run('the session', () => session?.close(), null);
    stages.now('what waits for people', () => this.#waiting?.close(), null);
    await stages.run('the reference service', () => this.#target?.close(), null);
  }

  /** Opens the session: at the target, as the run that is begun, resumed or replayed, with its folders locked. */
  async #open(): Promise<RunSession> {
    const options = this.#options;
    const { resume, manual } = options;
    const replay = options.replay === undefined ? undefined : await replayOf(options.replay);
    const { loaded } = await this.#startTarget(replay?.loaded ?? this.#loaded);
    const { profile, file } = loaded;
    const recorded = replay?.recording;
    // People and documents are derived from the id and the seed: a run that is resumed or replayed keeps both.
    const { runId, seed } =
      resume === undefined
        ? { runId: recorded?.runId ?? newRunId(), seed: recorded?.seed ?? options.seed }
        : waitingFor(resume, profile, manual).state;
    await this.#lockFolders(runId);
    // In a replay nobody is asked to sign, and the run that was recorded may still wait for its people.
    if (!replay) this.#waiting = WaitingLedger.for({ ...options, runId, seed, profile });
    return new RunSession(
      loaded,
      { ...options, seed, explore: recorded?.explore ?? options.explore },
      {
        waiting: this.#waiting,
        record: options.record,
        replay,
        runId,
        callbackUrl: `${this.address.url}/callbacks`,
        flows: options.exploreAlone ? [] : flows,
        profileDir: file ? dirname(file) : process.cwd(),
      },
    );
  }

  /** The target of a profile; without one the reference service, whose code is loaded only then. */
  async #startTarget(loaded: LoadedProfile | null): Promise<Target> {
    this.#target = loaded
      ? { loaded, close: async () => {} }
      : await (await import('./reference-target.ts')).startReferenceTarget();
    return this.#target;
  }

  /** Locks the folders before anything is written. Other runs ask the host by the run's id whether it still runs. */
  async #lockFolders(runId: string): Promise<void> {
    const { out, record } = this.#options;
    this.#host.runId = runId;
    for (const folder of new Set([out, record]))
      if (folder !== undefined) this.#unlock.push(await lockFolder(folder, runId, this.address));
  }
}

/** How to continue with requests that people have not signed yet. */
function leftWith(waiting: WaitingLedger | undefined, { target, out }: RunOptions): string[] {
  const { length } = waiting?.left ?? [];
  if (length === 0) return [];
  return [
    `${counted(length, 'request waits', 'requests wait')} for people; go on with: esign-conformance run --target ${target} --resume ${display(out)}`,
  ];
}

function answeredGaps(loaded: Pick<LoadedProfile, 'profile' | 'written'>): RunRecord['answeredByProfile'] {
  return gaps.flatMap(({ id, profileKey }) => {
    const says = profileKey === undefined ? undefined : saidUnder(profileKey, loaded);
    return says === undefined ? [] : [{ gap: id, says }];
  });
}
