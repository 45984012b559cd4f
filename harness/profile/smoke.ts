/** The smoke plan: what is checked of a service in production, with a single signature request and nothing invalid. */
import { checked, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { CouldNotRun } from '../../record/errors.ts';
import type { Profile } from './schema.ts';

export const smokeRequests = 1;

/** Requirements that are checked with the first upload, the first creation and the first signatory alone. */
const smoke: ReadonlySet<RequirementId> = new Set<RequirementId>([
  'service.signatories-added-after',
  'upload.returns-token',
  'upload.token-string',
  'upload.token-usable',
  'skeleton.created',
  'skeleton.response-json',
  'skeleton.request-id',
  'skeleton.request-id-usable',
  'signatory.added',
  'signatory.response-json',
  'signatory.request-id-echoed',
  'signatory.signatory-id',
]);

export function isProduction({ environment }: Pick<Profile, 'environment'>): boolean {
  return environment === 'production';
}

/** @throws CouldNotRun in production; guards calls that are invalid on purpose */
export function assertNoProduction(profile: Pick<Profile, 'environment'>): void {
  if (!isProduction(profile)) return;
  throw new CouldNotRun('the profile says environment: production, so nothing invalid is sent');
}

/** Requirements that a smoke run leaves out, each with the reason; none where the target is not in production. */
export function leftOut(profile: Pick<Profile, 'environment'>): Record<string, string> {
  if (!isProduction(profile)) return {};
  const reason =
    'the profile says environment: production, where a run creates one signature request and sends nothing invalid';
  return Object.fromEntries(checked.filter(({ id }) => !smoke.has(id)).map(({ id }) => [id, reason]));
}
