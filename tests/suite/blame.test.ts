/** Whom the checks blame at services that fill gaps of the document strictly, and where an upload or a creation with its token goes wrong. */
import { expect, type TestInfo, test } from '@playwright/test';
import { type CallbackIngredients, minimalRequest, requestRows } from '../../generators/bodies/request.ts';
import { decideShared } from '../../harness/judging/ask.ts';
import { Check, RowContext } from '../../harness/judging/check.ts';
import { skeletonCreation } from '../../harness/judging/kinds.ts';
import { Operation, status200 } from '../../harness/judging/operations.ts';
import { hasToken, says } from '../../harness/judging/readings.ts';
import { unavailable } from '../../harness/judging/unavailable.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import type { RunSession } from '../../harness/session/run-session.ts';
import { message, path } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { type Arrived, serve } from './services/loopback.ts';
import { sessionAt } from './services/session.ts';
import { type Reply, startTinyService } from './services/tiny-service.ts';
import { verdictOf } from './services/verdict.ts';

/** A session at a service that takes everything, unless `refuses` has an answer. */
async function at(
  info: TestInfo,
  refuses: (request: Arrived) => Reply | undefined,
  upload: { encoding: 'auto' } | { encoding: 'raw' } = { encoding: 'raw' },
  more: Pick<Profile, 'create'> = {},
) {
  const service = await startTinyService(refuses);
  const address = { visibleAfterMs: 0 };
  const session = sessionAt(service.baseUrl, info.outputPath(), { ...more, upload, address });
  opened.push(() => session.close().then(service.close));
  return session;
}

const opened: (() => Promise<unknown>)[] = [];
test.afterEach(() => Promise.all(opened.splice(0).map((close) => close())));

const bodyOf = (request: Arrived) =>
  JSON.parse(request.body.toString('utf8')) as Record<string, unknown> & { readonly Documents?: string[] };
const creates = ({ url }: Arrived) => url.includes('type=0');
const told = (session: RunSession, of: Parameters<typeof decideShared>[1]) =>
  verdictOf(decideShared(session, of, new RowContext('a row')));
const success = { is: 'success' } as const;

test('what a call of the profile was to end has ended: no page of a gateway says so, nor a body that denies it', async ({}, info) => {
  const page = '<!doctype html><title>Back soon</title>';
  const call = { method: 'DELETE', url: '/requests/{requestId}' } as const;
  const outcomeOf =
    (said: { readonly accept?: number[] }) =>
    async (...answers: readonly (readonly [number, string])[]) => {
      const deleteRequest = { ...call, ...said };
      let calls = 0;
      const service = await serve((_, response) => {
        const [status = 200, body = ''] = answers[calls++] ?? [];
        response.writeHead(status).end(body);
      });
      const profile = { calls: { deleteRequest }, address: { visibleAfterMs: 0 } };
      const session = sessionAt(service.baseUrl, info.outputPath(), profile);
      const ended = session.template('deleteRequest', { requestId: 'R1' }).then(() => 'ended');
      const end = await ended.catch(({ message }: Error) => message);
      await session.close();
      await service.close();
      return `${calls}: ${end}`;
    };
  const outcome = outcomeOf({});
  expect(await outcome([200, page], [200, '{}'])).toBe('2: ended');
  // A service may say it with a page of its own.
  expect(await outcome([200, page], [200, page])).toBe('2: ended');
  for (const status of [400, 403, 404, 409, 410])
    expect(await outcome([200, page], [status, page])).toBe('2: ended');
  expect(await outcome([200, page], [401, ''])).toMatch(/^\d: a call of the profile did not succeed/);
  expect(await outcome([200, page], [500, ''])).toMatch(/^2: a call of the profile did not succeed/);
  const hint = (status: number) => `(if ${status} means success, say so in calls.deleteRequest.accept)`;
  expect(await outcome([302, ''])).toContain(hint(302));
  expect(await outcomeOf({ accept: [200] })([204, ''])).toContain(hint(204));
  // What is done later may not have been done yet.
  expect(await outcome([202, ''], [404, ''])).toBe('2: ended');
  expect(await outcome([202, ''], [204, ''])).toBe('2: ended');
  for (const status of [202, 409])
    expect(await outcome([202, ''], [status, ''])).toMatch(/^2: .*calls\.deleteRequest\.accept says so/);
  expect(await outcome([200, '{"success":false}'])).toMatch(/^1: a call of the profile did not succeed/);
});

