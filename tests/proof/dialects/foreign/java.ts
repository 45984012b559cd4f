/** A Java service: numeric ids as strings, Jackson's coercions, Spring's errors, 400 for what is no number. */
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

const tokens = { token: 'java-service-token-6f1c', expiredToken: 'java-service-token-of-yesterday' };
const authorize = authorizing(tokens, 'Access token is expired', 'Invalid access token');
const mobile = /^\+\d{8,15}$/;
const choices = { wrong: 400, otherType: 400, coerces: true, unknown: 400, longest: 64, mobile };
const longest = 9_223_372_036_854_775_807n;
const type = { 'Content-Type': 'application/json;charset=UTF-8' };

export async function startJavaService(): Promise<ForeignService> {
  const known = { DOC: new Set<string>(), REQ: new Set<string>() };
  let last = 10_000_230;
  const office: Office = new Office({
    // PrivateMessage is shown on the page only. Accents are decomposed (NFD): they stand beside their letters.
    invite: ({ title, message, name }) =>
      `<p>Dear ${name},</p><p>${title.normalize('NFD').toUpperCase()}</p><p>${message}</p>`,
    copy: () => ({ text: '<p>Attached is your copy.</p>', attachments: ['signed.pdf'] }),
    callback: ({ code, requestId, signatoryId, files }) => {
      const documents = files.map((file, at) => ({ name: `${at}.pdf`, content: file.toString('base64') }));
      const event = { eventCode: code, requestId, signatoryId, ...(files.length > 0 ? { documents } : {}) };
      return ['application/json', JSON.stringify(event)];
    },
    choices,
    authorize,
    file: (asked) => documentIn(asked, 'file', 'Unsupported Media Type'),
    body({ contentType, body }) {
      if (!/^application\/json\b/i.test(contentType)) throw new Refused(415, 'Unsupported Media Type');
      return objectIn(body.toString('utf8'), 400);
    },
    mistrust(_body, _endpoint, isTaken) {
      if (isTaken) throw new Refused(409, 'Email is unique in a request');
    },
    /** A path variable of type long: other values never reach the controller. */
    find(kind, id) {
      if (!/^-?\d+$/.test(id) || BigInt(id) > longest)
        throw new Refused(400, `Failed to convert "${id}" to long`);
      const what = kind === 'DOC' ? 'Document Token Not Found' : 'Request ID not found';
      if (!known[kind].has(id)) throw new Refused(404, what);
    },
    newId(kind) {
      last += 1;
      known[kind === 'DOC' ? 'DOC' : 'REQ'].add(String(last));
      return String(last);
    },
    made: {
      upload: (id) => json(201, { id, version: 0 }, type),
      skeleton: (requestId) => json(201, { requestId, links: [], version: 1 }, type),
      signatory: (requestId, signatoryId) => json(201, { requestId, signatoryId }, type),
      stamping: (requestId) => json(200, { requestId }, type),
    },
  });
  /** `POST /dispatch` and `POST /simulator` with ids in JSON, `GET /simulator/inbox`. */
  function other({ what, query, authorization, body }: Other): Told | undefined {
    authorize({ authorization });
    if (what === 'GET /simulator/inbox') {
      const messages = office.letters.filter(({ to }) => to === query.get('recipient'));
      return json(200, { content: messages, totalElements: 1 }, type);
    }
    const { request, participant } = objectIn(body, 400);
    if (what === 'POST /dispatch' && office.send(String(request))) return { status: 200 };
    if (what !== 'POST /simulator') return undefined;
    const came = office.complete(String(request), String(participant));
    if (came === 'early') throw new Refused(409, 'Conflict');
    return came === 'done' ? json(200, { state: 'COMPLETED' }, type) : undefined;
  }

  const refuse = ({ status, message }: Refused, endpoint: Asked['endpoint'] | null) => {
    // Spring Security answers before any controller, without a body.
    if (status === 401 && endpoint !== 'upload') {
      return { status, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
    }
    const timestamp = new Date().toISOString();
    return json(status, { timestamp, status, error: 'Error', message, path: '/esign-core' }, type);
  };
  return serveForeign('/esign-core', tokens, (asked) => office.answer(asked), refuse, other);
}
