/** A dialect setting, a call, and what comes of it. */
import { message, path } from '../../../openapi/codes.ts';
import type { Dialect } from '../../../reference/dialect.ts';
import { plainPdf } from '../../../reference/plain-pdf.ts';
import {
  changed,
  type ReferenceClient,
  type Reply,
  signatoryBody,
  skeletonBody,
  stampedBody,
} from '../reference-client.ts';

type Outcome = string | number;
type Try = (client: ReferenceClient) => Promise<Outcome>;

export interface DialectCase {
  readonly title: string;
  readonly dialect: Partial<Dialect>;
  readonly expected: Outcome;
  readonly call: Try;
}

export function when(title: string, dialect: Partial<Dialect>, expected: Outcome, call: Try): DialectCase {
  return { title, dialect, expected, call };
}

export const pdf = plainPdf(['A document']);
export const status = ({ status: code }: Reply) => code;

/** Endpoint 4 with one place of a valid body changed. */
export const create = (pointer: string, value: unknown) => async (client: ReferenceClient) =>
  status(await client.create(changed(skeletonBody([await client.document()]), pointer, value)));

/** Endpoint 5 with one place of a valid body changed. */
export const add = (pointer: string, value: unknown) => async (client: ReferenceClient) =>
  status(await client.add(await client.request(), changed(signatoryBody, pointer, value)));

/** Endpoint 3 with one place of a valid body changed. */
export const stamp = (pointer: string, value: unknown) => async (client: ReferenceClient) => {
  const body = changed(stampedBody([await client.document()]), pointer, value);
  return status(await client.json('POST', `${path.autoStamping}?type=3`, body));
};

/** Whether a refusal carries its message in its body or in a header. */
export const says = (where: 'text' | 'X-Error-Message') => async (client: ReferenceClient) => {
  const reply = await client.add('nobody-knows', signatoryBody);
  const place = where === 'text' ? reply.text : reply.headers.get(where);
  return `${reply.status} ${place?.includes(message.requestNotFound)}`;
};

/** An upload whose body is the file itself. */
export const raw = async (client: ReferenceClient) =>
  status(await client.send('POST', path.upload, new Uint8Array(pdf), { contentType: 'application/pdf' }));

export const otp = (IsRequired: boolean, Type: number, more = {}) => ({ IsRequired, Type, ...more });
