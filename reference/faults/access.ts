/** Faults of the access token: the same on each of the five endpoints. */
import type { FaultEntries, FaultEntry } from './fault.ts';

/** The parts of the service that judge an access token, by the area of their requirements. */
export const accessAreas = ['upload', 'create', 'stamping', 'skeleton', 'signatory'] as const;
export type AccessArea = (typeof accessAreas)[number];

/** Areas for which the document states the status of a rejection, 401. */
export const statedAreas = ['skeleton', 'signatory'] as const;
export type StatedArea = (typeof statedAreas)[number];

const onEach = {
  'token-missing/no-header-accepted': 'a call without the header Authorization is accepted',
  'token-missing/empty-accepted': 'an empty header Authorization is accepted',
  'token-missing/scheme-only-accepted': '"Bearer" without a token is accepted',
  'token-missing/other-scheme-accepted': 'credentials of another scheme are accepted',
  'token-missing/500': 'a call without an access token is answered with 500',
  'token-invalid/accepted': 'an invalid access token is accepted',
  'token-invalid/extended-accepted': 'a valid access token with characters added to it is accepted',
  'token-invalid/500': 'an invalid access token is answered with 500',
  'token-expired/accepted': 'an expired access token is accepted',
  'token-expired/500': 'an expired access token is answered with 500',
} as const;

const whereStated = {
  'token-missing/403': 'a call without an access token is answered with 403',
  'token-invalid/403': 'an invalid access token is answered with 403',
  'token-expired/403': 'an expired access token is answered with 403',
} as const;

type Everywhere = `${AccessArea}.${keyof typeof onEach}`;
type Stated = `${StatedArea}.${keyof typeof whereStated}`;

function spread(areas: readonly string[], rows: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    areas.flatMap((area) => Object.entries(rows).map(([what, title]) => [`${area}.${what}`, title])),
  );
}

export const accessFaults = {
  ...spread(accessAreas, onEach),
  ...spread(statedAreas, whereStated),
} as Readonly<Record<Everywhere | Stated, FaultEntry>> satisfies FaultEntries;
