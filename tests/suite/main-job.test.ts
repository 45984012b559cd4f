/** The main job, end to end: the command line against the reference service and against other services. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { runDefaults } from '../../harness/profile/run-options.ts';
import { planBound, planOf } from '../../harness/session/plan.ts';
import { declarationOf } from '../../openapi/gaps/observed-keys.ts';
import { isGapId, gaps as register } from '../../openapi/gaps/register.ts';
import { checked } from '../../openapi/requirements/catalogue.ts';
import { parseJson } from '../../record/json.ts';
import { startReference } from '../../reference/server.ts';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { flows } from '../flows/all.ts';
import { inProcess } from './cli-spawn.ts';
import { fits, operationAt, paths } from './effective-contract.ts';
import { withVerdict } from './reports-sample.ts';
import { objectsIn } from './services/eavesdropper.ts';
import { writable } from './services/profiles.ts';

/** One run serves all tests about the default reference service. */
let usual: Awaited<ReturnType<typeof usualRun>>;
test.beforeAll(async ({}, info) => {
  usual = await usualRun(info);
});

async function usualRun(info: TestInfo) {
  const reference = await startReference();
  const { text, env } = writable(referenceProfile(reference));
  const target = info.outputPath('profile.json');
  writeFileSync(target, text);
  const out = info.outputPath('out');
  const planned = await inProcess(['--target', target, '--dry-run'], env);
  const ended = await inProcess(['--target', target, '--out', out], env);
  const answer = await fetch(`${reference.baseUrl}/_outbox.json`);
  const { messages } = (await answer.json()) as { messages: readonly { readonly channel: string }[] };
  await reference.close();
  return { reference, out, planned, ended, run: readRun(out), messages };
}

