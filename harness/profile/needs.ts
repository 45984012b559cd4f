/** What a profile lacks: evaluates what requirements need, for `not-applicable`, for hints and for plans. */

import { valueAt } from '../../openapi/json-pointer.ts';
import { checked, isRequirementId, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { type Need, type NeedId, needs, type Way } from '../../openapi/requirements/needs.ts';
import { isLoopback } from '../wire/proxy.ts';
import { limitsByDefault, type Profile } from './schema.ts';
import { leftOut } from './smoke.ts';

/** Keys that are more than there or not. */
const special: Readonly<Record<string, (profile: Profile) => boolean>> = {
  'limits.documents of 2 at least': ({ limits }) => (limits?.documents ?? limitsByDefault.documents) >= 2,
  'callbacks.publicUrl': canCallBack,
  // They are found out unless the profile says that there are none.
  'create.signatoryId other than none': ({ create }) =>
    create?.requestId !== 'none' && create?.signatoryId !== 'none',
};

/** Whether a base URL names this machine: a listener on loopback can be reached from there. */
export function isLocal(baseUrl: string): boolean {
  return isLoopback(new URL(baseUrl).hostname);
}

/** Whether the target has a way to the callback listener. */
export function canCallBack({ address, callbacks }: Pick<Profile, 'address' | 'callbacks'>): boolean {
  return callbacks?.publicUrl !== undefined || isLocal(address.baseUrl);
}

/** Whether the profile has what a key says (see `Keys`). */
function has(profile: Profile, key: string): boolean {
  const judge = special[key];
  if (judge) return judge(profile);
  const value = at(profile, key);
  if (value === undefined) return false;
  const other = / other than ([\w.]+)/.exec(key)?.[1];
  const text = JSON.stringify(value);
  if (other !== undefined && text !== JSON.stringify(at(profile, other))) return true;
  const places = [...key.matchAll(/\{\w+\}/g)];
  return places.length > 0 ? places.some(([place]) => text.includes(place)) : other === undefined;
}

/** What the first word of a key leads to. */
function at(profile: Profile, key: string): unknown {
  const [path = ''] = key.split(/[ ,]/);
  return valueAt(profile, `/${path.replaceAll('.', '/')}`);
}

/** What is in e-mails alone: a call with a place for it works with a mailbox only. */
const mailed = /\{(?:link|token)\}/;

/** The keys of which one is lacking; `undefined` when the need is met, a text when it never can be. */
function lackingKeys(profile: Profile, need: Need): readonly string[] | string | undefined {
  const way: Way | undefined = profile.signing?.driver;
  // Without any way to act that is what is lacking.
  const keys = isKeys(need) ? need : way === undefined ? [] : need[way];
  if (typeof keys === 'string') return keys;
  if (keys.length === 0) return undefined;
  const there = keys.filter((key) => has(profile, key));
  const usable = (key: string) =>
    profile.outbox?.email !== undefined ||
    !key.startsWith('calls.') ||
    !mailed.test(JSON.stringify(at(profile, key)));
  if (there.some(usable)) return undefined;
  return there.length > 0 ? ['outbox.email'] : keys;
}

export function isKeys(need: Need | string): need is readonly string[] {
  return Array.isArray(need);
}

interface Lack {
  readonly key: string;
  /** Why nothing can be checked without the key. */
  readonly why: string;
  /** Whether a profile with this way to act could have it. */
  readonly unlocks: boolean;
}

function lackOf(profile: Profile, id: NeedId): Lack | undefined {
  const keys = lackingKeys(profile, needs[id]);
  if (keys === undefined) return undefined;
  if (typeof keys === 'string') return { key: id, why: keys, unlocks: false };
  const expired = id === 'an expired token';
  const keeps = keepsTokens(profile);
  const more = expired && !keeps && profile.auth.kind !== 'static' ? [...keys, 'auth.tokenFile'] : keys;
  const key = more.length > 2 ? `${more.slice(0, -1).join(', ')} or ${more.at(-1)}` : more.join(' or ');
  return { key, why: `the profile has no ${key}${expired && keeps ? keptOnes(profile) : ''}`, unlocks: true };
}

/** Whether access tokens are kept until they have expired. */
function keepsTokens({ auth }: Profile): boolean {
  return auth.kind === 'authorization-code' || ('tokenFile' in auth && auth.tokenFile !== undefined);
}

/** That a profile has a token file is no help until a token in it has expired. */
function keptOnes({ auth }: Profile): string {
  const byLogin = auth.kind === 'authorization-code';
  const kept = byLogin ? 'the access token of `login` has' : 'those that auth.tokenFile keeps have';
  return `, and ${kept} not expired yet: a run after that${byLogin ? ' and another login' : ''} has one`;
}

interface Lacking {
  readonly key: string;
  readonly requirements: readonly RequirementId[];
}

const ofSigning: readonly NeedId[] = ['people who sign', 'a way to send', 'a way to act', 'a way to approve'];

/**
 * The keys that a profile lacks, each with what it would make checkable, what gives most first; not what
 * the target does not offer.
 * @param only the requirements of a selection; all without it
 */
export function lacking(profile: Profile, only?: readonly string[]): Lacking[] {
  // What a smoke run leaves out, no other key brings back.
  const left = leftOut(profile);
  const said = notOffered(profile);
  const found = new Map<string, RequirementId[]>();
  const signing = { ...profile, signing: { driver: 'http' } } as const;
  for (const { id, needs: wanted = [] } of checked) {
    if (said[id] !== undefined || left[id] !== undefined) continue;
    if (only && !only.includes(id)) continue;
    // Whoever says how people sign says how requests get to them; pages and codes take more keys, by calls most.
    const more = profile.signing ? [] : wanted.filter((need) => !ofSigning.includes(need));
    const lacks = [
      ...wanted.flatMap((need) => lackOf(profile, need) ?? []),
      ...more.flatMap((need) => lackOf(signing, need) ?? []).filter(({ unlocks }) => unlocks),
    ];
    if (lacks.some(({ unlocks }) => !unlocks)) continue;
    for (const key of new Set(lacks.map((lack) => lack.key))) found.set(key, [...(found.get(key) ?? []), id]);
  }
  return [...found]
    .map(([key, requirements]) => ({ key, requirements }))
    .sort((one, other) => other.requirements.length - one.requirements.length);
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
    const [first, ...more] = new Set(wanted.flatMap((need) => lackOf(profile, need)?.why ?? []));
    if (first !== undefined) reasons[id] = [first, ...more].join('; ');
  }
  for (const [id, reason] of Object.entries(notOffered(profile))) {
    reasons[id] = `the profile says notApplicable: "${reason}"`;
  }
  const [first] = creations.map((id) => reasons[id]);
  if (first !== undefined && creations.every((id) => reasons[id] !== undefined)) {
    for (const { id } of checked) if (id.startsWith('create.token-')) reasons[id] ??= first;
  }
  return reasons;
}

/** What can be created on the unversioned path; access to it is checked with each of them. */
const creations = ['create.stamping-200', 'create.template-200', 'create.fixed-200'] as const;

/** What the profile says is not offered, requirement by requirement: an area stands for all that is in it. */
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
