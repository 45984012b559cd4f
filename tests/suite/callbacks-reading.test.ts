/** From a recorded delivery to judgement and timeline, and the settings that a profile may have for it. */
import { expect, test } from '@playwright/test';
import { plainPdf } from '../../generators/documents/pdf.ts';
import { readDelivery } from '../../harness/callbacks/reading.ts';
import { judge } from '../../harness/judging/sequence/sequence.ts';
import { timelineOf } from '../../harness/judging/sequence/timeline.ts';
import { moment, monotonicMs } from '../../record/clock.ts';
import { send, withListener } from './callbacks-sender.ts';
import { planOf } from './callbacks-story.ts';

test('a request is followed from its deliveries to judgements and a timeline', async () => {
  const { bytes, marker } = await plainPdf({ run: 'run-1', seed: 1, name: 'reading' });
  await withListener({}, async (listener) => {
    const address = listener.open('events.documents-attached');
    const callbackUrl = address.urlWith({ tenant: '7' });
    const plan = planOf(['signer'], { callbackUrl, attachments: true, documents: [marker] });
    const anchor = moment();
    const startMs = monotonicMs();
    await send(callbackUrl, JSON.stringify({ event: 1, requestId: 'request-1' }));
    const at = { startMs: monotonicMs(), endMs: monotonicMs() + 1 };
    await send(callbackUrl, JSON.stringify({ event: 2, signatoryId: 'signatory-0' }));
    const attachments = [{ name: 'b.pdf', content: Buffer.from(bytes.subarray(0, 900)).toString('base64') }];
    await send(callbackUrl, JSON.stringify({ event: 3, attachments }));
    const deliveries = await address.wait((all) => all.length === 3, { deadlineMs: 5_000 });
    const read = [];
    for (const delivery of deliveries) {
      const known = { requestIds: ['request-1'], signatories: plan.signatories };
      read.push(await readDelivery(delivery, { settings: {}, known, markers: [marker] }));
    }
    expect(read[2]?.files.map(({ name, bytes: { length } }) => [name, length])).toEqual([['b.pdf', 900]]);
    const seen = read.map((one) => one.seen);
    const actions = { created: { startMs, endMs: startMs + 1 }, completed: [{ signatory: 0, at }] };
    const { judgements } = judge(plan, actions, seen);
    expect(judgements.filter(({ verdict }) => verdict !== 'passed')).toEqual([
      {
        requirement: 'events.documents-attached',
        verdict: 'failed',
        found: {
          flow: {
            expected: { is: 'documents', count: 1 },
            seen: { events: [{ code: 3, delivery: 2 }], cut: 'the attachment "b.pdf"' },
          },
        },
        deliveries: [2],
      },
    ]);
    const timeline = timelineOf(plan, actions, seen, judgements, anchor);
    expect(timeline.map(({ kind, title, delivery, verdict }) => [kind, title, delivery, verdict])).toEqual([
      ['action', 'request created', undefined, undefined],
      ['delivery', 'event 1', '0', undefined],
      ['action', 'signatory 1 (signer, order 1) completes', undefined, undefined],
      ['delivery', 'event 2 of signatory 1 (signer, order 1)', '1', undefined],
      ['delivery', 'event 3, 1 attached', '2', 'failed'],
    ]);
    for (const entry of timeline) {
      expect(Math.abs(Date.parse(entry.at) - Date.now())).toBeLessThan(60_000);
      expect(entry.until && entry.until >= entry.at).toBe(true);
    }
  });
});

test('a delivery whose reading breaks is unreadable, and the others are read all the same', async () => {
  await withListener({}, async (listener) => {
    const address = listener.open('check');
    const link = { event: 3, documents: [{ content: 'https://files.example/1.pdf' }] };
    await send(address.url, JSON.stringify(link));
    await send(address.url, '{"event":1}');
    const deliveries = await address.wait((all) => all.length === 2, { deadlineMs: 5_000 });
    const options = {
      settings: { attachments: { list: '/documents', content: '/content', as: 'url' } },
      known: { requestIds: [], signatories: [] },
      markers: [],
      fetchLink: () => Promise.reject(new RangeError('Maximum call stack size exceeded')),
    } as const;
    const read = await Promise.all(deliveries.map((delivery) => readDelivery(delivery, options)));
    expect(read.map(({ seen: { events, problems } }) => [events.map(({ code }) => code), problems])).toEqual([
      [[], ['it cannot be read: Maximum call stack size exceeded']],
      [[1], []],
    ]);
  });
});
