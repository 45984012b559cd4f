/** What requirements need of a profile: without it they are not applicable, and the report says what would unlock them. */
import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { loadProfile } from '../../harness/profile/load.ts';
import { isKeys, missingKeys, notApplicable } from '../../harness/profile/needs.ts';
import { type Profile, ProfileSchema } from '../../harness/profile/schema.ts';
import { gaps } from '../../openapi/gaps/register.ts';
import { checked, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { type Need, type NeedId, needs } from '../../openapi/requirements/needs.ts';
import { page as render } from '../../reports/page/page.ts';
import { loadChecks } from '../../running/load-checks.ts';
import { runCheck } from '../../running/run-checks.ts';
import { inSequence } from '../flows/people.ts';
import { changedReference, withSession } from '../proof/session.ts';
import { run } from './reports-sample.ts';

const least: Profile = {
  address: { baseUrl: 'https://sandbox.example.com' },
  auth: { kind: 'static', token: 'a-token-of-the-tests' },
};

test('of an expired token each kind of authorization names the ways that it has', () => {
  const id = 'skeleton.token-expired';
  const of = (auth: Profile['auth']) => {
    const profile = { ...least, auth };
    const key = missingKeys(profile).find(({ requirements }) => requirements.includes(id))?.key;
    return [key, notApplicable(profile)[id]];
  };
  const two = 'auth.expiredToken or calls.expireToken';
  expect(of(least.auth)).toEqual([two, `the profile has no ${two}`]);
  const grant = {
    kind: 'client-credentials' as const,
    tokenEndpoint: 'https://login.example.com/token',
    clientId: 'suite',
    clientSecret: 'a-secret-of-the-tests',
  };
  const three = 'auth.expiredToken, calls.expireToken or auth.tokenFile';
  expect(of(grant)).toEqual([three, `the profile has no ${three}`]);
  const [key, why] = of({ ...grant, tokenFile: '~/tokens.json' });
  expect(key).toBe(two);
  expect(why).toContain('those that auth.tokenFile keeps have not expired yet: a run after that has one');
  const [, byLogin] = of({
    kind: 'authorization-code',
    tokenEndpoint: grant.tokenEndpoint,
    authorizationEndpoint: 'https://login.example.com/authorize',
    clientId: 'suite',
  });
  expect(byLogin).toContain('the access token of `login` has not expired yet: a run after that and another');
});

test('what the target does not offer is not advertised', () => {
  const profile = { ...least, notApplicable: { 'create.template-200': 'not part of our plan' } };
  const advertised = missingKeys(profile);
  expect(advertised.flatMap(({ requirements }) => requirements)).not.toContain('create.template-200');
  expect(advertised.map(({ key }) => key)).not.toContain('create.template');
  expect(notApplicable(profile)['create.template-200']).toContain('not part of our plan');
});

test('what only the signing page shows is not applicable where people sign, and the driver is named as the reason', () => {
  const page = { url: '{link}', document: 'iframe', sign: '#sign', done: '#done' };
  const reason = (signing: NonNullable<Profile['signing']>) =>
    notApplicable({ ...least, signing })['signing.title-shown'];
  expect(reason({ driver: 'manual', send: 'creation' })).toContain('the profile says signing.driver: manual');
  expect(reason({ driver: 'browser', page, send: 'creation' })).toBeUndefined();
  // A module says itself what it sees.
  expect(reason({ driver: 'module', module: './signing.ts', send: 'creation' })).toBeUndefined();
});

/** Paths of a schema, each with its own. */
function pathsOf(schema: SchemaPart, path = ''): readonly string[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
    pathsOf(part, path === '' ? key : `${path}.${key}`),
  );
  return [path, ...below, ...(schema.anyOf ?? []).flatMap((part) => pathsOf(part, path))];
}

interface SchemaPart {
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly anyOf?: readonly SchemaPart[];
}

test('what requirements need are keys of the profile, and every need has a requirement', () => {
  const known = pathsOf(ProfileSchema as SchemaPart);
  const named = Object.values(needs).flatMap((need): readonly (string | readonly string[])[] =>
    Array.isArray(need) ? [need] : Object.values(need),
  );
  const keys = named.flatMap((each) => (Array.isArray(each) ? each : []));
  const paths = keys.map((key: string) => key.split(/[ ,]/)[0]);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !known.includes(path ?? ''))).toEqual([]);
  const wanted = new Set(checked.flatMap((entry) => entry.needs ?? []));
  expect(Object.keys(needs).filter((id) => !wanted.has(id as NeedId))).toEqual([]);
});

