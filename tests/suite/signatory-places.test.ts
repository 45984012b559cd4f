/** Requests that checks share: how many are made, and when several at once. */
import { expect, test } from '@playwright/test';
import { SignatoryPlaces } from '../../harness/judging/signatory-places.ts';

/** Opens rooms of ten, and tells how many were being opened at the same time. */
function opening(fails: (index: number) => boolean = () => false) {
  const seen = { opened: 0, atOnce: 0, most: 0 };
  const open = async () => {
    const index = seen.opened++;
    seen.atOnce += 1;
    seen.most = Math.max(seen.most, seen.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    seen.atOnce -= 1;
    if (fails(index)) throw new Error(`request ${index} was refused`);
    return `R${index}`;
  };
  return { rooms: new SignatoryPlaces(10, open), seen };
}

const takers = (rooms: SignatoryPlaces, count: number) =>
  Promise.all(Array.from({ length: count }, () => rooms.take(1)));

test('who comes alone gets one request, and few who come together share it', async () => {
  const { rooms, seen } = opening();
  await rooms.take(1);
  await takers(rooms, 9);
  expect(seen).toMatchObject({ opened: 1, most: 1 });
});

test('where many wait, several requests are made at once, and no more than are needed', async () => {
  const { rooms, seen } = opening();
  const ids = await takers(rooms, 60);
  expect(seen).toMatchObject({ opened: 6, most: 3 });
  for (const id of new Set(ids)) expect(ids.filter((each) => each === id)).toHaveLength(10);
});

test('those that were made are used where another one was refused, and a refusal of all is told', async () => {
  // The first comes alone: whoever was there before the others asks for it.
  const some = opening((index) => index === 1);
  expect([...new Set(await takers(some.rooms, 40))].sort()).toEqual(['R0', 'R2', 'R3', 'R4']);
  const none = opening(() => true);
  await expect(takers(none.rooms, 60)).rejects.toThrow('request 0 was refused');
  await expect(none.rooms.take(1)).rejects.toThrow('request 0 was refused');
  expect(none.seen.opened).toBe(1);
});
