/** Bounds that a test comes to in a moment; SECURITY.md has the true ones, and its test holds them. */
import { limits } from '../../../harness/untrusted/limits.ts';

type Name = keyof typeof limits;

/** Lowers some bounds; what it returns sets them back. */
export function lowerLimits(lower: Partial<Readonly<Record<Name, number>>>): () => void {
  const before = { ...limits };
  for (const [name, most] of Object.entries(lower))
    Object.assign(limits, { [name]: { ...limits[name as Name], most } });
  return () => void Object.assign(limits, before);
}
