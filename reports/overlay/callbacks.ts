/** The payload of each event as it was seen in the deliveries. */
import { event } from '../../openapi/codes.ts';
import { schemaOfFields } from '../../openapi/fields.ts';
import type { Run } from '../run.ts';
import { type Action, at, type JsonObject, placeOf, remove, replace } from './action.ts';
import { observed } from './seen.ts';

/** The callbacks of the contract by event code. */
const named = {
  [event.requestReceived]: 'requestReceived',
  [event.signatoryCompleted]: 'signatoryCompleted',
  [event.processCompleted]: 'processCompleted',
};

/** Where the contract says that callbacks go. */
const expression = '{$request.body#/CallbackUrl}';

/** The body of each event that was seen; the open one of all events goes when none is left that needs it. */
export function callbacks(run: Run): Action[] {
  const types = observed(run, 'events.payload', 'media type').filter((type) => type.includes('/'));
  const seen = Object.entries(named).flatMap(([code, name]): Action[][] => {
    const fields = observed(run, 'events.payload', `fields of event ${code}`);
    if (fields.length === 0 || types.length === 0) return [];
    const place = [...placeOf('createSkeletonRequest'), 'callbacks', name, expression, 'post', 'requestBody'];
    const schema = schemaOfFields(fields) as JsonObject;
    const body: JsonObject = {
      description: 'As seen in the deliveries of a run.',
      required: true,
      content: Object.fromEntries(types.map((type) => [type, { schema }])),
    };
    return [replace(place, body, `event ${code}: its payload`)];
  });
  const open = ['components', 'requestBodies', 'Notification'];
  const needless = seen.length === Object.keys(named).length && at(open) !== undefined;
  return [...seen.flat(), ...(needless ? [remove(open, 'every event has a body of its own')] : [])];
}
