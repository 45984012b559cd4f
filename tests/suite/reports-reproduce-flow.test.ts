/** Reproductions of what shows in events or documents alone: by all calls of the flow, on the page and in a ticket. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import type { Exchange } from '../../record/exchange.ts';
import { startReference } from '../../reference/server.ts';
import { page } from '../../reports/page/page.ts';
import { forHost } from '../../reports/reproduce/pieces.ts';
import { reproduction } from '../../reports/reproduce/scripts.ts';
import { callsOfFlow, decisive } from '../../reports/run/decisive.ts';
import type { Run } from '../../reports/run/run.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { inParallel, inSequence } from '../../tests/flows/people.ts';
import { asLoaded, withSession } from '../proof/session.ts';
import { delivery, exchange, record, requirementOf, result, results, run } from './reports-sample.ts';

/** A flow of type 3: created, signed, and its document fetched; what failed names no call. */
const flowName = 'three stamps';
const call = (index: number, path: string, said: string, differing: Partial<Exchange> = {}): Exchange =>
  exchange(index, {
    operation: null,
    purpose: 'template',
    ...differing,
    request: {
      method: 'POST',
      url: `http://127.0.0.1:1${path}`,
      headers: [],
      body: { mediaType: 'application/json', size: 1, sha256: 'a', text: differing.curl ?? '{}' },
    },
    response: {
      status: 200,
      reason: 'OK',
      headers: [],
      body: { mediaType: '', size: 1, sha256: 'b', text: said },
    },
  });
const attempts = [100, 200, 900].map((waitedMs) => ({ status: 404, because: 'early', waitedMs }) as const);
const receiver = 'http://127.0.0.1:9/callbacks/1';
const flowRun: Run = run({
  record: record({
    exchanges: [
      call(0, '/requests', '{"requestId":"r-1001","signatories":[{"signatoryId":"s-2002"}]}', {
        purpose: 'flow',
        row: flowName,
        curl: JSON.stringify({ CallbackUrl: receiver }),
      }),
      call(1, '/requests/r-1001/signatories/s-2002/sign', '{}', { template: 'calls.sign', attempts }),
      call(2, '/requests/r-1001/documents/0', '{}', { template: 'download' }),
      call(3, '/requests/r-1001/delete', '{}', { template: 'deleteRequest' }),
    ],
    created: [{ kind: 'request', id: 'r-1001', exchange: 0 }],
  }),
  results: results(
    result('stamping.placed', 'failed', {
      rows: [{ title: flowName, verdict: 'failed', message: 'they stand at one place', exchanges: [] }],
      timeline: [{ flow: flowName, kind: 'action', title: 'created', at: '2026-01-02T03:04:05.000Z' }],
    }),
  ),
});

test('what came of a flow is reproduced by all of its calls, with ids that its answers gave', () => {
  const failed = requirementOf(flowRun, 'stamping.placed');
  const found = decisive(failed, flowRun);
  expect(found).toMatchObject({ exchange: { index: 2 }, says: 'they stand at one place' });
  if (!found) return;
  const { calls, listens, sh, powershell } = reproduction(flowRun, failed, found.exchange, found.says);
  expect({ calls, listens }).toEqual({ calls: 3, listens: true });
  for (const script of [sh, powershell]) expect(script).not.toMatch(/r-1001|s-2002/);
  expect(sh).toContain(`CALLBACK_URL=\${CALLBACK_URL:-'${receiver}'}`);
  expect(sh).toMatch(/^# 2\. .*\nsleep 2 #/m);
  expect(powershell).toMatch(/^Start-Sleep 2 #/m);
  expect(sh.match(/^accepted \d$/gm)).toEqual(['accepted 1', 'accepted 2']);
  expect(sh).toContain(`"\${BASE_URL}/requests/\${REQUEST_ID}/signatories/\${SIGNATORY_ID}/sign"`);
});

const deliveredRun: Run = {
  ...flowRun,
  deliveries: [delivery('0')],
  requirements: flowRun.requirements.map((each) => ({
    ...each,
    checks: each.checks.map((check) => ({
      ...check,
      rows: check.rows.map((row): typeof row => ({
        ...row,
        finding: {
          requirement: each.id,
          row: row.title,
          verdict: row.verdict,
          evidence: { exchanges: [], deliveries: ['0'] },
        },
      })),
    })),
  })),
};

test('the page has the calls and the deliveries of a flow that failed', () => {
  const text = page(flowRun);
  expect(text).toContain('1 failed</span> <span class="statement">three stamps');
  expect(text).toContain('Its calls: <a href="#exchange-0">0</a> <a href="#exchange-1">1</a> <a');
  expect(text).toContain('export CALLBACK_URL=…    # a receiver of yours');
  expect(page(deliveredRun)).toMatch(/<details class="more exchange"><summary>Callback 0: /);
});

for (const person of ['signatoryId', 'email']) {
  test(`people who act by a call that names their ${person} alone act in the script too, those of other flows do not`, async () => {
    const reference = await startReference();
    const profile = referenceProfile(reference);
    const act = { method: 'POST', url: '/_control/act', body: { person: `{${person}}`, act: '{act}' } };
    const calls = { send: profile.calls?.send, sign: act, approve: act };
    const loaded = asLoaded({ ...profile, calls });
    let cwd = '';
    const start = async (folder: string) => {
      cwd = folder;
      return { loaded, close: () => reference.close() };
    };
    await withSession(start, { runId: 'acts', flows: [inSequence, inParallel] }, async (session) => {
      await session.evidence('events.signatory-completed');
      const told = run({
        record: record({
          target: { name: 'reference', baseUrl: reference.baseUrl, profileHash: '' },
          exchanges: session.recorder.settled(),
          created: session.created(),
        }),
      });
      const own = callsOfFlow(told, inSequence.name);
      const last = own.findLast(({ template }) => template === 'calls.approve') ?? exchange(0);
      const { calls: count, sh } = reproduction(told, requirementOf(told, 'stamping.placed'), last);
      const { documents, signatories } = inSequence;
      expect(count, sh).toBe(documents.length + 2 + 2 * signatories.length);
      expect(own.at(-1)).toBe(last);
      const env = {
        PATH: process.env.PATH ?? '',
        [forHost('TOKEN', new URL(reference.baseUrl).host)]: reference.tokens.valid,
      };
      const { stdout } = await promisify(execFile)('sh', ['-c', sh], { cwd, env });
      expect(stdout).toMatch(/^HTTP\/1\.1 2\d\d /);
    });
  });
}
