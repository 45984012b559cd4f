/** A Java service: numeric ids as strings, Jackson's coercions, Spring's errors, 400 for what is no number. */
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

const tokens = { token: 'java-service-token-6f1c', expiredToken: 'java-service-token-of-yesterday' };
const authorize = authorizing(tokens, 'Access token is expired', 'Invalid access token');
const mobile = /^\+\d{8,15}$/;
const choices = { wrong: 400, coerces: true, unknown: 400, longest: 64, mobile };
const longest = 9_223_372_036_854_775_807n;
const type = { 'Content-Type': 'application/json;charset=UTF-8' };

export async function startJavaService(): Promise<ForeignService> {
  const known = { document: new Set<string>(), request: new Set<string>() };
  const office = new Office({
    // A link is no invitation without its text, and PrivateMessage stands on the page alone.
    invite: ({ title, message, name }) => `<p>Dear ${name},</p><p>${title}</p><p>${message}</p>`,
    copy: () => ({ text: '<p>Attached is your copy.</p>', attachments: ['signed.pdf'] }),
    callback: ({ code, requestId, signatoryId, files }) => {
      const documents = files.map((file, at) => ({ name: `${at}.pdf`, content: file.toString('base64') }));
      const event = { eventCode: code, requestId, signatoryId, ...(files.length > 0 ? { documents } : {}) };
      return ['application/json', JSON.stringify(event)];
    },
  });
  const emails = new Map<string, Set<string>>();
  let last = 10_000_230;
  const next = (kind: keyof typeof known): string => {
    last += 1;
    known[kind].add(String(last));
    return String(last);
  };
  /** A path variable of type long: what is no long never reaches the controller. */
  const find = (kind: keyof typeof known, id: string, message: string) => {
    if (!/^-?\d+$/.test(id) || BigInt(id) > longest)
      throw new Refused(400, `Failed to convert "${id}" to long`);
    if (!known[kind].has(id)) throw new Refused(404, message);
  };
  const findDocuments = (given: readonly string[]) => {
    for (const id of given) find('document', id, 'Document Token Not Found');
  };

  async function answer(asked: Asked): Promise<Told> {
    authorize(asked);
    if (asked.endpoint === 'upload') {
      const file = await fileIn(asked, 'file');
      if (!isDocument(file)) throw new Refused(415, 'Unsupported Media Type');
      const id = next('document');
      office.files.set(id, file);
      return json(201, { id, version: 0 }, type);
    }
    if (!/^application\/json\b/i.test(asked.contentType)) throw new Refused(415, 'Unsupported Media Type');
    const body = objectIn(asked.body.toString('utf8'), 400);
    switch (asked.endpoint) {
      case 'skeleton': {
        findDocuments(judgeSkeleton(body, choices));
        const requestId = next('request');
        emails.set(requestId, new Set());
        office.open(requestId, body);
        return json(201, { requestId, links: [], version: 1 }, type);
      }
      case 'signatory': {
        find('request', asked.requestId, 'Request ID not found');
        judgeSignatory(body, choices);
        const people = emails.get(asked.requestId);
        if (people?.has(String(body.Email))) throw new Refused(409, 'Email is unique in a request');
        people?.add(String(body.Email));
        const ids = { requestId: asked.requestId, signatoryId: next('request') };
        office.add(ids.requestId, ids.signatoryId, body);
        return json(201, ids, type);
      }
      default:
        if (asked.type !== '3') throw new Refused(400, 'type');
        findDocuments(judgeStamped(body, { ...choices, unknown: 400 }));
        return json(200, { requestId: next('request') }, type);
    }
  }

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
    // Spring Security answers before any controller: no body at all.
    if (status === 401 && endpoint !== 'upload') {
      return { status, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
    }
    const timestamp = new Date().toISOString();
    return json(status, { timestamp, status, error: 'Error', message, path: '/esign-core' }, type);
  };
  return serveForeign('/esign-core', tokens, answer, refuse, other);
}
