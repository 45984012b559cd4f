/** What checks share: each made once, limits of the profile kept, trouble borne for a moment, and several made at once where many wait. */
import { expect, type TestInfo, test } from '@playwright/test';
import { SignatoryPlaces } from '../../harness/judging/signatory-places.ts';
import type { RunSession } from '../../harness/session/run-session.ts';
import { type ProfileParts, sessionAt } from './services/session.ts';
import { type Override, startTinyService, type TinyService } from './services/tiny-service.ts';

async function withSession(
  info: TestInfo,
  parts: ProfileParts,
  work: (session: RunSession, service: TinyService) => Promise<void>,
  override?: Override,
): Promise<void> {
  const service = await startTinyService(override);
  const session = sessionAt(service.baseUrl, info.outputPath('out'), parts);
  try {
    await work(session, service);
  } finally {
    await session.close();
    await service.close();
  }
}

test('a document token is used no more often than the profile allows', async ({}, info) => {
  await withSession(info, { limits: { documentUses: 2 } }, async (session) => {
    const given: string[] = [];
    for (let i = 0; i < 7; i += 1) given.push(...(await session.documents(1)));
    const uses = given.map((token) => given.filter((each) => each === token).length);
    expect(Math.max(...uses)).toBe(2);
  });
});

test('a request gets no more signatories than the profile allows', async ({}, info) => {
  await withSession(info, { limits: { signatories: 3 } }, async (session) => {
    const ids = await Promise.all([1, 1, 3, 2, 1].map((count) => session.request(count)));
    const room = new Map<string, number>();
    for (const [index, id] of ids.entries())
      room.set(id, (room.get(id) ?? 0) + ([1, 1, 3, 2, 1][index] ?? 0));
    expect([...room.values()].every((count) => count <= 3)).toBe(true);
    await expect(session.request(4)).rejects.toThrow(
      'needs a request with 4 signatories, but limits.signatories is 3',
    );
  });
});

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

test('where many wait, several requests are made at once, and no more than are needed', async () => {
  const { rooms, seen } = opening();
  const ids = await takers(rooms, 60);
  expect(seen).toMatchObject({ opened: 6, most: 3 });
  for (const id of new Set(ids)) expect(ids.filter((each) => each === id)).toHaveLength(10);
});
