/** The gap register: everything that the interface document leaves open or says in two ways, by id. */
import type { Gap } from '../gap.ts';
import { auth } from './auth.ts';
import { create } from './create.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { limits } from './limits.ts';
import { service } from './service.ts';
import { signatory } from './signatory.ts';
import { skeleton } from './skeleton.ts';
import { stamping } from './stamping.ts';
import { upload } from './upload.ts';

const entries = {
  ...service,
  ...auth,
  ...upload,
  ...create,
  ...stamping,
  ...skeleton,
  ...signatory,
  ...events,
  ...errors,
  ...limits,
} as const;

/** An id that stands in the register; any other string is a compile error where one is asked for. */
export type GapId = keyof typeof entries;

/** A register entry together with its id and area (the part of the id before the dot). */
export type GapEntry = Gap & { readonly id: GapId; readonly area: string };

/** All gaps, in the order in which they are shown. */
export const gaps: readonly GapEntry[] = Object.entries(entries).map(([id, entry]) => ({
  ...entry,
  id: id as GapId,
  area: id.slice(0, id.indexOf('.')),
}));

const byId = new Map<string, GapEntry>(gaps.map((entry) => [entry.id, entry]));

export function gap(id: GapId): GapEntry {
  const entry = byId.get(id);
  if (!entry) throw new Error(`no gap has the id ${id}`);
  return entry;
}

export const isGapId = (id: string): id is GapId => byId.has(id);
