/**
 * An enterprise gateway. It reads bodies before tokens, redirects unknown callers to a login page where no status is stated,
 * accepts only known fields, short texts and public addresses, and answers errors in XML.
 */
import { randomUUID } from 'node:crypto';
import {
  type Asked,
  authorizing,
  documentIn,
  type ForeignService,
  json,
  type Other,
  Refused,
  serveForeign,
  type Told,
} from './host.ts';
import { Office } from './office.ts';
import { objectIn } from './rules.ts';

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

export async function startGatewayService(): Promise<ForeignService> {
  let base = '';
  const office: Office = new Office({
    invite: ({ title, message, secret }) => `${title}\n${message}\n${secret}`,
    // The copy is a link to a portal, where people have to log in.
    copy: () => ({ text: `It is kept for you: ${base}/portal/archive`, attachments: [] }),
    callback: () => ['application/xml', '<event/>'],
    choices,
    authorize(asked) {
      if (asked.endpoint !== 'upload') parsed(asked);
      authorize(asked);
    },
    file: (asked) => documentIn(asked, 'file', 'UNSUPPORTED-FORMAT'),
    body: parsed,
    mistrust(body, endpoint, isTaken) {
      if ('CallbackUrl' in body) judgeUrl(body.CallbackUrl);
      if (endpoint === 'signatory' && !('OTP' in body)) throw new Refused(422, 'OTP');
      if (isTaken) throw new Refused(409, 'EMAIL-TWICE');
    },
    find(kind, id) {
      if (!office.has(kind, id))
        throw new Refused(404, kind === 'DOC' ? 'DOCUMENT-TOKEN-NOT-FOUND' : 'REQUEST-ID-NOT-FOUND');
    },
    newId: (kind) => (kind === 'DOC' ? randomUUID().toUpperCase() : randomUUID()),
    made: {
      upload: (token) => ({ status: 201, headers: { 'X-Document-Token': token, 'X-Gateway-Node': 'ams-3' } }),
      skeleton: (requestId) => json(201, { requestId }),
      signatory: (requestId, signatoryId) => json(201, { signatoryId, requestId }),
      stamping: () => json(200, { result: { accepted: true } }),
    },
  });

  /** `PUT /flows/R` starts a request, `POST /sim/R/S` completes somebody, `GET /sim/mail` shows what was sent. */
  function other({ what, query, authorization }: Other): Told | undefined {
    if (what === 'GET /portal/archive') return { status: 200, body: '<html><body>Log in</body></html>' };
    authorize({ authorization });
    const [, verb, first = '', second = ''] =
      /^(PUT \/flows|POST \/sim|GET \/sim)\/([^/]+)\/?(.*)$/.exec(what) ?? [];
    if (verb === 'GET /sim') {
      const items = office.letters.filter(({ to }) => to === query.get('rcpt'));
      return json(200, { total: items.length, items });
    }
    const came = verb === 'PUT /flows' ? office.send(first) && 'done' : office.complete(first, second);
    if (came === 'done') return { status: 204 };
    if (verb && came === 'early') throw new Refused(409, 'NOT-NOW');
    return undefined;
  }

  const refuse = ({ status, message }: Refused, endpoint: Asked['endpoint'] | null): Told => {
    const stated = endpoint === 'skeleton' || endpoint === 'signatory';
    if (status === 401 && !stated) {
      const headers = { Location: 'https://login.example.com/', 'X-Reason': encodeURIComponent(message) };
      return { status: 302, headers };
    }
    const headers = { 'Content-Type': 'application/xml', Via: '1.1 gateway' };
    return { status, headers, body: `<?xml version="1.0"?><fault><code>${message}</code></fault>` };
  };
  const service = await serveForeign('/gw/esign', tokens, (asked) => office.answer(asked), refuse, other);
  base = service.baseUrl;
  return service;
}

/** The body, checked as by a firewall: declared type, syntax, harmless texts. */
function parsed({ contentType, body }: Asked): Record<string, unknown> {
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(contentType)) throw new Refused(415, 'CONTENT-TYPE');
  const value = objectIn(body.toString('utf8'), 422);
  for (const name of ['Title', 'Message', 'Name', 'PrivateMessage']) {
    const text = value[name];
    if (typeof text === 'string' && !harmless.test(text)) throw new Refused(400, 'SUSPICIOUS-INPUT');
  }
  return value;
}

function judgeUrl(url: unknown): void {
  const parts = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null;
  const local =
    parts && (/^(\d+\.|\[|localhost)/.test(parts.hostname) || parts.hostname.endsWith('.example.com'));
  if (parts?.protocol !== 'https:' || local) throw new Refused(400, 'CALLBACK-URL-NOT-PUBLIC');
}
