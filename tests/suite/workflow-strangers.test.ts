/** Strangers who know the callback addresses of a run, or those of its people: what they send blames nobody; nor is a target blamed that cannot call back at all. */
import { expect, test } from '@playwright/test';
import { sentences } from '../../generators/documents/document.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import { role } from '../../openapi/codes.ts';
import { plainPdf } from '../../reference/plain-pdf.ts';
import { unattributed } from '../../reports/run/words.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { withoutCallbackUrl } from '../flows/events.ts';
import { inSequence, mixedRoles, peopleFlows } from '../flows/people.ts';
import { changedReference, withSession } from '../proof/session.ts';
import { send } from './callbacks-sender.ts';
import { record, run } from './reports-sample.ts';
import { deadPort, serve } from './services/loopback.ts';
import { type Behaviour, reshaped } from './services/proxy.ts';
import { expectNoBlame, startSituation, workflow } from './workflow.ts';

test('deliveries of strangers at the addresses of a run blame nobody, and stand in the report', async () => {
  const flows = [inSequence, mixedRoles];
  const addresses = new Set<string>();
  // What no reader likes, the fuzz of the listener sends.
  const foreign = Array.from({ length: 12 }, (_, count) =>
    JSON.stringify({ event: 1 + (count % 3), requestId: `stranger-${count}` }),
  );
  const disturb = async () => {
    await expect.poll(() => addresses.size).toBe(flows.length);
    await Promise.all([...addresses].flatMap((url) => foreign.map((body) => send(url, body))));
  };
  let disturbed: Promise<void> | undefined;
  // Requests are sent only once strangers have done their work at the callback addresses of all flows.
  const behave: Behaviour = async ({ request, forward, reply }) => {
    const [, url] = /"CallbackUrl":"([^"]*\?flow=[^"]*)"/.exec(request.body.toString()) ?? [];
    if (url) addresses.add(url);
    if (request.url.endsWith('/send')) disturbed ??= disturb();
    await disturbed;
    reply(await forward());
  };
  const start = () => startSituation({ behave });
  await withSession(start, { runId: 'strangers', flows }, async (session) => {
    const judged = await Promise.all(workflow.map(({ id }) => session.evidence(id)));
    const verdicts = judged.flatMap(({ rows }) => rows.map(({ verdict }) => verdict));
    expect(new Set(verdicts)).toEqual(new Set(['passed']));
    const { unattributed: strangers } = await session.callbacks();
    expect(strangers).toMatchObject([{ kind: 'unknown-request', from: ['127.0.0.1'], count: 24 }]);
    expect(unattributed(run({ record: record({ unattributed: strangers }) })).join()).toMatch(
      /blames nobody: \d+ for requests that this run did not create from 127\.0\.0\.1/,
    );
  });
});

test('who reads callbacks and sends each to all addresses of the run, and to changed ones, has nobody blamed', async () => {
  let listener = '';
  const paths = new Set<string>();
  const copied = new Set<string>();
  const reader = await serve(({ url, body }, response) => {
    void send(`${listener}${url}`, body).then(async () => {
      copied.add(url);
      for (const each of [...paths, '/elsewhere', url.replace('&note=twice', '')])
        if (each !== url) await send(`${listener}${each}`, body);
      response.end();
    });
  });
  // Ports of servers for a moment have five digits, so that no body gets longer.
  const behave: Behaviour = async ({ request, forward, reply }) => {
    const sent = request.body.toString('latin1');
    const [given, origin = '', path = ''] = /(http:..127\.0\.0\.1:\d{5})(\/callback\/[^"]*)/.exec(sent) ?? [];
    if (given === undefined) return reply(await forward());
    listener = origin;
    paths.add(path);
    reply(await forward({ body: Buffer.from(sent.replace(origin, reader.baseUrl), 'latin1') }));
  };
  await expectNoBlame(peopleFlows, { behave });
  await reader.close();
  expect(copied.size).toBe(peopleFlows.length);
  expect(paths.size).toBeGreaterThan(copied.size);
});

/** Puts what a stranger writes before the e-mails to each person, as if it came last. */
const besides = (foreign: readonly object[], ofTarget = (mails: string) => mails): Behaviour =>
  reshaped((answer, { url }) => {
    const [, to] = /^\/_outbox\.json\?to=(qa[^&]*)/.exec(url) ?? [];
    if (to === undefined) return answer;
    const { messages } = JSON.parse(ofTarget(answer.body.toString()));
    const sentAt = new Date(Date.now() + 3_600_000).toISOString();
    const more = foreign.map((mail) => ({ to: decodeURIComponent(to), sentAt, attachments: [], ...mail }));
    const body = Buffer.from(JSON.stringify({ messages: [...more, ...messages] }));
    return { ...answer, headers: { ...answer.headers, 'content-length': body.length }, body };
  });

const offers = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    subject: `Offer ${at}`,
    text: 'Only today: ten pens for the price of nine, and each of them signs for years without an end.',
  }));
const known = peopleFlows.flatMap(({ signatories }) =>
  signatories.flatMap(({ privateMessage }) => privateMessage ?? []),
);

for (const [title, foreign] of [
  ['more mails than are read', offers(limits.messages.most + 1)],
  ['every PrivateMessage that stands in the suite', [{ text: known.join('\n') }]],
] as const) {
  test(`${title} of a stranger to each person blames nobody`, async () => {
    await expectNoBlame(peopleFlows, { behave: besides(foreign) });
  });
}

