/** Deliveries that are not what they seem: no events at all, or not from the target. */
import { expect, test } from '@playwright/test';
import { decode } from '../../harness/callbacks/decode.ts';
import { readDelivery } from '../../harness/callbacks/reading.ts';
import { judge } from '../../harness/judging/sequence/sequence.ts';
import { send, withListener } from './callbacks-sender.ts';

const soon = { deadlineMs: 5_000 };

test('deliveries that are no events are said to be unreadable', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><a>&b;</a>`;
  const rows: [title: string, contentType: string, body: string][] = [
    ['no body', 'application/json', ''],
    ['JSON that is cut off', 'application/json', '{"event": 1, "requestId": "'],
    ['JSON nested without end', 'application/json', deep],
    ['a bare number', 'application/json', '2'],
    ['null', 'application/json', 'null'],
    ['an HTML page', 'text/html', '<!DOCTYPE html><html><body>502 Bad Gateway</body></html>'],
    ['XML with entities that grow', 'application/xml', bomb],
    ['XML nested without end', 'application/xml', `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`],
    ['multipart without a boundary', 'multipart/form-data', '--x\r\n\r\n1\r\n--x--'],
    [
      'multipart that is cut off',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name=event\r\n\r\n1',
    ],
    [
      'a form that pollutes prototypes',
      'application/x-www-form-urlencoded',
      '__proto__[event]=1&constructor.prototype.event=2',
    ],
    ['random bytes', 'application/octet-stream', '\u0000\u00ff\u0010\u0080 nothing'],
    ['an event nobody knows', 'application/json', '{"event": "signatory_was_late"}'],
    ['two events at one place', 'application/json', '{"eventType": 1, "eventCode": 3}'],
  ];
  for (const [title, contentType, body] of rows) {
    const message = {
      method: 'POST',
      target: '/callback/x',
      url: 'http://127.0.0.1/callback/x',
      headers: [['Content-Type', contentType]] as const,
      body: Buffer.from(body),
    };
    const decoded = decode(message, {}, { requestIds: ['r-00000001'], signatories: [] });
    expect(decoded, title).toMatchObject({ readable: false });
    expect(decoded.problems.join(), title).not.toBe('');
  }
  expect(({} as Record<string, unknown>).event).toBeUndefined();
});

test('a forged delivery decides nothing once a genuine one has arrived', async () => {
  await withListener({}, async (listener) => {
    const address = listener.open('check');
    const settings = { authenticity: { kind: 'header', header: 'X-Secret', secret: 'right' } } as const;
    const genuine = { headers: { 'content-type': 'application/json', 'X-Secret': 'right' } };
    const signer = { email: 'a@example.com', role: 1, order: 1 } as const;
    await send(address.url, '{"event":3}', {
      headers: { 'content-type': 'application/json', 'X-Secret': 'wrong' },
    });
    await send(address.url, '{"event":1}', genuine);
    await send(address.url, '{"event":2,"email":"a@example.com"}', genuine);
    await send(address.url, '{"event":3}', genuine);
    const deliveries = await address.wait((all) => all.length === 4, soon);
    const known = { requestIds: [], signatories: [signer] };
    const seen = [];
    for (const delivery of deliveries) {
      seen.push((await readDelivery(delivery, { settings, known, markers: [] })).seen);
    }
    const plan = {
      signatories: [signer],
      callbackUrl: address.url,
      subscription: [1, 2, 3],
      attachments: false,
      documents: [],
    };
    const actions = { completed: [{ signatory: 0, at: { startMs: 0, endMs: 0 } }] };
    const verdicts = judge(plan, actions, seen).judgements.map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(['passed']));
    expect(seen[0]?.forged).toContain('callbacks.authenticity');
    // Where every delivery looks forged, the secret may be the wrong one: that is no fault of the target.
    const [forged] = seen;
    const alone = judge(plan, actions, forged ? [forged] : []).judgements;
    expect(new Set(alone.map(({ verdict }) => verdict))).toEqual(new Set(['could-not-run']));
    expect(JSON.stringify(alone[0]?.found.cause)).toContain(
      'the header X-Secret is not the one of callbacks.authenticity.secret',
    );
  });
});
