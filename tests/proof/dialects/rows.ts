/** The dialects that the checks are tried against: a pairwise covering set over all settings of the reference. */

import type { Profile } from '../../../harness/profile/schema.ts';
import { callbackSettings } from '../../../reference/dialect/callbacks.ts';
import { signingSettings } from '../../../reference/dialect/signing.ts';
import { type Dialect, settings } from '../../../reference/dialect.ts';
import { coveringRows } from './covering.ts';
import { drawnRow } from './drawn.ts';
import { type FirstProfile, firstProfiles, person, post, send } from './first-profiles.ts';
import { sandboxes } from './sandboxes.ts';

type Value = string | number | boolean;

/** Compliant services that share no code with the reference. */
const foreigners = ['gateway', 'java', 'php', 'queue', 'registry'] as const;
export type Foreigner = (typeof foreigners)[number];

/** A profile in a file, and the full one of the same service. */
export interface Written {
  readonly file: string;
  /** Parts that somebody wrote wrong. Requirements may be unable to run because of them, but none may fail. */
  readonly mistaken?: Partial<Profile>;
  readonly full?: string;
}

export interface DialectRow {
  readonly name: string;
  readonly dialect: Partial<Dialect>;
  /** The profile: one with all that the dialect needs, an empty one (address and token), a first one, or a written one. */
  readonly profile: 'derived' | 'empty' | { readonly first: FirstProfile } | Written;
  /** The service that runs instead of the reference service. */
  readonly foreign?: Foreigner;
  /** In a row of the covering set, the values that it stands for. */
  readonly covered?: Readonly<Record<string, Value>>;
}

/**
 * Values that hide other settings, each with a row of its own instead of a part in the pairs. Without callbacks nothing else
 * about callbacks can be seen, and without accepted people nothing about people; without a page nobody acts, and without a
 * readable OTP none is judged; late e-mails only add waits, and codes that end at once hide what comes after; 200 hides the status of refusals; a page needs a pattern to be read,
 * and words or codes of a service's own a result; ids by address would be pairs with everything about stamps; where uploads
 * are taken in any way, the name of their field says nothing.
 */
const hiding: Partial<Dialect>[] = [
  { emailForm: 'reachable' },
  { callbackUrlSchemes: 'https' },
  { callbackNetworks: 'public' },
  { callbackNetworks: 'public', callbackUrlCheck: 'called' },
  { actsOnceSeen: true },
  { otp: 'unread-of-cc' },
  { invitationDelayMs: 1_000 },
  { createRefusedAs: 'flag' },
  { createAnswer: 'page' },
  { createAnswer: 'by-email' },
  { actRefusedAs: 'own-words' },
  // Who tries before a request of type 3 is sent by a call has not been asked yet.
  { codeTries: 'one', stampedSending: 'call' },
  { actRefusedAs: 'code' },
  { createRefusedAs: 'code' },
  { uploadEncoding: 'any' },
  { messageDelayMs: 3_000 },
  // Where the name of the file stands is part of the body.
  { uploadEncoding: 'json', uploadField: 'content', uploadMediaType: 'judged' },
  { codeTries: 'three-of-all' },
];

function isHiding(name: string, value: Value): boolean {
  return hiding.some((each) => Object.keys(each)[0] === name && Object.values(each)[0] === value);
}

/** The settings with the values that take part in the pairs. */
export const factors: Readonly<Record<string, readonly Value[]>> = Object.fromEntries(
  Object.entries(settings).map(([name, { values }]) => [
    name,
    values.filter((value: Value) => !isHiding(name, value)),
  ]),
);

/** Longer times than in the examples of settings, which are too short for a busy machine. */
const unhurried: Partial<Dialect> = { sendDelayMs: 4_000 };

const covering = coveringRows(factors, 1);

function numbered(prefix: string, profile: DialectRow['profile']): readonly DialectRow[] {
  return covering.map((covered, index) => ({
    name: `${prefix}-${index + 1}`,
    dialect: { ...covered, ...unhurried } as Partial<Dialect>,
    profile,
    covered,
  }));
}

const hidden = hiding.map((dialect, index): DialectRow => {
  return { name: `hiding-${index + 1}`, dialect, profile: 'derived' };
});

