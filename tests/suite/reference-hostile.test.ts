/** The reference service under hostile input: refused, never crashed, and still at work afterwards. */

import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@playwright/test';
import { path } from '../../openapi/codes.ts';
import { loadPdf } from '../../reference/completion/load-pdf.ts';
import { plainPdf } from '../../reference/plain-pdf.ts';
import { pdfBombs } from '../proof/fuzz/bombs.ts';
import { type ReferenceClient, skeletonBody, withReference } from './reference-client.ts';
import { Flow, somebody } from './reference-flow.ts';

async function isAlive(client: ReferenceClient): Promise<boolean> {
  return (await client.create(skeletonBody([await client.document()]))).status === 200;
}

/** Sends bytes over a socket and returns what comes back until the connection ends or is quiet for long. */
async function over(client: ReferenceClient, bytes: string): Promise<string> {
  const { hostname, port } = new URL(client.reference.baseUrl);
  const socket = connect(Number(port) satisfies AddressInfo['port'], hostname);
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  await once(socket, 'connect');
  socket.end(bytes);
  // A reset is an answer too.
  await once(socket, 'close').catch(() => undefined);
  return Buffer.concat(parts).toString('latin1');
}

test('broken HTTP is answered or ended', async () => {
  const errors: unknown[] = [];
  await withReference({ onError: (error) => errors.push(error) }, async (client) => {
    const access = `Host: x\r\nAuthorization: Bearer ${client.reference.tokens.valid}\r\n`;
    const upload = `POST ${path.upload} HTTP/1.1\r\n${access}`;
    const create = `POST ${path.skeleton}?type=0 HTTP/1.1\r\n${access}Content-Type: application/json\r\n`;
    const chunks = `${'10000\r\n'}${'x'.repeat(0x10000)}\r\n`.repeat(30);
    const asForm = 'multipart/form-data; boundary=b';
    for (const [sent, answer] of [
      ['NONSENSE\r\n\r\n', / 400 /],
      // Load balancers ask for the health without a name; pages are for nobody without one.
      ['GET /_health HTTP/1.0\r\n\r\n', / 200 OK/],
      ['GET / HTTP/1.0\r\n\r\n', / 403 /],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, / 431 /],
      [`${upload}Content-Length: 99999999999\r\n\r\nx`, /^HTTP\/1\.1 4(13|08) /],
      [`${upload}Content-Length: 500\r\nContent-Type: ${asForm}\r\n\r\ncut`, /^/],
      [`${upload}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`, /^/],
      [`${create}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`, /^HTTP\/1\.1 4(13|08) /],
    ] as const)
      expect(await over(client, sent), sent.slice(0, 200)).toMatch(answer);
    const body = JSON.stringify({ ...skeletonBody([await client.document()]), Title: 'Müller' });
    for (const [target, contentType, bytes, detail] of [
      [`${path.skeleton}?type=0`, 'application/json', Buffer.from(body, 'latin1'), 'The body is not UTF-8'],
      [
        path.upload,
        asForm,
        Buffer.from('--b\r\n\r\nx\r\n'.repeat(100_000)),
        'The multipart form cannot be read: a form has at most 1000 parts here',
      ],
    ] as const) {
      const answer = await client.send('POST', target, new Uint8Array(bytes), { contentType });
      expect(answer).toMatchObject({ status: 400, json: { detail } });
    }
    expect(await isAlive(client)).toBe(true);
  });
  expect(errors).toEqual([]);
});

test('bodies with lists within each other are refused, and keep nobody from what the service tells', async () => {
  const errors: unknown[] = [];
  await withReference({ onError: (error) => errors.push(error) }, async (client) => {
    const lists = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
    const whole = JSON.stringify(skeletonBody([await client.document()])).replace(
      /}$/,
      `,"Connections":${lists}}`,
    );
    for (const body of [lists, whole]) {
      expect((await client.json('POST', `${path.skeleton}?type=0`, body)).status).toBe(400);
    }
    for (const place of ['/', '/_control/calls', '/_control/requests']) {
      expect((await client.send('GET', place)).status, place).toBe(200);
    }
    const late = await client.send('GET', '/_control/requests?state=completed&timeoutMs=x');
    expect(late).toMatchObject({ status: 400, json: { detail: 'timeoutMs is no number' } });
  });
  expect(errors).toEqual([]);
});

test('the outbox and the login page answer to no other name, and the outbox to no other origin', async () => {
  await withReference({}, async (client) => {
    const { host } = new URL(client.reference.baseUrl);
    const { dialect } = client.reference;
    const status = async (method: string, place: string, name: string, origin?: string) => {
      const more = origin === undefined ? '' : `Origin: ${origin}\r\n`;
      const answer = await over(
        client,
        `${method} ${place} HTTP/1.1\r\nHost: ${name}\r\n${more}Connection: close\r\n\r\n`,
      );
      return Number(answer.split(' ')[1]);
    };
    for (const place of ['/_outbox', '/_outbox.json', '/_outbox/copies/x/0', dialect.authorizePath]) {
      expect(await status('GET', place, 'rebound.example:80')).toBe(403);
      expect(await status('GET', place, host)).not.toBe(403);
    }
    for (const [site, expected] of Object.entries({
      'cross-site': 403,
      'same-site': 403,
      'same-origin': 400,
    })) {
      const asked = { method: 'POST', headers: { 'Sec-Fetch-Site': site } };
      const url = `http://${host}${dialect.authorizePath}`;
      expect((await client.reference.handle(new Request(url, asked))).status, site).toBe(expected);
    }
    const refused = await client.reference.handle(new Request('http://esign:4010/_outbox.json'));
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('serve --public-url') });
    expect(await status('DELETE', '/_outbox', 'rebound.example')).toBe(403);
    expect(await status('DELETE', '/_outbox', host, 'http://elsewhere.example')).toBe(403);
    expect(await status('DELETE', '/_outbox', host, 'null')).toBe(403);
    expect(await status('GET', '/_outbox.json', host, 'http://127.0.0.1:1')).toBe(403);
    expect(await status('DELETE', '/_outbox', host, `http://${host}`)).toBe(204);
  });
});

