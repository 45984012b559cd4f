/** The profile that a dialect of the reference service needs: the one place that translates settings into keys. */
import { fictionalMobiles } from '../../../generators/people.ts';
import type { Profile } from '../../../harness/profile/schema.ts';
import type { Dialect } from '../../../reference/dialect.ts';
import type { Reference } from '../../../reference/server.ts';
import { referenceProfile } from '../../../running/reference-target.ts';

/** The deadline of calls, long enough for a busy machine. */
const unhurriedMs = 60_000;

const international = [fictionalMobiles.de, fictionalMobiles.au];
const numbersIn: Partial<Record<Dialect['mobileNumberForm'], string[]>> = {
  'without-plus': international.map((number) => number.slice(1)),
  national: international.map((number) => number.replace(/^\+../, '0')),
};

/** The profile that an operator who knows the service would write, without what the suite finds out by itself. */
export function dialectProfile(reference: Reference): Profile {
  const { dialect } = reference;
  const base = referenceProfile(reference);
  return {
    ...base,
    name: 'a dialect of the reference service',
    address: {
      ...base.address,
      deadlineMs: unhurriedMs,
      ...(dialect.rateLimit > 0 ? { perSecond: dialect.rateLimit / 2 } : {}),
    },
    auth: authOf(reference),
    people: {
      ...base.people,
      ...(dialect.mobileNumberCountries === 'elsewhere'
        ? { mobileNumbers: numbersIn[dialect.mobileNumberForm] ?? international }
        : {}),
      ...(dialect.emailForm === 'reachable' ? { email: 'qa-{run}-{n}@qa.reachable' } : {}),
    },
    upload: uploadOf(dialect),
    create: {
      ...base.create,
      ...(dialect.createEncoding === 'multipart' ? { field: dialect.createField } : {}),
      ...{
        object: {},
        'by-email': {},
        nested: { requestId: '/data/request/id' },
        text: { requestId: 'text' as const },
        headers: { requestId: { header: 'X-Request-Id' }, signatoryId: { header: 'X-Signatory-Id' } },
        empty: {},
        page: { requestId: { pattern: '<p id="request">([^<]+)' }, signatoryId: 'none' as const },
      }[dialect.createAnswer],
    },
    ...shownAsDone(base.calls, dialect),
    outbox: {
      ...base.outbox,
      ...(dialect.mailKept === 'begun'
        ? {
            email: {
              list: { method: 'GET', url: '/_outbox.json?to={email}' },
              message: { method: 'GET', url: '/_outbox/mails/{messageId}' },
            },
          }
        : {}),
      ...(dialect.otpSigns === 'words' ? { code: 'password is (\\S+)' } : {}),
      ...(dialect.mailLinks === 'counted' ? { link: 'to=(\\S+)' } : {}),
    },
    signing: {
      driver: 'http',
      readyMs: 300 + dialect.visibleAfterMs,
      send: dialect.sending,
      ...(dialect.sending === 'delay' ? { delayMs: dialect.sendDelayMs } : {}),
      ...(dialect.sending === 'last-signatory' ? { last: { query: { send: 'true' } } } : {}),
    },
    callbacks: {
      ...urlOf(dialect),
      grace: { silenceMs: 300 },
      ...proofOf(dialect),
      // These places name a part by its Content-ID. Without them the suite would look everywhere, and find the event anyway.
      ...(dialect.callbackFormat === 'multipart' && dialect.callbackParts === 'identified'
        ? { decoding: { event: '/event/event', requestId: '/event/requestId' } }
        : {}),
    },
    limits: {
      ...(dialect.documentTokenUses > 0 ? { documentUses: dialect.documentTokenUses } : {}),
      ...(dialect.maxDocuments > 0 ? { documents: dialect.maxDocuments } : {}),
      ...(dialect.maxSignatories > 0 ? { signatories: dialect.maxSignatories } : {}),
    },
  };
}

/** The calls with a `result` where the status is the same in any case, and only a text tells what was done. */
function shownAsDone(calls: Profile['calls'] = {}, { actRefusedAs }: Dialect): Partial<Profile> {
  const pattern = { page: '(All is done)', 'own-words': '(VOLLZOGEN)', code: '"code":(0)' }[
    actRefusedAs as string
  ];
  if (pattern === undefined) return {};
  const { sign, approve } = calls;
  const result = { pattern };
  return {
    calls: {
      ...calls,
      ...(sign ? { sign: { ...sign, result } } : {}),
      ...(approve ? { approve: { ...approve, result } } : {}),
    },
  };
}