/** Settings that only together could be mistaken for a violation. */
const together: Readonly<Record<string, Partial<Dialect>>> = {
  'stamps-in-percent': { stampUnit: 'percent', stampsBeyond: 'moved' },
  'stamps-in-millimetres': { stampUnit: 'millimetres', stampsBeyond: 'moved' },
  'signed-by-trail': { auditTrail: true, unstamped: 'nothing', signatureKind: 'visible' },
  'short-numbers': { mobileNumberForm: 'digits' },
  // Refusals without details, since words about numbers or codes would excuse failures.
  'forms-1': {
    errorDetail: false,
    mobileNumberForm: 'without-plus',
    accessCodeForm: 'digits',
    accessCodeIdle: 'refused',
    colorForm: 'bare',
    stampUnit: 'percent',
    stampsBeyond: 'refused',
    stampingSignature: 'needed',
  },
  'forms-2': {
    errorDetail: false,
    mobileNumberForm: 'national',
    accessCodeForm: 'password',
    accessCodeIdle: 'required',
    accessCodeElsewhere: 'unread',
    mobileNumberElsewhere: 'unread',
    colorForm: 'small',
  },
  'locked-pages': { pageBeforeCode: 'name', privateMessageMailed: false },
  'hidden-documents': { pageBeforeCode: 'no-document', documentShownAs: 'base64' },
  'scripted-documents': { documentShownAs: 'page' },
  'refused-in-graphql': { actRefusedAs: 'graphql' },
  'refused-on-a-page': { actRefusedAs: 'page', otpBoth: 'two-codes' },
  'refused-in-json-rpc': { actRefusedAs: 'json-rpc', otpBoth: 'two-codes' },
  'refused-in-words-accepted-without': { createRefusedAs: 'code', createAnswer: 'empty' },
  // An attempt of who has to look first is refused for that alone, and ends no code.
  'looked-at-after-a-try': {
    actsOnceSeen: true,
    codeTries: 'one',
    callbackRetries: 3,
    accessCodeIdle: 'refused',
  },
  // Mailboxes and e-mails of unusual kinds.
  'mail-as-sent': { mailKept: 'as-sent', mailLinks: 'counted', otpSigns: 'words', otpBoth: 'two-codes' },
  'mail-begun': { mailKept: 'begun', copyAs: 'linked' },
  'mail-links-archive': { copyAs: 'archive' },
  'mail-to-cc-before': { ccToldBefore: true },
  'mail-without-files': { mailKept: 'without-files' },
  'callbacks-overtake': { callbackOrder: 'at-once', callbackJitterMs: 800 },
  'parts-by-content-id': { callbackFormat: 'multipart', callbackParts: 'identified' },
  'token-in-location': { tokenPlace: 'location', documentTokenForm: 'slash' },
  'url-called-first': { callbackUrlCheck: 'called-first' },
  // Requests are sent so soon that later people are refused, which must not be taken for a refusal of these people.
  'mistaken-hurry': {
    sending: 'delay',
    sendDelayMs: 40,
    addAfterSend: 'refused',
    conflictStatus: 403,
    answerDelayMs: 50,
  },
  // The same where a new id is unknown for a moment.
  'mistaken-hurry-unseen': {
    sending: 'delay',
    sendDelayMs: 40,
    addAfterSend: 'refused',
    visibleAfterMs: 1_500,
    answerDelayMs: 50,
  },
};

/** Habits in callbacks, e-mails and turns, of which first profiles say nothing; each variant gets one of them in turn. */
const habits: readonly Partial<Dialect>[] = [
  {},
  { copyAs: 'linked', copiesTo: 'everyone', approverCompletes: 'event', otpBoth: 'two-codes' },
  { privateMessageMailed: false, otpBoth: 'two-codes', callbackFormat: 'form' },
  { callbackTwice: true, completedDocuments: 'merged', requestReceivedAt: 'created' },
  { callbackFormat: 'nested', callbackEventAs: 'name', callbackTime: 'seconds' },
  { auditTrail: true, signatureKind: 'visible', callbackSignatoryAs: 'email' },
  { visibleAfterMs: 150, callbackFormat: 'list', copyAs: 'linked' },
];

/** Habits that belong to a variant. */
const needed: Partial<Record<FirstProfile, Partial<Dialect>>> = {
  'a template, and nothing of how bodies travel': { createEncoding: 'multipart' },
  'a call in the place of one that sends': { sending: 'first-signatory' },
  'a reader of mails in a hurry': { invitationDelayMs: 1_000 },
};

const firstRows = (Object.keys(firstProfiles) as FirstProfile[]).map((first, index): DialectRow => {
  const dialect = needed[first] ?? habits[index % habits.length] ?? {};
  return { name: `first-${index + 1}`, dialect, profile: { first } };
});

