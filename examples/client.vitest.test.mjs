/** Tests of a client with vitest, against the reference service: npx vitest run client.vitest.test.mjs */
import { startReference } from 'esign-conformance';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { askForSignature, pdf } from './client.mjs';

const email = 'ann@example.com';
const esign = await startReference({ dialect: { sending: 'first-signatory' } });
afterAll(() => esign.close());
beforeEach(() => esign.reset());

test('a contract that was declined stays declined', async () => {
  const callbackUrl = `${esign.url}/_control/callbacks`;
  const requestId = await askForSignature({ ...esign, pdf, email, callbackUrl });
  await esign.act(email, 'decline');
  await expect(esign.waitFor('declined', { requestId })).resolves.toMatchObject({ title: 'Contract' });
  await expect(esign.act(email, 'sign')).rejects.toThrow();
});
