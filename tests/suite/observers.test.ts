/** What observers read from a record, one rule at a time, and that the page about them says what they do. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { observeCallbacks, type SeenCallback, signatureKind } from '../../harness/observing/callbacks.ts';
import { observe } from '../../harness/observing/observe.ts';
import type { SeenRun } from '../../harness/observing/seen.ts';
import { genuineHeader } from '../../harness/replaying/record.ts';
import { observationsPage } from '../../openapi/gaps/observations-page.ts';
import { declarationOf, keysOf } from '../../openapi/gaps/observed-keys.ts';
import { gaps } from '../../openapi/gaps/register.ts';
import type { Exchange } from '../../record/exchange.ts';
import { byKey } from '../../reports/assembling/assemble.ts';
import { exchange as sample } from './reports-sample.ts';

const post = 'http://127.0.0.1:1/sandbox/_apis/sign/api/v2/requests';

interface Given {
  readonly status?: number;
  readonly text?: string;
  readonly headers?: readonly (readonly [string, string])[];
}

/** An exchange of endpoint 5 unless it is said to be of another one. */
function exchange(index: number, given: Given = {}, about: Partial<Exchange> = {}): Exchange {
  const { status = 200, text = '{}', headers = [['Content-Type', 'application/json']] } = given;
  const mediaType = headers.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  const body = text === '' ? null : { mediaType, size: text.length, sha256: 'b2', text };
  const base = sample(index) as Exchange;
  return {
    ...base,
    request: { ...base.request, url: `${post}/r-1/signatories` },
    response: { status, reason: '', headers, body },
    ...about,
  };
}

/** What is seen of a gap, by key. */
function seen(gap: string, exchanges: readonly Exchange[], created: SeenRun['created'] = []) {
  const all = observe({ exchanges, created, uploadFormat: { encoding: 'raw' } });
  return Object.fromEntries(all.filter((each) => each.gap === gap).map(({ key, value }) => [key, value]));
}

