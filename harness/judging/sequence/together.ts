/** What all flows have shown together, and what is known of each: by it `settle.ts` excuses failures or blames them elsewhere. */
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import type { Cause } from '../../../record/finding.ts';

/** What is known of the listener and of the run. */
export interface Around {
  /** Why a missing callback proves nothing in this run. */
  readonly silence?: Cause | undefined;
  /** The run goes on with another one: nobody listened in between. */
  readonly resumed: boolean;
  /** For each event, how long after the last action its callbacks came, in milliseconds. */
  readonly lateMs?: readonly (readonly number[])[];
  /** People act by calls and look at nothing before, which a service may ask of them. */
  readonly looksAtNothing?: boolean;
  /** The target sends requests before the profile does: people who were asked then need not wait for people added later. */
  readonly sendsEarly?: boolean;
  /** Answers that were web pages of somebody else, by their exchanges: nobody knows what became of these calls. */
  readonly foreignPages?: ReadonlySet<number>;
}

/** What all flows have shown together. */
export interface Together extends Around {
  /** Why nobody knows what became of a call, by its exchange. */
  readonly doubts: ReadonlyMap<number, Cause>;
  readonly proved: ReadonlySet<RequirementId>;
  /** Requirements that failed in some flow, where what the failure assumes is proved. */
  readonly failed: ReadonlySet<RequirementId>;
  /** Somebody could act. */
  readonly acted: boolean;
  /** Somebody was refused by a call that the target may not have understood, or whose answer may be misread. */
  readonly misread: boolean;
  /** Somebody could act with their AccessCode. */
  readonly takesAccessCode: boolean;
  /** Attached documents lack pages, or have those of another document. */
  readonly attachesOtherPages: boolean;
  /** Requests in which everybody has to act complete: at least one did, and none failed to. */
  readonly completes: boolean;
  /** Some request completes whose CC has not acted: then no CC is waited for. */
  readonly completesWithoutCc: boolean;
  /** A request with a CC waits for them, and each other one completes. */
  readonly waitsForCc: boolean;
  /** Somebody with an AccessCode could act without any. */
  readonly ignoresAccessCode: boolean;
  /** Somebody could not sign in a request of type 3. */
  readonly refusesStamped: boolean;
  /** Some request of type 0 was sent: somebody could act, or was written to, or an event 2 or 3 came. */
  readonly sent: boolean;
  /** From how fast to how slow callbacks come, in words, where they differ much. */
  readonly spread: string | undefined;
  /** The requirements about the sequence of callbacks that hold in a third of their judgements or more. */
  readonly oftenInSequence: ReadonlySet<string>;
}

/** A person who does not have to act: a CC, or somebody whose addition was refused. */
export type Idle = 'cc' | 'refused';

/** What is known of the flow of a judgement. */
export interface Flow {
  /** Requirements that failed in it. */
  readonly failed: ReadonlySet<RequirementId>;
  readonly idle: Idle | undefined;
  readonly ordered: boolean;
  /** Several people act, all of one Order. */
  readonly sameOrder: boolean;
  readonly stamped: boolean;
  readonly acted: boolean;
  /** Positions of people who were added in another sequence than that of their Orders. */
  readonly addedOutOfOrder: readonly number[];
  /** Who has an AccessCode. */
  readonly withAccessCode: readonly number[];
  /** Why nobody knows whether a call was done that the flow took as done. */
  readonly doubt: Cause | undefined;
}
