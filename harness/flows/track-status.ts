/** Asks for the state of a request, by `calls.status`: what its states are called, and what moves it from one to the next. */
import { ifCouldNotRun } from '../../record/errors.ts';
import type { SequenceObservation } from '../judging/sequence/judgement.ts';
import type { Profile } from '../profile/schema.ts';
import { isSuccess } from '../profile/template.ts';
import { askWhile } from '../target/budgets/pause.ts';
import type { Client } from '../target/client.ts';
import { leaves } from '../untrusted/payload/tree.ts';
import { readText, scopeOf } from '../untrusted/place.ts';

/** States that mean completed when the profile does not say which do. */
const usuallyCompleted = /^(completed?|done|finished|signed|closed)$/i;

/** Names under which a state usually stands. */
const usualName = /\/(request_?)?(status|state)$/i;

type Asked = Pick<Profile, 'calls'>;

interface Asking {
  readonly client: Client;
  readonly profile: Asked;
}

/** The state as the target calls it; absent where the profile has no call, or no state was found in its answer. */
export async function stateOf(
  client: Client,
  profile: Asked,
  requestId: string,
): Promise<string | undefined> {
  const template = profile.calls?.status;
  if (!template) return undefined;
  const answer = await client
    .template('status', template, { requestId })
    .catch(ifCouldNotRun(() => undefined));
  if (!answer || !isSuccess(template, answer, 'a state')) return undefined;
  const scope = scopeOf(answer);
  // The state of the request stands higher in the answer than those of its people.
  const [usual] = leaves(scope.root)
    .filter(({ pointer }) => usualName.test(pointer))
    .sort((one, other) => one.pointer.split('/').length - other.pointer.split('/').length);
  const place = template.result ?? usual?.pointer;
  return place === undefined ? undefined : readText(place, scope);
}

export const isCompletion = ({ calls }: Asked, state: string): boolean =>
  calls?.status?.completed?.includes(state) ?? usuallyCompleted.test(state);

/** Waits, bounded, until the target says that the request is completed; at once where it cannot be asked. */
export function awaitCompletion(
  client: Client,
  profile: Asked,
  requestId: string,
  withinMs: number,
): Promise<string | undefined> {
  const isOpen = (state: string | undefined) => state !== undefined && !isCompletion(profile, state);
  return askWhile(withinMs, isOpen, () => stateOf(client, profile, requestId));
}

export interface SeenState {
  readonly moment: string;
  readonly state: string;
}

interface Tracked {
  readonly request: { readonly requestId: string; readonly definition: { readonly tracked?: boolean } };
  readonly states: SeenState[];
}

/** Notes the state at a moment, in a flow that is tracked. */
export async function noteState(run: Tracked, { client, profile }: Asking, moment: string): Promise<void> {
  if (!run.request.definition.tracked) return;
  const last = run.states.at(-1)?.state;
  // A completed request stays completed.
  const isOver = last !== undefined && isCompletion(profile, last);
  const state = isOver ? last : await stateOf(client, profile, run.request.requestId);
  if (state !== undefined) run.states.push({ moment, state });
}

/** What the states that a request went through say about the gaps. */
export function statesSeen(states: readonly SeenState[]): readonly SequenceObservation[] {
  if (states.length === 0) return [];
  const stable = { stability: 'stable', deliveries: [] } as const;
  const names = [...new Set(states.map(({ state }) => state))];
  return [
    { gap: 'service.states', key: 'states of a request, as it went through them', value: names, ...stable },
    ...states.map(({ moment, state }) => ({
      gap: 'service.transitions' as const,
      key: `state ${moment}`,
      value: state,
      ...stable,
    })),
  ];
}