/** The variants that differ most; the others run only with `--all`. */
const tellingVariants: readonly FirstProfile[] = [
  'simulator as calls.sign',
  'simulator, and a call for codes',
  'one call by role, with one code',
  'calls apart, without codes',
  'a page that needs a link, without a mailbox',
  'one code in a call, both mailboxes',
  'an inquiry in the place of a page',
  'one call to sign and approve',
  'sent by a creation, which is not so',
  'a template, and nothing of how bodies travel',
  'a call in the place of one that sends',
];

/** The six sandboxes, each with its full profile and with a first one, and the services of other authors with a first one. */
const vendors: readonly DialectRow[] = [
  ...Object.entries(sandboxes).flatMap(([name, dialect]): readonly DialectRow[] => {
    const full = `targets/sandboxes/${name}.yaml`;
    return [
      { name: `sandbox-${name}`, dialect, profile: { file: full } },
      {
        name: `first-sandbox-${name}`,
        dialect: { ...dialect, ...(dialect.sending === 'delay' ? unhurried : {}) },
        profile: { file: `targets/first/${name}.yaml`, full },
      },
    ];
  }),
  ...foreigners.map((foreign): DialectRow => {
    const file = `tests/proof/dialects/foreign/first/${foreign}.yaml`;
    return { name: `first-foreign-${foreign}`, foreign, dialect: {}, profile: { file } };
  }),
];

/** Mistakes in first profiles for which a service must not be blamed. */
const mistakes: Readonly<Record<string, readonly [foreign: Foreigner, mistaken: Partial<Profile>]>> = {
  'upload-in-a-form': ['java', { upload: { encoding: 'multipart', field: 'attachment' } }],
  'upload-elsewhere': ['php', { upload: { encoding: 'raw', token: '/documentToken' } }],
  'token-elsewhere': ['php', { upload: { token: '/data/pages' } }],
  'token-above': ['php', { upload: { token: '/data' } }],
  'token-remark': ['php', { upload: { token: '/message' } }],
  'event-nowhere': ['java', { callbacks: { decoding: { event: '/event' } } }],
  'request-id-elsewhere': ['java', { callbacks: { decoding: { requestId: '/eventCode' } } }],
  'proof-nowhere': [
    'java',
    { callbacks: { authenticity: { kind: 'basic', user: 'a', secret: 'nobody-knows' } } },
  ],
  'token-never-valid': [
    'java',
    {
      auth: {
        kind: 'static',
        token: 'java-service-token-6f1c',
        expiredToken: 'java-service-token-of-nobody',
      },
    },
  ],
  'creation-in-a-form': ['java', { create: { field: 'request', formFields: { origin: 'api' } } }],
  // Bodies of types 1 and 2 are not shown.
  'creation-from-the-example': [
    'java',
    {
      create: {
        template: { body: { TemplateId: '7f1c', Title: '{title}', Message: '{message}' } },
        fixed: { body: { Title: '{title}', Message: '{message}', Files: '{documents}' } },
      },
    },
  ],
  'creation-not-offered': [
    'php',
    { create: { template: { body: { Title: '{title}' } }, fixed: { body: { Title: '{title}' } } } },
  ],
  'creation-not-there': ['registry', { create: { fixed: { body: { Title: '{title}' } } } }],
  'creation-with-more': ['java', { create: { fields: { Language: 'en' } } }],
};

const mistakenRows = Object.entries(mistakes).map(([name, [foreign, mistaken]]): DialectRow => {
  const file = `tests/proof/dialects/foreign/first/${foreign}.yaml`;
  return { name: `mistaken-${name}`, foreign, dialect: {}, profile: { file, mistaken } };
});

/** A first profile in which some parts are written in another way. */
const but = (first: FirstProfile, parts: Partial<Profile>): Partial<Profile> => ({
  ...firstProfiles[first],
  ...parts,
});

/** Events are read in this way. */
const read = (decoding: NonNullable<Profile['callbacks']>['decoding']) =>
  but('calls apart, and the page', { callbacks: { decoding } });

const { sign, approve, requestOtp } = {
  ...firstProfiles['calls apart, without codes'].calls,
  ...firstProfiles['one call by role, with one code'].calls,
};

/** Two codes are entered by a call of their own. */
const twoCodes = (codes: Readonly<Record<string, string>>, calls: Profile['calls']) =>
  but('one code in a call, both mailboxes', {
    calls: { ...send, sign: post(`${person}/sign`, { ...codes, accessCode: '{accessCode}' }), ...calls },
  });

/** The call to sign has each of two codes in the place of the other. */
const codesExchanged = twoCodes({ otp: '{otpSms}', otpSms: '{otpEmail}' }, { requestOtp });

