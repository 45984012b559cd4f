/** The template for requests of type 1; the document does not show how templates are made. */
import { role } from '../openapi/codes.ts';
import { newId } from './ids.ts';
import type { Stamp } from './model.ts';
import { plainPdf } from './plain-pdf.ts';
import type { Service } from './service.ts';

/** It is always there, and a creation has to fill both of its parts. */
export const agreement = {
  id: 'agreement',
  parts: [
    { name: 'Employer', role: role.signer, stamps: [signatureAt('Employer', 560)] },
    { name: 'Employee', role: role.signer, stamps: [signatureAt('Employee', 480)] },
  ],
} as const;

function signatureAt(identifier: string, y: number): Stamp {
  const place = { x: 200, y, width: 160, height: 40, document: 0, page: 0 };
  return { identifier, type: 'signature', color: null, order: 1, ...place };
}

/** The document of the template as a new document of the account; returns its token. */
export function agreementDocument(service: Service, account: string): string {
  const token = newId(service.dialect.documentTokenForm, 'doc');
  const createdAt = service.now() - service.dialect.documentsVisibleAfterMs;
  const facts = { token, account, kind: 'pdf', fileName: 'Agreement.pdf', createdAt } as const;
  const lines = ['The two parties below agree.', '', '', '', 'Employer', '', '', '', 'Employee'];
  service.store.addDocument(facts, plainPdf(['Agreement', '', ...lines]));
  return token;
}
