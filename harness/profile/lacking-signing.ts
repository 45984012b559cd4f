/** Tells what a profile lacks for the signing driver that it names. */
import type { Profile } from './schema.ts';

/** Key and fix, without the file; empty when nothing is lacking. */
export function lackingSettings({ signing, calls = {} }: Pick<Profile, 'signing' | 'calls'>): string[] {
  switch (signing?.driver) {
    case 'http':
      return calls.sign || calls.complete
        ? []
        : ['signing.driver "http" needs calls.sign (or calls.complete), the call by which a person signs'];
    case 'browser':
      return signing.page
        ? []
        : ['signing.driver "browser" needs signing.page, the selectors of the signing page'];
    case 'module':
      return signing.module
        ? []
        : ['signing.driver "module" needs signing.module, the path of a file relative to the profile'];
    default:
      return [];
  }
}
