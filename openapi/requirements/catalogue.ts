/** The requirement catalogue: every statement of the interface document, by id. */
import { create } from './create.ts';
import { events } from './events.ts';
import { otp } from './otp.ts';
import type { Requirement } from './requirement.ts';
import { service } from './service.ts';
import { signatory, signatoryRefusals } from './signatory.ts';
import { signing } from './signing.ts';
import { skeleton, skeletonRefusals } from './skeleton.ts';
import { stamping } from './stamping.ts';
import { upload } from './upload.ts';

const entries = {
  ...service,
  ...upload,
  ...skeleton,
  ...skeletonRefusals,
  ...signatory,
  ...signatoryRefusals,
  ...otp,
  ...create,
  ...stamping,
  ...signing,
  ...events,
} as const;

/** An id that stands in the catalogue; any other string is a compile error where one is asked for. */
export type RequirementId = keyof typeof entries;

/** A catalogue entry together with its id and area (the part of the id before the dot). */
export type CatalogueEntry = Requirement & { readonly id: RequirementId; readonly area: string };

/** All entries, in the order in which they are shown. */
export const catalogue: readonly CatalogueEntry[] = Object.entries(entries).map(([id, entry]) => ({
  ...entry,
  id: id as RequirementId,
  area: areaOf(id),
}));

const byId = new Map<string, CatalogueEntry>(catalogue.map((entry) => [entry.id, entry]));

const own = new Map<string, CatalogueEntry>();

/** Makes a team's own requirements known by their ids. They never become part of the catalogue. */
export function adopt(entries: readonly CatalogueEntry[]): void {
  for (const entry of entries) if (!byId.has(entry.id)) own.set(entry.id, entry);
}

export function adopted(): readonly CatalogueEntry[] {
  return [...own.values()];
}

export function isOwn(id: string | undefined): boolean {
  return id !== undefined && own.has(id);
}

export const areas: readonly string[] = [...new Set(catalogue.map((entry) => entry.area))];

/** The area of an id: `otp` of `otp.sms`. */
export function areaOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

export function requirement(id: RequirementId): CatalogueEntry {
  const entry = byId.get(id) ?? own.get(id);
  if (!entry) throw new Error(`no requirement has the id ${id}`);
  return entry;
}

export function isRequirementId(id: string): id is RequirementId {
  return byId.has(id) || own.has(id);
}

/** Whether an entry is judged by requests that people sign, and not by answers to calls. */
export function isJudgedByFlows(entry: CatalogueEntry): boolean {
  return 'check' in entry && entry.check === 'workflow';
}

/** Entries that a run has to judge: those with a check. */
export const checked: readonly CatalogueEntry[] = catalogue.filter((entry) => 'check' in entry);