test('the reference service conforms, within a budget of calls and signature requests', () => {
  const { ended, run, out } = usual;
  expect(withVerdict(run, 'failed')).toEqual([]);
  expect(withVerdict(run, 'could-not-run')).toEqual([]);
  expect(withVerdict(run, 'error')).toEqual([]);
  expect(withVerdict(run, 'passed').sort()).toEqual(checked.map(({ id }) => id).sort());
  expect(run.counts.checks).toEqual({ expected: checked.length, reported: checked.length });
  expect(run.verdict).toBe('conformant');
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
  expect(ended.stdout).toContain('conformant');

  const { exchanges, created } = run;
  const calls = exchanges.filter((exchange) => !isRemoval(exchange));
  // How often a mailbox and a state are asked for is a matter of timing.
  const made = calls.filter(({ template = '' }) => !/^(outbox\.|(calls\.)?status$)/.test(template));
  expect(made.length).toBeLessThanOrEqual(514);
  const requests = created.filter(
    ({ kind, exchange }) => kind === 'request' && exchanges[exchange]?.purpose !== 'flow',
  );
  expect(requests.length).toBeLessThanOrEqual(45);

  // One file that can be mailed, with every call in it.
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  expect(Buffer.byteLength(page)).toBeLessThan(1_300_000);
  const anchors = new Set([...page.matchAll(/ id="exchange-(\d+)"/g)].map(([, index]) => Number(index)));
  expect(anchors.size).toBe(exchanges.length);
  const scripts = [...page.matchAll(/ href="(reproduce\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(scripts.length).toBeGreaterThan(200);
  expect(scripts.filter((file) => !existsSync(join(out, file)))).toEqual([]);
});

/** At its end a run removes what it has created: as many calls as there are objects, and none that tests anything. */
function isRemoval({ template, check }: Run['exchanges'][number]): boolean {
  return check === undefined && (template === 'deleteRequest' || template === 'invalidateDocument');
}

/** Titles of all requests that were created, as sent. */
function titles({ exchanges }: Run): string[] {
  return exchanges
    .filter(({ operation }) => operation?.startsWith('create'))
    .flatMap(({ request }) => objectsIn(parseJson(request.body?.text ?? '')))
    .flatMap(({ Title }) => (typeof Title === 'string' && Title !== '' ? [Title] : []));
}

test('a run does what its plan says, tags what it makes and removes it', () => {
  const { reference, planned: said, run, messages, out } = usual;
  const plan = planOf({ profile: referenceProfile(reference), options: runDefaults, flows });
  expect(said).toMatchObject({ code: 0, stderr: '' });
  expect(said.stdout).toMatch(new RegExp(`^ +${plan.requests}  signature requests`, 'm'));

  const made = (kind: string) => run.created.filter((each) => each.kind === kind).length;
  for (const [real, planned] of [
    [run.exchanges.length, plan.calls],
    [made('request'), plan.requests],
    [made('document'), plan.documents],
    [made('signatory'), plan.signatories],
  ] as const) {
    expect(Math.abs(real - planned) / real).toBeLessThan(planBound);
  }
  const sent = (channel: string) => messages.filter((each) => each.channel === channel).length;
  for (const [real, most] of [
    [sent('email'), plan.emails],
    [sent('sms'), plan.sms],
  ] as const) {
    expect(real).toBeGreaterThan(0);
    expect(real).toBeLessThanOrEqual(most);
    expect(most).toBeLessThanOrEqual(real * 2.5);
  }

  const [first = ''] = titles(run);
  const [tag = '?'] = /^Conformance \w+/.exec(first) ?? [];
  expect(titles(run).filter((title) => !title.includes(tag))).toEqual([]);
  const left = run.created.filter(({ kind, removed }) => kind !== 'signatory' && removed !== true);
  expect(left).toEqual([]);
  expect(run.warnings).toEqual([]);
  expect(readdirSync(out).filter((name) => name.startsWith('unfinished'))).toEqual([]);
});

test('each observation has a key that is declared, and is shown by exchanges', () => {
  const { gaps } = usual.run;
  const seen = gaps.flatMap(({ id, observations }) => observations.map((each) => ({ id, ...each })));
  const undeclared = seen.filter(
    ({ id, key, stability }) => !isGapId(id) || declarationOf(id, key)?.stability !== stability,
  );
  const told = ({ id, key, stability }: (typeof seen)[number]) => `${id}: ${key} (${stability})`;
  expect(undeclared.map(told)).toEqual([]);
  // Requests for tokens are in no record, and a repeated delivery is none of the exchanges.
  const elsewhere = ['auth.lifetime', 'events.repeated'];
  const shown = seen.filter(({ id, exchanges }) => exchanges.length > 0 || elsewhere.includes(id));
  expect(seen.filter((each) => !shown.includes(each)).map(told)).toEqual([]);
  const keys = seen.map(told);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  // What was not seen says what it takes, unless the profile answers it.
  const unseen = gaps.filter(
    ({ status, id }) => status === 'unobserved' && !register.find((each) => each.id === id)?.needs,
  );
  expect(unseen.map(({ id }) => id)).toEqual([]);
});

test('the overlay of the run fits what was seen', async () => {
  const document = await fits(usual.out);
  const upload = operationAt(document, paths.upload);
  expect(Object.keys(upload.responses)).toEqual(['default', '200', '400', '401'].sort());
  expect(upload.requestBody.content).toEqual({
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    },
  });
});

test('every check of events has its timeline, and of each completed document hash, size and pages are kept', () => {
  const { run } = usual;
  const events = run.requirements.filter(({ id, checks }) => id.startsWith('events.') && checks.length > 0);
  expect(events.length).toBeGreaterThan(10);
  const told = events.map(({ id, checks }) => [
    id,
    checks.every(({ timeline = [] }) => timeline.some(({ kind }) => kind === 'action')),
    checks.some(({ timeline = [] }) => timeline.some(({ delivery }) => delivery !== undefined)),
  ]);
  // A request without CallbackUrl has nothing delivered: that is what is judged.
  expect(told).toEqual(events.map(({ id }) => [id, true, id !== 'events.optional']));
  const known = new Set(run.deliveries.map(({ id }) => id));
  const shown = events.flatMap(({ checks }) => checks.flatMap(({ timeline = [] }) => timeline));
  expect(shown.filter(({ delivery }) => delivery !== undefined && !known.has(delivery))).toEqual([]);

  // A DOCX or DOC that a page shows, an `application/octet-stream`, is no completed document.
  const bodies = [...run.deliveries, ...run.exchanges.flatMap(({ response }) => response ?? [])]
    .flatMap(({ body }) => body ?? [])
    .filter(({ text, mediaType }) => text?.startsWith('(not kept') && !mediaType.endsWith('octet-stream'));
  expect(bodies.length).toBeGreaterThan(2);
  for (const { documents = [] } of bodies) {
    expect(documents).not.toEqual([]);
    for (const { pages, size, sha256 } of documents) {
      expect([Number(pages) > 0, size > 500, /^[0-9a-f]{64}$/.test(sha256)]).toEqual([true, true, true]);
    }
  }
});
