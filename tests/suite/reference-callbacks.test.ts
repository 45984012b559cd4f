/** Callbacks of the reference service: shapes that the harness can read, proofs, repetition, destinations. */
import { expect, test } from '@playwright/test';
import { treeOfMultipart } from '../../harness/untrusted/payload/multipart.ts';
import type { FilePart } from '../../harness/untrusted/payload/tree.ts';
import { isAllowedAddress, type Networks } from '../../reference/callbacks/destination.ts';
import type { Dialect } from '../../reference/dialect.ts';
import { plainPdf } from '../../reference/plain-pdf.ts';
import { heldBytes } from '../proof/fuzz/fuzz-run.ts';
import { withReference } from './reference-client.ts';
import { approver, Flow, somebody } from './reference-flow.ts';
import { jsonOf, type Received, type Receiver, startReceiver } from './reference-receiver.ts';
import { serve } from './services/loopback.ts';

interface Told {
  readonly flow: Flow;
  readonly received: readonly Received[];
}

/** Lets an approver and a signer complete a request; what was called back, once `count` callbacks arrived. */
async function tell(
  dialect: Partial<Dialect>,
  count: number,
  before: (receiver: Receiver) => void = () => undefined,
): Promise<Told> {
  const receiver = await startReceiver();
  before(receiver);
  try {
    return await withReference({ dialect }, async (client) => {
      const flow = await Flow.create(client, [somebody('judge', approver), somebody('signer')], {
        CallbackUrl: `${receiver.baseUrl}/hooks?secret=x`,
        CallbackTypes: [0],
        CompletedDocumentsAttached: true,
      });
      await flow.send();
      await flow.approve('judge');
      await flow.sign('signer');
      const received = [...(await receiver.arrived(count))];
      return { flow, received };
    });
  } finally {
    await receiver.close();
  }
}

