/** A Java service: numeric ids as strings, Jackson's coercions, Spring's errors, 400 for what is no number. */
import { authorizing, documentIn, json, Refused } from './host.ts';
import type { Vendor } from './office.ts';
import { objectIn } from './rules.ts';

const tokens = { token: 'java-service-token-6f1c', expiredToken: 'java-service-token-of-yesterday' };
const authorize = authorizing(tokens, 'Access token is expired', 'Invalid access token');
const mobile = /^\+\d{8,15}$/;
const choices = { wrong: 400, otherType: 400, coerces: true, unknown: 400, longest: 64, mobile };
const longest = 9_223_372_036_854_775_807n;
const type = { 'Content-Type': 'application/json;charset=UTF-8' };

export function java(): Vendor {
  let last = 9_007_199_254_740_993n;
  return {
    path: '/esign-core',
    tokens,
    // PrivateMessage is shown on the page only. Accents are decomposed (NFD): they stand beside their letters.
    invite: ({ title, message, name }) =>
      `<p>Dear ${name},</p><p>${title.normalize('NFD').toUpperCase()}</p><p>${message}</p>`,
    copy: () => ({ text: '<p>Attached is your copy.</p>', attachments: ['signed.pdf'] }),
    callback: ({ code, requestId, signatoryId, files }) => {
      const documents = files.map((file, at) => ({ name: `${at}.pdf`, content: file.toString('base64') }));
      const event = { eventCode: code, requestId, signatoryId, ...(files.length > 0 ? { documents } : {}) };
      // Of type long here, and text in the answers: beyond 2^53, where JavaScript has no exact numbers.
      return ['application/json', JSON.stringify(event).replaceAll(/"(\d{16,})"/g, '$1')];
    },
    choices,
    authorize,
    file: (asked) => documentIn(asked, 'file', 'Unsupported Media Type'),
    json: [/^application\/json\b/i, 415, 400],
    mistrust(_body, _endpoint, isTaken) {
      if (isTaken) throw new Refused(409, 'Email is unique in a request');
    },
    lost: { DOC: 'Document Token Not Found', REQ: 'Request ID not found' },
    /** A path variable of type long: other values never reach the controller. */
    find(_kind, id) {
      if (!/^-?\d+$/.test(id) || BigInt(id) > longest)
        throw new Refused(400, `Failed to convert "${id}" to long`);
    },
    newId() {
      last += 1n;
      return String(last);
    },
    made: {
      upload: (id) => json(201, { id, version: 0 }, type),
      skeleton: (requestId) => json(201, { requestId, links: [], version: 1 }, type),
      signatory: (requestId, signatoryId) => json(201, { requestId, signatoryId }, type),
      stamping: (requestId) => json(200, { requestId }, type),
    },
    /** `POST /dispatch` and `POST /simulator` with ids in JSON, `GET /simulator/inbox`. */
    other({ what, query, body }, { letters }) {
      if (what === 'GET /simulator/inbox') {
        const messages = letters.filter(({ to }) => to === query.get('recipient'));
        return json(200, { content: messages, totalElements: 1 }, type);
      }
      const { request, participant } = objectIn(body, 400);
      if (what === 'POST /dispatch') return [String(request)];
      return what === 'POST /simulator' ? [String(request), String(participant)] : undefined;
    },
    early: [409, 'Conflict'],
    done: json(200, { state: 'COMPLETED' }, type),
    refuse({ status, message }, endpoint) {
      // Spring Security answers before any controller, without a body.
      if (status === 401 && endpoint !== 'upload') {
        return { status, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
      }
      const timestamp = new Date().toISOString();
      return json(status, { timestamp, status, error: 'Error', message, path: '/esign-core' }, type);
    },
  };
}
