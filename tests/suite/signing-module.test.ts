/** Signing modules: ones that work, that throw, that never end, and that give what nobody can read. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createDriver } from '../../harness/people/create-driver.ts';
import type { RelayingDriver } from '../../harness/people/module.ts';
import type { RelayedDelivery } from '../../harness/people/module-types.ts';
import type { OutboxReader } from '../../harness/people/outbox.ts';
import { otpType } from '../../openapi/codes.ts';
import { listing, noOutbox, personWith } from './signing-people.ts';

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'esign-module-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

let written = 0;

/** The driver of a module with this text. */
async function driverOf(text: string, timeoutMs = 5_000, outbox: OutboxReader = noOutbox) {
  written += 1;
  const file = `module-${written}.mjs`;
  await writeFile(join(folder, file), text);
  return named(file, timeoutMs, folder, outbox);
}

async function named(
  module: string,
  timeoutMs = 5_000,
  profileDir = folder,
  outbox: OutboxReader = noOutbox,
): Promise<RelayingDriver> {
  const signing = { driver: 'module' as const, module, timeoutMs };
  const profile = { address: { baseUrl: 'http://127.0.0.1:9' }, signing };
  const call = async () => ({ status: 204, text: '', bytes: new Uint8Array(), headers: [], index: 41 });
  const driver = await createDriver(profile, { call, outbox, profileDir });
  if (!driver) throw new Error('the profile has a driver');
  return driver;
}

const anna = personWith({ otpType: otpType.sms });

test('a refusal says nothing where the module looked for a code and found none', async () => {
  const text = `export default {
    async act(task, act, codes, { outbox }) {
      if (codes === 'right') await outbox.code(task, 'sms');
      return { refused: '403' };
    },
  };`;
  const driver = await driverOf(text, 5_000, listing('sms', []));
  expect(await driver.act(anna, 'sign', 'right')).toMatchObject({
    kind: 'unknown',
    reason: expect.stringMatching(/^403; no code was found for \+12025550123: .* finds it by a pattern$/),
  });
  expect(await driver.act(anna, 'sign', 'none')).toMatchObject({ kind: 'refused' });
});

test('acts and looks as the module says, with the exchanges of its calls', async () => {
  const driver = await driverOf(`export default {
    async act(task, act, codes, { call, baseUrl }) {
      if (codes === 'none') return 'refused';
      if (codes === 'wrong') return { refused: 'wrong code ' + act };
      const { status } = await call({ method: 'POST', url: '/sign' });
      return status === 204 && baseUrl ? 'done' : { unknown: task.name };
    },
    async view() { return { text: ' A\\n title &amp; &#39;more', document: true }; },
  };`);
  expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'done', exchanges: [41] });
  expect(await driver.act(anna, 'sign', 'none')).toMatchObject({ kind: 'refused', exchanges: [] });
  expect(await driver.act(anna, 'approve', 'wrong')).toMatchObject({ reason: 'wrong code approve' });
  // Who has no code is never said to enter one.
  expect(await driver.act(personWith(), 'sign', 'right')).toMatchObject({ kind: 'refused' });
  expect(driver.shows).toBe(true);
  const seen = { kind: 'seen', text: "A title & 'more", document: true, exchanges: [] };
  expect(await driver.view(anna)).toEqual(seen);
  await driver.close();
});

test('is unknown, with the reason, whatever else a module does', async () => {
  const rows = [
    ['export default { act() { throw new Error("no network\\nat all"); } };', 'has thrown: no network'],
    ['export default { async act() { throw "text"; } };', 'act of the signing module has thrown: text'],
    ['export default { act: () => new Promise(() => {}) };', 'did not end within 200 ms'],
    ['export default { act: async () => ({ signed: true }) };', 'gave { signed: true }; it must be "done"'],
    ['export default { act: async () => { const it = {}; return (it.it = it); } };', '[Circular *1] }; it'],
    ['export default { act: async () => ({ get refused() { throw 1; } }) };', 'has thrown: 1'],
    ['export default { act() { throw Object.create(null); } };', 'has thrown: [Object: null prototype] {}'],
    ['throw Object.create(null);', 'could not be loaded: [Object: null prototype] {}'],
    ['export default { act: async () => {} };', 'gave undefined; it must be'],
    ['export const sign = 1;', 'has no default export with a function "act"'],
    ['throw new Error("at once");', 'could not be loaded: at once'],
    ['this is no code', 'could not be loaded:'],
  ] as const;
  for (const [text, reason] of rows) {
    const driver = await driverOf(text, 200);
    const outcome = await driver.act(anna, 'sign', 'right');
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining(reason) });
    expect(await driver.view(anna)).toMatchObject({ kind: 'unknown' });
    expect(driver.shows).toBe(false);
    await driver.close();
  }
});

test('a file that is not there, or not named, is an error of the profile', async () => {
  await expect(named('nowhere.ts')).rejects.toThrow(/signing\.module "nowhere\.ts": there is no file/);
  const profile = { address: { baseUrl: 'http://127.0.0.1:9' }, signing: { driver: 'module' as const } };
  const call = () => Promise.reject(new Error('nobody calls'));
  const created = createDriver(profile, { call, outbox: noOutbox, profileDir: folder });
  await expect(created).rejects.toThrow('signing.driver "module" needs signing.module');
});

test.describe('deliveries', () => {
  const delivery = `{ method: 'POST', url: '/hook?s=1', headers: [['Content-Type', 'text/plain']], body: 'hello' }`;

  async function collected(body: string): Promise<{ came: RelayedDelivery[]; problems: string[] }> {
    const driver = await driverOf(`export default { act() {}, async *deliveries(signal) { ${body} } };`);
    const [came, problems]: [RelayedDelivery[], string[]] = [[], []];
    for await (const each of driver.deliveries?.((text) => problems.push(text)) ?? []) {
      came.push(each);
      if (each.body === 'last') await driver.close();
    }
    await driver.close();
    return { came, problems };
  }

  test('are handed on until the module has no more', async () => {
    const { came, problems } = await collected(`yield ${delivery}; yield ${delivery};`);
    expect(came).toHaveLength(2);
    expect(came[0]).toMatchObject({ method: 'POST', url: '/hook?s=1', body: 'hello' });
    expect(problems).toEqual([]);
  });

  test('that cannot be used are left out and told, and so is what is thrown', async () => {
    const useless = `yield { method: 'POST' }; yield null; yield { ...${delivery}, url: 'http://[' };`;
    const { came, problems } = await collected(
      `${useless} yield ${delivery}; throw new Error('relay is down');`,
    );
    expect(came).toHaveLength(1);
    expect(problems).toHaveLength(4);
    expect(problems[3]).toBe('deliveries of the signing module has thrown: relay is down');
  });

  test('end with the driver, also while the module waits for the next one', async () => {
    const { came } = await collected(`yield { ...${delivery}, body: 'last' }; await new Promise(() => {});`);
    expect(came).toHaveLength(1);
  });
});
