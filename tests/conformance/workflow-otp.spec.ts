/** One-time passwords as people meet them: judged from the flows of the run. */
import { covers } from '../running/covers.ts';
import { test } from '../running/fixtures.ts';

test('a code is demanded where it is required', covers('otp.gates-signing'), async ({ evidence }) => {
  await evidence.holds();
});

test('no code is demanded where it is not required', covers('otp.not-asked'), async ({ evidence }) => {
  await evidence.holds();
});

test('the code of Type 1 comes by e-mail', covers('otp.email-delivered'), async ({ evidence }) => {
  await evidence.holds();
});

test('the code of Type 2 comes by SMS', covers('otp.sms-delivered'), async ({ evidence }) => {
  await evidence.holds();
});

test('the AccessCode of Type 3 is the code', covers('otp.access-code-asked'), async ({ evidence }) => {
  await evidence.holds();
});

test(
  'the codes of Type 4 come by e-mail and SMS',
  covers('otp.email-and-sms-delivered'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);
