/** The templates for requests of type 1; the document does not show how templates are made. */
import { type Role, role } from '../openapi/codes.ts';
import { newId } from './ids.ts';
import type { Stamp } from './model.ts';
import { plainPdf } from './plain-pdf.ts';
import type { Service } from './service.ts';

export interface Template {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** The roles of the template; a creation has to fill every one. */
  readonly parts: readonly {
    readonly name: string;
    readonly role: Role;
    readonly stamps: readonly Stamp[];
  }[];
}

const templates: readonly Template[] = [
  {
    id: 'agreement',
    title: 'Agreement',
    lines: ['Agreement', '', 'The two parties below agree.', '', '', '', 'Employer', '', '', '', 'Employee'],
    parts: [
      { name: 'Employer', role: role.signer, stamps: [signatureAt('Employer', 560)] },
      { name: 'Employee', role: role.signer, stamps: [signatureAt('Employee', 480)] },
    ],
  },
];

function signatureAt(identifier: string, y: number): Stamp {
  return {
    identifier,
    type: 'signature',
    color: null,
    order: 1,
    x: 200,
    y,
    width: 160,
    height: 40,
    document: 0,
    page: 0,
  };
}

/** Id of the template that is always there, with the parts `Employer` and `Employee`. */
export const agreementTemplate = 'agreement';

export function findTemplate(id: string): Template | undefined {
  return templates.find((template) => template.id === id);
}

/** The document of a template as a new document of the account; returns its token. */
export function templateDocument(service: Service, account: string, template: Template): string {
  const token = newId(service.dialect.documentTokenForm, 'doc');
  const createdAt = service.now() - service.dialect.documentsVisibleAfterMs;
  const facts = { token, account, kind: 'pdf', fileName: `${template.title}.pdf`, createdAt } as const;
  service.store.addDocument(facts, plainPdf(template.lines));
  return token;
}
