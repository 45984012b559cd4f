/** Which requirements wait for a key of the profile: without it they are not applicable, and the report says so. */
import type { RequirementId } from '../openapi/requirements/catalogue.ts';
import type { Profile } from './profile/schema.ts';

interface Unlock {
  /** The key as it stands in a profile. */
  readonly key: string;
  readonly requirements: readonly RequirementId[];
  readonly given: (profile: Profile) => boolean;
}

const unlocks: readonly Unlock[] = [
  {
    key: 'auth.expiredToken or calls.expireToken',
    requirements: [
      'upload.token-expired',
      'upload.token-expired-message',
      'skeleton.token-expired',
      'signatory.token-expired',
      'create.token-expired',
      'stamping.token-expired',
    ],
    given: ({ auth, calls }) => auth.expiredToken !== undefined || calls?.expireToken !== undefined,
  },
  {
    key: 'calls.deleteRequest',
    requirements: ['signatory.deleted-request'],
    given: ({ calls }) => calls?.deleteRequest !== undefined,
  },
  {
    key: 'calls.invalidateDocument',
    requirements: ['skeleton.invalidated-document'],
    given: ({ calls }) => calls?.invalidateDocument !== undefined,
  },
  {
    key: 'create.template',
    requirements: ['create.template-200'],
    given: ({ create }) => create?.template !== undefined,
  },
  {
    key: 'create.fixed',
    requirements: ['create.fixed-200'],
    given: ({ create }) => create?.fixed !== undefined,
  },
];

/** The keys that a profile lacks, each with what it would make checkable. */
export function lacking(
  profile: Profile,
): { readonly key: string; readonly requirements: readonly RequirementId[] }[] {
  return unlocks
    .filter(({ given }) => !given(profile))
    .map(({ key, requirements }) => ({ key, requirements }));
}

/** Requirement ids that cannot be checked with a profile, each with the reason that the report quotes. */
export function notApplicable(profile: Profile): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const { key, requirements } of lacking(profile)) {
    for (const id of requirements) reasons[id] = `the profile has no ${key}`;
  }
  for (const [id, reason] of Object.entries(profile.notApplicable ?? {})) {
    reasons[id] = `the profile says notApplicable: "${reason}"`;
  }
  return reasons;
}
