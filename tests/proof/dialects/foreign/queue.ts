/** A service behind a queue: it answers everything with 202, and its other nodes know new objects only later. */
import { asDocument, authorizing, json, Refused, type Told } from './host.ts';
import type { Vendor } from './office.ts';

const tokens = {
  token: 'queue.eyJhbGciOiJub25lIn0.token',
  expiredToken: 'queue.eyJhbGciOiJub25lIn0.expired',
};
const authorized = authorizing(tokens, 'Access token is expired', 'Invalid access token');
const choices = { wrong: 422, otherType: 422, emptyList: 404, mobile: /^\+[1-9]\d{6,14}$/ };
/** How long other nodes do not know a new object. */
const lateMs = 500;
/** Calls a second, for each token. */
const perSecond = 60;

export function queue(): Vendor {
  const made = new Map<string, number>();
  const calls = { second: 0, count: 0 };
  const isKnown = (id: string) => performance.now() - (made.get(id) ?? Number.POSITIVE_INFINITY) > lateMs;
  return {
    path: '',
    tokens,
    // Message would be shown on a signing page only, and this service has none.
    invite: ({ title, secret }) => `You have something to sign: ${title}. ${secret}`,
    copy: () => ({ text: 'Thank you.', attachments: ['contract.pdf (application/pdf)'] }),
    callback: ({ code, requestId, signatoryId, files }) => {
      const type = ['', 'request.received', 'signatory.completed', 'request.completed'][code];
      const documents = files.map((file) => `data:application/pdf;base64,${file.toString('base64')}`);
      const event = { type, code, data: { requestId, signatoryId, documents } };
      return ['application/json', JSON.stringify(event)];
    },
    choices,
    authorize(asked) {
      const second = Math.floor(performance.now() / 1000);
      calls.count = calls.second === second ? calls.count + 1 : 1;
      calls.second = second;
      if (calls.count > perSecond) throw new Refused(429, 'Too Many Requests');
      authorized(asked);
    },
    file({ contentType, body }) {
      if (contentType.startsWith('multipart/')) throw new Refused(415, 'send the file itself');
      return asDocument(body, 422, 'unsupported format');
    },
    json: [/^application\/json$/, 415, 422],
    lost: { DOC: 'Document Token Not Found', REQ: 'Request ID not found' },
    find(kind, id, endpoint) {
      if (isKnown(id)) return;
      if (kind === 'REQ') throw new Refused(404, 'Request ID not found');
      throw endpoint === 'skeleton'
        ? new Refused(404, 'Document Token Not Found')
        : new Refused(422, 'a document is not ready');
    },
    newId(prefix) {
      const last = made.size + 1;
      const id = `${prefix}-${String(last).padStart(6, '0')}-${(last * 2_654_435_761).toString(36)}`;
      made.set(id, performance.now());
      return id;
    },
    made: {
      upload: (documentToken) => accepted(202, { documentToken, state: 'SCANNING', eta: 0.5 }),
      skeleton: (requestId) => accepted(202, { status: 'QUEUED', requestId }),
      signatory: (requestId, signatoryId) => accepted(202, { status: 'QUEUED', requestId, signatoryId }),
      stamping: () => ({ status: 200, headers: { Location: '/jobs/17' } }),
    },
    /** `POST /jobs/send/R` and `POST /jobs/complete/R/S` for objects that are known by now, and `GET /outbox`. */
    other({ what }, { letters }) {
      if (what === 'GET /outbox') return accepted(200, { messages: letters });
      const [, ...ids] = /^POST \/jobs\/(?:send\/([^/]+)|complete\/([^/]+)\/(.*))$/.exec(what) ?? [];
      const [request = '', person] = ids.filter(Boolean);
      return isKnown(person ?? request) ? [request, person] : undefined;
    },
    early: [423, 'locked'],
    done: accepted(202, { status: 'QUEUED' }),
    refuse: ({ status, message }) => ({
      status,
      headers: { 'Content-Type': 'text/plain', ...(status === 429 ? { 'Retry-After': '1' } : {}) },
      body: message,
    }),
  };
}

function accepted(status: number, value: unknown): Told {
  return json(status, value, { Location: '/jobs/18', 'X-Job-Id': 'job-18' });
}
