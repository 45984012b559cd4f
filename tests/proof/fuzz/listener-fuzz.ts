/** Fuzz of the callback listener: it goes on, accounts for each delivery, assigns none wrongly, and reading never throws. */
import { readDelivery } from '../../../harness/callbacks/reading.ts';
import type { CallbackSettings } from '../../../harness/profile/callback-settings.ts';
import { readPdf } from '../../../harness/untrusted/pdf/completed.ts';
import { plainPdf } from '../../../reference/plain-pdf.ts';
import { answerOf, open, send, withListener } from '../../suite/callbacks-sender.ts';
import { type FuzzResult, type FuzzRun, fuzzed } from './fuzz-run.ts';
import { fuzzMessage } from './messages.ts';

/** Settings of callbacks: none, or those with all places and a proof of origin. */
const settings: readonly CallbackSettings[] = [
  {},
  {
    decoding: { format: 'json', event: '/event', list: '/events' },
    attachments: { as: 'base64', list: '/documents' },
  },
  { decoding: { format: 'xml', event: '/callback/event' } },
  { decoding: { format: 'multipart', event: '/event' } },
  {
    authenticity: { kind: 'hmac', secret: 'a-secret-of-the-tests', header: 'X-Signature' },
  },
];

const known = {
  requestIds: ['request-1'],
  signatories: [{ id: 'signatory-1', email: 'a@example.com', name: 'A' }],
};

/** Throws with the smallest message that did harm, and with what replays it. */
export async function fuzzListener(run: FuzzRun): Promise<FuzzResult> {
  const limits = { deliveriesPerCheck: run.inputs * 20, deliveries: run.inputs * 20 };
  return withListener({ limits }, async (listener) => {
    const own = listener.open('own');
    const other = listener.open('other');
    // Reading loads libraries once, before memory is measured.
    await readPdf(plainPdf(['A document']));
    const path = new URL(own.url).pathname;
    let read = 0;
    const result = await fuzzed(run, fuzzMessage(path), async ({ bytes }) => {
      const before = own.deliveries().length;
      const socket = await open(own.url);
      const answer = answerOf(socket);
      // The socket is ended only later: a half-closed connection may be closed before the answer.
      socket.write(bytes);
      const ending = setTimeout(() => socket.end(), 15);
      const text = await answer;
      clearTimeout(ending);
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 'no answer';
      if (/^5/.test(status)) throw new Error(`answered with ${text.slice(0, 200)}`);
      const [problem] = listener.problems();
      if (problem !== undefined) throw new Error(`the listener has a problem: ${problem}`);
      const taken = own.deliveries().slice(before);
      // The last segment identifies the address, even where those before it were changed.
      const key = path.split('/').at(-1) ?? path;
      if (taken.some(({ target }) => !target.includes(key))) throw new Error('stored at another address');
      if (other.deliveries().length > 0) throw new Error('stored at the address of somebody else');
      for (const delivery of taken) {
        read += 1;
        const chosen = settings[read % settings.length] ?? {};
        await readDelivery(delivery, { settings: chosen, known, markers: ['ESC-1'] });
      }
      return status;
    });
    const outcome = await send(other.url, '{"event":1}');
    if (!('status' in outcome) || outcome.status !== 200)
      throw new Error('the listener takes nothing any more');
    // Stored bodies are not counted as growth: the listener has to keep them.
    return { ...result, grownBytes: result.grownBytes - listener.counts().bytes * 2 };
  });
}
