/** Whom the checks blame at services that fill gaps of the document strictly: nobody. */
import { expect, type TestInfo, test } from '@playwright/test';
import { requestRows } from '../../generators/bodies/request.ts';
import { decideShared } from '../../harness/judging/ask.ts';
import { Check, RowContext } from '../../harness/judging/check.ts';
import { ownWords } from '../../harness/judging/excuses.ts';
import { skeletonCreation } from '../../harness/judging/kinds.ts';
import { Operation, status200 } from '../../harness/judging/operations.ts';
import { unavailable } from '../../harness/judging/unavailable.ts';
import { message, path } from '../../openapi/codes.ts';
import { type Arrived, serve } from './services/loopback.ts';
import { sessionAt } from './services/session.ts';
import { verdictOf } from './services/verdict.ts';

type Reply = readonly [status: number, body: unknown];

/** A run at a service that gives every document and request an id of its own, unless `refuses` has an answer. */
async function runAt(info: TestInfo, refuses: (request: Arrived) => Reply | undefined) {
  let count = 0;
  const service = await serve((request, response) => {
    count += 1;
    const signatory = request.url.endsWith('/signatories');
    const requestId = signatory ? request.url.split('/').at(-2) : `R${count}`;
    const body = request.url.endsWith(path.upload)
      ? { documentToken: `T${count}` }
      : { requestId, ...(signatory ? { signatoryId: `S${count}` } : {}) };
    const [status, answer] = refuses(request) ?? [200, body];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  const session = sessionAt(service.baseUrl, info.outputPath(), { address: { visibleAfterMs: 0 } });
  const run = { session, facts: await session.facts(), check: new Check(info) };
  return { run, session, close: () => session.close().then(service.close) };
}

const bodyOf = (request: Arrived) => JSON.parse(request.body.toString('utf8')) as Record<string, unknown>;
const named = (judged: Promise<unknown>) =>
  judged.then(
    () => 'passed',
    (error: Error) => error.name,
  );

test('a service that wants each Title once takes all rows of a check', async ({}, info) => {
  const titles = new Set<unknown>();
  const { run, close } = await runAt(info, (request) => {
    if (!request.url.includes('type=0')) return undefined;
    const { Title } = bodyOf(request);
    if (titles.has(Title)) return [409, { error: 'Title is taken' }];
    titles.add(Title);
    return undefined;
  });
  const rows = new Operation(skeletonCreation, run).accepts(requestRows);
  expect(await named(rows)).toBe('passed');
  await close();
});

test('a token that can be used once only is no token that creations do not know', async ({}, info) => {
  const used = new Set<string>();
  const { session, close } = await runAt(info, (request) => {
    if (!request.url.includes('type=0')) return undefined;
    const [token] = bodyOf(request).Documents as [string];
    if (used.size === 0 || used.has(token)) {
      used.add(token);
      return [404, { error: message.documentNotFound }];
    }
    used.add(token);
    return undefined;
  });
  const of = {
    judged: 'skeleton',
    expected: { is: 'success' },
    convicts: [404],
    excuses: ['token-used-up'],
  } as const;
  const { verdict, message: words } = await verdictOf(decideShared(session, of, new RowContext('a row')));
  expect(words).toContain('limits.documentUses');
  expect(verdict).toBe('could-not-run');
  await close();
});

const footer = 'E-mail support@sign.example, or call our number of the region';

/** Refuses signatories, and whoever comes without access, each time with the same last words. */
const refusing =
  (error: string, lastWords = footer) =>
  ({ url, headers }: Arrived): Reply | undefined => {
    if (!headers.authorization) return [401, { error: 'Unauthorized', help: lastWords }];
    return url.endsWith('/signatories') ? [422, { error, help: lastWords }] : undefined;
  };

test('an invented address that is refused blames nobody, another refusal does', async ({}, info) => {
  for (const [error, outcome] of [
    ['this domain receives no e-mail', 'could-not-run'],
    ['Bad Request', 'failed'],
  ] as const) {
    for (const lastWords of ['', footer]) {
      const { session, close } = await runAt(info, refusing(error, lastWords));
      const of = { judged: 'signatory', expected: { is: 'success' }, vouching: 'skeleton' } as const;
      const { verdict } = await verdictOf(decideShared(session, of, new RowContext('a row')));
      expect([error, lastWords, verdict]).toEqual([error, lastWords, outcome]);
      await close();
    }
  }
});

test('what stands in every refusal is cut out of one', () => {
  const elsewhere = '{"error":"Unauthorized","help":"E-mail us. Or call our number."}';
  const refusal = '{"error":"Number unknown","help":"E-mail us. Or call our number."}';
  expect(ownWords(refusal, elsewhere)).toBe('Number unknown');
  expect(ownWords('Bad Request', '')).toBe('Bad Request');
});

test('type 3 may be found on one of its two paths', async ({}, info) => {
  const { session, close } = await runAt(info, ({ url }) =>
    url.includes('/_apis/sign/api/') || !url.includes('type=3') ? undefined : [404, {}],
  );
  const of = { judged: 'stamped-unversioned', expected: status200, vouching: 'document' } as const;
  const { cause } = await verdictOf(decideShared(session, of, new RowContext('a row')));
  expect(cause).toMatchObject({ excuse: 'other-path' });
  expect(unavailable('stamped-unversioned', await session.shared('stamped-unversioned')).message).toContain(
    '404',
  );
  await close();
});
