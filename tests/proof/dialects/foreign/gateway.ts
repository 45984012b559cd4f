/**
 * An enterprise gateway. It reads bodies before tokens, redirects unknown callers to a login page where no status is stated,
 * accepts only known fields, short texts and public addresses, and answers errors in XML.
 */
import { randomUUID } from 'node:crypto';
import { authorizing, documentIn, json, Refused } from './host.ts';
import type { Vendor } from './office.ts';
import { type Body, objectIn } from './rules.ts';

const tokens = { token: 'gateway-7f9c2ba4e88f827d', expiredToken: 'gateway-616da0b3e88f8270' };
const authorize = authorizing(tokens, 'ACCESS-TOKEN-IS-EXPIRED', 'INVALID-ACCESS-TOKEN');
const choices = {
  wrong: 422,
  emptyList: 422,
  unknown: 422,
  longest: 64,
  mobile: /^\+(?:1|44|46|49|61)\d{6,12}$/,
};
const harmless = /^[\p{L}\p{N} .,:;'()_?!-]*$/u;

const jsonType = /^application\/json(; ?charset=utf-8)?$/i;

export const gateway = (base: () => string): Vendor => ({
  path: '/gw/esign',
  tokens,
  invite: ({ title, message, secret }) => `${title}\n${message}\n${secret}`,
  // The copy is a link to a portal, where people have to log in.
  copy: () => ({ text: `It is kept for you: ${base()}/portal/archive`, attachments: [] }),
  callback: () => ['application/xml', '<event/>'],
  choices,
  authorize(asked) {
    // A body is read before the token, as by a firewall: declared type, syntax, harmless texts.
    if ('endpoint' in asked && asked.endpoint !== 'upload') {
      if (!jsonType.test(asked.contentType)) throw new Refused(415, 'CONTENT-TYPE');
      judgeTexts(objectIn(asked.body.toString(), 422));
    }
    authorize(asked);
  },
  file: (asked) => documentIn(asked, 'file', 'UNSUPPORTED-FORMAT'),
  json: [jsonType, 415, 422],
  mistrust(body, endpoint, isTaken) {
    if ('CallbackUrl' in body) judgeUrl(body.CallbackUrl);
    if (endpoint === 'signatory' && !('OTP' in body)) throw new Refused(422, 'OTP');
    if (isTaken) throw new Refused(409, 'EMAIL-TWICE');
  },
  lost: { DOC: 'DOCUMENT-TOKEN-NOT-FOUND', REQ: 'REQUEST-ID-NOT-FOUND' },
  newId: (kind) => (kind === 'DOC' ? randomUUID().toUpperCase() : randomUUID()),
  made: {
    upload: (token) => ({ status: 201, headers: { 'X-Document-Token': token, 'X-Gateway-Node': 'ams-3' } }),
    skeleton: (requestId) => json(201, { requestId }),
    signatory: (requestId, signatoryId) => json(201, { signatoryId, requestId }),
    stamping: () => json(200, { result: { accepted: true } }),
  },
  open: ({ what }) =>
    what === 'GET /portal/archive' ? { status: 200, body: '<html><body>Log in</body></html>' } : undefined,
  /** `PUT /flows/R` starts a request, `POST /sim/R/S` completes somebody, `GET /sim/mail` shows what was sent. */
  other({ what, query }, { letters }) {
    if (what.startsWith('GET /sim/')) {
      const items = letters.filter(({ to }) => to === query.get('rcpt'));
      return json(200, { total: items.length, items });
    }
    const [, started] = /^PUT \/flows\/([^/]+)$/.exec(what) ?? [];
    if (started) return [started];
    const [, request, person] = /^POST \/sim\/([^/]+)\/(.+)$/.exec(what) ?? [];
    return request && person ? [request, person] : undefined;
  },
  early: [409, 'NOT-NOW'],
  done: { status: 204 },
  refuse({ status, message }, endpoint) {
    const stated = endpoint === 'skeleton' || endpoint === 'signatory';
    if (status === 401 && !stated) {
      const headers = { Location: 'https://login.example.com/', 'X-Reason': encodeURIComponent(message) };
      return { status: 302, headers };
    }
    const headers = { 'Content-Type': 'application/xml', Via: '1.1 gateway' };
    return { status, headers, body: `<?xml version="1.0"?><fault><code>${message}</code></fault>` };
  },
});

function judgeTexts(value: Body): void {
  for (const name of ['Title', 'Message', 'Name', 'PrivateMessage']) {
    const text = value[name];
    if (typeof text === 'string' && !harmless.test(text)) throw new Refused(400, 'SUSPICIOUS-INPUT');
  }
}

function judgeUrl(url: unknown): void {
  const parts = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null;
  const local =
    parts && (/^(\d+\.|\[|localhost)/.test(parts.hostname) || parts.hostname.endsWith('.example.com'));
  if (parts?.protocol !== 'https:' || local) throw new Refused(400, 'CALLBACK-URL-NOT-PUBLIC');
}