test('a message with two lengths is refused, and so is whoever sends headers too slowly', async () => {
  await withReference({ headersMs: 100 }, async (client) => {
    const two = `POST ${path.upload} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /_outbox HTTP/1.1\r\nHost: x\r\n\r\n`;
    const answer = await over(client, two);
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2);
    const twice = two.replace('Transfer-Encoding: chunked', 'Content-Length: 5');
    expect(await over(client, twice)).toMatch(/^HTTP\/1\.1 400/);

    const { hostname, port } = new URL(client.reference.baseUrl);
    const socket = connect(Number(port), hostname);
    let said = '';
    socket.on('data', (part) => (said += part));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    await once(socket, 'close');
    expect(said).toMatch(/^HTTP\/1\.1 408/);
    expect(await isAlive(client)).toBe(true);
  });
});

test('who holds back the body of an act cannot act in a request that was deleted meanwhile', async () => {
  await withReference({}, async (client) => {
    const { baseUrl, tokens } = client.reference;
    const headers = { Authorization: `Bearer ${tokens.valid}` };
    for (const byLink of [true, false]) {
      const flow = await Flow.create(client, [somebody('ann'), somebody('bob')]);
      await flow.send();
      const [invitation] = await flow.mails('ann@example.com');
      const request = `${baseUrl}/_apis/sign/api/v2/requests/${encodeURIComponent(flow.requestId)}`;
      const url = byLink ? String(invitation?.link) : `${request}/signatories/${flow.idOf('ann')}/sign`;
      const body = new ReadableStream(
        {
          pull: async (controller) => {
            await client.reference.handle(new Request(request, { method: 'DELETE', headers }));
            controller.enqueue(Buffer.from(byLink ? 'action=sign' : '{}'));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const asked = { method: 'POST', headers, body, duplex: 'half' } as const;
      expect((await client.reference.handle(new Request(url, asked))).status).toBe(404);
    }
  });
});

test('a document that is made to keep the service busy, or to end it, is not signed', async () => {
  const words = Buffer.from(`%PDF-1.5\n${'obj\n'.repeat(2_000_000)}`);
  const bombs = [pdfBombs['a table of objects that inflates'](50_000_000), words];
  const refused = (bomb: Buffer) => expect(loadPdf(bomb)).rejects.toMatchObject({ name: 'Excess' });
  await Promise.all(bombs.map(refused));
});

test('a document is signed however little the machine gets done meanwhile', async () => {
  const { PDFDocument } = await import('pdf-lib');
  const made = await PDFDocument.create();
  for (let page = 0; page < 400; page += 1) made.addPage();
  const bytes = await made.save();
  const now = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => {
    ahead += 10_000;
    return now() + ahead;
  };
  try {
    expect((await loadPdf(bytes)).getPageCount()).toBe(400);
  } finally {
    performance.now = now;
  }
});

test('an archive that claims four billion entries is refused at once', async () => {
  // The record of a ZIP with large numbers (APPNOTE.TXT, 4.3.14 to 4.3.16), whose directory is not there.
  const file = Buffer.alloc(158);
  for (const [at, signature] of [
    [0, 0x04034b50],
    [60, 0x06064b50],
    [116, 0x07064b50],
    [136, 0x06054b50],
  ] as const)
    file.writeUInt32LE(signature, at);
  file.writeUInt32LE(0xffff_ffff, 60 + 32);
  file.writeUInt32LE(60, 116 + 8);
  file.writeUInt16LE(0xffff, 136 + 8);
  await withReference({}, async (client) => {
    expect(await client.upload(file, {}, 'a.docx')).toMatchObject({ status: 400 });
  });
});

for (const form of ['7', '<</SigFlags(x)>>', '<</Fields 7/SigFlags 3 0 R>>']) {
  test(`a document whose form is ${form} keeps no request from being completed`, async () => {
    const errors: unknown[] = [];
    await withReference({ onError: (error) => errors.push(error) }, async (client) => {
      const document = plainPdf(['A form'])
        .toString('latin1')
        .replace('/Catalog', `/Catalog /AcroForm ${form}`);
      const { json } = await client.upload(Buffer.from(document, 'latin1'));
      const flow = await Flow.create(client, [somebody('ann')], { Documents: [json.documentToken] });
      await flow.send();
      expect((await flow.sign('ann')).status).toBe(200);
      expect(errors).toEqual([]);
    });
  });
}
