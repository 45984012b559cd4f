/** Whom the checks of an operation blame when a correct call is answered in an undocumented way. */
import { expect, type TestInfo, test } from '@playwright/test';
import { differ } from '../../harness/judging/answers.ts';
import { Check } from '../../harness/judging/check.ts';
import { signatoryAddition, stampedCreation } from '../../harness/judging/kinds.ts';
import { Operation, status200 } from '../../harness/judging/operations.ts';
import { path } from '../../openapi/codes.ts';
import { type Arrived, serve } from './services/loopback.ts';
import { sessionAt } from './services/session.ts';

/** What a check needs at a service with a document and a request, and with `others` for all other calls. */
async function runAt(info: TestInfo, others: (request: Arrived) => readonly [status: number, body: unknown]) {
  let requests = 0;
  const service = await serve((request, response) => {
    const upload = request.url.endsWith(path.upload);
    const skeleton = request.url.includes('type=0');
    const [status, body] = upload
      ? [200, { documentToken: 'T1' }]
      : skeleton
        ? [200, { requestId: `R${++requests}` }]
        : others(request);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  const session = sessionAt(service.baseUrl, info.outputPath(), { address: { visibleAfterMs: 0 } });
  const run = { session, facts: await session.facts(), check: new Check(info) };
  return { run, close: () => session.close().then(service.close) };
}

test('another 2xx than 200 is a violation, whatever else would be accepted', async ({}, info) => {
  const { run, close } = await runAt(info, () => [201, { requestId: 'R2' }]);
  const judged = new Operation(stampedCreation, run).succeeds('a row', 'document', status200, [
    () => ({ title: 'another body', outcome: 'silent', input: { json: {} } }),
  ]);
  await expect(judged).rejects.toThrow(/failed: a row\n +expected 200 · received 201/);
  await close();
});

test('a second call that is refused says nothing about the ids of two', async ({}, info) => {
  let calls = 0;
  const { run, close } = await runAt(info, ({ url }) => {
    calls += 1;
    return calls % 2 === 1
      ? [200, { requestId: url.split('/').at(-2), signatoryId: `S${calls}` }]
      : [400, {}];
  });
  const judged = new Operation(signatoryAddition, run).answersTwice('a row', differ('signatoryId'));
  await expect(judged).rejects.toThrow(/could-not-run: a row\n +there are no two answers to compare/);
  await close();
});