test('every profileKey of the gap register is a key of the profile', () => {
  const known = pathsOf(ProfileSchema as SchemaPart);
  const keys = gaps.flatMap(({ profileKey }) => profileKey ?? []);
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter((key) => !known.includes(key))).toEqual([]);
});

const sign = { method: 'POST', url: '/sign' };
const withCode = { ...sign, body: { code: '{otp}' } };
const mail = { email: { list: { method: 'GET', url: '/mail' } } };
const http = { ...least, signing: { driver: 'http', send: 'creation' } } satisfies Profile;
const calling = (calls: Profile['calls']): Profile => ({ ...http, calls });
const mailed: Profile = { ...calling({ sign }), outbox: mail };
const unsent: Profile = { ...least, calls: { sign }, signing: { driver: 'http' } };
const named = { ...sign, url: '/{act}' };
const byLink = { method: 'GET', url: '{link}' } as const;
const page = { url: '/{signatoryId}', sign: '#go', done: '#done' };
const browser = (more: object): Profile => ({
  ...least,
  signing: { driver: 'browser', send: 'creation', page: { ...page, ...more } },
});

/** What a profile has, a requirement, and the key that it lacks for it; `null`: nothing. */
const lacks: readonly (readonly [string, Profile, RequirementId, string | null])[] = [
  ['a call without codes', calling({ sign }), 'otp.gates-signing', 'with {otp}'],
  ['a call with codes', calling({ sign: withCode }), 'otp.gates-signing', null],
  ['a call with codes', calling({ sign: withCode }), 'otp.access-code-asked', 'with {accessCode}'],
  ['one call for both', calling({ sign, approve: sign }), 'signing.approver-cannot-sign', '{act}'],
  ['one call for both', calling({ sign, approve: sign }), 'signing.approver-approves', null],
  ['calls.sign alone', calling({ sign }), 'signing.cc-cannot-act', 'calls.approve other than'],
  ['codes in one of two', calling({ sign, approve: withCode }), 'signing.cc-cannot-act', 'other than'],
  ['two calls', calling({ sign, approve: named }), 'signing.approver-cannot-sign', null],
  ['one call that names the act', calling({ sign: named, approve: named }), 'signing.cc-cannot-act', null],
  ['nobody who asks', mailed, 'otp.email-delivered', 'calls.requestOtp'],
  ['e-mails alone', mailed, 'signing.message-shown', null],
  ['e-mails alone', mailed, 'signing.name-shown', 'calls.view'],
  ['a view by link', calling({ sign, view: byLink }), 'signing.name-shown', 'outbox.email'],
  ['a {token}', calling({ sign: { ...sign, url: '/{token}' } }), 'signing.parallel', 'outbox.email'],
  ['one button', browser({ approve: '#go' }), 'signing.approver-cannot-sign', 'page.approve other than'],
  ['two buttons', browser({ approve: '#approve' }), 'signing.approver-cannot-sign', null],
  ['no field for codes', browser({}), 'otp.gates-signing', 'signing.page.otp'],
  ['nothing that sends', unsent, 'signing.parallel', 'calls.send or signing.send'],
];

test('what a requirement needs of the profile decides whether it applies, and names the key', () => {
  for (const [what, profile, id, key] of lacks) {
    const reason = notApplicable(profile)[id];
    const hinted = missingKeys(profile).filter(({ requirements }) => requirements.includes(id));
    if (key === null) expect([what, id, reason, hinted]).toEqual([what, id, undefined, []]);
    else {
      expect(`${what}: ${reason}`).toContain(key);
      expect(hinted.map((each) => each.key).join()).toContain(key);
    }
  }
});

const bare = `
address: { baseUrl: https://sandbox.example.com }
auth:
  kind: static
  token: \${ESIGN_TOKEN}
`;

/** Sections that are there, without the keys that matter. */
const sections = `${bare}
calls:
  status:
    method: GET
    url: /status
  sign:
    method: POST
    url: /sign
create:
  requestId: /id
  signatoryId: none
limits:
  documents: 1
outbox:
  waitMs: 1000
callbacks:
  correlate: path
signing:
`;