test('a service that wants each Title once takes all rows of a check', async ({}, info) => {
  const titles = new Set<unknown>();
  const session = await at(info, (request) => {
    if (!creates(request)) return undefined;
    const { Title } = bodyOf(request);
    if (titles.has(Title)) return [409, { error: 'Title is taken' }];
    titles.add(Title);
    return undefined;
  });
  const run = { session, facts: await session.facts(), check: new Check(info) };
  await new Operation(skeletonCreation, run).accepts(requestRows);
  // Several checks judge what is sent under the name of one of them, and each sends it again.
  const named = (id: RequirementId) => ({ ...run, check: new Check({ title: id, tags: [`@${id}`] }) });
  const sharing = ['skeleton.connections', 'skeleton.callback-types', 'skeleton.callback-url'] as const;
  const two = (given: CallbackIngredients) => requestRows(given).slice(0, 2);
  await new Operation(skeletonCreation, named(sharing[0])).accepts(two);
  await Promise.all(
    sharing.map((id) => new Operation(skeletonCreation, named(id)).as(sharing[0]).accepts(two)),
  );
});

test('a refusal without its words blames nobody where the same call is refused with them, or any call as it is', async ({}, info) => {
  const page = '<!doctype html>Nothing is here.';
  const reading = says(message.documentNotFound);
  for (const [bare, verdict, said = {}, wall = false] of [
    [1, 'could-not-run'],
    [2, 'failed'],
    [3, 'could-not-run', page],
    [4, 'failed', page],
    // A wall against attackers, which refuses whatever comes once something was refused.
    [99, 'could-not-run', page, true],
  ] as const) {
    let refused = 0;
    const session = await at(info, (request) => {
      if (!creates(request)) return undefined;
      if (!bodyOf(request).Documents?.includes('nobody'))
        return wall && refused > 0 ? [404, said] : undefined;
      refused += 1;
      return [404, refused > bare ? { detail: message.documentNotFound } : said];
    });
    const check = new Check({ title: 'words', tags: ['@skeleton.unknown-document-message'] });
    const run = { session, facts: await session.facts(), check };
    const unknown = (given: CallbackIngredients) => {
      const json = minimalRequest({ ...given, documents: ['nobody'] });
      return [{ title: 'unknown', outcome: 'refused' as const, input: { json } }];
    };
    const refused404 = new Operation(skeletonCreation, run).refuses(unknown, 404, undefined, reading);
    await refused404.catch(() => undefined);
    expect(check.results({ broke: true }).map((each) => each.verdict)).toEqual([verdict]);
  }
});

test('a token that can be used once only is no token that creations do not know', async ({}, info) => {
  const used = new Set<string>();
  const session = await at(info, (request) => {
    if (!creates(request)) return undefined;
    const [token] = bodyOf(request).Documents as [string];
    // Also after other documents were uploaded.
    const refused = used.size < 2 || used.has(token);
    used.add(token);
    return refused ? [404, { error: message.documentNotFound }] : undefined;
  });
  const of = { judged: 'skeleton', expected: success, convicts: [404], excuses: ['token-used-up'] } as const;
  const uses = expect.stringContaining('limits.documentUses');
  expect(await told(session, of)).toMatchObject({ verdict: 'could-not-run', message: uses });
});

test('a form that is no body of type 3 is the mistake of the profile, also where tokens are good for one request each', async ({}, info) => {
  const used = new Set<string>();
  const refuses = (request: Arrived): Reply | undefined => {
    if (request.url.endsWith(path.upload)) return undefined;
    if (!request.body.toString().startsWith('{')) return [400, { error: 'Content-Type' }];
    const [token = ''] = bodyOf(request).Documents ?? [];
    const isUsed = used.has(token);
    used.add(token);
    return isUsed ? [404, { error: message.documentNotFound }] : undefined;
  };
  const session = await at(info, refuses, undefined, { create: { field: 'request' } });
  await session.shared('skeleton');
  const of = { judged: 'stamped', expected: status200, vouching: 'document' } as const;
  const field = expect.stringContaining('create.field');
  expect(await told(session, of)).toMatchObject({ verdict: 'could-not-run', message: field });
});

