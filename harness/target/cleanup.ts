/** Removes at the target what a run created, by the calls of the profile. */
import type { Created } from '../../record/exchange.ts';
import { shortAnswer } from '../../record/exchange-text.ts';
import type { CallTemplate } from '../profile/parts.ts';
import type { Profile } from '../profile/schema.ts';
import { isSuccess, type Variables } from '../profile/template.ts';
import type { Answer } from './call.ts';

/** Kinds of objects that a profile may have a removal call for, and the variable that names the object in it. */
const calls = {
  request: { name: 'deleteRequest', variable: 'requestId', words: 'signature requests' },
  document: { name: 'invalidateDocument', variable: 'documentToken', words: 'documents' },
} as const;

type Removable = keyof typeof calls;
type CallName = (typeof calls)[Removable]['name'];

type RemovalCall = (name: CallName, template: CallTemplate, variables: Variables) => Promise<Answer>;

/** The kind of object that a call of the profile removes; undefined when it removes none. */
export function removalBy(call: string): { readonly kind: Removable; readonly name: CallName } | undefined {
  const kind = kinds.find((each) => calls[each].name === call);
  return kind && { kind, name: calls[kind].name };
}

const kinds = Object.keys(calls) as readonly Removable[];

/** Statuses by which a target says that it does not know the object: it is gone already, or the call names it wrongly. */
const unknown: readonly unknown[] = [404, 410];

/** Removes requests first, then the documents in them. Objects of a kind without a removal call stay. */
export async function cleanUp(profile: Profile, created: readonly Created[], call: RemovalCall) {
  const after = [...created];
  const failures: string[] = [];
  for (const kind of kinds) {
    const { name, variable, words } = calls[kind];
    const template = profile.calls?.[name];
    if (!template) continue;
    const before = new Set(leftOf(profile, after));
    const tried = [...after.entries()].filter(([, each]) => each.kind === kind && before.has(each));
    const ends = await Promise.all(
      tried.map(async ([index, each]) => {
        const ask = () => call(name, template, { [variable]: each.id });
        const end = await removeOne(template, each, ask);
        after[index] = end.object;
        return end;
      }),
    );
    const still = new Set(leftOf(profile, after));
    // An object that the target does not know counts as gone, though no call removed it.
    const remaining = ends.filter(({ object }) => still.has(object));
    const nameless = tried.filter(([, { id }]) => id === '').length;
    const unnamed = `the answers to ${nameless} creations show no id that the suite could read (create.requestId of the profile)`;
    const why = remaining.find((each) => each.why !== undefined)?.why;
    if (remaining.length > 0)
      failures.push(
        `${remaining.length} of ${tried.length} ${words} were not removed: ${why ? `calls.${name}: ${why}` : unnamed}`,
      );
  }
  return { created: after, failures };
}

/** The object after a call that is to remove it, and why it was not removed. */
async function removeOne(
  template: CallTemplate,
  { removalStatus: _, ...before }: Created,
  ask: () => Promise<Answer>,
): Promise<{ readonly object: Created; readonly why?: string }> {
  const object = { ...before, removed: false };
  if (object.id === '') return { object };
  // A removal may fail, for example without an access token; the other objects are removed all the same.
  const asked = () => ask().catch((error: Error) => error);
  const first = await asked();
  // Without an answer, the object may have been removed: the call is made once more, and 404 then means that it is gone.
  const again = 'status' in first && first.status === 0 && first.exchange.failure?.code !== 'NOT_SENT';
  const answer = again ? await asked() : first;
  if (answer instanceof Error) return { object, why: answer.message };
  const { status } = answer;
  return isSuccess(template, answer) || (again && unknown.includes(status))
    ? { object: { ...object, removed: true } }
    : { object: { ...object, removalStatus: status }, why: shortAnswer(answer) };
}

/**
 * The created objects that are still there and that the profile has a removal call for. Where the target answers that
 * it knows no such object, it counts as gone if the same call has removed another of its kind; else the call may be wrong.
 */
export function leftOf(profile: Profile, created: readonly Created[]): readonly Created[] {
  const proved = new Set(created.filter(({ removed }) => removed === true).map(({ kind }) => kind));
  return created.filter(({ kind, removed, removalStatus }) => {
    if (kind === 'signatory' || removed === true) return false;
    if (proved.has(kind) && unknown.includes(removalStatus)) return false;
    return profile.calls?.[calls[kind].name] !== undefined;
  });
}
