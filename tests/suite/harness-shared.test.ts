/** What checks share: each made once, limits of the profile kept, trouble borne for a moment, and several made at once where many wait. */
import { expect, type TestInfo, test } from '@playwright/test';
import { SignatoryPlaces } from '../../harness/judging/signatory-places.ts';
import type { RunSession } from '../../harness/session/run-session.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { json } from './services/loopback.ts';
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

test('a shared call is made once, whoever asks and how often', async ({}, info) => {
  await withSession(info, {}, async (session, service) => {
    const answers = await Promise.all([session.shared('skeleton'), session.shared('skeleton')]);
    expect(answers[0]?.exchange.index).toBe(answers[1]?.exchange.index);
    await session.repeat('skeleton');
    expect(service.calls.map(({ step }) => step)).toEqual(['upload', 'create', 'create']);
  });
});

test('documents are uploaded once and used again', async ({}, info) => {
  await withSession(info, {}, async (session, service) => {
    expect(await session.documents(2)).toEqual(['D0', 'D1']);
    expect(await session.documents(1)).toEqual(['D0']);
    expect(service.calls).toHaveLength(2);
    const [one, other] = service.calls;
    expect(one?.request.body.equals(other?.request.body ?? Buffer.alloc(0))).toBe(false);
  });
});

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

test('a signatory who is added once more is another person', async ({}, info) => {
  await withSession(info, {}, async (session, service) => {
    await session.shared('signatory');
    await session.repeat('signatory');
    await session.repeat('signatory');
    const people = service.calls
      .filter(({ step }) => step === 'add')
      .map(({ request }) => (JSON.parse(request.body.toString('utf8')) as { Email: string }).Email);
    expect(new Set(people).size).toBe(3);
  });
});

test('an error that stays is told with its exchange, once for all who need the call', async ({}, info) => {
  const failing: Override = (step, _, response) => {
    if (step !== 'create') return false;
    json(response, 400, { error: 'no' });
    return true;
  };
  await withSession(
    info,
    {},
    async (session, service) => {
      const told = await Promise.all(
        [1, 2, 1].map((count) => session.request(count).catch((error: unknown) => (error as Error).message)),
      );
      expect(new Set(told)).toEqual(
        new Set([
          'a type 0 creation with the required fields (exchange 1) was answered with 400 {"error":"no"}',
        ]),
      );
      await expect(session.request(1)).rejects.toThrow(CouldNotRun);
      expect(service.calls).toHaveLength(2);
    },
    failing,
  );
});

test('where the token stands is learned from the first answer, and nothing else is taken for one', async ({}, info) => {
  const odd: Override = (step, _, response, index) => {
    if (step !== 'upload') return false;
    json(response, 200, index === 0 ? { data: { handle: 'T-0' } } : { id: 'trace-1', error: 'no' });
    return true;
  };
  await withSession(
    info,
    {},
    async (session) => {
      expect(await session.documents(1)).toEqual(['T-0']);
      await expect(session.documents(2)).rejects.toThrow(/needs another document token, but POST/);
    },
    odd,
  );
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
