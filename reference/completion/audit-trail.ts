/** The audit trail: who did what and when; that Name is shown there is stated, its form is not. Color labels people. */
import { role } from '../../openapi/codes.ts';
import type { StoredRequest, StoredSignatory } from '../model.ts';

const deeds = { [role.signer]: 'signed', [role.approver]: 'approved', [role.cc]: 'got a copy' } as const;

export function auditLines(
  request: StoredRequest,
  signatories: readonly StoredSignatory[],
): readonly string[] {
  const people = signatories.map(({ name, email, color, role: part, actedAt }) => {
    const when = actedAt === null ? '' : ` at ${new Date(actedAt).toISOString()}`;
    return `${name} <${email}> ${color ?? ''} ${deeds[part]}${when}`;
  });
  return ['Audit trail', request.title, `Request ${request.id}`, '', ...people];
}
