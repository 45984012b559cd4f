/** The contract judges bodies as it says; what it says of answers is seen by the faults. */
import { expect, test } from '@playwright/test';
import { otpType, role } from '../../openapi/codes.ts';
import { requestSchema, validateRequest } from '../../openapi/contract.ts';
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

function pointers(id: Parameters<typeof validateRequest>[0], body: unknown): string[] {
  return validateRequest(id, body).map(({ pointer }) => pointer);
}
