/** The reference service as a double in the tests of a client: in a program, and by HTTP for other languages. */
import { expect, test } from '@playwright/test';
import { loadProfile, run, startReference } from '../../bin/programs.ts';
import { askForSignature, pdf } from '../../examples/client.mjs';
import { path } from '../../openapi/codes.ts';
import { readForm } from '../../reference/body.ts';
import { plainPdf } from '../../reference/plain-pdf.ts';
import { changed, signatoryBody, skeletonBody, stampedBody, withReference } from './reference-client.ts';
import { selfSigned } from './services/certificate.ts';
import { serve } from './services/loopback.ts';

const email = 'ann@example.com';

let close = async () => {};
test.afterEach(() => close());

/** A double for this test, which is closed after it. */
async function startDouble(...options: Parameters<typeof startReference>) {
  const esign = await startReference(...options);
  close = () => esign.close();
  return esign;
}

/** A double that sends a request once somebody is in it, and where its callbacks can go. */
async function startSending() {
  const esign = await startDouble({ dialect: { sending: 'first-signatory' } });
  return { esign, callbackUrl: `${esign.url}/_control/callbacks` };
}

test('people act, and calls fail and are remembered', async () => {
  const { esign, callbackUrl } = await startSending();
  esign.failNext({ operation: 'skeleton', status: 503, headers: { 'Retry-After': '1' } });
  const requestId = await askForSignature({ ...esign, pdf, email, callbackUrl });
  expect(esign.calls().map(({ operation, status }) => [operation, status])).toEqual([
    ['upload', 200],
    ['skeleton', 503],
    ['skeleton', 200],
    ['signatories', 200],
  ]);
  expect(esign.calls()[2]?.body).toMatchObject({ Title: 'Contract' });
  expect(esign.outbox({ to: email.toUpperCase() }).map(({ kind }) => kind)).toContain('invitation');
  await expect(esign.act(email, 'approve')).rejects.toThrow('Forbidden: A signer signs');
  await expect(esign.act('nobody@example.com', 'sign')).rejects.toThrow(
    'nobody called nobody@example.com is in a request',
  );
  await expect(esign.waitFor('completed', { timeoutMs: 1 })).rejects.toThrow(
    `no request became completed (${requestId} sent)`,
  );
  await esign.act(email.toUpperCase(), 'sign', requestId);
  const { signatories } = await esign.waitFor('completed', { requestId });
  expect(signatories).toMatchObject([{ email, state: 'completed' }]);
  await expect(esign.waitFor('declined', { requestId })).rejects.toThrow('is completed, and will not be');
  await expect(esign.waitFor('completed', { requestId: 'x' })).rejects.toThrow('there is no request x');
});

test('callbacks are waited for and sent again', async () => {
  const { esign, callbackUrl } = await startSending();
  const requestId = await askForSignature({ ...esign, pdf, email, callbackUrl });
  await esign.act(email, 'sign');
  const last = await esign.waitForCallback(3, { requestId });
  expect(esign.deliveries(requestId).map(({ event, state, answer }) => [event, state, answer])).toEqual([
    [1, 'delivered', 204],
    [2, 'delivered', 204],
    [3, 'delivered', 204],
  ]);
  esign.resend(last.id);
  expect(await esign.waitForCallback(3)).toEqual({ ...last, attempts: 2 });
  expect(esign.deliveries('x')).toEqual([]);
  await expect(esign.waitForCallback(3, { requestId: 'x' })).rejects.toThrow('there is no request x');
});

test('a callback that reaches nobody says why', async () => {
  const unknown = await serve((_, response) => response.end(), await selfSigned());
  const { esign, callbackUrl } = await startSending();
  for (const [url, why] of [
    ['http://127.0.0.1:1/', 'connect ECONNREFUSED 127.0.0.1:1'],
    [unknown.baseUrl, 'self-signed certificate; NODE_EXTRA_CA_CERTS=FILE has it trusted'],
    [callbackUrl.replace('http', 'https'), 'it speaks no TLS, as http: has it'],
  ] as const) {
    await askForSignature({ ...esign, pdf, email, callbackUrl: url });
    await expect.poll(() => esign.deliveries()[0]?.answer).toBe(`no answer: ${why}`);
    const pending = 'no callback of event 1 has ended (event 1 pending after ';
    await expect(esign.waitForCallback(1, { timeoutMs: 1 })).rejects.toThrow(pending);
    esign.reset();
  }
  await unknown.close();
});

