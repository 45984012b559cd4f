/** What a run leaves behind and prints: no secret, and nobody of the profile; its recording is judged again without the target. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import type { Recording } from '../../harness/replaying/recording.ts';
import { parseJson } from '../../record/json.ts';
import { startReference } from '../../reference/server.ts';
import type { Run } from '../../reports/run/run.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { expectNone, expectNoneHidden, filesIn } from './artefacts.ts';
import { cli, type Ended, inProcess, root, start } from './cli-spawn.ts';
import { objectsIn, startEavesdropper } from './services/eavesdropper.ts';

const domain = 'people.acme.internal';
const mobileNumbers = ['+4915901234567', '+61491570156'];
/** Checks whose failures tell of people: their bodies, answers and commands are printed. */
const faults = [
  'signatory.email-required/accepted',
  'signatory.name-required/accepted',
  'otp.mobile-valid/2-invalid-accepted',
];

/** A run with a profile of secrets and people; `how` starts it with the profile's file and the environment. */
async function runInConfidence(
  file: string,
  how: (profile: string, env: NodeJS.ProcessEnv) => Promise<Ended>,
) {
  const reference = await startReference({ faults });
  const heard = await startEavesdropper(reference.baseUrl);
  const { credentials, tokens } = reference;
  const written = {
    ...referenceProfile(reference),
    // What nobody had the time to hear would be recorded all the same.
    address: { baseUrl: heard.baseUrl, deadlineMs: 60_000, connectMs: 60_000 },
    auth: {
      kind: 'client-credentials',
      tokenEndpoint: credentials.tokenEndpoint.replace(reference.baseUrl, heard.baseUrl),
      clientId: credentials.clientId,
      clientSecret: `\${SANDBOX_SECRET}`,
      expiredToken: `\${SANDBOX_EXPIRED_TOKEN}`,
    },
    people: { email: `qa+{run}-{n}@${domain}`, mobileNumbers },
  };
  writeFileSync(file, JSON.stringify(written));
  const ended = await how(file, {
    SANDBOX_SECRET: credentials.clientSecret,
    SANDBOX_EXPIRED_TOKEN: tokens.expired,
  });
  await heard.close();
  await reference.close();
  const said = [...heard.bodies, ...heard.answers].flatMap(objectsIn);
  const isOurs = (email: unknown): email is string => String(email).endsWith(`@${domain}`);
  const texts = (name: string) => said.map((each) => each[name]).filter((each) => typeof each === 'string');
  const people = said.filter(({ Email }) => isOurs(Email));
  const secrets = new Set([
    credentials.clientSecret,
    tokens.expired,
    ...heard.credentials,
    ...texts('access_token'),
    ...texts('AccessCode').filter((code) => code.length >= 6),
    // One-time passwords and links to signing pages, as the outbox of the reference service shows them.
    ...texts('code'),
    ...texts('link'),
  ]);
  // What a check of another scheme than Bearer sends.
  secrets.delete(Buffer.from('nobody:nothing').toString('base64'));
  return {
    ended,
    secrets: [...secrets],
    sent: heard.bodies.filter((body) => emailsIn(body).some(isOurs)),
    people: [
      ...new Set([
        ...people.map(({ Email }) => String(Email)),
        ...people.map(({ Name }) => String(Name)).filter((name) => /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(name)),
        ...mobileNumbers,
      ]),
    ],
  };
}

/** In the order in which they stand in a body. */
function emailsIn(body: unknown): readonly string[] {
  return objectsIn(body).flatMap(({ Email }) => (typeof Email === 'string' ? [Email] : []));
}

function expectNothingTold(
  { ended, secrets, people }: Awaited<ReturnType<typeof runInConfidence>>,
  folder: string,
): readonly string[] {
  const places = [...filesIn(folder), ['stdout', ended.stdout], ['stderr', ended.stderr]] as const;
  expectNone(secrets, places);
  expectNoneHidden(secrets, places);
  expectNone(people, places);
  return places.map(([name]) => name);
}

