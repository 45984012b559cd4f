/** A run against one target: puts the parts together and answers what the checks ask. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Budget } from './budget.ts';
import type { Answer, Call } from './call.ts';
import { Client } from './client.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Created, Observation } from './exchange.ts';
import { HttpSender } from './http.ts';
import { observe } from './observe.ts';
import { PeopleRedactor } from './people-redaction.ts';
import { parseJson, valueAt } from './pointer.ts';
import type { LoadedProfile } from './profile/load.ts';
import type { Profile } from './profile/schema.ts';
import { Recorder } from './recorder.ts';
import { Redactor } from './redact.ts';
import type { RunOptions } from './run-options.ts';
import { CouldNotRun, type RunFacts, type Seen, type Session, type SharedCall } from './session.ts';
import { Shared } from './shared.ts';
import type { Variables } from './template.ts';
import { TokenError, Tokens } from './tokens.ts';
import { notApplicable } from './unlocks.ts';
import { uploadFormats } from './upload.ts';

const defaults = { deadlineMs: 10_000, connectMs: 4_000, maxResponseBytes: 32 * 1024 * 1024 };

export class RunSession implements Session {
  readonly profile: Profile;
  readonly recorder: Recorder;
  readonly tokens: Tokens;
  readonly #facts: RunFacts;
  readonly #client: Client;
  readonly #shared: Shared;
  readonly #sender: HttpSender;
  readonly #seen: Observation[] = [];
  #expired: Promise<string | undefined> | null = null;

  constructor(
    { profile, secrets }: LoadedProfile,
    options: Pick<RunOptions, 'out' | 'seed' | 'concurrency' | 'explore'>,
    run: { readonly runId: string; readonly callbackUrl: string },
  ) {
    const { address } = profile;
    const redactor = new Redactor();
    for (const [name, value] of secrets) redactor.add(value, name);
    this.profile = profile;
    this.recorder = new Recorder(
      redactor,
      new PeopleRedactor({ profile, runId: run.runId, seed: options.seed }),
      join(options.out, 'bodies'),
    );
    this.tokens = new Tokens(profile.auth, redactor, address.deadlineMs ?? defaults.deadlineMs);
    const accessCode = randomBytes(6).toString('hex');
    redactor.add(accessCode, 'access code');
    this.#facts = {
      accessCode,
      creations: { template: profile.create?.template?.body, fixed: profile.create?.fixed?.body },
      runId: run.runId,
      callbackUrl: run.callbackUrl,
      seed: options.seed,
      explore: options.explore,
      people: profile.people ?? {},
      limits: profile.limits ?? {},
      notApplicable: notApplicable(profile),
    };
    this.#sender = new HttpSender({
      deadlineMs: address.deadlineMs ?? defaults.deadlineMs,
      connectMs: address.connectMs ?? defaults.connectMs,
      maxResponseBytes: address.maxResponseBytes ?? defaults.maxResponseBytes,
      ca: address.ca ? readCertificate(address.ca) : undefined,
    });
    const budget = new Budget({
      inFlight: Math.min(options.concurrency, address.inFlight ?? Number.POSITIVE_INFINITY),
      perSecond: address.perSecond,
    });
    const [format] = uploadFormats(profile.upload);
    this.#client = new Client(
      {
        profile,
        sender: this.#sender,
        budget,
        tokens: this.tokens,
        recorder: this.recorder,
        expiredToken: () => this.#expiredToken(redactor),
      },
      format ?? { encoding: 'raw' },
    );
    this.#shared = new Shared(this.#client, profile, this.#facts);
  }

  async facts(): Promise<RunFacts> {
    return this.#facts;
  }

  async call(call: Call): Promise<Answer> {
    // The first upload finds out how files are sent, which every other upload needs to know.
    if (call.operation === 'uploadDocument') await this.shared('document');
    return this.#blocked(() => this.#client.call(call));
  }

  async template(name: keyof NonNullable<Profile['calls']>, variables: Variables): Promise<Answer> {
    const template = this.profile.calls?.[name];
    if (!template) throw new CouldNotRun(`the profile has no calls.${name}`);
    return this.#blocked(() => this.#client.template(name, template, variables));
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

  request(count: number): Promise<string> {
    return this.#blocked(() => this.#shared.request(count));
  }

  async observe(seen: Seen): Promise<void> {
    this.#seen.push(seen);
  }

  /** What was seen about the gaps: reported by checks, and read from the exchanges. */
  observations(): Observation[] {
    return [...this.#seen, ...observe(this.recorder.exchanges)];
  }

  /** What the user ought to know although it changes no verdict. */
  warnings(): string[] {
    const { renewals } = this.tokens;
    return renewals > 0 ? [`the access token was renewed ${renewals} times during the run`] : [];
  }

  created(): Created[] {
    return this.recorder.created;
  }

  close(): void {
    this.#sender.close();
  }

  /** No access token is a missing prerequisite, whichever call met it first. */
  async #blocked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TokenError) throw new CouldNotRun(this.recorder.text(error.message));
      throw error;
    }
  }

  #expiredToken(redactor: Redactor): Promise<string | undefined> {
    this.#expired ??= this.#makeExpired(redactor);
    return this.#expired;
  }

  async #makeExpired(redactor: Redactor): Promise<string | undefined> {
    if (this.tokens.expired) return this.tokens.expired;
    const template = this.profile.calls?.expireToken;
    if (!template) return undefined;
    const token = await this.tokens.spare();
    const answer = await this.#client.template('expireToken', template, { token });
    const found = template.result ? valueAt(parseJson(answer.text), template.result) : token;
    if (typeof found !== 'string' || found === '') {
      throw new CouldNotRun('calls.expireToken gave no expired token');
    }
    redactor.add(found, 'expired access token');
    return found;
  }
}

function readCertificate(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError(
      `address.ca "${file}" cannot be read (${(error as NodeJS.ErrnoException).code}); give the path of a PEM file`,
    );
  }
}
