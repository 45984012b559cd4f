/**
 * An enterprise gateway: it reads bodies before tokens, sends strangers to a login page where no status is shown,
 * takes only what it knows, short texts and public addresses, and answers errors in XML.
 */
import { randomUUID } from 'node:crypto';
import {
  type Asked,
  type ForeignService,
  fileIn,
  isDocument,
  Refused,
  serveForeign,
  type Told,
} from './host.ts';
import { judgeSignatory, judgeSkeleton, judgeStamped, objectIn } from './rules.ts';

const tokens = { token: 'gateway-7f9c2ba4e88f827d', expiredToken: 'gateway-616da0b3e88f8270' };
const choices = {
  wrong: 422,
  emptyList: 422,
  unknown: 422,
  longest: 64,
  mobile: /^\+(?:1|44|46|49|61)\d{6,12}$/,
};
const harmless = /^[\p{L}\p{N} .,:;'()_?!-]*$/u;

export async function startGatewayService(): Promise<ForeignService> {
  const documents = new Set<string>();
  const people = new Map<string, Set<string>>();

  async function answer(asked: Asked): Promise<Told> {
    const { endpoint } = asked;
    const isUpload = endpoint === 'upload';
    const body = isUpload ? {} : parsed(asked);
    authorize(asked);
    switch (endpoint) {
      case 'upload': {
        if (!isDocument(await fileIn(asked, 'file'))) throw new Refused(415, 'UNSUPPORTED-FORMAT');
        const token = `{${randomUUID().toUpperCase()}}`.slice(1, -1);
        documents.add(token);
        return { status: 201, headers: { 'X-Document-Token': token, 'X-Gateway-Node': 'ams-3' } };
      }
      case 'skeleton': {
        const given = judgeSkeleton(body, choices);
        if ('CallbackUrl' in body) judgeUrl(body.CallbackUrl);
        findDocuments(given);
        const requestId = randomUUID();
        people.set(requestId, new Set());
        return told(201, { requestId });
      }
      case 'signatory': {
        const there = people.get(asked.requestId);
        if (!there) throw new Refused(404, 'REQUEST-ID-NOT-FOUND');
        judgeSignatory(body, choices);
        if (!('OTP' in body)) throw new Refused(422, 'OTP');
        if (there.has(String(body.Email))) throw new Refused(409, 'EMAIL-TWICE');
        there.add(String(body.Email));
        return told(201, { signatoryId: randomUUID(), requestId: asked.requestId });
      }
      default:
        findDocuments(judgeStamped(body, choices));
        return told(200, { result: { accepted: true } });
    }
  }

  function findDocuments(given: readonly string[]): void {
    if (!given.every((token) => documents.has(token))) throw new Refused(404, 'DOCUMENT-TOKEN-NOT-FOUND');
  }

  return serveForeign('/gw/esign', tokens, answer, ({ status, message }, endpoint) => {
    const stated = endpoint === 'skeleton' || endpoint === 'signatory';
    if (status === 401 && !stated) {
      const headers = { Location: 'https://login.example.com/', 'X-Reason': encodeURIComponent(message) };
      return { status: 302, headers };
    }
    const headers = { 'Content-Type': 'application/xml', Via: '1.1 gateway' };
    return { status, headers, body: `<?xml version="1.0"?><fault><code>${message}</code></fault>` };
  });
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

function told(status: number, value: unknown): Told {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

function authorize({ authorization }: Asked): void {
  if (authorization === `Bearer ${tokens.token}`) return;
  const expired = authorization === `Bearer ${tokens.expiredToken}`;
  throw new Refused(401, expired ? 'ACCESS-TOKEN-IS-EXPIRED' : 'INVALID-ACCESS-TOKEN');
}
