/** Which requirements wait for a key of the profile: without it they are not applicable, and the report says so. */
import { checked, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { Profile } from '../profile/schema.ts';
import { leftOut } from '../profile/smoke.ts';
import { isLoopback } from '../wire/proxy.ts';

interface Unlock {
  /** The key as it stands in a profile, or several of which one is enough. */
  readonly key: string | ((profile: Profile) => string);
  /** What stands behind the key where the report says that the profile lacks it. */
  readonly besides?: (profile: Profile) => string;
  readonly requirements: readonly RequirementId[];
  readonly given: (profile: Profile) => boolean;
}

const acting: readonly RequirementId[] = [
  'signing.lower-order-first',
  'signing.parallel',
  'signing.signer-signs',
  'signing.approver-approves',
  'signing.approver-cannot-sign',
  'signing.cc-cannot-act',
  'otp.gates-signing',
  'otp.not-asked',
  'otp.access-code-asked',
];
const pages: readonly RequirementId[] = [
  'signing.signer-views',
  'signing.title-shown',
  'signing.message-shown',
  'signing.private-message',
  'signing.name-shown',
];
const mails: readonly RequirementId[] = [
  'signing.title-mailed',
  'signing.email-used',
  'signing.cc-receives-copy',
];
const codes: readonly RequirementId[] = [
  'otp.email-delivered',
  'otp.sms-delivered',
  'otp.email-and-sms-delivered',
];
const completed: readonly RequirementId[] = ['signing.color-no-effect', 'stamping.placed'];

/** All that needs somebody who signs. */
const signed: readonly RequirementId[] = [
  ...acting,
  ...areaIds('events'),
  ...pages,
  ...mails,
  ...codes,
  ...completed,
];

const unlocks: readonly Unlock[] = [
  {
    key: (profile) =>
      keepsTokens(profile) || profile.auth.kind === 'static'
        ? 'auth.expiredToken or calls.expireToken'
        : 'auth.expiredToken, calls.expireToken or auth.tokenFile',
    besides: keptOnes,
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
    key: 'limits.documents of 2 at least',
    requirements: ['skeleton.several-documents', 'stamping.several-documents'],
    given: ({ limits }) => (limits?.documents ?? 2) >= 2,
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
  {
    key: 'signing',
    requirements: signed,
    given: ({ signing, calls }) =>
      signing !== undefined && (signing.send !== undefined || calls?.send !== undefined),
  },
  {
    key: 'callbacks.publicUrl',
    requirements: areaIds('events'),
    given: canCallBack,
  },
  {
    key: 'calls.approve or signing.page.approve',
    requirements: ['signing.approver-approves'],
    given: ({ signing, calls }) =>
      signing?.driver === 'http'
        ? calls?.approve !== undefined
        : signing?.driver !== 'browser' || signing.page?.approve !== undefined,
  },
  {
    key: 'calls.view or signing.driver browser',
    requirements: pages,
    given: ({ signing, calls }) => signing?.driver !== 'http' || calls?.view !== undefined,
  },
  {
    key: 'calls.viewDocument or signing.page.document',
    requirements: ['signing.signer-views'],
    given: ({ signing, calls }) => {
      if (signing?.driver === 'http') return calls?.viewDocument !== undefined;
      // Whether the document could be looked at, a module says by itself, and nobody where people sign.
      const isKey = signing === undefined || signing.driver === 'browser';
      return !isKey || signing?.page?.document !== undefined;
    },
  },
  {
    key: 'outbox.email',
    requirements: [...mails, 'otp.email-delivered', 'otp.email-and-sms-delivered'],
    given: ({ outbox }) => outbox?.email !== undefined,
  },
  {
    key: 'outbox.sms',
    requirements: ['otp.sms-delivered', 'otp.email-and-sms-delivered'],
    given: ({ outbox }) => outbox?.sms !== undefined,
  },
  {
    key: 'calls.completedDocuments',
    requirements: ['stamping.placed'],
    given: ({ calls }) => calls?.completedDocuments !== undefined,
  },
];

/** Whether access tokens are kept until they have expired. */
function keepsTokens({ auth }: Profile): boolean {
  return auth.kind === 'authorization-code' || ('tokenFile' in auth && auth.tokenFile !== undefined);
}

/** That a profile has a token file is no help until a token in it has expired. */
function keptOnes(profile: Profile): string {
  if (!keepsTokens(profile)) return '';
  const byLogin = profile.auth.kind === 'authorization-code';
  const kept = byLogin ? 'the access token of `login` has' : 'those that auth.tokenFile keeps have';
  return `, and ${kept} not expired yet: a run after that${byLogin ? ' and another login' : ''} has one`;
}

/** People who sign by hand say what came of it, not what they were shown. */
const unseen = 'the profile says signing.driver: manual, and the suite does not see the page that people see';

/** Ids of an area that have a check. */
function areaIds(area: string): readonly RequirementId[] {
  return checked.filter((entry) => entry.area === area).map(({ id }) => id);
}

/** Whether a base URL names this machine: a listener on loopback can be reached from there. */
export function isLocal(baseUrl: string): boolean {
  return isLoopback(new URL(baseUrl).hostname);
}

/** Whether the target has a way to the callback listener. */
export function canCallBack({ address, callbacks }: Pick<Profile, 'address' | 'callbacks'>): boolean {
  return callbacks?.publicUrl !== undefined || isLocal(address.baseUrl);
}

interface Lacking {
  readonly key: string;
  readonly requirements: readonly RequirementId[];
}

/**
 * The keys that a profile lacks, each with what it would make checkable; not what the target does not offer.
 * @param only the requirements of a selection; all without it
 */
export function lacking(profile: Profile, only?: readonly string[]): Lacking[] {
  return lackingWhy(profile, only).map(({ key, requirements }) => ({ key, requirements }));
}

function lackingWhy(profile: Profile, only?: readonly string[]): (Lacking & { readonly why: string })[] {
  // What a smoke run leaves out, no other key brings back.
  const left = leftOut(profile);
  const offered = (id: RequirementId) =>
    profile.notApplicable?.[id] === undefined && left[id] === undefined && (!only || only.includes(id));
  return unlocks
    .filter(({ given }) => !given(profile))
    .map(({ key: named, requirements, besides }) => {
      const key = typeof named === 'string' ? named : named(profile);
      const why = `the profile has no ${key}${besides?.(profile) ?? ''}`;
      return { key, requirements: requirements.filter(offered), why };
    })
    .filter(({ requirements }) => requirements.length > 0);
}

/** Requirement ids that cannot be checked with a profile, each with the reason that the report quotes. */
export function notApplicable(
  profile: Profile,
  { manual }: { readonly manual: boolean } = { manual: true },
): Record<string, string> {
  const reasons: Record<string, string> = leftOut(profile);
  if (profile.signing?.driver === 'manual' && !manual) {
    for (const id of signed) reasons[id] = 'people are not asked to sign (--no-manual)';
  }
  for (const { requirements, why } of lackingWhy(profile)) {
    for (const id of requirements) reasons[id] = why;
  }
  if (profile.signing?.driver === 'manual' && manual) {
    for (const id of pages) reasons[id] = unseen;
  }
  for (const [id, reason] of Object.entries(profile.notApplicable ?? {})) {
    reasons[id] = `the profile says notApplicable: "${reason}"`;
  }
  return reasons;
}
