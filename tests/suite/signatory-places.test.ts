/** Places of signatories: no request gets more people than the profile allows, whatever becomes of those who are to be refused. */
import { expect, test } from '@playwright/test';
import { SignatoryPlaces } from '../../harness/judging/signatory-places.ts';

type Fate = 'refused' | 'accepted' | 'lost';

const limit = 3;

/** What becomes of five who are to be refused and come at once, and the requests that they go to beside the first person. */
const guests: readonly (readonly [Fate, readonly string[]])[] = [
  ['refused', ['R1', 'R1', 'R1', 'R1', 'R1']],
  ['accepted', ['R1', 'R1', 'R2', 'R2', 'R2']],
  // Nobody knows whether they were accepted.
  ['lost', ['R1', 'R1', 'R2', 'R2', 'R2']],
];

for (const [fate, requests] of guests) {
  test(`of five who are to be refused and are ${fate}, ${requests.join(', ')} gets one each`, async () => {
    let made = 0;
    const people = new Map<string, number>();
    const meets = (requestId: string) => people.set(requestId, (people.get(requestId) ?? 0) + 1);
    const places = new SignatoryPlaces(limit, async () => `R${++made}`);
    meets(await places.take(1));
    const went: string[] = [];
    const guest = () =>
      places.beside(
        async (requestId) => {
          went.push(requestId);
          if (fate !== 'refused') meets(requestId);
          if (fate === 'lost') throw new Error('no answer');
          return fate;
        },
        (answer) => answer === 'refused',
      );
    await Promise.allSettled(Array.from({ length: 5 }, guest));
    expect(went.toSorted()).toEqual(requests);
    for (let more = 0; more < limit; more += 1) meets(await places.take(1));
    expect(Math.max(...people.values())).toBeLessThanOrEqual(limit);
  });
}

test('where everybody gets a request alone, whoever is refused leaves it to the next one', async () => {
  let made = 0;
  const places = new SignatoryPlaces(limit, async () => `R${++made}`, undefined, 1);
  expect([await places.take(1), await places.take(1)]).toEqual(['R1', 'R2']);
  places.giveBack('R1');
  places.giveBack('R of somebody else');
  expect([await places.take(1), await places.take(1)]).toEqual(['R1', 'R3']);
});
