/** Removes at the target what a run created, by the calls of the profile. */

import type { Created } from '../../record/exchange.ts';
import { shortAnswer } from '../../record/exchange-text.ts';
import type { CallTemplate } from '../profile/parts.ts';
import type { Profile } from '../profile/schema.ts';
import { isSuccess, type Variables } from '../profile/template.ts';
import type { Answer } from './call.ts';

/** Kinds that a profile may have a call for, and the variable that names the object in it. */
const calls = {
  request: { name: 'deleteRequest', variable: 'requestId', words: 'signature requests' },
  document: { name: 'invalidateDocument', variable: 'documentToken', words: 'documents' },
} as const;

type Removable = keyof typeof calls;
type CallName = (typeof calls)[Removable]['name'];

/** Makes a call of the profile. */
export type RemovalCall = (name: CallName, template: CallTemplate, variables: Variables) => Promise<Answer>;

export interface Cleanup {
  /** What was created, each with what became of it. */
  readonly created: readonly Created[];
  /** What could not be removed, in words. */
  readonly failures: readonly string[];
}

/** What a call of the profile removes; undefined when it removes nothing. */
export function removalBy(call: string): { readonly kind: Removable; readonly name: CallName } | undefined {
  const kind = kinds.find((each) => calls[each].name === call);
  return kind && { kind, name: calls[kind].name };
}

const kinds = Object.keys(calls) as readonly Removable[];

/** Statuses of a target that does not know the object any more. */
const gone: readonly number[] = [404, 410];

/** Whether an answer to such a call means that the object is no longer there. */
export function isRemoved(profile: Profile, name: CallName, { status }: Answer): boolean {
  return isSuccess(profile.calls?.[name] ?? {}, status) || gone.includes(status);
}

/** Removes requests first, then the documents in them. Where the profile has no call for a kind, it stays. */
export async function cleanUp(
  profile: Profile,
  created: readonly Created[],
  call: RemovalCall,
): Promise<Cleanup> {
  const after = [...created];
  const failures: string[] = [];
  for (const kind of kinds) {
    const { name, variable, words } = calls[kind];
    const template = profile.calls?.[name];
    if (!template) continue;
    const left = [...after.entries()].filter(([, each]) => each.kind === kind && each.removed !== true);
    const missed: string[] = [];
    await Promise.all(
      left.map(async ([index, each]) => {
        const removed = each.id !== '' && (await attempt(template, each));
        after[index] = { ...each, removed };
      }),
    );
    const nameless = left.filter(([, { id }]) => id === '').length;
    if (nameless > 0) {
      missed.push(
        `the answers to ${nameless} creations show no id that the suite could read (create.requestId of the profile)`,
      );
    }
    const remaining = left.filter(([index]) => after[index]?.removed === false).length;
    if (remaining > 0)
      failures.push(`${remaining} of ${left.length} ${words} were not removed: ${missed[0]}`);

    async function attempt(known: CallTemplate, { id }: Created): Promise<boolean> {
      const ask = () => call(name, known, { [variable]: id });
      const first = await ask();
      // What was perhaps removed may be removed again: then it is gone.
      const answer = first.status === 0 && first.exchange.failure?.code !== 'NOT_SENT' ? await ask() : first;
      const removed = isRemoved(profile, name, answer);
      if (!removed) missed.push(`calls.${name}: ${shortAnswer(answer)}`);
      return removed;
    }
  }
  return { created: after, failures };
}

/** What of the created objects the profile has a call for and is still there. */
export function removable(profile: Profile, created: readonly Created[]): readonly Created[] {
  return created.filter(({ kind, removed, id }) => {
    if (kind === 'signatory' || removed === true || id === '') return false;
    return profile.calls?.[calls[kind].name] !== undefined;
  });
}
