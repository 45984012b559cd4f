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
    const [unknown, ended] = [state === 'unknown', state === 'invalidated'];
    const isLast = at === tokens.length - 1;
    const isTaken = isOn(service, {
      'skeleton.unknown-document/with-callback-url-accepted': unknown && notified,
      'skeleton.unknown-document/second-accepted': unknown && at > 0,
      'skeleton.unknown-document/third-accepted': unknown && at > 1,
      'skeleton.unknown-document/middle-accepted': unknown && at > 0 && !isLast,
      'skeleton.unknown-document/first-accepted': unknown && !isLast,
      'skeleton.invalidated-document/second-accepted': ended && at > 0,
      'skeleton.invalidated-document/middle-accepted': ended && at > 0 && !isLast,
      'skeleton.invalidated-document/docx-accepted': ended && service.store.document(token)?.kind === 'docx',
      'skeleton.invalidated-document/with-callback-url-accepted': ended && notified,
      'skeleton.invalidated-document/used-accepted': ended && (service.store.document(token)?.uses ?? 0) > 0,
    });
    if (state === 'known' || isTaken) continue;
    refuseFaultily(service, 'skeleton.unknown-document/with-callback-url-400', unknown && notified);
    const silent = isOn(service, {
      'skeleton.unknown-document-message/other': unknown,
      'skeleton.unknown-document-message/second-other': unknown && at > 0,
      'skeleton.unknown-document-message/with-callback-url-other': unknown && notified,
      'skeleton.unknown-document-message/of-invalidated': ended,
      'skeleton.unknown-document-message/of-invalidated-second': ended && at > 0,
    });
    const refused = new Refusal(
      404,
      silent ? {} : { message: message.documentNotFound, detail: unknownToken(at) },
    );
    refuse(service, refused, `skeleton.${unknown ? 'unknown' : 'invalidated'}-document/accepted`);
  }
}
