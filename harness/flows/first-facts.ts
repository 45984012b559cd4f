/** What is decided before a run begins, and the facts that are known before its target was called. */
import { ifCouldNotRun } from '../../record/errors.ts';
import { unwatchedName } from '../callbacks/self-call.ts';
import type { RunFacts } from '../judging/session.ts';
import { isLocal } from '../profile/needs.ts';
import type { RunOptions } from '../profile/run-options.ts';
import type { Profile } from '../profile/schema.ts';
import { isProduction } from '../profile/smoke.ts';
import type { Replay } from '../replaying/recording.ts';
import { below } from '../target/outgoing.ts';
import type { FlowDefinition } from './flow.ts';
import type { OpenFlows } from './open-flows.ts';
import type { WaitingLedger } from './resuming/ledger.ts';

export interface RunGiven {
  readonly runId: string;
  readonly callbackUrl: string;
  readonly flows: readonly FlowDefinition[];
  readonly profileDir: string;
  /** What is left with people; absent where no people act. */
  readonly waiting?: WaitingLedger;
  /** Folder of a recording that is made of the run. */
  readonly record?: string | undefined;
  /** The recording that is judged again, and its folder. */
  readonly replay?: Replay | undefined;
}

interface FirstFacts extends Pick<RunFacts, 'accessCode' | 'notApplicable'> {
  readonly profile: Profile;
  readonly options: Pick<RunOptions, 'seed' | 'explore'>;
  readonly run: Pick<RunGiven, 'runId' | 'callbackUrl'>;
}

export function firstFacts({ profile, options, run, accessCode, notApplicable }: FirstFacts): RunFacts {
  return {
    accessCode,
    creations: profile.create ?? {},
    runId: run.runId,
    ...callbackUrlsFor(profile, run.callbackUrl),
    seed: options.seed,
    explore: options.explore,
    smoke: isProduction(profile),
    people: profile.people ?? {},
    limits: profile.limits ?? {},
    notApplicable,
  };
}

/** At a reserved domain (RFC 2606), where nobody is disturbed. */
const reserved = 'https://callback.example.com/esign-conformance';

/**
 * A target may well refuse a URL that it cannot reach, or that is not https: where the profile names one that
 * it takes, that is used; else one on this machine for a target on this machine, and one at a reserved domain.
 * @param own answered by the run itself, on this machine
 */
export function callbackUrlsFor(
  { address, callbacks = {} }: Pick<Profile, 'address' | 'callbacks'>,
  own: string,
): Pick<RunFacts, 'callbackUrl' | 'otherCallbackUrls' | 'callbackUrlVouched'> {
  const { placeholderUrl } = callbacks;
  const named = placeholderUrl?.startsWith('/')
    ? below(address.baseUrl, placeholderUrl).href
    : placeholderUrl;
  const [callbackUrl = reserved, ...otherCallbackUrls] = [
    ...(named === undefined ? [] : [named]),
    ...(isLocal(address.baseUrl) ? [own] : []),
    reserved,
  ];
  return { callbackUrl, otherCallbackUrls, callbackUrlVouched: named !== undefined };
}

/** Whether the listener of the run has a URL at which the target finds it, and nothing else is said. */
export function listensInPublic(profile: Profile): boolean {
  const { publicUrl, placeholderUrl } = profile.callbacks ?? {};
  return profile.signing !== undefined && !!publicUrl && !placeholderUrl && !isProduction(profile);
}

/**
 * The facts with a URL of the listener before all others, where the suite itself has reached that: a target may
 * look whether somebody answers before it takes one.
 */
export async function withReachedUrl(facts: RunFacts, open: () => Promise<OpenFlows>): Promise<RunFacts> {
  // Whoever asks for evidence is told why it could not be opened.
  const opened = await open().catch(ifCouldNotRun(() => undefined));
  if (!opened?.reached) return facts;
  const { callbackUrl, otherCallbackUrls } = facts;
  return {
    ...facts,
    callbackUrl: opened.listener.open(unwatchedName).url,
    otherCallbackUrls: [callbackUrl, ...otherCallbackUrls],
    callbackUrlVouched: true,
  };
}
