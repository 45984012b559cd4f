/** The reference service as a target: started for the run, with the profile that fits it. */
import { createHash } from 'node:crypto';
import { noOtp } from '../generators/bodies/signatory.ts';
import type { LoadedProfile } from '../harness/profile/load.ts';
import { type Profile, referenceName } from '../harness/profile/schema.ts';
import { role } from '../openapi/codes.ts';
import { startReference } from '../reference/server.ts';

export interface Target {
  readonly loaded: LoadedProfile;
  close(): Promise<void>;
}

export async function startReferenceTarget(
  options: Parameters<typeof startReference>[0] = {},
): Promise<Target> {
  const reference = await startReference(options);
  const profile = referenceProfile(reference);
  const hash = createHash('sha256')
    .update(JSON.stringify({ ...profile, address: {}, auth: {} }))
    .digest('hex');
  return { loaded: { profile, hash, secrets: new Map() }, close: () => reference.close() };
}

const request = '/_apis/sign/api/v2/requests/{requestId}';
const signatory = `${request}/signatories/{signatoryId}`;
// Empty values are left out when the call is made.
const codes = { otp: '{otp}', otpSms: '{otpSms}', accessCode: '{accessCode}' };

export function referenceProfile(reference: Awaited<ReturnType<typeof startReference>>): Profile {
  const { credentials } = reference;
  return {
    name: referenceName,
    // Longer than usual, since the service shares this process and may be slow on a busy machine.
    address: { baseUrl: reference.baseUrl, deadlineMs: 30_000, connectMs: 30_000 },
    auth: { kind: 'client-credentials', ...credentials },
    upload: { encoding: 'multipart', field: 'file' },
    create: {
      template: {
        id: reference.template.id,
        roles: [...reference.template.roles],
        signatory: { Role: '{role}', Email: '{email}', Name: '{name}', OTP: noOtp },
        body: {
          TemplateId: '{templateId}',
          Title: '{title}',
          Message: '{message}',
          Signatories: '{signatories}',
        },
      },
      fixed: {
        body: {
          Title: '{title}',
          Message: '{message}',
          Documents: ['{documentToken}'],
          Signatories: [
            {
              Email: '{email}',
              Name: '{name}',
              Order: 1,
              SignatoryType: role.signer,
              OTP: noOtp,
              Stamps: [{ Type: 'signature', X: 60, Y: 100, Width: 120, Height: 40, Document: 0, Page: 1 }],
            },
          ],
        },
      },
    },
    signing: { driver: 'http', readyMs: 300 },
    outbox: {
      email: { list: { method: 'GET', url: '/_outbox.json?to={email}' }, messages: '/messages' },
      sms: { list: { method: 'GET', url: '/_outbox.json?to={mobileNumber}' }, messages: '/messages' },
    },
    callbacks: { placeholderUrl: '/_control/callbacks', grace: { silenceMs: 300 } },
    calls: {
      deleteRequest: { method: 'DELETE', url: '/_control/requests/{requestId}' },
      invalidateDocument: { method: 'POST', url: '/_control/documents/{documentToken}/invalidate' },
      send: { method: 'POST', url: `${request}/send` },
      status: { method: 'GET', url: `${request}/status` },
      sign: { method: 'POST', url: `${signatory}/sign`, body: codes },
      approve: { method: 'POST', url: `${signatory}/approve`, body: codes },
      decline: { method: 'POST', url: `${signatory}/decline` },
      requestOtp: { method: 'POST', url: `${signatory}/otp` },
      view: { method: 'GET', url: '{link}', authorize: false },
      viewDocument: { method: 'GET', url: '{link}/documents/{documentIndex}', authorize: false },
      completedDocuments: { method: 'GET', url: `${request}/documents`, result: '/documents' },
      expireToken: { method: 'POST', url: '/_control/tokens/expired', result: '/access_token' },
    },
  };
}
