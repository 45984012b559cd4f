/** A sandbox that takes so many requests and no more: nobody is blamed, and the run says what helps. */
import { expect, test } from '@playwright/test';
import { speaksOfQuota } from '../../harness/judging/classify.ts';
import { checksAt } from './services/checks-at.ts';
import { startPlainService } from './services/plain-service.ts';
import { startProxy } from './services/proxy.ts';

test('what is used up is told from a pace that is too high and from a token that is not accepted', () => {
  const spoken = (status: number, text: string) => speaksOfQuota({ status, text, reason: '' });
  for (const text of [
    '{"error":"Sandbox quota exceeded"}',
    'You have reached the maximum of 25 envelopes',
    'The sandbox is full',
    'Monthly document limit reached, please upgrade your plan',
    'Insufficient credits',
    '{"errors":["too many Documents"]}',
  ]) {
    for (const status of [400, 403, 409, 429]) expect([text, spoken(status, text)]).toEqual([text, true]);
    expect(spoken(200, text)).toBe(false);
  }
  for (const status of [402, 413]) expect(spoken(status, '')).toBe(true);
  for (const [status, text] of [
    [429, 'Too Many Requests'],
    [429, 'Rate limit exceeded'],
    [429, 'You exceeded the rate limit'],
    [429, 'Quota exceeded: 100 requests per minute'],
    [403, 'Forbidden'],
    [401, 'Invalid access token'],
    [400, 'Title is too long'],
  ] as const) {
    expect([text, spoken(status, text)]).toEqual([text, false]);
  }
});

/** A correct service behind a gate that lets `most` creations pass. */
async function checksWith(most: number, refusal: { readonly status: number; readonly text: string }) {
  const service = await startPlainService();
  let created = 0;
  const gate = await startProxy(service.baseUrl, async ({ request, forward, reply }) => {
    const creates = /requests\?type/i.test(request.url);
    if (creates && created >= most) return reply({ status: refusal.status, body: Buffer.from(refusal.text) });
    const answer = await forward();
    if (creates && answer.status < 300) created += 1;
    reply(answer);
  });
  const target = { baseUrl: gate.baseUrl, token: service.token, deadlineMs: 8_000 };
  const found = await checksAt(target, [
    'skeleton.created',
    'skeleton.several-documents',
    'skeleton.request-id-unique',
    'create.stamping-200',
  ]);
  await gate.close();
  await service.close();
  return found;
}

for (const { status, text, says } of [
  { status: 403, text: 'Sandbox quota exceeded', says: /used up: remove the requests of earlier runs/ },
  { status: 422, text: '{"message":"limit of requests reached"}', says: /limits\.requests in the profile/ },
  { status: 403, text: '', says: /taken before and is not for this: look at the rights of the account/ },
]) {
  test(`a sandbox that answers ${status} "${text}" from the first or the third creation on blames nobody`, async () => {
    for (const most of [0, 2]) {
      const { verdicts, reasons, blame } = await checksWith(most, { status, text });
      expect(blame).toEqual([]);
      expect(verdicts['could-not-run']?.length).toBeGreaterThan(0);
      expect(reasons.join('\n')).toMatch(says);
      for (const reason of reasons) expect(reason).not.toContain('ESIGN_TOKEN');
    }
  });
}
