/** Creation bodies of type 0 that every compliant service accepts. */
import { authorType } from '../../openapi/codes.ts';

/** What a caller gives to a creation body. */
export interface RequestIngredients {
  /** Tagged with the run id by the caller. */
  readonly title: string;
  /** At least one document token. */
  readonly documents: readonly string[];
  readonly callbackUrl?: string;
}

export type AuditDetails = {
  readonly AuthorType: number;
  readonly AuthorIPAddress: string;
  readonly Device: string;
};

/** Body of endpoint 4 (section "Signature request"). */
export type SkeletonRequest = {
  readonly Title: string;
  readonly Message: string;
  readonly Documents: readonly string[];
  readonly CallbackUrl?: string;
  readonly CallbackTypes?: readonly number[];
  readonly CompletedDocumentsAttached?: boolean;
  readonly AuditDetails: AuditDetails;
  readonly Connections?: readonly unknown[];
};

/** All three subfields: the document does not say which of them may be left out. */
export const auditDetails: AuditDetails = {
  AuthorType: authorType.adminOrSystem,
  // 203.0.113.0/24 is reserved for documentation (RFC 5737).
  AuthorIPAddress: '203.0.113.10',
  Device: 'Desktop computer, Linux, Chromium 140',
};

/** The four required fields and nothing else. */
export function minimalRequest({ title, documents }: RequestIngredients): SkeletonRequest {
  return { Title: title, Message: 'Please read and sign.', Documents: documents, AuditDetails: auditDetails };
}
