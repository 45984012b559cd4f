/** What the reference service keeps on disk survives a kill -9 and a restart. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Reference, startReference } from '../../reference/server.ts';
import { start } from './cli-spawn.ts';
import { ReferenceClient } from './reference-client.ts';
import { Flow, somebody } from './reference-flow.ts';
import { jsonOf, startReceiver } from './reference-receiver.ts';

let dataDir: string;
test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'reference-'));
});
test.afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('callbacks that were not delivered are delivered after a kill -9', async () => {
  const receiver = await startReceiver();
  receiver.answers.push(...Array<number>(50).fill(503));
  const retries = ['--dialect', 'callbackRetryMs=50', '--dialect', 'callbackRetries=1000'];
  const served = start(['serve', '--json', '--data', dataDir, ...retries]);
  const [line] = await served.printed(/^\{.*\}$/m);
  const { url: baseUrl, token: valid } = JSON.parse(line) as Record<string, string>;
  // The client of the other tests, by way of a socket.
  const client = new ReferenceClient({ baseUrl, tokens: { valid }, handle: fetch } as unknown as Reference);
  const given = { CallbackUrl: `${receiver.baseUrl}/hooks`, CallbackTypes: [0] };
  const flow = await Flow.create(client, [somebody('only')], given);
  await flow.send();
  await flow.sign('only');
  await receiver.arrived(1);
  served.process.kill('SIGKILL');
  await served.ended;
  receiver.answers.length = 0;
  const before = receiver.received.length;
  const again = await startReference({ dataDir });
  const later = (await receiver.arrived(before + 3)).slice(before);
  expect(later.map((each) => jsonOf(each).event)).toEqual([1, 2, 3]);
  expect(new Set(later.map((each) => jsonOf(each).requestId))).toEqual(new Set([flow.requestId]));
  await again.close();
  await receiver.close();
});

test('requests, tokens, clients and completed documents outlive a restart, in a folder of their owner', async () => {
  const own = join(dataDir, 'new');
  const first = await startReference({ dataDir: own });
  expect(statSync(own).mode & 0o777).toBe(0o700);
  const flow = await Flow.create(new ReferenceClient(first), [somebody('only')]);
  await flow.send();
  await flow.sign('only');
  const [bytes] = await flow.documents();
  const [before] = first.outbox.read({ to: 'only@example.com' });
  first.outbox.clear();
  const { credentials, tokens } = first;
  // Both would send what is queued.
  const theirs = `another service keeps its data in ${own}`;
  // Having tried has let nobody else in.
  for (const _ of ['tried', 'tried again']) {
    await expect(startReference({ dataDir: own })).rejects.toThrow(theirs);
  }
  await first.close();
  // As where a process was killed while it wrote.
  appendFileSync(join(own, 'service.journal'), Buffer.from([9, 0, 0, 0, 1]));
  const second = await startReference({ dataDir: own });
  expect(existsSync(join(own, 'service.journal.torn'))).toBe(true);
  const client = new ReferenceClient(second);
  expect(second.credentials.clientSecret).toBe(credentials.clientSecret);
  const authorization = `Bearer ${tokens.valid}`;
  const status = await client.send('GET', `/_apis/sign/api/v2/requests/${flow.requestId}/status`, undefined, {
    authorization,
  });
  expect(status.json).toMatchObject({ status: 'completed' });
  const url = `${second.baseUrl}/_apis/sign/api/v2/requests/${flow.requestId}/documents/0`;
  const answer = await second.handle(new Request(url, { headers: { Authorization: authorization } }));
  expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes ?? Buffer.alloc(0))).toBe(0);
  // Numbers of letters are not given again.
  await (await Flow.create(client, [somebody('only')])).send();
  const [after] = second.outbox.read({ to: 'only@example.com' });
  expect(Number(after?.id)).toBeGreaterThan(Number(before?.id));
  await second.close();
});

test('a request that is sent some time after its last signatory is sent after a restart', async () => {
  const far = { sending: 'delay', sendDelayMs: 600_000 } as const;
  const first = await startReference({ dataDir, dialect: far });
  const flow = await Flow.create(new ReferenceClient(first), [somebody('only')]);
  const empty = await Flow.create(new ReferenceClient(first), []);
  await first.close();
  // As if the time had passed while the service was away.
  const second = await startReference({ dataDir, dialect: { ...far, sendDelayMs: 1 } });
  const client = new ReferenceClient(second);
  const headers = { authorization: `Bearer ${first.tokens.valid}` };
  const stateOf = async ({ requestId }: Flow) =>
    (await client.send('GET', `/_apis/sign/api/v2/requests/${requestId}/status`, undefined, headers)).json
      .status;
  await expect.poll(() => stateOf(flow)).toBe('sent');
  expect(await stateOf(empty)).toBe('draft');
  await second.close();
});

test('somebody whose invitation was put off is invited after a restart, once', async () => {
  const late = { invitationDelayMs: 600_000 } as const;
  const first = await startReference({ dataDir, dialect: late });
  const flow = await Flow.create(new ReferenceClient(first), [
    somebody('one'),
    somebody('two', { Order: 2 }),
    somebody('three', { Order: 3 }),
  ]);
  await flow.send();
  await flow.sign('one');
  await first.close();
  for (const invited of [1, 1]) {
    const next = await startReference({ dataDir, dialect: late });
    const to = (name: string) => next.outbox.read({ to: `${name}@example.com` });
    expect([to('one').length, to('two').length, to('three').length]).toEqual([1, invited, 0]);
    const page = await next.handle(new Request(to('two')[0]?.link ?? ''));
    expect(page.status).toBe(200);
    await next.close();
  }
});

test('a file that is no journal, or a damaged one, is told and left as it is', async () => {
  const file = join(dataDir, 'service.journal');
  writeFileSync(file, 'hello, this is my diary');
  await expect(startReference({ dataDir })).rejects.toThrow(`${file} is no journal of this service`);
  expect(readFileSync(file, 'utf8')).toBe('hello, this is my diary');
  await rm(file);
  await (await startReference({ dataDir })).close();
  const whole = readFileSync(file);
  whole.fill(0xff, 24, 30);
  writeFileSync(file, whole);
  await expect(startReference({ dataDir })).rejects.toThrow(/service\.journal is damaged at byte 16/);
  expect(Buffer.compare(readFileSync(file), whole)).toBe(0);
});

test('of two services that start where one was killed, one keeps its data there', async () => {
  const listen = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', listen, join(dataDir, 'service.sock')]);
  expect(existsSync(join(dataDir, 'service.sock'))).toBe(true);
  const both = await Promise.allSettled([startReference({ dataDir }), startReference({ dataDir })]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  for (const each of both) if (each.status === 'fulfilled') await each.value.close();
});

test('nobody can hold a folder with a long path from the folder for temporary files', async () => {
  const long = join(dataDir, 'x'.repeat(100));
  mkdirSync(long);
  const name = createHash('sha256').update(realpathSync(long)).digest('hex').slice(0, 32);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = await mkdtemp(join(tmpdir(), 'o-'));
  const other = createServer().listen(join(process.env.TMPDIR, `esign-${name}.sock`));
  await once(other, 'listening');
  try {
    const first = await startReference({ dataDir: long });
    await expect(startReference({ dataDir: long })).rejects.toThrow('another service keeps its data');
    await first.close();
    await (await startReference({ dataDir: long })).close();
  } finally {
    other.close();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});

test('a file that is a link is not followed, whose target is left as it is', async () => {
  const other = join(dataDir, 'of somebody else');
  writeFileSync(other, 'as it is', { mode: 0o644 });
  symlinkSync(other, join(dataDir, 'service.journal'));
  await expect(startReference({ dataDir })).rejects.toThrow(/service\.journal is no file; remove it/);
  expect(statSync(other).mode & 0o777).toBe(0o644);
});
