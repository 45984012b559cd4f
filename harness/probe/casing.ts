/** Whether the casing of keys matters, seen without creating anything: each call names an unknown document. */
import { camelCased } from '../../generators/bodies/bold.ts';
import { minimalRequest } from '../../generators/bodies/request.ts';
import { alter } from '../../generators/ids.ts';
import type { Observation } from '../exchange.ts';
import { titleAt } from '../shared.ts';
import type { FoundUpload } from './find-upload.ts';
import type { Ground } from './ground.ts';

/**
 * Nothing where it does not show: the target looks for documents before it judges the body, or takes any.
 * @param token one that the target gave
 */
export async function casing(
  { facts }: Ground,
  { client }: FoundUpload,
  token: string,
): Promise<readonly Observation[]> {
  const sound = minimalRequest({
    title: titleAt(facts, 'probe casing'),
    documents: [alter(token, facts.seed)],
  });
  const send = (json: unknown, deliberate: boolean) =>
    client.call({ operation: 'createSkeletonRequest', purpose: 'observation', deliberate, body: { json } });
  const { Title: _, ...untitled } = sound;
  const control = await send(sound, false);
  const broken = await send(untitled, true);
  if (control.status < 400 || broken.status < 400 || control.status === broken.status) return [];
  const cased = await send(camelCased(sound), true);
  const value = { [control.status]: 'taken', [broken.status]: `refused (${cased.status})` }[cased.status];
  if (value === undefined) return [];
  const key = 'type 0, all keys begin with a small letter';
  return [{ gap: 'errors.key-case', key, value, stability: 'stable', exchanges: [cased.exchange.index] }];
}
