/** How a target is called in reports. */
import type { Profile } from './schema.ts';

/** The name of the reference service that a run without a target starts. */
export const referenceName = 'reference service';

/** The name that the profile gives, or the host. */
export function targetName({ name, address }: Pick<Profile, 'name' | 'address'>): string {
  return name ?? new URL(address.baseUrl).host;
}