test('no PDF behind the link of a stranger is blamed as the copy, where that is behind a page', async () => {
  const half = plainPdf(['An offer']).subarray(0, -60);
  const ofAnotherRun = plainPdf([...sentences('ESC-0123456789ABCDEF0123')]);
  const pages: Readonly<Record<string, Uint8Array>> = { '/half': half, '/other': ofAnotherRun };
  const site = await serve(({ url }, response) => response.end(pages[url] ?? '<h1>Log in</h1>'));
  const copies = /http:[^"\\\s]*\/_outbox\/copies[^"\\\s]*/g;
  for (const link of Object.keys(pages)) {
    const behave = besides([{ subject: 'Offer', text: `Read ${site.baseUrl}${link}` }], (mails) =>
      mails.replaceAll(copies, `${site.baseUrl}/page`),
    );
    await expectNoBlame([mixedRoles], { behave, dialect: { copyAs: 'linked' } });
  }
  await site.close();
});

const request = '/_apis/sign/api/v2/requests/{requestId}';
const listOf = ({ address }: Profile, to: string) =>
  ({ method: 'GET', url: `${address.baseUrl}/_outbox.json?to=${to}` }) as const;

test('a target that cannot call back gets no CallbackUrl, and signing is checked all the same', async () => {
  const change = (profile: Profile): Partial<Profile> => ({
    // Another name of this machine, from which a listener on loopback is taken to be out of reach.
    address: { ...profile.address, baseUrl: profile.address.baseUrl.replace('127.0.0.1', '0.0.0.0') },
    // The outbox answers under its own name only.
    outbox: {
      email: { list: listOf(profile, '{email}'), messages: '/messages' },
      sms: { list: listOf(profile, '{mobileNumber}'), messages: '/messages' },
    },
    callbacks: {},
    calls: {
      ...profile.calls,
      // The answer names documents under the usual name, to which the access token of this one does not go.
      completedDocuments: { method: 'GET', url: `${request}/documents`, result: '/documents/0/name' },
      download: { method: 'GET', url: `${request}/documents/0` },
    },
  });
  const settings = { runId: 'silent', flows: [inSequence, mixedRoles] };
  const start = () => changedReference({}, change);
  await withSession(start, settings, async (session) => {
    const { notApplicable } = await session.facts();
    const isEvent = (id: string) => id.startsWith('events.');
    const judged = workflow.filter(({ id }) => !notApplicable[id]);
    expect(notApplicable['events.all']).toContain('callbacks.publicUrl');
    expect(judged.filter(({ id }) => isEvent(id))).toEqual([]);
    const evidence = await Promise.all(judged.map(({ id }) => session.evidence(id)));
    const verdicts = evidence.flatMap(({ rows }) => rows.map(({ verdict }) => verdict));
    expect(new Set(verdicts)).toEqual(new Set(['passed']));
    // Its states are asked for instead, and the documents once the last one is reached.
    const observations = await session.observations();
    const seen = (gap: string) => observations.filter((each) => each.gap === gap);
    expect(seen('service.states').map(({ value }) => value)).toEqual([['draft', 'sent', 'completed']]);
    expect(seen('service.transitions').map(({ key }) => key)).toContain('state after everybody completed');
    const flows = session.recorder.exchanges.filter(({ purpose }) => purpose === 'flow');
    expect(flows.length).toBeGreaterThan(10);
    expect(flows.some(({ request }) => request.body?.text?.includes('"CallbackUrl":'))).toBe(false);
  });
});

test('a target that cannot call back is not blamed where somebody forges a callback', async () => {
  const [unreachable, port] = [await deadPort(), await deadPort()];
  const change = ({ callbacks }: Profile): Partial<Profile> => ({
    callbacks: {
      ...callbacks,
      publicUrl: `http://127.0.0.1:${unreachable}`,
      listen: { port },
      grace: { arrivalMs: 1_000, silenceMs: 100 },
      authenticity: { kind: 'header', header: 'X-Secret', secret: 'of-the-target' },
    },
  });
  let isForged = false;
  const behave: Behaviour = async ({ request, forward, reply }) => {
    const [, path] = /"CallbackUrl":"https?:\/\/[^/"]*([^"]+)"/.exec(request.body.toString()) ?? [];
    if (path && !isForged) {
      isForged = true;
      await send(`http://127.0.0.1:${port}${path}`, '{"event":1}');
    }
    reply(await forward());
  };
  // Of the other flow nothing at all is heard.
  await expectNoBlame([inSequence, mixedRoles], { unproved: ['events.process-completed'], behave, change });
  expect(isForged).toBe(true);
});

test('a flow that stops is told of where others prove all its requirements', async () => {
  const refused = {
    ...withoutCallbackUrl,
    name: 'an Order below 1',
    signatories: [{ role: role.signer, order: -1 }],
  };
  const settings = { runId: 'stopped', flows: [withoutCallbackUrl, refused] };
  await withSession(
    () => startReferenceTarget(),
    settings,
    async (session) => {
      const { rows } = await session.evidence('signing.email-used');
      expect(rows).toMatchObject([{ title: withoutCallbackUrl.name, verdict: 'passed' }]);
      expect(session.warnings()).toEqual([
        expect.stringMatching(
          /^1 flow did not come to an end \("an Order below 1"\): .* was answered with 400/,
        ),
      ]);
    },
  );
});
