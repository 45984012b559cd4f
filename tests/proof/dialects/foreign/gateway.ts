/**
 * An enterprise gateway: it reads bodies before tokens, sends strangers to a login page where no status is shown,
 * takes only what it knows, short texts and public addresses, and answers errors in XML.
 */
import { randomUUID } from 'node:crypto';
import {
  type Asked,
  authorizing,
  type ForeignService,
  fileIn,
  isDocument,
  json,
  type Other,
  Refused,
  serveForeign,
  type Told,
} from './host.ts';
import { Office } from './office.ts';
import { judgeSignatory, judgeSkeleton, judgeStamped, objectIn } from './rules.ts';

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
  const office = new Office({
    invite: ({ title, message, secret }) => `${title}\n${message}\n${secret}`,
    // A portal, where people log in.
    copy: () => ({ text: `It is kept for you: ${base}/portal/archive`, attachments: [] }),
    callback: () => ['application/xml', '<event/>'],
  });
  const people = new Map<string, Set<string>>();

  async function answer(asked: Asked): Promise<Told> {
    const { endpoint } = asked;
    const isUpload = endpoint === 'upload';
    const body = isUpload ? {} : parsed(asked);
    authorize(asked);
    switch (endpoint) {
      case 'upload': {
        const file = await fileIn(asked, 'file');
        if (!isDocument(file)) throw new Refused(415, 'UNSUPPORTED-FORMAT');
        const token = `{${randomUUID().toUpperCase()}}`.slice(1, -1);
        office.files.set(token, file);
        return { status: 201, headers: { 'X-Document-Token': token, 'X-Gateway-Node': 'ams-3' } };
      }
      case 'skeleton': {
        const given = judgeSkeleton(body, choices);
        if ('CallbackUrl' in body) judgeUrl(body.CallbackUrl);
        findDocuments(given);
        const requestId = randomUUID();
        people.set(requestId, new Set());
        office.open(requestId, body);
        return json(201, { requestId });
      }
      case 'signatory': {
        const there = people.get(asked.requestId);
        if (!there) throw new Refused(404, 'REQUEST-ID-NOT-FOUND');
        judgeSignatory(body, choices);
        if (!('OTP' in body)) throw new Refused(422, 'OTP');
        if (there.has(String(body.Email))) throw new Refused(409, 'EMAIL-TWICE');
        there.add(String(body.Email));
        const signatoryId = randomUUID();
        office.add(asked.requestId, signatoryId, body);
        return json(201, { signatoryId, requestId: asked.requestId });
      }
      default:
        findDocuments(judgeStamped(body, choices));
        return json(200, { result: { accepted: true } });
    }
  }

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

  function findDocuments(given: readonly string[]): void {
    if (!given.every((token) => office.files.has(token))) throw new Refused(404, 'DOCUMENT-TOKEN-NOT-FOUND');
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
  const service = await serveForeign('/gw/esign', tokens, answer, refuse, other);
  base = service.baseUrl;
  return service;
}

/** Everything that a firewall looks at: declared type, syntax, harmless texts. */
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