const inquiry = { method: 'GET', url: '/_apis/sign/api/v2/requests/{requestId}/status' };

/** Rows with habits that need keys of the profile, and a profile without them: the first one of a service, a first one of this name, or an empty one. */
const unread: Readonly<
  Record<string, readonly [Partial<Dialect>, said: Partial<Profile> | FirstProfile | 'empty']>
> = {
  'token-in-location-found': [
    { tokenPlace: 'location', documentTokenForm: 'base64', uploadStatus: 201 },
    'empty',
  ],
  'mistaken-people': [{ emailForm: 'reachable', errorDetail: false }, 'empty'],
  // The service sends requests a moment before it is asked to.
  'mistaken-sent-already': [
    {
      sending: 'delay',
      documentsVisibleAfterMs: 100,
      callbackTypesMissing: 'refused',
      stampedSending: 'call',
    },
    'calls apart, and the page',
  ],
  // No request is left by which it could be seen that people act before a request is sent.
  'mistaken-send-of-few-requests': [
    { sending: 'first-signatory' },
    but('a call in the place of one that sends', { limits: { requests: 14 } }),
  ],
  'mistaken-token-in-json-on-a-page': [
    { tokenPlace: 'page' },
    { upload: { encoding: 'multipart', field: 'file' } },
  ],
  'mistaken-token-on-a-page': [{ tokenPlace: 'page', tokenPointer: '/data/0/id' }, 'empty'],
  'mistaken-upload-field': [{ uploadField: 'Datei' }, { upload: { encoding: 'multipart', field: 'file' } }],
  'mistaken-numbers': [{}, { people: { mobileNumbers: ['0049 (0)151 5555 123'] } }],
  'mistaken-access-code': [
    {},
    { calls: { ...send, sign: post(`${person}/sign`, { otp: '{otp}', passcode: '{accessCode}' }) } },
  ],
  'mistaken-codes-exchanged': [{ otpBoth: 'two-codes' }, codesExchanged],
  'mistaken-codes-exchanged-of-few-tries': [{ otpBoth: 'two-codes', codeTries: 'three' }, codesExchanged],
  'mistaken-patience': [
    { visibleAfterMs: 700 },
    but('calls apart, without codes', { signing: { driver: 'http', readyMs: 300 } }),
  ],
  'mistaken-maximum': [{ maxDocuments: 1, maxSignatories: 4 }, 'calls apart, and the page'],
  'mistaken-title-length': [{ maxTitleLength: 40 }, 'calls apart, and the page'],
  'first-mail-as-sent': [
    { mailKept: 'as-sent', mailLinks: 'counted', otpSigns: 'words' },
    'calls apart, and the page',
  ],
  'mistaken-refused-on-a-page': [{ actRefusedAs: 'page' }, 'one call by role, with one code'],
  'mistaken-refused-in-own-words': [{ actRefusedAs: 'own-words' }, 'one code in a call, both mailboxes'],
  'mistaken-refused-by-code': [
    { actRefusedAs: 'code', createRefusedAs: 'code' },
    'one code in a call, both mailboxes',
  ],
  'mistaken-result': [{}, { calls: { ...send, sign: { ...post(`${person}/complete`), result: '/done' } } }],
  'mistaken-sign-that-asks': [
    {},
    but('calls apart, without codes', { calls: { ...send, sign: inquiry, approve } }),
  ],
  'mistaken-approve-that-asks': [
    {},
    but('calls apart, without codes', { calls: { ...send, approve: inquiry, sign } }),
  ],
  'mistaken-path-for-codes': [
    {},
    twoCodes({ otp: '{otpEmail}', otpSms: '{otpSms}' }, { approve, requestOtp: post(`${person}/otps`) }),
  ],
  'mistaken-attachments-elsewhere': [
    {},
    { callbacks: { attachments: { as: 'base64', list: '/signedFiles', content: '/bytes' } } },
  ],
  'mistaken-acts': [
    {},
    but('calls apart, and the page', {
      calls: { ...firstProfiles['calls apart, and the page'].calls, sign: approve, approve: sign },
    }),
  ],
  'mistaken-codes': [{}, read({ codes: { 1: 1, 2: 3, 3: 2 } })],
  'mistaken-codes-other': [{}, read({ codes: { 1: 1, 2: 'other', 3: 3 } })],
  'mistaken-codes-twice': [{}, read({ codes: { 1: 1, 2: 2, 3: 2 } })],
  'mistaken-event-place': [
    { callbackFormat: 'cloudevent' },
    read({ event: '/specversion', codes: { '1.0': 2 } }),
  ],
  'mistaken-mail-begun': [{ mailKept: 'begun' }, 'simulator and mailbox'],
  'mistaken-mail-elsewhere': [
    {},
    but('calls apart, and the page', {
      outbox: {
        email: { list: { method: 'GET', url: '/_outbox.json?to={email}' }, messages: '/items' },
        sms: { list: { method: 'GET', url: '/_outbox.json?to={requestId}' } },
      },
    }),
  ],
  'mistaken-mail-waited-for-too-briefly': [
    { messageDelayMs: 3_000 },
    but('simulator, and a call for codes', {
      outbox: { ...firstProfiles['one code in a call, both mailboxes'].outbox, waitMs: 1_000 },
    }),
  ],
  'mistaken-words': [
    { mailKept: 'without-files', otpSigns: 'words', otpBoth: 'two-codes' },
    'one code in a call, both mailboxes',
  ],
};

