/** The content of a callback, before it gets the shape of the dialect. */
import { type EventCode, event, role } from '../../openapi/codes.ts';
import type { CompletedFile } from '../model.ts';
import { plainPdf } from '../plain-pdf.ts';
import { isOn } from '../rules.ts';
import type { Service } from '../service.ts';
import type { QueuedCallback } from './queue.ts';

export interface CallbackContent {
  readonly deliveryId: string;
  readonly event: EventCode;
  readonly requestId: string;
  readonly signatory: { readonly id: string; readonly email: string; readonly name: string } | null;
  readonly at: number;
  /** `null` when documents are not attached. */
  readonly documents: readonly CompletedFile[] | null;
}

/** The content of a callback; `null` when its request is gone. */
export function contentOf(service: Service, delivery: QueuedCallback): CallbackContent | null {
  const request = service.store.request(delivery.requestId);
  if (!request) return null;
  const found = delivery.signatory === null ? undefined : service.store.people.get(delivery.signatory);
  const { deliveryId, requestId, at } = delivery;
  const asked =
    request.completedDocumentsAttached ||
    isOn(service, {
      'events.documents-not-attached/attached': true,
      'events.documents-not-attached/as-others': service.store.requests
        .all()
        .some((each) => each.callbackUrl === request.callbackUrl && each.completedDocumentsAttached),
      'events.documents-not-attached/several-attached': request.documents.length > 1,
    });
  const attached = delivery.event === event.processCompleted && asked;
  return {
    deliveryId,
    event: delivery.event,
    requestId,
    signatory: found ? { id: found.id, email: found.email, name: found.name } : null,
    at,
    documents: attached ? attachments(service, requestId) : null,
  };
}

/** Section "Events": when CompletedDocumentsAttached is true, the signed PDFs go with the final callback. */
function attachments(service: Service, requestId: string): readonly CompletedFile[] | null {
  const { faulty, store } = service;
  const people = store.signatories(requestId);
  const orders = people.filter((each) => each.role !== role.cc).map(({ order }) => order);
  const isForgotten = isOn(service, {
    'events.documents-attached/none': true,
    'events.documents-attached/not-with-codes': people.some(({ otp }) => otp?.isRequired),
    'events.documents-attached/not-in-parallel': new Set(orders).size < orders.length,
  });
  if (isForgotten) return null;
  const files = store.completed(requestId);
  const tokens = store.request(requestId)?.documents ?? [];
  if (faulty('events.documents-attached/uploaded-beside-trail')) {
    const uploaded = tokens.flatMap((token, at) => {
      const bytes = store.documentBytes(token);
      return bytes ? [{ fileName: files[at]?.fileName ?? `${token}.pdf`, bytes: Buffer.from(bytes) }] : [];
    });
    return [...uploaded, { fileName: 'audit-trail.pdf', bytes: plainPdf(['Audit trail', requestId]) }];
  }
  const last = tokens.length > 1 ? tokens.length - 1 : -1;
  const asUploaded = tokens.findIndex(
    (token, at) =>
      (at === last && faulty('events.documents-attached/last-uploaded')) ||
      (store.document(token)?.kind === 'docx' && faulty('events.documents-attached/docx-as-uploaded')),
  );
  const bytes = store.documentBytes(tokens[asUploaded] ?? '');
  if (bytes)
    return files.map((file, at) => (at === asUploaded ? { ...file, bytes: Buffer.from(bytes) } : file));
  if (faulty('events.documents-attached/one-of-several')) return files.slice(0, 1);
  if (faulty('events.documents-attached/doc-missing'))
    return files.filter((_, at) => store.document(tokens[at] ?? '')?.kind !== 'doc');
  if (faulty('events.documents-attached/second-twice'))
    return files.map((file, at) => files[Math.min(at, 1)] ?? file);
  if (faulty('events.documents-attached/cut'))
    return files.map(({ fileName, bytes }) => ({ fileName, bytes: bytes.subarray(0, bytes.length / 2) }));
  if (faulty('events.documents-attached/foreign'))
    return files.map(({ fileName }) => ({ fileName, bytes: plainPdf(['A document of somebody else']) }));
  if (faulty('events.documents-attached/of-another-too')) {
    const other = store.otherBytes(tokens[0] ?? '') ?? [];
    return [...files, { fileName: 'other.pdf', bytes: Buffer.from(other) }];
  }
  const request = store.request(requestId);
  return request ? service.combined.attached(files, request) : files;
}
