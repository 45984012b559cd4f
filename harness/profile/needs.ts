/** Finds the keys that a profile misses for a requirement: for `not-applicable`, for hints and for plans. */
import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../openapi/json-pointer.ts';
import { checked, isRequirementId, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { type Need, type NeedId, needs, type Way } from '../../openapi/requirements/needs.ts';
import { listed } from '../../record/counted.ts';
import { grouped } from '../../record/grouped.ts';
import { isLoopback } from '../wire/proxy.ts';
import type { CallTemplate } from './parts.ts';
import { limitsByDefault, type Profile } from './schema.ts';
import { leftOut } from './smoke.ts';
import { besidesCodes } from './template.ts';

/** Keys that are judged by their value, and not by whether they are there. */
const special: Readonly<Record<string, (profile: Profile) => boolean>> = {
  'limits.documents of 2 at least': ({ limits }) => (limits?.documents ?? limitsByDefault.documents) >= 2,
  'callbacks.publicUrl': canCallBack,
  // Places of ids are found out unless the profile says that there are none.
  'create.signatoryId other than none': ({ create }) =>
    create?.requestId !== 'none' && create?.signatoryId !== 'none',
};

/** Whether a base URL names this machine: a listener on loopback can be reached from there. */
export const isLocal = (baseUrl: string): boolean => isLoopback(new URL(baseUrl).hostname);

export function canCallBack({ address, callbacks }: Pick<Profile, 'address' | 'callbacks'>): boolean {
  return callbacks?.publicUrl !== undefined || isLocal(address.baseUrl);
}

/** Whether the profile has the setting that a key names (see `Keys`). */
function has(profile: Profile, key: string): boolean {
  const judge = special[key];
  if (judge) return judge(profile);
  const value = at(profile, key);
  if (value === undefined) return false;
  const other = / other than ([\w.]+)/.exec(key)?.[1];
  if (other !== undefined && !isDeepStrictEqual(gistOf(value), gistOf(at(profile, other)))) return true;
  const text = JSON.stringify(value);
  const places = [...key.matchAll(/\{\w+\}/g)];
  return places.length > 0 ? places.some(([place]) => text.includes(place)) : other === undefined;
}

const gistOf = (value: unknown) => (isCall(value) ? besidesCodes(value) : value);

const isCall = (value: unknown): value is CallTemplate =>
  typeof value === 'object' && value !== null && 'url' in value;

/** The value in the profile that the first word of a key names. */
function at(profile: Profile, key: string): unknown {
  const [path = ''] = key.split(/[ ,]/);
  return valueAt(profile, `/${path.replaceAll('.', '/')}`);
}

/** Variables that come only from e-mails: a call that uses one needs a mailbox too. */
const mailed = /\{(?:link|token)\}/;

/** The keys of which one is missing; `undefined` when the need is met, a text when it can never be met. */
function keysMissingFor(profile: Profile, need: Need): readonly string[] | string | undefined {
  const way: Way | undefined = profile.signing?.driver;
  // Without a way to act (signing.driver), the list is empty and other needs report it.
  const keys = isKeys(need) ? need : way === undefined ? [] : need[way];
  if (typeof keys === 'string') return keys;
  if (keys.length === 0) return undefined;
  const there = keys.filter((key) => has(profile, key));
  if (there.length === 0) return keys;
  const needsMailbox = (key: string) =>
    key.startsWith('calls.') && mailed.test(JSON.stringify(at(profile, key)));
  return profile.outbox?.email === undefined && there.every(needsMailbox) ? ['outbox.email'] : undefined;
}

export const isKeys = (need: Need | string): need is readonly string[] => Array.isArray(need);

/** What a profile misses for a need. */
interface Missing {
  readonly key: string;
  /** Why nothing can be checked without the key. */
  readonly why: string;
  /** Whether the key could make the requirement checkable with the profile's way to act. */
  readonly canBeAdded: boolean;
}

function missingFor(profile: Profile, id: NeedId): Missing | undefined {
  const keys = keysMissingFor(profile, needs[id]);
  if (keys === undefined) return undefined;
  if (typeof keys === 'string') return { key: id, why: keys, canBeAdded: false };
  const expired = id === 'an expired token';
  const keeps = keepsTokens(profile);
  const more = expired && !keeps && profile.auth.kind !== 'static' ? [...keys, 'auth.tokenFile'] : keys;
  const key = listed(more, 'or');
  const why = `the profile has no ${key}${expired && keeps ? keptOnes(profile) : ''}`;
  return { key, why, canBeAdded: true };
}

/** Whether the profile keeps access tokens after a run, so that they can serve as expired ones. */
function keepsTokens({ auth }: Profile): boolean {
  return auth.kind === 'authorization-code' || ('tokenFile' in auth && auth.tokenFile !== undefined);
}

/** The end of a sentence: expired tokens cannot be checked before a kept token has expired. */
function keptOnes({ auth }: Profile): string {
  const byLogin = auth.kind === 'authorization-code';
  const kept = byLogin ? 'the access token of `login` has' : 'those that auth.tokenFile keeps have';
  return `, and ${kept} not expired yet: a run after that${byLogin ? ' and another login' : ''} has one`;
}

interface MissingKey {
  readonly key: string;
  readonly requirements: readonly RequirementId[];
}

const ofSigning: readonly NeedId[] = ['people who sign', 'a way to send', 'a way to act', 'a way to approve'];

/**
 * The keys that a profile misses, each with the requirements that it would make checkable, the most useful first.
 * Requirements that the target does not offer are left out.
 * @param only the requirements of a selection; all without it
 */
export function missingKeys(profile: Profile, only?: readonly string[]): MissingKey[] {
  // Requirements that a smoke run leaves out stay out whatever keys are added.
  const excluded = { ...leftOut(profile), ...notOffered(profile) };
  const considered = checked.filter(({ id }) => excluded[id] === undefined && (!only || only.includes(id)));
  const found = considered.flatMap(({ id, needs: wanted = [] }) =>
    [...keysToAdd(profile, wanted)].map((key) => ({ key, id })),
  );
  return [...grouped(found, ({ key }) => key)]
    .map(([key, all]) => ({ key, requirements: all.map(({ id }) => id) }))
    .sort((one, other) => other.requirements.length - one.requirements.length);
}

/** The keys that are missing for all of the needs; none where one of them can never be met. */
function keysToAdd(profile: Profile, wanted: readonly NeedId[]): ReadonlySet<string> {
  const missing = wanted.flatMap((need) => missingFor(profile, need) ?? []);
  if (missing.some(({ canBeAdded }) => !canBeAdded)) return new Set();
  // Without `signing`, the keys of acting by calls are named too, but for those that come with `signing` itself.
  const byCalls = { ...profile, signing: { driver: 'http' } } as const;
  const more = profile.signing ? [] : wanted.filter((need) => !ofSigning.includes(need));
  const missingByCalls = more.flatMap((need) => missingFor(byCalls, need) ?? []);
  return new Set(
    [...missing, ...missingByCalls.filter(({ canBeAdded }) => canBeAdded)].map(({ key }) => key),
  );
}

/** Requirement ids that cannot be checked with a profile, each with the reason that the report quotes. */
export function notApplicable(
  profile: Profile,
  { manual }: { readonly manual: boolean } = { manual: true },
): Record<string, string> {
  const reasons: Record<string, string> = leftOut(profile);
  const unasked = profile.signing?.driver === 'manual' && !manual;
  for (const { id, needs: wanted = [] } of checked) {
    if (reasons[id] !== undefined) continue;
    if (unasked && wanted.includes('people who sign')) {
      reasons[id] = 'people are not asked to sign (--no-manual)';
      continue;
    }
    const [first, ...more] = new Set(wanted.flatMap((need) => missingFor(profile, need)?.why ?? []));
    if (first !== undefined) reasons[id] = [first, ...more].join('; ');
  }
  for (const [id, reason] of Object.entries(notOffered(profile)))
    reasons[id] = `the profile says notApplicable: "${reason}"`;
  const [first] = creations.map((id) => reasons[id]);
  if (first !== undefined && creations.every((id) => reasons[id] !== undefined)) {
    for (const { id } of checked) if (id.startsWith('create.token-')) reasons[id] ??= first;
  }
  return reasons;
}

/** Checks of creations on the unversioned path; access to that path is checked with each of them. */
const creations = ['create.stamping-200', 'create.template-200', 'create.fixed-200'] as const;

/** Requirements that the profile says are not offered, with the reason; an area stands for all of its requirements. */
function notOffered({ notApplicable: said = {} }: Profile): Record<string, string> {
  const ofAreas = checked.flatMap(({ id, area }) => {
    const reason = said[area];
    return reason === undefined ? [] : [[id, reason] as const];
  });
  return {
    ...Object.fromEntries(ofAreas),
    ...Object.fromEntries(Object.entries(said).filter(([name]) => isRequirementId(name))),
  };
}
