/** A PHP backend: text/html around its JSON, a newline before it, errors of uploads with 200, strings for numbers. */
import { type Asked, documentIn, Refused, type Told } from './host.ts';
import type { Vendor } from './office.ts';

const tokens = {
  token: 'php-5e884898da28047151d0e56f8dc62927',
  expiredToken: 'php-6b86b273ff34fce19d6b804eff5a3f57',
};
const choices = { wrong: 422, otherType: 501, coerces: true, mobile: /^\+?\d{7,15}$/ };
const page = {
  'Content-Type': 'text/html; charset=UTF-8',
  'X-Powered-By': 'PHP/7.4.33',
  Connection: 'close',
};

/** An answer in JSON, as by json_encode, which escapes slashes, in a template that leaves an empty line before it. */
const json = (status: number, value: unknown): Told => ({
  status,
  headers: { ...page, 'Set-Cookie': 'PHPSESSID=0123456789abcdef0123456789abcdef; path=/' },
  body: `\r\n${JSON.stringify(value).replaceAll('/', '\\/')}\n`,
});

export function php(base: () => string): Vendor {
  let last = 0;
  return {
    path: '/v1/index.php',
    tokens,
    invite: ({ title, message, secret }) => `${title}\n\n${message}\n\n${secret}`,
    copy: (id, documents) => ({
      text: Array.from(
        { length: documents },
        (_, n) => `Your copy: ${base()}/?action=copy&id=${encodeURIComponent(id)}&n=${n}`,
      ).join('\n'),
      attachments: [],
    }),
    callback: ({ code, requestId, signatoryId = '', files }) => {
      const fields = new URLSearchParams({ event: String(code), requestId, signatoryId });
      for (const [at, file] of files.entries()) fields.set(`documents[${at}]`, file.toString('base64'));
      return ['application/x-www-form-urlencoded', fields.toString()];
    },
    triesUrls: true,
    choices,
    authorize,
    file: (asked) => documentIn(asked, 'document', 'Only PDF, DOC, DOCX'),
    json: [/^application\/json/, 406, 400],
    lost: { DOC: 'DOCUMENT_TOKEN_NOT_FOUND', REQ: 'request-id not found!' },
    newId(prefix) {
      last += 1;
      return `${prefix}/2026/${(1_700_000_000_000 + last * 7919).toString(16)}.${last}=`;
    },
    made: {
      upload: (token) => json(200, { success: true, data: { file_token: token, pages: '1' }, message: '' }),
      skeleton: (requestId) =>
        json(200, { success: true, requestId, created_at: '2026-01-01 00:00:00', errors: [] }),
      signatory: (requestId, signatoryId) => json(200, { success: true, requestId, signatoryId, errors: [] }),
      stamping: () => json(200, 'OK'),
    },
    /** All other calls go to one address: `action` is send, complete, mails or copy; other values stand in a form. */
    open({ query }, office) {
      if (query.get('action') !== 'copy') return undefined;
      const copy = office.copyOf(query.get('id') ?? '', Number(query.get('n')));
      return copy && { status: 200, headers: { 'Content-Type': 'application/pdf' }, body: copy };
    },
    other({ what, query, body }, { letters }) {
      if (query.get('action') === 'mails') return json(200, letters.toReversed());
      const form = new URLSearchParams(body);
      const id = form.get('request') ?? '';
      if (query.get('action') === 'send') return [id];
      return what === 'POST /?complete' ? [id, form.get('signatory') ?? ''] : undefined;
    },
    early: [422, 'not now'],
    done: json(200, { success: true }),
    // The scripts are of different age: the one for uploads answers errors with 200.
    refuse: ({ status, message }, endpoint) =>
      endpoint === 'upload'
        ? json(200, { success: false, data: null, message })
        : json(status, { success: false, errors: [message], code: String(status) }),
  };
}

function authorize({ authorization }: Pick<Asked, 'authorization'>): void {
  const [scheme, token] = authorization.split(' ');
  if (scheme?.toLowerCase() === 'bearer' && token === tokens.token) return;
  const expired = token === tokens.expiredToken;
  throw new Refused(401, expired ? 'Access token is expired.' : 'Invalid access token.');
}