test('all is forgotten, and what still goes on leaves nothing', async () => {
  const { esign, callbackUrl } = await startSending();
  await askForSignature({ ...esign, pdf, email, callbackUrl });
  const acting = esign.act(email, 'sign');
  expect(esign.requests()).toMatchObject([{ state: 'completing' }]);
  esign.reset();
  await acting;
  expect([esign.calls(), esign.requests(), esign.deliveries(), esign.outbox()]).toEqual([[], [], [], []]);
});

test('the next calls fail as a test wants: with a body, late, or without an answer', async () => {
  const esign = await startDouble();
  const call = (signal?: AbortSignal) =>
    fetch(`${esign.url}${path.skeleton}?type=0`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${esign.token}`, 'Content-Type': 'application/json' },
      body: '{"Title":"Contract"}',
      ...(signal ? { signal } : {}),
    });
  const body = { error: 'busy' };
  esign.failNext({ operation: 'skeleton', status: 503, body });
  const json = await call();
  expect([json.status, json.headers.get('Content-Type')]).toEqual([503, 'application/json']);
  expect(await json.json()).toEqual(body);
  // As a program without types may.
  const headers = new Headers({ 'Content-Type': 'text/html' }) as never;
  esign.failNext({ operation: 'skeleton', status: 502, headers, body: '<p>Bad Gateway' });
  const text = await call();
  expect([text.headers.get('Content-Type'), await text.text()]).toEqual(['text/html', '<p>Bad Gateway']);
  esign.failNext({ operation: 'skeleton', status: 'cut' });
  await expect(call()).rejects.toThrow('fetch failed');
  esign.failNext({ operation: 'skeleton', delayMs: 300 });
  await expect(call(AbortSignal.timeout(100))).rejects.toThrow('aborted due to timeout');
  const started = performance.now();
  esign.failNext({ operation: 'skeleton', status: 503, delayMs: 100 });
  expect((await call()).status).toBe(503);
  expect(performance.now() - started).toBeGreaterThanOrEqual(95);
  expect((await call()).status).toBe(400);
  const known = { body: { Title: 'Contract' } };
  expect(esign.calls()).toMatchObject([
    { ...known, status: 503, answer: body },
    { ...known, status: 502, answer: '<p>Bad Gateway' },
    { ...known, status: 0 },
    { ...known, status: 400 },
    { ...known, status: 503 },
    { ...known, status: 400 },
  ]);
});

test('what a program asks of a double wrongly is refused by name, as it is by HTTP', async () => {
  const upload = { operation: 'upload', status: 503 };
  const esign = await startDouble();
  // As a program without types may.
  const loose = esign as unknown as Record<string, (...given: unknown[]) => unknown>;
  const wrong: readonly (readonly [method: string, given: readonly unknown[], told: string])[] = [
    ['failNext', [], 'a failure is an object with operation and status'],
    ['failNext', [{ operation: 'upload' }], 'status is no number from 200 to 599, and not cut'],
    ['failNext', [{ ...upload, times: 0 }], 'times is no number from 1 on'],
    ['failNext', [{ ...upload, headers: { 'Content-Length': '5' } }], 'headers has Content-Length, which'],
    ['failNext', [{ ...upload, text: '{}' }], 'nothing is called text; there are operation,'],
    ['failNext', [{ ...upload, status: 204, body: {} }], 'an answer with 204 has no body'],
    ['failNext', [{ ...upload, body: 1n }], 'body is no JSON'],
    ['failNext', [{ ...upload, delayMs: 60_001 }], 'delayMs is no number from 0 to 60000'],
    ['act', [], 'person is no text'],
    ['act', [email, 'sign', 'x'], 'there is no request x'],
    ['waitFor', ['done'], 'state is one of draft, sent,'],
    ['waitFor', ['sent', { timeout: 5 }], 'nothing is called timeout; there are requestId, timeoutMs'],
    ['resend', [{}], 'there is no delivery'],
  ];
  for (const [method, given, told] of wrong) {
    await expect((async () => loose[method]?.(...given))(), told).rejects.toThrow(told);
  }
  await askForSignature({ ...esign, pdf, email, callbackUrl: `${esign.url}/_control/callbacks` });
  await esign.close();
  for (const method of ['requests', 'outbox', 'deliveries', 'reset'])
    expect(() => loose[method]?.(), method).toThrow('the service was closed');
});

test('options that there are not are refused by name', async () => {
  const options: readonly (readonly [given: object, told: string])[] = [
    [[], 'startReference: the options are no object'],
    [{ port: 'abc' }, 'port is abc; it takes a whole number, 0 to 65535'],
    [
      { faults: ['skeleton.title-required/acepted'] },
      'no fault is called skeleton.title-required/acepted; did you mean skeleton.title-required/accepted?',
    ],
    [{ host: '0.0.0.0' }, 'no option is called host; there are dialect, profile, faults, port'],
    [{ profile: {} }, 'profile is neither a path nor what loadProfile gives'],
    [{ dialect: { sendng: 'call' } }, 'no setting is called sendng; did you mean sending?'],
    [{ dialect: { idForm: 'roman' } }, 'idForm is "roman"; it takes uuid'],
    [{ dialect: { otpDigits: 99 } }, 'otpDigits is 99; it takes a whole number, 1 to 14'],
  ];
  for (const [given, told] of options) await expect(startReference(given)).rejects.toThrow(told);
  // Each of them would have the reference service checked.
  const ofRuns: readonly (readonly [given: object, told: string])[] = [
    [{ baseURL: 'http://127.0.0.1:9' }, 'run: no option is called baseURL; did you mean baseUrl?'],
    [{ target: ['a.yaml'] }, 'run: target has to be a text that is not empty'],
    [{ concurrency: 0 }, 'run: concurrency has to be a whole number, at least 1'],
    [{ stale: 'keep' }, 'run: stale has to be fail or warn'],
    [{ driftFactor: 1 }, 'run: driftFactor has to be a number above 1'],
    [{ target: undefined }, 'run: target is undefined; leave it out to check the reference service'],
  ];
  for (const [given, told] of ofRuns) await expect(run(given)).rejects.toThrow(told);
  // A program without types passes on what it has.
  for (const given of [null, undefined, ['a.yaml']]) {
    expect(() => Reflect.apply(loadProfile, undefined, [given])).toThrow('loadProfile takes the path');
  }
});

test('the double is reached as the target of a profile is', async () => {
  const env = { REFERENCE_CLIENT_SECRET: 'words of mine' };
  const profile = loadProfile('targets/reference.yaml', env);
  const esign = await startDouble({ profile });
  expect(esign.credentials).toMatchObject({ clientId: 'client-first', clientSecret: 'words of mine' });
  expect(esign.credentials.tokenEndpoint).toBe(`${esign.url}/oauth/token`);
});

test('the same is done by HTTP, for whoever has a token', async () => {
  const esign = await startDouble({ dialect: { sending: 'first-signatory' } });
  const control = async (method: string, path: string, body?: unknown) => {
    const headers = { Authorization: `Bearer ${esign.token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${esign.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      json: (text ? JSON.parse(text) : null) as Record<string, unknown> | null,
    };
  };
  expect(await control('GET', '/_health')).toEqual({ status: 200, json: { status: 'up' } });
  expect((await fetch(`${esign.url}/_control/calls`)).status).toBe(401);
  const failure = { operation: 'upload', status: 503, times: 1 };
  expect((await control('POST', '/_control/failures', failure)).status).toBe(204);
  const wrong = { ...failure, operation: 'uploads' };
  expect((await control('POST', '/_control/failures', wrong)).status).toBe(400);
  const nobody = { person: email, act: 'sign', requestId: { toString: 1 } };
  expect((await control('POST', '/_control/act', nobody)).status).toBe(400);
  for (const [method, path, body, told] of [
    [
      'GET',
      '/_control/requests?stat=completed',
      undefined,
      'called stat; there are state, requestId, timeoutMs',
    ],
    ['GET', '/_control/deliveries?requestid=x', undefined, 'called requestid; there are event, requestId,'],
    ['POST', '/_control/act', { person: email, action: 'sign' }, 'called action; there are person, act,'],
  ] as const) {
    expect((await control(method, path, body)).json?.detail).toContain(`nothing is ${told}`);
  }
  expect((await control('POST', '/_control/deliveries/x/resend')).json?.title).toBe('there is no delivery x');
  const callbackUrl = `${esign.url}/_control/callbacks`;
  const requestId = await askForSignature({ ...esign, pdf, email, callbackUrl });
  expect((await control('POST', '/_control/act', { person: email, act: 'sign' })).status).toBe(204);
  const waited = await control('GET', `/_control/requests?state=completed&requestId=${requestId}`);
  expect(waited).toMatchObject({ status: 200, json: { requestId, state: 'completed' } });
  expect((await control('GET', '/_control/requests?state=sent&timeoutMs=1')).status).toBe(408);
  const ended = await control('GET', `/_control/deliveries?event=3&requestId=${requestId}`);
  expect(ended).toMatchObject({ status: 200, json: { event: 3, state: 'delivered', answer: 204 } });
  expect((await control('GET', '/_control/deliveries?event=x')).status).toBe(400);
  const [first] = esign.deliveries();
  expect((await control('GET', '/_control/deliveries')).json?.deliveries).toContainEqual(first);
  expect((await control('POST', `/_control/deliveries/${first?.id}/resend`)).status).toBe(204);
  expect((await control('GET', '/_control/calls')).json?.calls).toHaveLength(4);
  expect((await control('POST', '/_control/reset')).status).toBe(204);
  expect((await control('GET', '/_control/requests')).json).toEqual({ requests: [] });
});

function formOf(name: string): FormData {
  const form = new FormData();
  form.set(name, 'a text');
  return form;
}

test('a form is read however a client writes it', async () => {
  const named = 'Content-Disposition: form-data; name="file"; filename="a.pdf"';
  const word = Buffer.from('Verträge/中文.pdf').toString('base64');
  const first = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nA text\r\n`;
  /** The head of the part that is a file, its name, and what stands before it. How parts are found is for the library. */
  const ways: readonly (readonly [head: string, name: string, before?: string])[] = [
    [named.replace('a.pdf', String.raw`C:\\me\\a.pdf`), 'a.pdf'],
    [named.replace('a.pdf', ''), 'file'],
    ['Content-Disposition: form-data; name="file"\r\nContent-Type: application/pdf', 'file'],
    ["content-disposition: form-data; name=file; filename*=UTF-8''%C3%BC.pdf\r\nX-More: 1", 'ü.pdf'],
    [`${named.replace('a.pdf', `=?utf-8?B?${word}?=`)}; filename*=utf-8''Vertr%C3%A4ge.pdf`, '中文.pdf'],
    [named, 'a.pdf', first('title')],
    [named.replace('"file"', '"content"'), 'a.pdf', first('file')],
  ];
  const contentType = 'multipart/form-data; boundary=x';
  await withReference({}, async (client) => {
    for (const [head, name, before = ''] of ways) {
      const body = new Blob([
        `${before}--x\r\n${head}\r\n\r\n`,
        plainPdf(['A document']),
        '\r\n--x--\r\n',
      ] as BlobPart[]);
      const sent = await client.send('POST', path.upload, body, { contentType });
      expect([head, sent.text]).toEqual([head, expect.stringContaining('documentToken')]);
      const form = await readForm(Buffer.from(await body.arrayBuffer()), contentType);
      const files = [...form.values()].filter((each) => typeof each !== 'string');
      expect(files.map((each) => each.name)).toEqual([name]);
    }
  });
});

test('an upload that is no form, has no file or a file of another kind says so', async () => {
  await withReference({}, async (client) => {
    const cut = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\ncut';
    const contentType = 'multipart/form-data; boundary=x';
    expect((await client.send('POST', path.upload, cut, { contentType })).status).toBe(400);
    expect((await client.upload(plainPdf(['Another one']))).status).toBe(200);
    const mixed = { contentType: 'multipart/mixed; boundary=x' };
    const noForm = 'The body is the file itself, or multipart/form-data';
    expect((await client.send('POST', path.upload, cut, mixed)).json.detail).toBe(noForm);
    const noDocument = 'The file is no PDF, DOC or DOCX';
    for (const [body, detail] of [
      [formOf('file'), 'No part is a file, with a file name or a media type of one (there are: file)'],
      ['', `${noDocument}: it is empty`],
      ['%PDF-1.4 fake', `${noDocument}: a PDF ends with %%EOF`],
      [Buffer.from('d0cf11e0a1b11ae1', 'hex'), `${noDocument}: a DOC has a stream WordDocument`],
      ['PK\x03\x04', `${noDocument}: a DOCX is a whole ZIP with [Content_Types].xml and word/document.xml`],
      ['{"file":"JVBERi0x…"}', `${noDocument}: it begins with {"file":"JVBERi0x...`],
    ] as const) {
      expect((await client.send('POST', path.upload, body)).json.detail).toBe(detail);
    }
  });
});

