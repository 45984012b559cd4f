/** The contract judges bodies and answers as it says, and names the requirement that an answer breaks. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { otpType, role } from '../../openapi/codes.ts';
import { requestSchema, validateRequest, validateResponse } from '../../openapi/contract.ts';
import { nearestRequirement, problemsOf } from '../../openapi/shape.ts';

test.describe('bodies', () => {
  const signatory = {
    Email: 'ada@example.com',
    Name: 'Ada Example',
    Order: 1,
    SignatoryType: role.signer,
  };

  test('the OTP rule points at its requirement', () => {
    const schema = requestSchema('addSignatory');
    const [problem] = problemsOf(schema, { ...signatory, OTP: { IsRequired: true, Type: otpType.sms } });
    expect(nearestRequirement(schema, problem?.steps ?? [])).toBe('otp.mobile-required');
  });

  test('the OTP rule holds with auto stamping too, where Type is a string', () => {
    const body = (OTP: object) => ({ Signatories: [{ signatoryType: role.signer, OTP }] });
    const place = '/Signatories/0/OTP';
    expect(pointers('createStampedRequest', body({ IsRequired: true, Type: '2' }))).toEqual([
      `${place}/MobileNumber`,
    ]);
    expect(pointers('createStampedRequest', body({ IsRequired: true, Type: '1' }))).toEqual([]);
    expect(pointers('createStampedRequest', body({ IsRequired: false, Type: 2 }))).toEqual([
      `${place}/Type`,
      `${place}/Type`,
    ]);
  });

  test('a problem says what is wrong and never twice', () => {
    const body = { Title: {}, Message: null, Documents: [], AuditDetails: 'me', CallbackTypes: [9] };
    expect(validateRequest('createSkeletonRequest', body)).toEqual([
      { pointer: '/Title', message: 'must be string, not object' },
      { pointer: '/Message', message: 'must be string, not null' },
      { pointer: '/Documents', message: 'must hold at least 1' },
      { pointer: '/CallbackTypes/0', message: 'must be one of 0, 1, 2, 3' },
      { pointer: '/AuditDetails', message: 'must be object, not string' },
    ]);
  });
});

test.describe('answers', () => {
  const broken: readonly (readonly [text: string, skeleton: string[], signatory: string[]])[] = [
    ['', ['skeleton.response-json'], ['signatory.response-json']],
    ['<html></html>', ['skeleton.response-json'], ['signatory.response-json']],
    ['{"requestId":"7"', ['skeleton.response-json'], ['signatory.response-json']],
    ['{}', ['skeleton.request-id'], ['signatory.request-id-echoed', 'signatory.signatory-id']],
    ['"7"', ['skeleton.request-id'], ['signatory.request-id-echoed', 'signatory.signatory-id']],
    ['[]', ['skeleton.request-id'], ['signatory.request-id-echoed', 'signatory.signatory-id']],
    ['null', ['skeleton.request-id'], ['signatory.request-id-echoed', 'signatory.signatory-id']],
    ['{"requestId":7,"signatoryId":"8"}', ['skeleton.request-id'], ['signatory.request-id-echoed']],
    ['{"requestId":"7","signatoryId":8}', [], ['signatory.signatory-id']],
    [
      '{"requestId":"","signatoryId":""}',
      ['skeleton.request-id'],
      ['signatory.request-id-echoed', 'signatory.signatory-id'],
    ],
    ['{"RequestId":"7","signatoryId":"8"}', ['skeleton.request-id'], ['signatory.request-id-echoed']],
    ['{"requestId":"7","signatoryId":"8","more":{}}', [], []],
    ['\uFEFF{"requestId":"7","signatoryId":"8"}', [], []],
  ];

  for (const [text, skeleton, signatory] of broken) {
    test(`${JSON.stringify(text)} breaks ${[...skeleton, ...signatory].join(', ') || 'nothing'}`, () => {
      expect(broke('createSkeletonRequest', text)).toEqual(skeleton);
      expect(broke('addSignatory', text)).toEqual(signatory);
    });
  }

  test('only successful answers of endpoints 4 and 5 are judged', () => {
    for (const status of [302, 400, 401, 404, 500]) {
      expect(validateResponse('createSkeletonRequest', status, 'text/html', 'no'), String(status)).toEqual(
        [],
      );
    }
    for (const id of ['uploadDocument', 'createRequest', 'createStampedRequest'] as const) {
      expect(validateResponse(id, 200, '', 'no'), id).toEqual([]);
    }
  });

  test('an answer is right exactly when requestId is a string that is not empty', () => {
    const answer = fc.oneof(
      fc.jsonValue(),
      fc.record({ requestId: fc.jsonValue() }),
      fc.record({ requestId: fc.string() }),
    );
    fc.assert(
      fc.property(answer, (body) => {
        const id =
          typeof body === 'object' && body !== null && 'requestId' in body ? body.requestId : undefined;
        const right = typeof id === 'string' && id !== '';
        expect(broke('createSkeletonRequest', JSON.stringify(body))).toEqual(
          right ? [] : ['skeleton.request-id'],
        );
      }),
    );
  });
});

function pointers(id: Parameters<typeof validateRequest>[0], body: unknown): string[] {
  return validateRequest(id, body).map(({ pointer }) => pointer);
}

function broke(id: Parameters<typeof validateResponse>[0], text: string): string[] {
  return validateResponse(id, 201, 'application/json', text)
    .map(({ requirement }) => requirement)
    .sort();
}
