/** What the checks see of a run: calls to the target, objects that several checks share, facts about the profile. */
import type { GapId } from '../openapi/gaps/register.ts';
import type { RequirementId } from '../openapi/requirements/catalogue.ts';
import type { Answer, Call } from './call.ts';
import type { Observation } from './exchange.ts';
import type { FlowEvidence } from './flows/flow-service.ts';
import type { Profile } from './profile/schema.ts';
import type { Variables } from './template.ts';

/** What the run makes once, for all checks that need no object of their own. */
export type SharedCall =
  /** An upload of a plain PDF; finds out how the target wants files when the profile does not say. */
  | 'document'
  /** A type 0 creation with the required fields only. */
  | 'skeleton'
  /** A signatory with the least that every target takes, added to a request. */
  | 'signatory'
  /** An auto stamping creation on its own path, and on the unversioned one. */
  | 'stamped'
  | 'stamped-unversioned'
  /** Creations of types 1 and 2 with the bodies of the profile. */
  | 'template'
  | 'fixed';

/** Facts about the run that a check may need; no secrets among them. */
export interface RunFacts {
  /** Short and different for each run; tags everything that the run creates. */
  readonly runId: string;
  readonly seed: number;
  readonly explore: boolean;
  readonly people: NonNullable<Profile['people']>;
  readonly limits: NonNullable<Profile['limits']>;
  /** A URL that every compliant target takes as CallbackUrl. */
  readonly callbackUrl: string;
  /** Bodies of types 1 and 2 as the profile gives them. */
  readonly creations: { readonly template?: unknown; readonly fixed?: unknown };
  /** Passcode that signatories with an AccessCode get; different for each run, and redacted in all records. */
  readonly accessCode: string;
  /** Requirement ids that cannot be checked with this profile, each with the reason. */
  readonly notApplicable: Readonly<Record<string, string>>;
}

/** An observation as a check reports it. */
export type Seen = Omit<Observation, 'gap'> & { readonly gap: GapId };

export interface Session {
  facts(): Promise<RunFacts>;
  call(call: Call): Promise<Answer>;
  /** Makes a call of the profile; the name is a key of `calls`. */
  template(name: keyof NonNullable<Profile['calls']>, variables: Variables): Promise<Answer>;
  /** The answer to a shared call, which is made when it is first asked for. */
  shared(name: SharedCall): Promise<Answer>;
  /** The shared call once more, to see whether the target still accepts it. */
  repeat(name: SharedCall): Promise<Answer>;
  /**
   * Tokens of `count` different documents, for a request that is about to be created.
   * @throws CouldNotRun when the target gives none
   */
  documents(count: number): Promise<readonly string[]>;
  /**
   * The id of a type 0 request that has room for `count` more signatories.
   * @throws CouldNotRun when the target gives none
   */
  request(count: number): Promise<string>;
  observe(seen: Seen): Promise<void>;
  /**
   * What the flows of the run say about a requirement; they begin when they are first asked for.
   * @throws CouldNotRun when no flow can be run
   */
  evidence(requirement: RequirementId): Promise<FlowEvidence>;
}

/** Thrown when a prerequisite is missing; says which. */
export class CouldNotRun extends Error {
  override readonly name = 'CouldNotRun';
}