const unreadRows = Object.entries(unread).map(([name, [dialect, said]]): DialectRow => {
  if (said === 'empty') return { name, dialect, profile: said };
  const common = { file: 'targets/first/common.yaml' };
  return {
    name,
    dialect,
    profile: typeof said === 'string' ? { first: said } : { ...common, mistaken: said },
  };
});

export const dialectRows: readonly DialectRow[] = [
  { name: 'default', dialect: {}, profile: 'derived' },
  ...Object.entries(together).map(([name, dialect]): DialectRow => ({ name, dialect, profile: 'derived' })),
  ...hidden,
  // The registry is left out: its document token is a number, which cannot be found without a profile.
  ...foreigners
    .filter((each) => each !== 'registry')
    .map((foreign): DialectRow => ({ name: foreign, foreign, dialect: {}, profile: 'empty' })),
  ...firstRows,
  ...vendors,
  ...mistakenRows,
  ...unreadRows,
  // In npm test the machine is busy at first, and services that look whether they reach a URL give up after a while.
  ...numbered('pairs', 'derived'),
  ...numbered('bare', 'empty'),
];

const isOf = (names: readonly string[]) => (name: string) => names.includes(name);
/** Settings of what comes after a creation; those about stamps and sending decide about single calls, too. */
const isAfterwards = isOf([
  ...Object.keys({ ...signingSettings, ...callbackSettings }).filter(
    (name) => !/^(stamp|send|add)/.test(name),
  ),
  'actRefusedAs',
]);

/**
 * Whether a row differs from others, in which all checks run, only in what happens after a creation, by its settings
 * and by what its profile says: then those checks alone run that are judged from flows.
 */
export function isOfFlowsAlone({ dialect, profile }: DialectRow): boolean {
  if (profile === 'empty' || !Object.keys(dialect).every(isAfterwards)) return false;
  if (profile === 'derived') return Object.keys(dialect).length > 0;
  const said = 'first' in profile ? firstProfiles[profile.first] : profile.mistaken;
  return said !== undefined && Object.keys(said).every(isOf(['calls', 'signing', 'outbox', 'callbacks']));
}

export function dialectRow(name: string): DialectRow {
  const row = dialectRows.find((each) => each.name === name) ?? drawnRow(name);
  if (!row) throw new Error(`no dialect row is called ${name}`);
  return row;
}

const held = everyValue();

/** The rows of `npm run dialects`: those without numbers, enough of the pairs to have every value, and a few empty profiles. */
export const everyDay: readonly DialectRow[] = dialectRows.filter(({ name, covered, profile }) => {
  if (/^first-\d+$/.test(name)) return tellingVariants.includes((profile as { first: FirstProfile }).first);
  if (!covered) return true;
  const [family, number] = name.split('-');
  return family === 'pairs' ? held.has(covered) : Number(number) <= 4;
});

/** Covering rows in which each value occurs: takes the row with most new values until none is missing. */
function everyValue(): ReadonlySet<Readonly<Record<string, Value>>> {
  const valuesOf = (row: Readonly<Record<string, Value>>) =>
    Object.entries(row).map(([name, value]) => `${name}=${value}`);
  const missing = new Set(covering.flatMap(valuesOf));
  const taken = new Set<Readonly<Record<string, Value>>>();
  const gain = (row: Readonly<Record<string, Value>>) =>
    valuesOf(row).filter((each) => missing.has(each)).length;
  while (missing.size > 0) {
    const best = covering.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    taken.add(best);
    for (const value of valuesOf(best)) missing.delete(value);
  }
  return taken;
}
