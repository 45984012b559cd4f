/** Tests of a client with Node's own test runner, against the reference service: node --test client.node.test.mjs */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startReference } from 'esign-conformance';
import { askForSignature, pdf } from './client.mjs';

const email = 'ann@example.com';
let esign;

before(async () => {
  // As the service that you use fills the gaps of the interface document; all settings: serve --list.
  esign = await startReference({ dialect: { sending: 'first-signatory' } });
});
after(() => esign.close());
beforeEach(() => esign.reset());

const ask = () => askForSignature({ ...esign, pdf, email, callbackUrl: `${esign.url}/_control/callbacks` });

test('a contract that was signed is completed, and its callbacks are delivered', async () => {
  const requestId = await ask();
  await esign.act(email, 'sign');
  await esign.waitFor('completed', { requestId });
  const [invitation] = esign.outbox({ to: email }).filter(({ kind }) => kind === 'invitation');
  assert.match(invitation.link, /^http/);
  await esign.waitForCallback(3, { requestId });
  assert.deepEqual(
    esign.deliveries().map(({ event, state }) => [event, state]),
    [
      [1, 'delivered'],
      [2, 'delivered'],
      [3, 'delivered'],
    ],
  );
});

test('the client asks once more when the service is busy', async () => {
  esign.failNext({ operation: 'skeleton', status: 503, headers: { 'Retry-After': '1' } });
  await ask();
  const created = esign.calls().filter(({ operation }) => operation === 'skeleton');
  assert.deepEqual(
    created.map(({ status }) => status),
    [503, 200],
  );
  assert.equal(created[1].body.Title, 'Contract');
});
