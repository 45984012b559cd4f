/** Two people who act on one request at the same time: what comes of it is what one of the two orders gives. */
import fc from 'fast-check';
import { type Command, command, requestAt } from './command.ts';
import { type Action, act, actReasons, atTurn, type ModelRequest } from './model.ts';
import { judge } from './world.ts';

interface Move {
  readonly person: number;
  readonly action: Action | 'delete';
}

/** What one order of the moves leads to: which of them go through, and the request afterwards. */
interface Course {
  readonly accepted: readonly boolean[];
  readonly after: ModelRequest;
}

function courseOf(request: ModelRequest, moves: readonly Move[], order: readonly number[]): Course {
  const after = structuredClone(request);
  const accepted = moves.map(() => false);
  for (const index of order) {
    const { person: number, action } = moves[index] ?? { person: 0, action: 'delete' };
    const person = after.people[number];
    if (after.deleted) continue;
    if (action === 'delete') after.deleted = true;
    else if (person && actReasons(after, person, action).length === 0) act(after, person, action);
    else continue;
    accepted[index] = true;
  }
  return { accepted, after };
}

const actions = fc.constantFrom<Action | 'delete'>('sign', 'approve', 'decline', 'decline', 'delete');

export const race: fc.Arbitrary<Command> = fc.record({ one: actions, other: actions }).map((given) =>
  command('race', given, async (model, world) => {
    const request = requestAt(model, 0);
    const turn = request?.state === 'sent' && !request.deleted ? atTurn(request) : [];
    const [first, second = first] = turn.filter(({ demand }) => demand === 'nothing');
    if (!request || !first || !second) return undefined;
    const moves: readonly Move[] = [
      { person: request.people.indexOf(first), action: given.one },
      { person: request.people.indexOf(second), action: given.other },
    ];
    const replies = await Promise.all(
      moves.map(({ person, action }) =>
        action === 'delete'
          ? world.call('DELETE', request.id, '', 'owner')
          : world.call(
              'POST',
              request.id,
              `/signatories/${request.people[person]?.id}/${action}`,
              'owner',
              {},
            ),
      ),
    );
    const accepted = replies.map((reply) => {
      const taken = reply.status < 300;
      return judge('race', reply, taken ? [] : ['refused']);
    });
    const courses = [[0, 1] as const, [1, 0] as const].map((order) => courseOf(request, moves, order));
    const fits = courses.find((course) => course.accepted.join() === accepted.join());
    if (!fits) throw new Error(`race: no order of the two calls explains ${accepted.join(' and ')}`);
    for (const [index, { state }] of fits.after.people.entries()) {
      const person = request.people[index];
      if (person) person.state = state;
    }
    request.events.splice(0, request.events.length, ...fits.after.events);
    Object.assign(request, { state: fits.after.state, deleted: fits.after.deleted });
    return request;
  }),
);
