/** A registry of the nineties: XML wherever the document shows no JSON, file numbers as ids, tickets as access tokens. */
import { authorizing, documentIn, json, Refused, type Told } from './host.ts';
import type { Office, Vendor } from './office.ts';

const tokens = {
  token: 'registry/ticket=9b1deb4d3b7d4bad',
  expiredToken: 'registry/ticket=2b0d7b3dcb6d1c1f',
};
const authorize = authorizing(tokens, 'Access token is expired', 'Invalid access token');
const choices = { wrong: 400, otherType: 405, mobile: /^\+\d{8,15}$/ };
const user = 'registry';
const events = ['', 'Registered', 'Countersigned', 'Closed'];

const xml = (status: number, body: string): Told => ({
  status,
  headers: { 'Content-Type': 'application/xml; charset=ISO-8859-1' },
  body: Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>\n<r:${body}`, 'latin1'),
});
/** What ISO 8859-1 has no sign for as a reference, too. */
const escaped = (text: string) => text.replaceAll(/[<>&"']|[^\0-ÿ]/gu, (sign) => `&#${sign.codePointAt(0)};`);

export function registry(base: () => string): Vendor {
  const copies: Buffer[] = [];
  let last = 0;
  return {
    path: '/registry',
    tokens,
    invite: ({ title, message, secret }) => `${title}\n${message}\n${secret}`,
    copy: () => ({ text: 'A copy is attached.', attachments: ['copy.pdf'] }),
    callback: ({ code, requestId, signatoryId, files }) => {
      const links = files.map(
        (file, at) => `<file n="${at}.pdf">${base()}/file/${copies.push(file) - 1}</file>`,
      );
      const who = signatoryId === undefined ? '' : `<by>${signatoryId}</by>`;
      const name = `e:${events[code]}`;
      const body = `<${name} xmlns:e="urn:registry" no="${requestId}">${who}${links.join('')}</${name}>`;
      return ['text/xml', body];
    },
    choices,
    mistrust({ CallbackUrl: url }) {
      if (String(url).includes('?')) throw new Refused(400, 'CallbackUrl has a query');
    },
    authorize,
    file: (asked) => documentIn(asked, 'file', 'Format'),
    json: [/^application\/json\b/i, 415, 400],
    lost: { DOC: 'Document Token Not Found', REQ: 'Request ID not found' },
    /** A file number: `REQ 12/2026 a`. */
    newId(kind) {
      last += 1;
      return `${kind} ${last}/2026 a`;
    },
    made: {
      upload: (no) => xml(200, `receipt xmlns:r="urn:registry"><r:entry no="${no}"/></r:receipt>`),
      skeleton: (requestId) => json(201, { requestId }),
      signatory: (requestId, signatoryId) => json(201, { requestId, signatoryId }),
      stamping: (no) =>
        xml(200, `entered xmlns:r="urn:registry"><r:${no.replaceAll(/\W/g, '-')}/></r:entered>`),
    },
    authorization: `Basic ${Buffer.from(`${user}:${tokens.token}`).toString('base64')}`,
    // Tickets, entries, signatures, letters and files, all of them in XML.
    open({ what, body }) {
      const [, file] = /^GET \/file\/(\d+)$/.exec(what) ?? [];
      const pdf = { 'Content-Type': 'application/pdf' };
      if (file) return { status: 200, headers: pdf, body: copies[Number(file)] ?? '' };
      return what === 'POST /ticket' && body === `<login user="${user}">${tokens.token}</login>`
        ? xml(200, `ticket xmlns:r="urn:registry" for="PT1H">${tokens.token}</r:ticket>`)
        : undefined;
    },
    other({ what, query }, office) {
      const no = query.get('no') ?? '';
      if (what === 'GET /letters') {
        const letters = office.letters.filter(({ to }) => to === query.get('to'));
        return xml(200, `letters xmlns:r="urn:registry">${letters.map(letterIn).join('')}</r:letters>`);
      }
      if (what === 'GET /state')
        return { status: 200, body: `STATE ${office.copyOf(no) ? 'CLOSED' : 'OPEN'}` };
      if (what === 'POST /enter') return [no];
      return what === 'POST /sign' ? [no, query.get('by') ?? ''] : undefined;
    },
    early: [409, 'Not now'],
    done: { status: 204 },
    refuse: ({ status, message }) =>
      xml(status, `fault xmlns:r="urn:registry">${escaped(message)}</r:fault>`),
  };
}

function letterIn({ to, subject, text, attachments }: Office['letters'][number]): string {
  const files = attachments.map((name) => `<attachment name="${name}"/>`).join('');
  return `<letter to="${escaped(to)}"><subject>${escaped(subject)}</subject><text>${escaped(text)}</text>${files}</letter>`;
}