const skeleton = `${path.skeleton}?type=0`;

test('a call of another form or at another place is told what is documented', async () => {
  const calls: readonly (readonly [method: string, target: string, body: BodyInit, detail: string])[] = [
    [
      'POST',
      path.upload,
      formOf('document'),
      'No part "file" (there are: document); uploadField of the dialect names another one',
    ],
    [
      'POST',
      path.upload,
      '%PDF',
      'The body is not multipart/form-data; uploadEncoding=raw of the dialect takes the file itself',
    ],
    [
      'POST',
      path.upload,
      formOf('file'),
      'The part "file" is no file: it has neither a file name nor a media type of one',
    ],
    ['POST', `/${path.skeleton}`, '{}', `Only POST ${path.skeleton} is documented`],
    ['PUT', '/_control/requests/x', '{}', 'Only GET and DELETE is here'],
  ];
  await withReference({ dialect: { uploadEncoding: 'multipart' } }, async (client) => {
    for (const [method, target, body, detail] of calls) {
      expect((await client.send(method, target, body)).json.detail, target).toBe(detail);
    }
    const { baseUrl, tokens } = client.reference;
    const elsewhere = await client.send('PUT', '/_control/requests/x');
    expect(elsewhere.status).toBe(405);
    expect(elsewhere.headers.get('Allow')).toBe('GET, DELETE');
    const headers = { Authorization: `Bearer ${tokens.valid}`, 'Content-Encoding': 'gzip' };
    const packed = new Request(`${baseUrl}${skeleton}`, { method: 'POST', headers, body: '{}' });
    expect(await (await client.reference.handle(packed)).json()).toMatchObject({
      status: 400,
      detail: 'The body is in gzip: Content-Encoding is not read here',
    });
  });
});

