/** Document tokens in a request: whether they exist and are still valid (section "Errors": 404 of endpoint 4). */
import { message } from '../openapi/codes.ts';
import { alikeBy } from './alike.ts';
import type { StoredDocument } from './model.ts';
import { isOn, Refusal, refuse, refuseFaultily } from './rules.ts';
import type { Service } from './service.ts';

type DocumentState = 'known' | 'unknown' | 'invalidated';

/** The state of the document of a token, as the account sees it. */
export function documentState(service: Service, account: string, token: string): DocumentState {
  const { dialect, store } = service;
  const ofRequest = service.faulty('skeleton.unknown-document/of-a-request-accepted');
  if (ofRequest && store.request(token)) return 'known';
  const document = store.document(nearlyRight(service, 'skeleton.unknown-document', 'documents', token));
  if (document?.account !== account) return 'unknown';
  const age = service.now() - document.createdAt;
  if (age < dialect.documentsVisibleAfterMs) return 'unknown';
  return document.invalidated || isWornOut(document, age, service) ? 'invalidated' : 'known';
}

/** The known id or token that a fault takes the given one for; without such a fault, the given one. */
export function nearlyRight(
  service: Service,
  rule: 'signatory.unknown-request' | 'skeleton.unknown-document',
  of: 'requests' | 'documents',
  given: string,
): string {
  const isAlike = alikeBy(service, rule);
  const keys = isAlike ? service.store[of].keys().map(String) : [];
  return keys.find((key) => isAlike?.(key, given)) ?? given;
}

function isWornOut(document: StoredDocument, age: number, { dialect, store }: Service): boolean {
  const old = dialect.documentTokenLifetimeSeconds * 1000;
  if (old > 0 && age > old) return true;
  const later = dialect.documentTokenRequests;
  const since = () => store.requests.all().filter(({ createdAt }) => createdAt >= document.createdAt);
  if (later > 0 && since().length >= later) return true;
  return dialect.documentTokenUses > 0 && document.uses >= dialect.documentTokenUses;
}

/** What a refusal says about a token that does not exist or is no longer valid, by its place in the list. */
export const unknownToken = (at: number): string => `Documents/${at} is not known here, or no longer`;

/** Endpoint 4: "Document Token Not Found" for a token that does not exist or is no longer valid. */
export function refuseUnknownDocuments(
  service: Service,
  account: string,
  tokens: readonly string[],
  callbackUrl: string | null,
): void {
  const notified = callbackUrl !== null;
  for (const [at, token] of tokens.entries()) {
    const state = documentState(service, account, token);
    if (state === 'known') continue;
    refuseFaultily(service, 'skeleton.unknown-document/or-invalidated-refused', true);
    const [isFirst, isLast] = [at === 0, at === tokens.length - 1];
    const { kind, uses = 0 } = service.store.document(token) ?? {};
    const unknown = state === 'unknown';
    const isTaken = unknown
      ? isOn(service, {
          'skeleton.unknown-document/with-callback-url-accepted': notified,
          'skeleton.unknown-document/second-accepted': !isFirst,
          'skeleton.unknown-document/third-accepted': at > 1,
          'skeleton.unknown-document/middle-accepted': !isFirst && !isLast,
          'skeleton.unknown-document/first-accepted': !isLast,
        })
      : isOn(service, {
          'skeleton.invalidated-document/second-accepted': !isFirst,
          'skeleton.invalidated-document/middle-accepted': !isFirst && !isLast,
          'skeleton.invalidated-document/docx-accepted': kind === 'docx',
          'skeleton.invalidated-document/with-callback-url-accepted': notified,
          'skeleton.invalidated-document/used-accepted': uses > 0,
        });
    if (isTaken) continue;
    refuseFaultily(service, 'skeleton.unknown-document/with-callback-url-400', unknown && notified);
    const silent = unknown
      ? isOn(service, {
          'skeleton.unknown-document-message/other': true,
          'skeleton.unknown-document-message/second-other': !isFirst,
          'skeleton.unknown-document-message/with-callback-url-other': notified,
        })
      : isOn(service, {
          'skeleton.unknown-document-message/of-invalidated': true,
          'skeleton.unknown-document-message/of-invalidated-second': !isFirst,
        });
    const words = silent ? {} : { message: message.documentNotFound, detail: unknownToken(at) };
    refuse(service, new Refusal(404, words), `skeleton.${state}-document/accepted`);
  }
}