const pages = "  page:\n    sign: '#go'\n    approve: '#go'\n    done: '#done'\n";
const profiles: readonly (readonly [string, string])[] = [
  ['a bare profile', bare],
  ['calls', `${sections}  driver: http\n`],
  ['a page', `${sections}  driver: browser\n${pages}`],
];

/** A run of which the page shows little else than what would unlock more. */
const little = { ...run(), requirements: [], gaps: [] };

/** What the report page gives to paste for a key, and what it says about the place. */
function pasteOf(key: string): { readonly lines: string; readonly says: string } {
  const shown = render({ ...little, unlocks: [{ key, requirements: ['signatory.deleted-request'] }] });
  const [, says = '', lines = ''] =
    /<summary>Lines to add[^<]*<\/summary>(?:<p[^>]*>(.*?)<\/p>)?<pre[^>]*>([^<]*)<\/pre>/.exec(shown) ?? [];
  const plain = (text: string) =>
    text
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  return { lines: plain(lines), says: plain(says) };
}

/** A profile with the lines where the page says that they belong. */
function pasted(profile: string, { lines, says }: ReturnType<typeof pasteOf>): string {
  const [, below] = /^Below ([\w.]+):/.exec(says) ?? [];
  const [, instead] = /in place of (\w+):/.exec(says) ?? [];
  let [indent, at] = ['', profile.length];
  for (const name of below?.split('.') ?? []) {
    const line = new RegExp(`^${indent}${name}:\\n`, 'm').exec(profile);
    if (!line) return `${profile}${name}:\n${lines}\n`;
    indent += '  ';
    at = line.index + line[0].length;
  }
  const kept = profile
    .slice(at)
    .replace(new RegExp(`^${indent}${instead}:.*\\n(?:${indent} .*\\n)*`, 'm'), '');
  return `${profile.slice(0, at)}${lines}\n${kept}`;
}

test('the lines that the page gives for a key are YAML, alone and where it says, and unlock it', async ({}, info) => {
  const target = info.outputPath('profile.yaml');
  const load = (text: string) => {
    writeFileSync(target, text);
    const names = ['ESIGN_TOKEN', 'ESIGN_EXPIRED_TOKEN', 'ESIGN_ADMIN_KEY', 'ESIGN_CALLBACK_SECRET'];
    const env = Object.fromEntries(names.map((name) => [name, `of-${name}`]));
    return missingKeys(loadProfile({ target }, env)?.profile ?? least).map(({ key }) => key);
  };
  const tried = new Set<string>();
  for (const [what, profile] of profiles) {
    for (const key of load(profile)) {
      tried.add(key.split(/[ ,]/)[0] ?? '');
      const paste = pasteOf(key);
      const alone: unknown = parse(paste.lines);
      expect(Object.keys(alone ?? {}), `${what}, ${key}`).toHaveLength(1);
      const besides = paste.says.includes('needs calls.sign') ? [pasteOf('calls.sign')] : [];
      expect(load([paste, ...besides].reduce(pasted, profile)), `${what}, ${key}`).not.toContain(key);
    }
  }
  const named = Object.values(needs).flatMap((need: Need) => (isKeys(need) ? [need] : Object.values(need)));
  const first = named.flatMap((keys) => (isKeys(keys) ? (keys[0]?.split(/[ ,]/)[0] ?? []) : []));
  expect([...tried].sort()).toEqual([...new Set(first)].sort());
});

test('what makes most checkable is named first', () => {
  const numbers = missingKeys(least).map(({ requirements }) => requirements.length);
  expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
  expect(missingKeys(least)[0]?.key).toBe('signing');
});

test('what the profile calls not applicable fails where a run saw it violated by other means', async () => {
  const id = 'signing.private-message';
  const notApplicable = { [id]: 'private messages are not part of our plan' };
  const faults = ['signing.private-message/shown-to-all'] as const;
  const start = () => changedReference({ faults }, () => ({ notApplicable }));
  await withSession(start, { runId: 'needs', flows: [inSequence] }, async (session) => {
    session.startFlows();
    const facts = await session.facts();
    expect(facts.notApplicable[id]).toContain('not part of our plan');
    const check = (await loadChecks()).find(({ ids }) => ids.includes(id));
    if (!check) throw new Error(`no check covers ${id}`);
    const [red] = await runCheck(check, { session, facts });
    expect(red).toMatchObject({ verdict: 'failed' });
    expect(JSON.stringify(red)).toContain('tells the PrivateMessage to signatory');
  });
});
