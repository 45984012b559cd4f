/** What a run tells its checks about itself. */
import type { Profile } from '../profile/schema.ts';

/** Facts about the run that a check may need; no secrets among them. */
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
  /** Nothing but the least is sent: neither what is invalid nor what is only observed. */
  readonly smoke: boolean;
  /** Requirement ids that cannot be checked with this profile, each with the reason. */
  readonly notApplicable: Readonly<Record<string, string>>;
}
