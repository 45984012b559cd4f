/** The audit trail: who did what and when; that Name is shown there is stated, its form is not. */
import { role } from '../../openapi/codes.ts';
import type { StoredRequest, StoredSignatory } from '../model.ts';

const deeds = { [role.signer]: 'signed', [role.approver]: 'approved', [role.cc]: 'got a copy' } as const;

export function auditLines(
  request: StoredRequest,
  signatories: readonly StoredSignatory[],
): readonly string[] {
  const people = signatories.map(({ name, email, role: part, actedAt }) => {
    const when = actedAt === null ? '' : ` at ${new Date(actedAt).toISOString()}`;
    return `${name} <${email}> ${deeds[part]}${when}`;
  });
  return ['Audit trail', request.title, `Request ${request.id}`, '', ...people];
}
