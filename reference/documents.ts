/** Document tokens in a request: are they there and still valid (section "Errors": 404 of endpoint 4). */
import { message } from '../openapi/codes.ts';
import type { StoredDocument } from './model.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';

export type DocumentState = 'known' | 'unknown' | 'invalidated';

/** What a token stands for, as the account sees it. */
export function documentState(service: Service, account: string, token: string): DocumentState {
  const { dialect, store } = service;
  const document = store.document(nearToken(service, token));
  if (document?.account !== account) return 'unknown';
  const age = service.now() - document.createdAt;
  if (age < dialect.documentsVisibleAfterMs) return 'unknown';
  return document.invalidated || isWornOut(document, age, service) ? 'invalidated' : 'known';
}

/** The token that a fault takes a nearly right one for. */
function nearToken({ store, faulty }: Service, token: string): string {
  const near = (where: string) => {
    return String(store.database.get(`SELECT token FROM document WHERE ${where}`, token)?.token ?? token);
  };
  if (faulty('skeleton.unknown-document/longer-accepted')) return near("? LIKE token || '%'");
  return faulty('skeleton.unknown-document/shorter-accepted') ? near("token LIKE ? || '_'") : token;
}

function isWornOut(document: StoredDocument, age: number, { dialect }: Service): boolean {
  const old = dialect.documentTokenLifetimeSeconds * 1000;
  if (old > 0 && age > old) return true;
  return dialect.documentTokenUses > 0 && document.uses >= dialect.documentTokenUses;
}

/** Endpoint 4: "Document Token Not Found" for a token that does not exist or is no longer valid. */
export function refuseUnknownDocuments(service: Service, account: string, tokens: readonly string[]): void {
  const { faulty } = service;
  for (const [at, token] of tokens.entries()) {
    const state = documentState(service, account, token);
    if (state === 'unknown') {
      if (faulty('skeleton.unknown-document/accepted')) continue;
      if (at > 0 && faulty('skeleton.unknown-document/second-accepted')) continue;
      if (faulty('skeleton.unknown-document/first-accepted') && at < tokens.length - 1) continue;
      throw notFound(service);
    }
    if (state === 'invalidated') {
      if (faulty('skeleton.invalidated-document/accepted')) continue;
      throw faulty('skeleton.invalidated-document/410')
        ? new Refusal(410, { message: message.documentNotFound })
        : new Refusal(404, { message: message.documentNotFound });
    }
  }
}

function notFound(service: Service): Refusal {
  const { faulty } = service;
  if (faulty('skeleton.unknown-document/500')) return new Refusal(500);
  if (faulty('skeleton.unknown-document/400')) return new Refusal(400, { message: message.documentNotFound });
  if (faulty('skeleton.unknown-document-message/other')) return new Refusal(404);
  if (faulty('skeleton.unknown-document-message/of-request')) {
    return new Refusal(404, { message: message.requestNotFound });
  }
  return new Refusal(404, { message: message.documentNotFound });
}
