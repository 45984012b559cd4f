/** What every flow of a run works with. */
import type { Stages } from '../../record/stages.ts';
import type { Listener } from '../callbacks/listener.ts';
import type { FetchLink } from '../callbacks/reading.ts';
import type { RunFacts } from '../judging/session.ts';
import type { SigningDriver, SigningTask } from '../people/driver.ts';
import type { OutboxReader } from '../people/outbox.ts';
import type { CallbackSettings, graceDefaults } from '../profile/callback-settings.ts';
import type { Profile } from '../profile/schema.ts';
import type { Variables } from '../profile/template.ts';
import type { Answer } from '../target/call.ts';
import type { Client } from '../target/client.ts';
import type { FlowPlan } from './flow-plan.ts';
import type { WaitingLedger } from './resuming/ledger.ts';

export interface FlowParts {
  readonly client: Client;
  readonly profile: Profile;
  readonly facts: RunFacts;
  readonly driver: SigningDriver;
  readonly outbox: OutboxReader;
  readonly listener: Listener;
  readonly settings: CallbackSettings;
  /** How long events may take, by the profile or by default, in milliseconds. */
  readonly grace: Readonly<Record<keyof typeof graceDefaults, number>>;
  /** Ids of all requests that flows created so far: an event that names another one is not about this request. */
  readonly requestIds: Set<string>;
  /** The flows by the id of their request. */
  readonly flows: Map<string, { readonly definition: FlowPlan; readonly tasks: readonly SigningTask[] }>;
  /** Tasks that people still have to do by hand; absent where nobody acts by hand. */
  readonly waiting?: WaitingLedger;
  /** A value without secrets, and with pseudonyms for people. */
  readonly clean: <Value>(value: Value) => Value;
  /** Takes each secret that comes up, so that it is kept out of the record. */
  readonly learned: (secret: string) => void;
  /**
   * Whether people have to look at their page before they act: true once somebody could act only after looking, false
   * once somebody could without, absent until one of these was seen.
   */
  readonly looking: { isNeeded?: boolean };
  /** Whether somebody could act in a request that the profile had not sent yet; absent until that was tried. */
  readonly sending: { sendsEarly?: boolean | 'unknown' };
  /** Fetches what a link leads to; `name` is what the record calls it. @throws CouldNotRun if too much is behind links */
  readonly fetchLink: (url: string, name?: string) => ReturnType<FetchLink>;
  /** Notes what broke in a flow; the others go on. */
  readonly stages: Stages;
  /** The first upload finds out how files are sent; nothing is uploaded before. */
  readonly firstUpload: () => Promise<Answer>;
  /** Takes a call of the profile that may have removed an object, which then need not be removed at the end. */
  readonly called: (name: string, variables: Variables, answer: Answer) => void;
}
