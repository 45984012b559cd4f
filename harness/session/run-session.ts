/** The session of a run against one target: builds its parts and answers what the checks ask. */
import type { Observation } from '../../openapi/observation.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { CouldNotRun, callFailed } from '../../record/errors.ts';
import { type Created, is2xx, is4xx, isPage } from '../../record/exchange.ts';
import type { SharedCall } from '../../record/finding.ts';
import { Stages } from '../../record/stages.ts';
import { allRead } from '../callbacks/reading.ts';
import { type Exploration, type ExploreOptions, explore } from '../exploring/explore.ts';
import { chooseFlows, neededFlows } from '../flows/choose-flows.ts';
import { firstFacts, listensInPublic, type RunGiven, withReachedUrl } from '../flows/first-facts.ts';
import { type FlowService, flowService } from '../flows/flow-service.ts';
import { type OpenFlows, openFlows } from '../flows/open-flows.ts';
import { classify } from '../judging/classify.ts';
import { accessCodeFor } from '../judging/names.ts';
import type { FlowEvidence, ReportedObservation, RunFacts, Session } from '../judging/session.ts';
import { Shared } from '../judging/shared.ts';
import { unavailable } from '../judging/unavailable.ts';
import type { LoadedProfile } from '../profile/load.ts';
import { notApplicable } from '../profile/needs.ts';
import type { RunOptions } from '../profile/run-options.ts';
import { addressDefaults, type Profile } from '../profile/schema.ts';
import { isSuccess, mayBeLater, type Variables } from '../profile/template.ts';
import { PeopleRedactor } from '../recording/people-redaction.ts';
import { Recorder } from '../recording/recorder.ts';
import { type Redactor, redactorOf } from '../recording/redact.ts';
import { type Deck, deckFor } from '../replaying/deck.ts';
import { expiredToken } from '../target/access/expired-token.ts';
import { TokenError } from '../target/access/token-request.ts';
import { AccessTokens } from '../target/access/tokens.ts';
import { askWhile } from '../target/budgets/pause.ts';
import { type Answer, type Call, isAccepted } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import { senderTo } from '../target/outgoing.ts';
import { hurry } from '../untrusted/deadline.ts';
import type { HttpSender } from '../wire/http.ts';
import { type CallbacksOfRun, observeRun, recordedCallbacks } from './observe-run.ts';
import { Tenancy } from './tenancy.ts';

/** Statuses of 4xx that do not say whether the call was done. */
const notJudged = [401, 408, 425, 429];

export class RunSession implements Session {
  readonly profile: Profile;
  readonly recorder: Recorder;
  readonly tokens: AccessTokens;
  /** Stages of the suite itself that broke; the run goes on. */
  readonly stages = new Stages();
  readonly #facts: RunFacts;
  readonly #client: Client;
  #shared: Shared;
  readonly #sender: HttpSender;
  readonly #seen: Observation[] = [];
  readonly #flows: FlowService;
  readonly #warnings: string[] = [];
  readonly #open: () => Promise<OpenFlows>;
  #opening: Promise<OpenFlows> | null = null;
  readonly tenancy: Tenancy;
  readonly #deck: Deck;
  #opened: OpenFlows | null = null;
  #reached: Promise<RunFacts> | null = null;
  #expired: Promise<string | undefined> | null = null;