/** The smallest profile: an address and an access token, as `--base-url` with ESIGN_TOKEN makes it. */
export function emptyProfile({ baseUrl, tokens }: Reference): Profile {
  return {
    name: new URL(baseUrl).host,
    address: { baseUrl, deadlineMs: unhurriedMs },
    auth: { kind: 'static', token: tokens.valid, expiredToken: tokens.expired },
  };
}

function authOf({ dialect, credentials, tokens }: Reference): Profile['auth'] {
  const { tokenClient, tokenEncoding: encoding, tokenScope: scope } = dialect;
  const answer =
    dialect.tokenAnswer === 'camelCase'
      ? { accessToken: '/accessToken', ...(dialect.tokenLifetimeShown ? { lifetime: '/expiresIn' } : {}) }
      : {};
  // A public client gets its tokens by a login page, which a run cannot open.
  if (tokenClient === 'none') return { kind: 'static', token: tokens.valid, expiredToken: tokens.expired };
  if (tokenClient === 'api-key') {
    const { tokenEndpoint: url, clientSecret: key } = credentials;
    return {
      kind: 'api-key',
      call: { method: 'POST', url, body: { apiKey: key }, encoding },
      answer,
    };
  }
  return {
    kind: 'client-credentials',
    ...credentials,
    method: tokenClient === 'body' ? 'body' : 'basic',
    encoding,
    answer,
    ...(scope === '' ? {} : { scope }),
  };
}

const octets = 'application/octet-stream';

function uploadOf(dialect: Dialect): NonNullable<Profile['upload']> {
  const { uploadEncoding, uploadField, uploadFileName, tokenPlace, tokenPointer, tokenHeader } = dialect;
  const inForm = { encoding: 'multipart', field: uploadField } as const;
  const encoding = {
    any: inForm,
    multipart: inForm,
    raw: { encoding: 'raw' },
    json: {
      encoding: 'json',
      body: { fileName: '{name}', contentType: '{mediaType}', [uploadField]: '{file}' },
    },
  } as const;
  const fileName = {
    part: {},
    none: {},
    header: { fileName: { header: 'X-File-Name' } },
    query: { fileName: { query: 'fileName' } },
  }[uploadFileName];
  const token = {
    json: { pointer: tokenPointer },
    string: { pointer: '' },
    text: 'text' as const,
    header: { header: tokenHeader },
    location: { header: 'Location', pattern: '/documents/(.+)$' },
    page: { pattern: '"([^"]+)"[\\]}]*</textarea>' },
  }[tokenPlace];
  return {
    ...encoding[uploadEncoding],
    ...fileName,
    ...(dialect.uploadMediaType === 'octet-stream'
      ? { contentTypes: { pdf: octets, doc: octets, docx: octets } }
      : {}),
    token,
  };
}

/** A URL that the dialect accepts as CallbackUrl, where there is one that disturbs nobody. */
function urlOf({ callbackUrlSchemes, callbackUrlCheck, callbackNetworks }: Dialect) {
  const refused = callbackUrlCheck !== 'none' && callbackNetworks === 'public';
  return callbackUrlSchemes === 'https' || refused ? {} : { placeholderUrl: '/_control/callbacks' };
}

/** The settings for proofs of origin. The suite finds the places in a callback by itself, but not the proof. */
function proofOf({ callbackAuth, callbackSecret: secret }: Dialect): NonNullable<Profile['callbacks']> {
  switch (callbackAuth) {
    case 'none':
      return {};
    case 'secret-header':
      return { authenticity: { kind: 'header', header: 'X-Callback-Secret', secret } };
    case 'bearer':
      return { authenticity: { kind: 'bearer', secret } };
    case 'hmac-body':
      return { authenticity: { kind: 'hmac', header: 'X-Signature', secret, prefix: 'sha256=' } };
    case 'hmac-time-body':
      return {
        authenticity: {
          kind: 'hmac',
          header: 'X-Signature',
          secret,
          fields: { signature: 'v1', timestamp: 't' },
          signedPayload: '{timestamp}.{body}',
        },
      };
    case 'standard-webhooks':
      return { authenticity: { kind: 'standard-webhooks', secret } };
  }
}