test.describe('observers', () => {
  test('statuses of accepted calls are listed, those of bold bodies are not', () => {
    const bold = exchange(2, { status: 202 }, { purpose: 'observation' });
    const exchanges = [exchange(0, { status: 201 }), exchange(1, { status: 200 }), bold];
    expect(seen('signatory.success-status', exchanges)).toEqual({ status: [200, 201] });
  });

  test('fields that the document does not show stand out', () => {
    const body = (more: object) => ({ text: JSON.stringify({ requestId: 'r', signatoryId: 's', ...more }) });
    expect(seen('service.answer-fields', [exchange(0, body({}))])).toEqual({ addSignatory: 'no others' });
    expect(seen('service.answer-fields', [exchange(0, body({ link: 'x' })), exchange(1, body({}))])).toEqual({
      addSignatory: ['/link?: string'],
    });
  });

  test('the place of a stated message is told, wherever it stands', () => {
    const about = { check: 'signatory.unknown-request', purpose: 'judged' } as const;
    const words = 'Request ID not found';
    const places = (given: Given) =>
      seen('errors.message-place', [exchange(0, { status: 404, ...given }, about)])[words];
    expect(places({ text: '', headers: [['X-Error', words]] })).toBe('header X-Error');
    expect(places({ text: '{}' })).toBeUndefined();
  });

  test('header fields are noted by what their names tell', () => {
    const headers = [
      ['Content-Type', 'application/json'],
      ['X-RateLimit-Remaining', '3'],
      ['X-Request-Id', 'abc'],
      ['Sunset', 'Sat, 31 Dec 2033 23:59:59 GMT'],
    ] as const;
    expect(seen('limits.rate', [exchange(0, { headers })])).toEqual({
      'header fields': 'x-ratelimit-remaining',
    });
    expect(seen('service.correlation-id', [exchange(0, { headers })])).toEqual({
      'header fields': 'x-request-id',
    });
    expect(seen('versioning.deprecation', [exchange(0, { headers })])).toEqual({ 'header fields': 'sunset' });
    expect(seen('versioning.negotiation', [exchange(0, { headers })])).toEqual({ 'header fields': 'none' });
  });

  test('the form of ids is the narrowest that all have', () => {
    const ids = (...all: string[]) =>
      seen(
        'signatory.id-format',
        [],
        all.map((id, index) => ({ kind: 'signatory', id, exchange: index })),
      );
    expect(ids('99', '100')).toEqual({ form: 'digits', lengths: [2, 3] });
    expect(ids('99', 'ab')).toMatchObject({ form: 'hexadecimal digits' });
    expect(ids('sig_1', 'sig_z')).toMatchObject({ form: 'letters, digits, - and _' });
    expect(ids('a/b')).toMatchObject({ form: 'base64' });
  });

  test('a fresh id that was unknown for a while is told with the wait', () => {
    const attempts = [100, 200].map((waitedMs) => ({ status: 404, because: 'early', waitedMs }) as const);
    expect(seen('service.read-after-write', [exchange(0), exchange(1, {}, { attempts })])).toEqual({
      'addSignatory: a new requestId is taken': 'after a moment',
      'addSignatory: longest wait ms': 300,
    });
  });

  test('a callback tells its fields, its headers, and where ids and PDFs stand', () => {
    const signed = Buffer.from('%PDF-1.7 /ByteRange [0 1 2 3] /SubFilter /ETSI.CAdES.detached');
    const pdf = signed.toString('base64');
    const callback: SeenCallback = {
      event: 3,
      method: 'POST',
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ['X-Signature', 'sha256=…'],
        [genuineHeader.header, 'of a replay'],
      ],
      payload: { data: { request: 'r-1', files: [pdf] } },
      pdfs: [signatureKind(signed)],
      ids: { request: ['r-1'], signatory: [] },
      exchanges: [4],
    };
    const pdfAt = '/data/files/*: string (pdf-base64)';
    const fields = ['/data: object', '/data/files: array', pdfAt, '/data/request: string'];
    const all = observeCallbacks([callback]).map(({ gap, key, value }) => [gap, key, value]);
    expect(all).toEqual([
      ['events.payload', 'method', 'POST'],
      ['events.payload', 'media type', 'application/json'],
      ['events.payload', 'fields of event 3', fields],
      ['events.payload', 'place of the requestId', '/data/request'],
      ['events.payload', 'header fields of its own', 'x-signature'],
      ['events.authenticity', 'header fields that may prove the origin', 'x-signature'],
      ['events.attachment-form', 'places of PDFs', pdfAt],
      ['signing.signature-kind', 'digital signature of attached PDFs', 'ETSI.CAdES.detached'],
    ]);
  });
});

test.describe('keys', () => {
  test('each key stands once: values that differ become a list', () => {
    const one = { key: 'k', stability: 'stable', exchanges: [1] } as const;
    const other = { ...one, value: false, stability: 'volatile', exchanges: [2, 1] } as const;
    const both = { key: 'k', value: ['false', 'true'], stability: 'volatile', exchanges: [1, 2] };
    expect(byKey([{ ...one, value: true }, other])).toEqual([both]);
    const list = { ...one, value: [10, 9] };
    expect(byKey([list, list])).toEqual([list]);
  });

  test('they are declared, also as patterns', () => {
    const declared = (key: string) => declarationOf('events.attachment-count', key)?.stability;
    expect([declared('PDFs for 2 documents'), declared('anything else')]).toEqual(['stable', undefined]);
  });

  test('of each gap a run says something, or what it lacks for that is said', () => {
    const silent = gaps.filter(({ id, needs }) => keysOf(id).length === 0 && !needs);
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  test('the page about observations is that of the register (npm run schema writes it)', () => {
    const file = new URL('../../docs/observations.md', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(observationsPage());
  });
});
