/** What a run is given when it begins, and the facts that are known before the target is called. */
import { ifCouldNotRun } from '../../record/errors.ts';
import { unwatchedName } from '../callbacks/self-call.ts';
import type { RunFacts } from '../judging/session.ts';
import { isLocal } from '../profile/needs.ts';
import type { RunOptions } from '../profile/run-options.ts';
import type { Profile } from '../profile/schema.ts';
import { isProduction } from '../profile/smoke.ts';
import type { Replay } from '../replaying/recording.ts';
import { expiredBy } from '../target/access/expired-token.ts';
import { below } from '../target/outgoing.ts';
import type { FlowDefinition } from './flow.ts';
import type { OpenFlows } from './open-flows.ts';
import type { WaitingLedger } from './resuming/ledger.ts';

export interface RunGiven {
  readonly runId: string;
  readonly callbackUrl: string;
  readonly flows: readonly FlowDefinition[];
  readonly profileDir: string;
  /** Tasks that people still have to do by hand; absent where nobody acts by hand. */
  readonly waiting?: WaitingLedger;
  /** Folder of a recording that is made of the run. */
  readonly record?: string;
  /** The recording that is judged again, and its folder. */
  readonly replay?: Replay;
}

interface FirstFacts extends Pick<RunFacts, 'accessCode' | 'notApplicable'> {
  readonly profile: Profile;
  readonly options: Pick<RunOptions, 'seed' | 'explore'>;
  readonly run: Pick<RunGiven, 'runId' | 'callbackUrl'>;
}

export function firstFacts({ profile, options, run, accessCode, notApplicable }: FirstFacts): RunFacts {
  return {
    accessCode,
    expiredBy: expiredBy(profile),
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

/** A URL at a reserved domain (RFC 2606), where nobody is disturbed. */
const reserved = 'https://callback.example.com/esign-conformance';

/**
 * The CallbackUrls to try, in order: the one that the profile names, one on this machine if the target is on this
 * machine, too, and one at a reserved domain. A target may refuse a URL that it cannot reach, or that is not https.
 * @param own a URL on this machine, which the run itself answers
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

/** Whether creations can name a public URL of the listener: the profile has one, and names no other URL for them. */
export function listensInPublic(profile: Profile): boolean {
  const { publicUrl, placeholderUrl } = profile.callbacks ?? {};
  return profile.signing !== undefined && !!publicUrl && !placeholderUrl && !isProduction(profile);
}

/** The facts with a URL of the listener first, if it was reached: a target may check that a URL answers. */
export async function withReachedUrl(facts: RunFacts, open: () => Promise<OpenFlows>): Promise<RunFacts> {
  // Checks that ask for evidence report why the listener could not be opened.
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