test.describe('a run that is recorded', () => {
  /** Each kind of call, message and proof, and no file that is large on purpose: it would be searched for each secret. */
  const only = [
    ...[
      'upload.docx',
      'upload.token-missing',
      'skeleton.connections',
      'skeleton.token-expired',
      'create.fixed-200',
    ],
    ...['email-required', 'name-required', 'name-type', 'malformed', 'content-type'].map(
      (name) => `signatory.${name}`,
    ),
    ...['mobile-valid', 'access-code', 'gates-signing', 'email-and-sms-delivered'].map(
      (name) => `otp.${name}`,
    ),
    ...['stamping.placed', 'events.documents-attached', 'events.signatory-completed'],
    ...['events.signatory-completed-after-action', 'signing.approver-cannot-sign', 'signing.message-shown'],
  ].join();
  let left: string;
  let run: Run;
  let kept: Awaited<ReturnType<typeof runInConfidence>>;

  test.beforeAll(async ({}, info) => {
    left = info.outputPath('left');
    mkdirSync(left);
    const given = ['--only', only, '--out', join(left, 'out'), '--record', join(left, 'recording')];
    const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(left, 'job-summary.md') };
    kept = await runInConfidence(info.outputPath('profile.json'), (target, env) =>
      inProcess(['--target', target, ...given], { ...env, ...job }),
    );
    run = readRun(join(left, 'out'));
  });

  test('leaves no secret and no person in its artefacts, its output, its recording or the summary of a job', () => {
    const failed = run.requirements.filter(({ verdict }) => verdict === 'failed');
    expect(failed.length).toBeGreaterThanOrEqual(3);
    // The outbox was read, so there were one-time passwords and links to hide.
    expect(kept.secrets.some((secret) => /^\d{6}$/.test(secret))).toBe(true);
    expect(kept.secrets.some((secret) => secret.includes('/sign/'))).toBe(true);
    expect(kept.people.length).toBeGreaterThan(40);
    const reports = 'run.json junit.xml summary.md index.html exchanges.har observed.overlay.yaml'.split(' ');
    const written = ['job-summary.md', 'recording/recording.json', ...reports.map((name) => `out/${name}`)];
    expect(expectNothingTold(kept, left)).toEqual(expect.arrayContaining(written));
  });

  test('gives each person one pseudonym, and nobody that of another, in all artefacts', () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const sent = new Map(kept.sent.map((body) => [sha256(JSON.stringify(body)), emailsIn(body)]));
    const told = new Map<string, string>();
    for (const { request } of run.exchanges) {
      const shown = emailsIn(parseJson(request.body?.text ?? ''));
      for (const [at, email] of (sent.get(request.body?.sha256 ?? '') ?? []).entries()) {
        expect(shown[at]).toMatch(/^person-\w+@example\.invalid$/);
        expect(told.get(email) ?? shown[at]).toBe(shown[at]);
        told.set(email, shown[at] ?? '');
      }
    }
    expect(told.size).toBeGreaterThan(40);
    const people = objectsIn(kept.sent);
    // Two people can draw one name, and share the pseudonym that follows from it.
    const named = people.filter(({ Name }) => typeof Name === 'string');
    const nameOf = new Map(named.map(({ Email, Name }) => [Email, Name]));
    // Of who was sent without a Name alone, none is known.
    const known = [...told].filter(([email]) => nameOf.has(email));
    const nameBehind = new Map(known.map(([email, shown]) => [shown, nameOf.get(email)]));
    for (const [email, shown] of known) expect(nameOf.get(email)).toBe(nameBehind.get(shown));
    // People who share a mailbox are told apart by their names, each with a pseudonym of its own.
    const isShared = ({ Email, Name }: (typeof people)[number]) =>
      people.some((other) => other.Email === Email && other.Name !== Name);
    const shared = people
      .filter(isShared)
      .map(({ Email }) => /^person-(\w+)/.exec(told.get(String(Email)) ?? '')?.[1]);
    const peopleIn = (text: string) => [
      ...text.matchAll(/"Email":"person-(\w+)@example\.invalid"(?:,"Name":"Person (\w+)")?/g),
    ];
    const bodies = run.exchanges.map(({ request }) => request.body?.text ?? '').join('\n');
    const addresses = new Set(peopleIn(bodies).map(([, address]) => address));
    const wrong = filesIn(join(left, 'out')).flatMap(([name, content]) =>
      peopleIn(content.toString('utf8').replaceAll(/&quot;|\\"/g, '"'))
        .filter(
          ([, address, person = address]) =>
            !addresses.has(address) || (person !== address && !shared.includes(address)),
        )
        .map(([text]) => `${name}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  test('is judged again without its target, with the same verdicts and observations', async ({}, info) => {
    const out = info.outputPath('replayed');
    const { code, stderr } = await cli('--replay', join(left, 'recording'), '--only', only, '--out', out);
    expect({ code, stderr }).toEqual({ code: kept.ended.code, stderr: '' });
    const again = readRun(out);
    const verdicts = ({ requirements }: Run) => requirements.map(({ id, verdict }) => `${id} ${verdict}`);
    expect(verdicts(again)).toEqual(verdicts(run));
    expect(stable(again)).toEqual(stable(run));
    expect(again.deliveries.length).toBe(run.deliveries.length);
    const ofFlows = again.exchanges.filter(({ purpose }) => purpose === 'flow' || purpose === 'template');
    const notRecorded = ofFlows.filter(({ failure }) => failure?.code === 'NOT_SENT');
    expect(notRecorded.filter(({ template }) => template !== 'calls.sign')).toEqual([]);
    // On a slow machine a code is too old to be entered once more; the replay is quick enough.
    expect(notRecorded.length).toBeLessThanOrEqual(1);
  });

  test('could not run what was not recorded', async ({}, info) => {
    const recording = JSON.parse(readFileSync(join(left, 'recording/recording.json'), 'utf8')) as Recording;
    const flow = 'two signers and an approver in turn';
    const ofFlow = recording.calls.filter(
      ({ about }) => about.row === flow && about.operation === 'addSignatory',
    );
    const folder = info.outputPath('recording');
    cpSync(join(left, 'recording'), folder, { recursive: true });
    const out = info.outputPath('replayed');
    const replayed = async (
      some: string,
      isKept: (call: Recording['calls'][number]) => boolean,
      { signing } = recording.profile,
    ) => {
      const calls = recording.calls.filter(isKept);
      const profile = { ...recording.profile, signing };
      writeFileSync(join(folder, 'recording.json'), JSON.stringify({ ...recording, calls, profile }));
      const { code } = await cli('--replay', folder, '--only', some, '--out', out);
      const { requirements } = readRun(out);
      return { lacking: recording.calls.length - calls.length, code, requirements };
    };
    const after = 'events.signatory-completed-after-action';
    // Its callbacks came, and nobody knows for which acts.
    const acts = await replayed(after, ({ about }) => about.template !== 'calls.sign');
    expect(acts.requirements.map(({ verdict }) => verdict)).toEqual(['could-not-run']);
    const byHand = await replayed(after, () => true, {
      ...recording.profile,
      signing: { driver: 'manual' },
    });
    expect(byHand.requirements.map(({ verdict }) => verdict)).toEqual(['could-not-run']);
    const some = `otp.mobile-valid,skeleton.connections,${after}`;
    const { lacking, code, requirements } = await replayed(
      some,
      (call) => call.about.check !== 'skeleton.connections' && call !== ofFlow.at(-1),
    );
    expect({ lacking, code }).toEqual({ lacking: 2, code: 1 });
    expect(requirements.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['skeleton.connections', 'could-not-run'],
      ['otp.mobile-valid', 'failed'],
      // By the other flows: the callbacks of one that is not whole say nothing.
      ['events.signatory-completed-after-action', 'passed'],
    ]);
    expect(requirements[0]?.reason).toContain('the recording has no such call');
  });
});

/**
 * What was observed that does not depend on the moment. Which request a check gets a place in is a matter of timing, and
 * so is how full one becomes; access tokens are not asked for in a replay.
 */
function stable({ gaps }: Run): readonly string[] {
  const outside = ['limits.signatories', 'auth.lifetime'];
  return gaps
    .flatMap(({ id, observations }) =>
      observations
        .filter(({ stability }) => stability === 'stable' && !outside.includes(id))
        .map(({ key, value }) => `${id} ${key} ${JSON.stringify(value)}`),
    )
    .toSorted();
}

/** `npx playwright test` in the folder of the test, where reports/out is its own too. */
function playwright(info: TestInfo, given: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const fixed = ['test', `--config=${join(root, 'playwright.config.ts')}`, '--project=conformance'];
  const script = createRequire(import.meta.url).resolve('@playwright/test/cli');
  return start([...fixed, ...given], { script, cwd: info.outputPath(), env }).ended;
}

test('no trace of Playwright holds a secret or a person, and what --grep chose is a partial run', async ({}, info) => {
  const results = info.outputPath('results');
  const given = ['--trace=on', `--output=${results}`, '--grep=@otp\\.mobile-valid|@skeleton\\.token-missing'];
  const told = await runInConfidence(info.outputPath('profile.json'), (target, env) =>
    playwright(info, given, { ...env, ESIGN_TARGET: target }),
  );
  expect(told.people.length).toBeGreaterThan(10);
  const run = readRun(info.outputPath('reports', 'out'));
  expect(run).toMatchObject({ scope: 'partial', verdict: 'nonconformant' });
  expect(run.selection).toContain('skeleton.token-missing');
  const traces = expectNothingTold(told, results).filter((name) => name.endsWith('/test.trace'));
  expect(traces.length).toBeGreaterThan(1);
  const texts = filesIn(results).map(([, content]) => content.toString('latin1'));
  expect(texts.join()).toContain('createSkeletonRequest: no Authorization header');
});
