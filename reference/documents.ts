/** Document tokens in a request: whether they exist and are still valid (section "Errors": 404 of endpoint 4). */
import { message } from '../openapi/codes.ts';
import type { StoredDocument } from './model.ts';
import { isOn, keysOf, notFound, Refusal, refuse, refuseFaultily } from './rules.ts';
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

/** The id of a request, or the token of a document, that a fault takes for a nearly equal one. */
export function nearlyRight(
  { store, faulty }: Service,
  rule: 'signatory.unknown-request' | 'skeleton.unknown-document',
  of: 'requests' | 'documents',
  given: string,
): string {
  const keys = () => store[of].keys().map(String);
  const alike = {
    'last-sign-ignored': (key: string) => key.slice(0, -1) === given.slice(0, -1),
    'longer-accepted': (key: string) => given.startsWith(key),
    'first-sign-ignored': (key: string) => key.slice(1) === given.slice(1),
    'shorter-accepted': (key: string) => key.slice(0, -1) === given,
  } as const;
  for (const how of keysOf(alike)) {
    if (faulty(`${rule}/${how}`)) return keys().find(alike[how]) ?? given;
  }
  return given;
}

function isWornOut(document: StoredDocument, age: number, { dialect, store }: Service): boolean {
  const old = dialect.documentTokenLifetimeSeconds * 1000;
  if (old > 0 && age > old) return true;
  const later = dialect.documentTokenRequests;
  const since = () => store.requests.all().filter(({ createdAt }) => createdAt >= document.createdAt);
  if (later > 0 && since().length >= later) return true;
  return dialect.documentTokenUses > 0 && document.uses >= dialect.documentTokenUses;
}

/** What is told of a token that does not exist or is no longer valid, by its place in the list. */
export const lost = (at: number): string => `Documents/${at} is not known here, or no longer`;

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
    const detail = lost(at);
    if (state === 'unknown' && !isOverlooked(service, at, tokens.length, notified)) {
      refuseFaultily(service, 'skeleton.unknown-document/with-callback-url-400', notified);
      const silent = isOn(service, {
        'skeleton.unknown-document-message/second-other': at > 0,
        'skeleton.unknown-document-message/with-callback-url-other': notified,
      });
      const refused = silent ? new Refusal(404) : notFound(service, 'document', detail);
      refuse(service, refused, 'skeleton.unknown-document/accepted');
    }
    const isTaken = isOn(service, {
      'skeleton.invalidated-document/second-accepted': at > 0,
      'skeleton.invalidated-document/middle-accepted': at > 0 && at < tokens.length - 1,
      'skeleton.invalidated-document/with-callback-url-accepted': notified,
    });
    if (state === 'invalidated' && !isTaken) {
      const silent = isOn(service, {
        'skeleton.unknown-document-message/of-invalidated': true,
        'skeleton.unknown-document-message/of-invalidated-second': at > 0,
      });
      const refused = new Refusal(404, silent ? {} : { message: message.documentNotFound, detail });
      refuse(service, refused, 'skeleton.invalidated-document/accepted');
    }
  }
}

function isOverlooked({ faulty }: Service, at: number, count: number, notified: boolean): boolean {
  if (faulty('skeleton.unknown-document/with-callback-url-accepted')) return notified;
  if (faulty('skeleton.unknown-document/second-accepted')) return at > 0;
  if (faulty('skeleton.unknown-document/third-accepted')) return at > 1;
  if (faulty('skeleton.unknown-document/middle-accepted')) return at > 0 && at < count - 1;
  return faulty('skeleton.unknown-document/first-accepted') && at < count - 1;
}
