/** Calls for the fuzz of the reference service: every path with every kind of body, headers and token, spoiled or not. */
import fc from 'fast-check';
import { path } from '../../../openapi/codes.ts';
import { plainPdf } from '../../../reference/plain-pdf.ts';
import { agreement } from '../../../reference/templates.ts';
import { signatoryBody, skeletonBody, stampedBody } from '../../suite/reference-client.ts';
import {
  type Content,
  content,
  damaged,
  form,
  mostly,
  multipart,
  oddText,
  rarelyDamaged,
  spoiled,
} from './mutations.ts';

/** A call with `{request}`, `{signatory}` and `{document}` in place of ids. */
export interface FuzzCall {
  readonly method: string;
  readonly target: string;
  /** Whose ids replace these. */
  readonly whose: 'mine' | 'theirs';
  /** A text that replaces them instead of an id. */
  readonly strayed: string | null;
  readonly token: 'mine' | 'none' | 'odd';
  readonly headers: readonly (readonly [string, string])[];
  readonly otherType: string | null;
  readonly content: Content | null;
}

const one = `${path.skeleton}/{request}`;
const person = `${one}/signatories/{signatory}`;

/** Kinds of content; `any` stands for content of no particular kind. */
type Kind = 'skeleton' | 'signatory' | 'created' | 'stamps' | 'proof' | 'file' | 'form' | 'any';

/** Paths of the service with the content that fits; a name in braces is filled with an id. */
const paths: readonly (readonly [method: string, target: string, kind?: Kind])[] = [
  ...Array.from({ length: 6 }, () => ['POST', path.upload, 'file'] as const),
  ...Array.from({ length: 6 }, () => ['POST', `${path.skeleton}?type=0`, 'skeleton'] as const),
  ...Array.from({ length: 6 }, () => ['POST', `${one}/signatories`, 'signatory'] as const),
  ...[1, 2, 3, 3].map((type) => ['POST', `${path.create}?type=${type}`, 'created'] as const),
  ['POST', `${path.autoStamping}?type=3`, 'created'],
  ['POST', `${one}/send`],
  ['GET', `${one}/status`],
  ['DELETE', one],
  ['POST', `${one}/stamps`, 'stamps'],
  ['GET', `${one}/documents`],
  ['GET', `${one}/documents/{odd}`],
  ...['sign', 'approve', 'complete', 'decline', 'otp'].map(
    (action) => ['POST', `${person}/${action}`, 'proof'] as const,
  ),
  ['GET', '/sign/{odd}'],
  ['POST', '/sign/{odd}', 'form'],
  ['POST', '/sign/{odd}/code', 'form'],
  ['GET', '/sign/{odd}/documents/0'],
  ['GET', '/_control/requests/{request}'],
  ['DELETE', '/_control/requests/{request}'],
  ['POST', '/_control/documents/{document}/invalidate'],
  ['POST', '/_control/tokens/expire', 'any'],
  ['POST', '/oauth/token', 'form'],
  ['GET', '/oauth/authorize?client_id={odd}&redirect_uri={odd}&scope={odd}'],
  ['POST', '/oauth/authorize', 'form'],
  ['GET', '/{odd}'],
];

const oddSegment = fc.oneof(
  // A lone surrogate is no valid text; it becomes one by way of its bytes.
  oddText.map((text) => encodeURIComponent(Buffer.from(text).toString())),
  fc.constantFrom('..', '%2e%2e', '%', '%zz', '%00', '0', '-1', 'NaN', '1e9', 'constructor', '__proto__'),
);

const jsonOf = (...bodies: readonly unknown[]): fc.Arbitrary<Content> =>
  content(
    'application/json',
    fc
      .constantFrom(...bodies)
      .chain(spoiled)
      .chain((body) => rarelyDamaged(Buffer.from(JSON.stringify(body) ?? 'undefined'))),
  );

const signatories = [
  { ...signatoryBody, Role: 'Employer' },
  { ...signatoryBody, Role: 'Employee' },
];
const otp = { IsRequired: true, Type: 4, MobileNumber: '+12025550123' };

const pdf = plainPdf(['A document']);

const file = multipart(
  fc
    .record({
      bytes: fc.oneof(rarelyDamaged(pdf), damaged(pdf)),
      name: oddText,
      field: fc.constantFrom('file', 'file', 'other'),
    })
    .map(({ bytes, name, field }) => [[`name="${field}"; filename=${JSON.stringify(name)}`, bytes]]),
);

const callbacks = { CallbackUrl: 'http://127.0.0.1:9/', CallbackTypes: [1, 2, 3] };
const stamp = { Type: 'text', X: 1, Y: 1, Width: 9, Height: 9, Document: 0, Page: 1 };

const contents = {
  skeleton: jsonOf(skeletonBody(['{document}']), { ...skeletonBody(['{document}']), ...callbacks }),
  signatory: jsonOf(signatoryBody, { ...signatoryBody, OTP: otp, Color: '#123456', PrivateMessage: 'x' }),
  created: jsonOf(stampedBody(['{document}']), {
    TemplateId: agreement.id,
    Title: 'T',
    Message: 'M',
    Signatories: signatories,
  }),
  stamps: jsonOf({ signatoryId: '{signatory}', Stamps: [stamp] }),
  proof: jsonOf({}, { otp: '000000', accessCode: 'no' }),
  file,
  form: form(5, ...['grant_type', 'client_id', 'redirect_uri', 'code', 'state', 'decision', 'action']),
  any: fc.oneof(
    content('application/octet-stream', fc.uint8Array({ maxLength: 200 })),
    jsonOf({ token: 'x' }, []),
  ),
} as const satisfies Record<Kind, fc.Arbitrary<Content>>;

/** Media types that do not fit, or are none. */
const otherType = fc.constantFrom(
  'text/plain',
  'application/json; charset=utf-7',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  ';',
  'x'.repeat(3_000),
);

const headerName = fc.constantFrom('X-File-Name', 'Accept', 'X-Api-Key', 'Cookie', 'Range', 'Expect');

/** Header values that fetch accepts; values that it refuses are tried over a socket. */
const headerValue = oddText.map((value) =>
  String(value)
    .replace(/[^\x20-\x7e\x80-\xff]/g, '?')
    .trim(),
);

/** A value one time in ten; `null` otherwise. */
function seldom<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return mostly(9, fc.constant(null), arbitrary);
}

export const fuzzCall: fc.Arbitrary<FuzzCall> = fc
  .constantFrom(...paths)
  .chain(([method, target, kind = 'any']) => {
    const body = mostly(6, contents[kind], fc.oneof(...Object.values(contents)));
    return fc.record({
      method: fc.constant(method),
      target: fc.tuple(fc.constant(target), oddSegment).map(([text, odd]) => text.replaceAll('{odd}', odd)),
      whose: fc.constantFrom<FuzzCall['whose']>('mine', 'mine', 'mine', 'theirs'),
      token: mostly(4, fc.constant('mine' as const), fc.constantFrom('none', 'odd')),
      content: method === 'POST' ? body : fc.constant(null),
      otherType: seldom(otherType),
      headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 2 }),
      strayed: seldom(oddSegment),
    });
  });
