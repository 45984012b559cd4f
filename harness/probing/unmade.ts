/** What is asked without creating anything: each of these creations names a document that nobody issued. */
import { camelCased } from '../../generators/bodies/bold.ts';
import { minimalRequest } from '../../generators/bodies/request.ts';
import { alter } from '../../generators/ids.ts';
import { event } from '../../openapi/codes.ts';
import type { Observation } from '../../openapi/observation.ts';
import { titleAt } from '../judging/names.ts';
import type { FoundUpload } from './find-upload.ts';
import type { Ground } from './ground.ts';

export interface Unmade {
  /** Whether keys in another casing are taken. */
  readonly observations: readonly Observation[];
  /** The CallbackUrl that was refused, and with which status. */
  readonly refusedUrl?: { readonly url: string; readonly status: number };
}

/**
 * Nothing where it does not show: the target looks for documents before it judges the body, or takes any.
 * @param token one that the target gave
 */
export async function unmade({ facts }: Ground, { client }: FoundUpload, token: string): Promise<Unmade> {
  const sound = minimalRequest({
    title: titleAt(facts, 'probe casing'),
    documents: [alter(token, facts.seed)],
  });
  const send = (json: unknown, deliberate: boolean) =>
    client.call({ operation: 'createSkeletonRequest', purpose: 'observation', deliberate, body: { json } });
  const { Title: _, ...untitled } = sound;
  const control = await send(sound, false);
  const broken = await send(untitled, true);
  if (control.status < 400 || broken.status < 400 || control.status === broken.status) {
    return { observations: [] };
  }
  const cased = await send(camelCased(sound), true);
  const taken = { [control.status]: 'taken', [broken.status]: `refused (${cased.status})` }[cased.status];
  const key = 'type 0, all keys begin with a small letter';
  const { index } = cased.exchange;
  const about = { gap: 'errors.key-case', key, stability: 'stable', exchanges: [index] } as const;
  const { callbackUrl: url } = facts;
  const called = await send({ ...sound, CallbackUrl: url, CallbackTypes: [event.processCompleted] }, false);
  return {
    observations: taken === undefined ? [] : [{ ...about, value: taken }],
    ...(called.status === broken.status ? { refusedUrl: { url, status: called.status } } : {}),
  };
}
