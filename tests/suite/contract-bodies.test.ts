/** The contract judges bodies and answers as it says, and names the requirement that an answer breaks. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { otpType, role } from '../../openapi/codes.ts';
import { requestSchema, validateRequest, validateResponse } from '../../openapi/contract.ts';
import { isTree } from '../../openapi/dereference.ts';
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
  test('an answer that is no JSON breaks nothing else', () => {
    for (const text of ['', '<html></html>', '{"requestId":"7"']) {
      expect(broke('createSkeletonRequest', text)).toEqual(['skeleton.response-json']);
      expect(broke('addSignatory', text)).toEqual(['signatory.response-json']);
    }
  });

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

  test('an answer is right exactly when its ids are strings that are not empty', () => {
    const id = fc.oneof(fc.jsonValue(), fc.string());
    const answer = fc.oneof(
      fc.jsonValue(),
      fc.record({ requestId: id, signatoryId: id, RequestId: id }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(answer, fc.constantFrom('', '\uFEFF'), (body, mark) => {
        const ids: Readonly<Record<string, unknown>> = isTree(body) ? body : {};
        const lacks = (name: string) => typeof ids[name] !== 'string' || ids[name] === '';
        const text = mark + JSON.stringify(body);
        expect([broke('createSkeletonRequest', text), broke('addSignatory', text)]).toEqual([
          lacks('requestId') ? ['skeleton.request-id'] : [],
          [
            ...(lacks('requestId') ? ['signatory.request-id-echoed'] : []),
            ...(lacks('signatoryId') ? ['signatory.signatory-id'] : []),
          ],
        ]);
      }),
      { seed: 1, numRuns: 200 },
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
