/** The numbers and names that the interface document gives to modes, roles, OTP methods, events and stamps. */

/** Values of the query parameter `type` (section "What the service does"). */
export const requestType = { skeleton: 0, template: 1, fixed: 2, autoStamping: 3 } as const;

/** Values of `SignatoryType` (section "SignatoryType values"). */
export const role = { signer: 1, approver: 2, cc: 3 } as const;

/** Values of `OTP.Type` (section "OTP Type values"). */
export const otpType = { email: 1, sms: 2, accessCode: 3, emailAndSms: 4 } as const;

/** Codes in `CallbackTypes` (section "Events"); `all` stands for every other code. */
export const event = { all: 0, requestReceived: 1, signatoryCompleted: 2, processCompleted: 3 } as const;

/** The only value of `AuditDetails.AuthorType` whose meaning the document states. */
export const authorType = { adminOrSystem: 1 } as const;

/** Values of `AutoStamps[].Type` (section "AutoStamp"). */
export const stampTypes = ['signature', 'text', 'email', 'date', 'initial'] as const;

/** Messages that the document states word for word (section "Errors"). */
export const message = {
  documentNotFound: 'Document Token Not Found',
  requestNotFound: 'Request ID not found',
  invalidToken: 'Invalid access token',
  expiredToken: 'Access token is expired',
} as const;

/** Paths below the base URL (section "Endpoints"). */
export const path = {
  upload: '/_apis/sign/thumbs/api/Requests/document',
  create: '/api/Requests',
  autoStamping: '/_apis/sign/api/Requests',
  skeleton: '/_apis/sign/api/v2/requests',
  signatories: '/_apis/sign/api/v2/requests/{requestId}/signatories',
} as const;

export type RequestType = (typeof requestType)[keyof typeof requestType];
export type Role = (typeof role)[keyof typeof role];
export type OtpType = (typeof otpType)[keyof typeof otpType];
export type EventCode = (typeof event)[keyof typeof event];
export type StampType = (typeof stampTypes)[number];