test('a callback that is not answered with 2xx is repeated, ever later, before the next one is sent', async () => {
  const { received, flow } = await tell({ callbackRetryMs: 20, callbackRetries: 5 }, 6, ({ answers }) => {
    answers.push(101, 0, 302);
  });
  const bodies = received.map(jsonOf);
  expect(bodies.map(({ event }) => event)).toEqual([1, 1, 1, 1, 2, 3]);
  expect(new Set(bodies.slice(0, 4).map(({ deliveryId }) => deliveryId)).size).toBe(1);
  const waits = [1, 2, 3].map((at) => (received[at]?.at ?? 0) - (received[at - 1]?.at ?? 0));
  for (const [at, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(20 * 2 ** at - 2);
  expect(received.every(({ url }) => url === '/hooks?secret=x')).toBe(true);
  expect(flow.requestId).toBe(bodies[0]?.requestId);
});

test('whatever people and documents hold, XML is well formed and parts stay whole', async () => {
  const told = async (dialect: Partial<Dialect>, Name: string, text: string) => {
    const receiver = await startReceiver();
    await withReference({ dialect }, async (client) => {
      const given = {
        CallbackUrl: receiver.baseUrl,
        CallbackTypes: [2, 3],
        CompletedDocumentsAttached: true,
      };
      const document = Buffer.concat([plainPdf(['A document']), Buffer.from(`\n% ${text}\n%%EOF\n`)]);
      const { json } = await client.upload(document);
      const flow = await Flow.create(client, [somebody('only', { Name })], {
        ...given,
        Documents: [json.documentToken],
      });
      await flow.send();
      await flow.sign('only');
      await receiver.arrived(2);
    });
    await receiver.close();
    return receiver.received;
  };
  // XML 1.0 has no way to write most control characters, and reads a carriage return as a line feed (2.2, 2.11).
  const [named] = await told(
    { callbackFormat: 'xml', callbackSignatoryAs: 'name' },
    'A\u0001\uffff\r<B>😀',
    '',
  );
  expect(named?.body.toString()).toContain('<signatoryName>A\ufffd\ufffd&#13;&#60;B&#62;😀</signatoryName>');
  const parts = {
    callbackFormat: 'multipart',
    callbackParts: 'identified',
    signatureKind: 'visible',
    unstamped: 'nothing',
  } as const;
  const [, completed] = await told(parts, 'A name', '\r\n--callback--\r\n');
  const type = String(completed?.headers['content-type']);
  const tree = treeOfMultipart(completed?.body ?? Buffer.alloc(0), type) as Record<string, FilePart>;
  expect(Buffer.from(tree['document-0']?.bytes ?? []).toString('latin1')).toMatch(
    /--callback--\r\n\n%%EOF\n$/,
  );
});

test('a slow receiver holds up no others, where callbacks go at once', async () => {
  const dialect: Partial<Dialect> = { callbackOrder: 'at-once', callbackRetryMs: 10_000 };
  const { received } = await tell(dialect, 3, ({ answers }) => answers.push(503));
  expect(received.map((each) => jsonOf(each).event).toSorted()).toEqual([1, 2, 3]);
});

test('receivers that hang, more than callbacks go out at a time, leave others their turn', async () => {
  // The time limit of a call has to outlive garbage collection.
  const hanging = await serve(() => void heldBytes());
  const receiver = await startReceiver();
  const dialect = { sending: 'first-signatory', callbackTimeoutMs: 100, callbackRetryMs: 0 } as const;
  await withReference({ dialect: { ...dialect, callbackRetries: 1_000_000 } }, async (client) => {
    const ask = (CallbackUrl: string) =>
      Flow.create(client, [somebody('only')], { CallbackUrl, CallbackTypes: [1] });
    await Promise.all(Array.from({ length: 80 }, () => ask(hanging.baseUrl)));
    await ask(receiver.baseUrl);
    await receiver.arrived(1);
  });
  await Promise.all([receiver.close(), hanging.close()]);
});

const destinations: readonly (readonly [networks: Networks, allowed: boolean, addresses: string])[] = [
  ['any', true, '192.168.1.1'],
  ['public', true, '93.184.215.14 ::ffff:93.184.215.14 2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  ['public', false, '127.0.0.1 ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:0:127.0.0.1'],
  ['public-and-loopback', true, '127.0.0.1 ::ffff:127.0.0.1'],
  [
    'public-and-loopback',
    false,
    '10.1.2.3 172.16.0.1 169.254.169.254 100.64.0.1 0.0.0.0 192.0.2.1 224.0.0.1',
  ],
  ['public-and-loopback', false, '255.255.255.255 fd00::1 fe80::1 fe80::1%lo fec0::1 ff02::1 ::'],
  // Addresses of IPv6 behind which one of IPv4 stands.
  [
    'public-and-loopback',
    false,
    '::10.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::a00:1',
  ],
  ['public-and-loopback', false, '2002:7f00:1:: 2001:0:4136:e378:8000:63bf:3fff:fdd2'],
];
test('callbacks go to addresses of the networks that are allowed, and to no others', () => {
  for (const [networks, allowed, addresses] of destinations)
    for (const address of addresses.split(' '))
      expect(isAllowedAddress(address, networks), `${address} (${networks})`).toBe(allowed);
});

test('a destination that is not allowed gets nothing, by address and by name', async () => {
  const receiver = await startReceiver();
  const named = receiver.baseUrl.replace('127.0.0.1', 'localhost');
  for (const [callbackNetworks, ...urls] of [
    ['public', receiver.baseUrl, named],
    // Port 0 is none; Node calls port 80 for it.
    ['any', 'http://127.0.0.1:0/'],
  ] as const) {
    await withReference({ dialect: { callbackNetworks } }, async (client) => {
      for (const CallbackUrl of urls) {
        const flow = await Flow.create(client, [somebody('only')], { CallbackUrl, CallbackTypes: [1] });
        await flow.send();
        await expect
          .poll(async () => (await flow.status()).json.callbacks)
          .toEqual([{ event: 1, state: 'refused', attempts: 0 }]);
      }
    });
  }
  expect(receiver.received).toEqual([]);
  await receiver.close();
});