test('a service whose document tokens are good for one request each, which the profile does not say, takes all rows of a check', async ({}, info) => {
  const used = new Set<string>();
  const session = await at(info, (request) => {
    if (request.url.endsWith(path.upload)) return undefined;
    const tokens = bodyOf(request).Documents as string[];
    const refused = tokens.some((token) => used.has(token));
    for (const token of tokens) used.add(token);
    return refused ? [404, { error: message.documentNotFound }] : undefined;
  });
  // All at once, so that the first document is used up for most of them.
  const made = ['skeleton', 'stamped', 'stamped-unversioned'] as const;
  const answers = await Promise.all(made.map((name) => session.shared(name)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const run = { session, facts: await session.facts(), check: new Check(info) };
  await new Operation(skeletonCreation, run).accepts(requestRows);
});

test('a token whose place was guessed is used, though no check rests on it', async ({}, info) => {
  let uploads = 0;
  const session = await at(info, ({ url }) => {
    if (!url.endsWith(path.upload)) return undefined;
    uploads += 1;
    return [200, { receipt: `8f3c-${uploads}`, pages: 1 }];
  });
  const { ids } = await session.shared('document');
  expect(ids).toEqual({ documentToken: '8f3c-1' });
  expect((await session.shared('skeleton')).status).toBe(200);
});

const footer = 'E-mail support@sign.example, or call our number of the region';

test('an invented address that is refused blames nobody, another refusal does', async ({}, info) => {
  for (const [error, verdict] of [
    ['this domain receives no e-mail', 'could-not-run'],
    ['Bad Request', 'failed'],
  ] as const) {
    // Whoever comes without access is refused with the same last words.
    for (const help of ['', footer]) {
      const session = await at(info, ({ url, headers }) => {
        if (!headers.authorization) return [401, { error: 'Unauthorized', help }];
        return url.endsWith('/signatories') ? [422, { error, help }] : undefined;
      });
      const found = await told(session, { judged: 'signatory', expected: success, vouching: 'skeleton' });
      expect([error, help, found.verdict]).toEqual([error, help, verdict]);
    }
  }
});

test('an invented address that is taken on one path of type 3 is no reason to refuse it on the other', async ({}, info) => {
  const verdictAt = async (refused: RegExp) => {
    const create = { requestId: '/requestId' } as const;
    const reply = ({ url }: Arrived): Reply | undefined => (refused.test(url) ? [400, {}] : undefined);
    const session = await at(info, reply, undefined, { create });
    const of = { judged: 'stamped-unversioned', expected: status200, vouching: 'document' } as const;
    return (await told(session, of)).verdict;
  };
  expect(await verdictAt(/type=3/)).toBe('could-not-run');
  expect(await verdictAt(/^\/api\/Requests\?type=3/)).toBe('failed');
});

test('type 3 may be found on one of its two paths', async ({}, info) => {
  const session = await at(info, ({ url }) =>
    url.includes('/_apis/sign/api/') || !url.includes('type=3') ? undefined : [404, {}],
  );
  const of = { judged: 'stamped-unversioned', expected: status200, vouching: 'document' } as const;
  expect((await told(session, of)).cause).toMatchObject({ excuse: 'other-path' });
  const answer = await session.shared('stamped-unversioned');
  expect(unavailable('stamped-unversioned', answer).message).toContain('404');
});

test('a refusal with 200 is no upload without a token', async ({}, info) => {
  const refusal = { success: false, message: 'field attachment is required' };
  for (const [encoding, body, verdict, words] of [
    ['auto', refusal, 'could-not-run', /^the upload of a first document .* the profile does not say how/],
    ['raw', refusal, 'could-not-run', /^the upload of a first document .* the profile may not say how/],
    ['raw', {}, 'failed', /^expected a document token/],
  ] as const) {
    const session = await at(info, (): Reply => [200, body], { encoding });
    const answer = await session.shared('document');
    const found = await verdictOf(Promise.resolve(hasToken(answer)));
    expect(found).toMatchObject({ verdict, message: expect.stringMatching(words) });
  }
});

test('nobody is blamed for refusing a raw body as long as the profile names no Content-Type', async ({}, info) => {
  const session = await at(info, () => [415, {}]);
  const answer = await session.shared('document');
  expect(unavailable('document', answer).message).toMatch(/is upload\.encoding: raw of the profile right\?/);
});

test('a PDF that is refused in the way in which a DOCX is taken is refused for itself', async ({}, info) => {
  for (const [encoding, way] of [
    ['auto', 'multipart/'],
    ['raw', 'application/vnd'],
  ] as const) {
    const reply = ({ headers, body }: Arrived): Reply =>
      headers['content-type']?.startsWith(way) && body.includes('word/document.xml')
        ? [201, { documentToken: 'T1' }]
        : [415, { message: 'not supported' }];
    const session = await at(info, reply, { encoding });
    const found = await told(session, { judged: 'document', expected: success, vouching: 'docx' });
    expect(found.message).toMatch(/^expected a 2xx status · received 415/);
    expect((await session.shared('docx')).status).toBe(201);
  }
});

test('a creation that does not know the token is at fault itself; what follows it only for other refusals', async ({}, info) => {
  for (const [detail, others] of [
    [message.documentNotFound, 'could-not-run'],
    ['there is nothing here', 'failed'],
  ] as const) {
    const session = await at(info, ({ url }) => (url.endsWith(path.upload) ? undefined : [404, { detail }]));
    const taken = { judged: 'skeleton', convicts: [404], excuses: ['token-used-up'] } as const;
    const found = [
      await told(session, { ...taken, expected: success }),
      await told(session, { judged: 'skeleton', expected: success, vouching: 'document' }),
      await told(session, { judged: 'stamped', expected: success, vouching: 'document' }),
    ];
    expect(found.map(({ verdict }) => verdict)).toEqual(['failed', others, others]);
  }
});
