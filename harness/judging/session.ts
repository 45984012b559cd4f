/** What the checks see of a run: calls to the target, objects that several checks share, facts about the profile. */
import type { GapId } from '../../openapi/gaps/register.ts';
import type { Observation } from '../../openapi/observation.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { Found, SharedCall } from '../../record/finding.ts';
import type { TimelineEntry } from '../../record/timeline.ts';
import type { CallName, Profile } from '../profile/schema.ts';
import type { Variables } from '../profile/template.ts';
import type { ExpiredBy } from '../target/access/expired-token.ts';
import type { Answer, Call } from '../target/call.ts';

/** An observation as a check reports it. */
export type ReportedObservation = Omit<Observation, 'gap'> & { readonly gap: GapId };

export interface FlowRow {
  readonly title: string;
  readonly verdict: 'passed' | 'failed' | 'could-not-run';
  /** What it found, in words too where it did not pass. */
  readonly found: Found;
  readonly message?: string;
  readonly exchanges: readonly number[];
  readonly deliveries: readonly number[];
}

export interface FlowEvidence {
  readonly rows: readonly FlowRow[];
  /** Of the flows that say something, one after the other. */
  readonly timeline: readonly TimelineEntry[];
}

export interface Session {
  facts(): Promise<RunFacts>;
  call(call: Call): Promise<Answer>;
  /**
   * Makes a call of the profile; the name is a key of `calls`.
   * @param again the call was made for the same objects before: that it is in conflict with these (409, 423) is given, too
   * @throws CouldNotRun when there is none, or it did not succeed
   */
  template(name: CallName, variables: Variables, again?: 'again'): Promise<Answer>;
  /** The answer to a shared call; the call is made when it is first asked for. */
  shared(name: SharedCall): Promise<Answer>;
  /** The shared call once more, to see whether the target still accepts it. */
  repeat(name: SharedCall): Promise<Answer>;
  /** Tokens of so many different documents, for a request about to be created. @throws CouldNotRun when there are none */
  documents(count: number): Promise<readonly string[]>;
  /**
   * Whether a document token can be used in so many requests only: the profile says so, or it was found out.
   * @param notFound the shared call of the operation that did not find its tokens; it is made again once to find out
   */
  tokensEnd(notFound?: SharedCall): Promise<boolean>;
  /**
   * The id of a type 0 request that has room for `count` more signatories; with `own`, of one that nobody else gets,
   * with `full`, the same with every optional field where such a one is accepted;
   * with `alone`, of one that nobody else is in.
   * @throws CouldNotRun when the target gives none
   */
  request(count: number | 'own' | 'full' | 'alone'): Promise<string>;
  observe(seen: ReportedObservation): Promise<void>;
  /**
   * What the flows of the run say about a requirement; they begin when they are first asked for.
   * @param ifBegun begins no flows: gives nothing where none have begun
   * @throws CouldNotRun when no flow can be run
   */
  evidence(requirement: RequirementId, ifBegun?: boolean): Promise<FlowEvidence>;
}

const sharedBySession = new WeakMap<Session, Map<string, Promise<unknown>>>();

/** What several checks share, by name: the first that asks makes it; after a failure the next one tries again. */
export function onceIn<Made>(session: Session, name: string, make: () => Promise<Made>): Promise<Made> {
  const all = sharedBySession.get(session) ?? new Map<string, Promise<unknown>>();
  sharedBySession.set(session, all);
  const known = (all.get(name) as Promise<Made> | undefined) ?? make();
  all.set(name, known);
  known.catch(() => all.delete(name));
  return known;
}

/** Facts about the run that a check may need, without secrets. */
export interface RunFacts {
  /** Short and different for each run; tags everything that the run creates. */
  readonly runId: string;
  readonly seed: number;
  readonly explore: boolean;
  readonly people: NonNullable<Profile['people']>;
  readonly limits: NonNullable<Profile['limits']>;
  /** What creations give as CallbackUrl, and what they give instead when that is refused. */
  readonly callbackUrl: string;
  readonly otherCallbackUrls: readonly string[];
  /** Whether the target has no reason to refuse that URL: the profile names it, or it is known to be reachable. */
  readonly callbackUrlVouched: boolean;
  /** Creations of types 1 and 2 as the profile gives them. */
  readonly creations: Pick<NonNullable<Profile['create']>, 'template' | 'fixed'>;
  /** Passcode that signatories with an AccessCode get; different for each run, and redacted in all records. */
  readonly accessCode: string;
  /** What shows that the expired token has expired. */
  readonly expiredBy: ExpiredBy;
  /** Whether only the most necessary calls are made: none that are invalid, and none that are only observed. */
  readonly smoke: boolean;
  /** Requirement ids that cannot be checked with this profile, each with the reason. */
  readonly notApplicable: Readonly<Record<string, string>>;
}