  constructor(
    loaded: LoadedProfile,
    options: Pick<
      RunOptions,
      'out' | 'seed' | 'concurrency' | 'explore' | 'manual' | 'only' | 'budget' | 'exploreSteps' | 'exploreMs'
    >,
    run: RunGiven,
  ) {
    const { profile, secrets, ca, tokenFile } = loaded;
    const { address } = profile;
    const redactor = redactorOf(secrets);
    this.profile = profile;
    this.recorder = new Recorder(
      redactor,
      new PeopleRedactor({ profile, runId: run.runId, seed: options.seed }),
      options.out,
      this.stages,
    );
    this.#sender = senderTo(address, ca, (secret) => redactor.add(secret, 'proxy password'));
    this.#deck = deckFor(run, this.#sender, { loaded, recorder: this.recorder, redactor });
    this.tokens = new AccessTokens(profile.auth, {
      redactor,
      send: (request) => this.#sender.send(request),
      address,
      file: tokenFile,
    });
    const codeBefore = run.waiting?.keys.accessCode ?? this.#deck.facts.accessCode;
    const accessCode = accessCodeFor(codeBefore, redactor);
    const { waiting } = run;
    const unavailableIds = notApplicable(profile, options);
    const wishes = { explore: options.explore, only: options.only, notApplicable: unavailableIds, waiting };
    const chosen = chooseFlows(run.flows, profile, wishes);
    const notApplicableIds = { ...chosen.notApplicable, ...unavailableIds };
    const first = firstFacts({ profile, options, run, accessCode, notApplicable: notApplicableIds });
    this.#facts = { ...first, ...this.#deck.facts, accessCode };
    this.tenancy = new Tenancy({
      profile,
      recorder: this.recorder,
      options,
      run,
      hangUp: () => this.#sender.close(),
    });
    this.#client = this.tenancy.client({
      sender: this.#sender,
      tokens: this.tokens,
      tape: this.#deck.tape,
      expiredToken: () => this.#expiredToken(redactor),
    });
    this.#shared = new Shared(this.#client, profile, this.#facts);
    const { only } = options;
    const wanted = (id: RequirementId) => notApplicableIds[id] === undefined && (!only || only.includes(id));
    this.#flows = flowService(
      neededFlows(chosen.flows, profile, wanted),
      () => this.#open(),
      (index) => this.recorder.exchanges[index],
      (id) => notApplicableIds[id] === undefined,
      waiting?.results,
    );
    this.#open = () =>
      (this.#opening ??= openFlows({
        client: this.#client,
        profile,
        facts: this.#facts,
        profileDir: run.profileDir,
        firstUpload: () => this.shared('document'),
        called: (...call) => this.tenancy.called(...call),
        warn: (text) => this.#warnings.push(text),
        learned: (secret) => {
          // A link may contain the id of an object that was created. Such an id is no secret, and no call could be
          // made again without it.
          if (this.recorder.created.some(({ id }) => id === secret)) return;
          redactor.addOneTime(secret, 'one-time secret');
        },
        withhold: (index) => this.recorder.withhold(index),
        waiting,
        clean: (value) => this.recorder.clean(value),
        stages: this.stages,
        replay: this.#deck.listener,
      }).then((opened) => {
        this.#opened = opened;
        return opened;
      }));
  }

  async facts(): Promise<RunFacts> {
    if (this.#deck.listener || !listensInPublic(this.profile)) return this.#facts;
    this.#reached ??= this.stages.run(
      'the listener',
      () => withReachedUrl(this.#facts, this.#open),
      this.#facts,
    );
    return this.#reached;
  }

  async call(call: Call): Promise<Answer> {
    // The first upload finds out how files are sent; every other upload uses that.
    if (call.operation === 'uploadDocument') {
      const first = await this.shared('document');
      if (!isAccepted(first)) throw unavailable('document', first);
    }
    if (call.beside)
      return this.#blocked(() =>
        this.#shared.beside((requestId) => this.#client.call({ ...call, requestId })),
      );
    const answer = await this.#blocked(() => this.#client.call(call));
    this.#shared.answered(call, answer);
    return answer;
  }

  async template(
    name: keyof NonNullable<Profile['calls']>,
    variables: Variables,
    again?: 'again',
  ): Promise<Answer> {
    const template = this.profile.calls?.[name];
    if (!template) throw new CouldNotRun(`the profile has no calls.${name}`);
    const call = (freshIds: boolean) =>
      this.#blocked(() => this.#client.template(name, template, variables, { freshIds }));
    // The call may name an object that was made a moment ago.
    let answer = await call(true);
    if (isPage(answer.text)) {
      // A page may come from a gateway that did nothing. So the call is made once more: a 4xx then shows that it was done.
      const second = await call(false);
      const done = isSuccess(template, answer) && is4xx(second) && !notJudged.includes(second.status);
      if (!done) answer = second;
    }
    const isLater = (each: Answer) => mayBeLater(template, each);
    if (isLater(answer)) {
      // If the object may end only later, it is asked for until it is gone: nothing else shows that it has ended.
      const isOpen = ({ status }: Answer) => !is2xx({ status }) && ![404, 410].includes(status);
      const last = await askWhile(
        this.profile.address.visibleAfterMs ?? addressDefaults.visibleAfterMs,
        (each) => isLater(each) || isOpen(each),
        () => call(false),
      );
      const why = `a call of the profile may do later what it is made for; where 202 means done, calls.${name}.accept says so`;
      if (isLater(last) || isOpen(last)) throw callFailed(why, last);
    }
    this.tenancy.called(name, variables, answer);
    const isFound = again !== undefined && classify(answer) === 'conflict';
    if (!isFound && !isSuccess(template, answer))
      throw callFailed('a call of the profile did not succeed', answer, `calls.${name}`);
    return answer;
  }

  /** Ends all calls to the target and all waiting for callbacks; objects at the target stay. */
  async interrupt(): Promise<void> {
    Object.assign(hurry, { on: true, payloadsMs: 0 });
    this.tenancy.interrupt();
    this.#flows.stop();
    await this.#opened?.listener.close();
  }

  shared(name: SharedCall): Promise<Answer> {
    return this.#blocked(() => this.#shared.get(name));
  }

  repeat(name: SharedCall): Promise<Answer> {
    return this.#blocked(() => this.#shared.repeat(name));
  }

  documents(count: number): Promise<readonly string[]> {
    return this.#blocked(() => this.#shared.documents(count));
  }

  tokensEnd(notFound?: SharedCall): Promise<boolean> {
    return this.#blocked(() => this.#shared.tokensEnd(notFound));
  }

  request(count: number | 'own' | 'full' | 'alone'): Promise<string> {
    return this.#blocked(() => this.#shared.request(count));
  }

  async observe(seen: ReportedObservation): Promise<void> {
    this.#seen.push(seen);
  }

  /** Makes shared calls anew for a round in which failures are confirmed; returns the index of the next exchange. */
  beginRound(round: number): number {
    this.#shared = new Shared(this.#client, this.profile, this.#facts, round);
    return this.recorder.exchanges.length;
  }

  /** Begins the flows, so that they are under way while other checks run. */
  startFlows(): void {
    if (!this.#flows.hasAny) return;
    // The access token comes while the first document is made. Errors reach the calls, and the checks that ask for evidence.
    this.tokens.valid().catch(() => undefined);
    this.#flows.start().catch(() => undefined);
  }

  async evidence(requirement: RequirementId, ifBegun?: boolean): Promise<FlowEvidence> {
    // Findings of flows may quote answers of the target, so they are redacted here.
    return this.recorder.clean(await this.#blocked(() => this.#flows.evidence(requirement, ifBegun)));
  }

  /** Runs random steps after the checks. @throws CouldNotRun when the target is out of reach, or nothing can be explored */
  async explore(options: ExploreOptions, told?: (steps: number) => void): Promise<Exploration> {
    const { parts } = await this.#blocked(() => this.#open());
    const { exchanges } = this.recorder;
    return this.recorder.clean(
      await explore(
        {
          flows: parts,
          calls: () => exchanges.length,
          exchangeAt: (index) => exchanges[index],
          ending: (work) => this.tenancy.ending(work),
          told,
        },
        options,
      ),
    );
  }

  /** Asks people for nothing more, and waits for steps under way; tasks that people have not done stay with them. */
  async finish(): Promise<void> {
    this.#flows.stop();
    await this.tenancy.ending(this.#flows.finished());
  }

  /** The deliveries to the listener, redacted. */
  async callbacks(): Promise<CallbacksOfRun> {
    const nothing = { deliveries: [], unattributed: [] };
    return this.#opened ? recordedCallbacks(this.#opened.parts, this.recorder, this.stages) : nothing;
  }

  /** Observations: those that checks reported, and those read from the exchanges. */
  async observations(): Promise<Observation[]> {
    const observed = await observeRun({
      recorder: this.recorder,
      reported: this.#seen,
      flows: await this.tenancy.ending(this.#flows.finished()),
      parts: this.#opened?.parts,
      uploadFormat: this.#client.uploadFormat,
      stages: this.stages,
    });
    return [...observed, ...this.tokens.observations()];
  }

  /** Sentences that the user should know, though they change no verdict. */
  warnings(): string[] {
    const { renewals } = this.tokens;
    const renewed = renewals > 0 ? [`the access token was renewed ${renewals} times during the run`] : [];
    const listener = this.#opened?.listener.problems() ?? [];
    const problems = listener.map((each) => `the callback listener: ${each}`);
    return [
      ...renewed,
      ...this.tokens.warnings,
      ...this.tenancy.warnings,
      ...this.#warnings,
      ...this.#flows.unfinished(),
      ...problems,
    ].map((text) => this.recorder.text(text));
  }

  /** What was created. An id may hold a secret too; digits alone may equal a code by chance, and the clean-up needs them. */
  created(): Created[] {
    const { recorder } = this;
    return recorder.created.map((each) => (/^\d+$/.test(each.id) ? each : recorder.clean(each)));
  }

  async close(): Promise<void> {
    const { stages } = this;
    const opened = this.#opened;
    await stages.run('the recording', async () => this.#deck.end(await this.facts(), opened?.listener), null);
    await opened?.close();
    stages.now('the connections', () => this.#sender.close(), null);
    if (hurry.on) await stages.run('what is left to read', allRead, undefined);
    // The bounds on reading start anew for another run in this process.
    Object.assign(hurry, { on: false, payloadsMs: 0, mailsMs: 0, pdfsMs: 0 });
  }

  /** The result of `work`. A missing access token is a missing prerequisite for every call, and an interrupt ends all waiting. */
  async #blocked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.tenancy.unlessInterrupted(work());
    } catch (error) {
      if (error instanceof TokenError) throw new CouldNotRun(this.recorder.text(error.message));
      throw error;
    }
  }

  #expiredToken(redactor: Redactor): Promise<string | undefined> {
    this.#expired ??= expiredToken(
      this.tokens,
      this.profile.calls?.expireToken,
      (template, variables, learn) => this.#client.template('expireToken', template, variables, { learn }),
      (token) => redactor.add(token, 'expired access token'),
    );
    return this.#expired;
  }
}