test('a refusal names the field and the setting of the dialect', async () => {
  await withReference({}, async (client) => {
    const { double, tokens } = client.reference;
    const { valid, expired } = tokens;
    const token = await client.document();
    const withOtp = (otp: object) =>
      changed(stampedBody([token]), '/Signatories/0/OTP', { IsRequired: true, ...otp });
    const type3 = `${path.autoStamping}?type=3`;
    const noToken = 'There is no header Authorization with Bearer and an access token';
    const calls: readonly (readonly [
      told: string,
      body: unknown,
      target?: string,
      authorization?: string,
    ])[] = [
      ['The body is not JSON: ', '{"Title":"A",}'],
      ['Title is missing, but there is title', '{"title":"A"}'],
      [noToken, '{}', skeleton, valid],
      ['The time of the access token is over', '{}', skeleton, `Bearer ${expired}`],
      ['Documents/1 is not known here, or no longer', skeletonBody([token, 'x'])],
      ['TemplateId is not known; there is agreement', { TemplateId: 'x' }, `${path.create}?type=1`],
      ['Signatories/0/OTP/AccessCode is missing (accessCode of the dialect)', withOtp({ Type: '3' }), type3],
      [
        'Signatories/0/OTP/MobileNumber is not a valid number: it begins with + and a country code',
        withOtp({ Type: '2', MobileNumber: '0170 1' }),
        type3,
      ],
    ];
    for (const [told, body, target = skeleton, authorization] of calls) {
      const { json } = await client.json('POST', target, body, authorization ? { authorization } : {});
      expect(json.detail, told).toContain(told);
    }
    expect((await client.create({}, { authorization: null })).json.detail).toBe(noToken);
    const draft = await client.request();
    await client.add(draft, signatoryBody);
    await expect(double.act('somebody@example.com', 'sign', draft)).rejects.toThrow(
      `The request is draft: with sending=call of the dialect, POST ${path.skeleton}/${draft}/send sends it`,
    );
  });
});
