/** Keeps the ids that the target has given out, and finds the answer that gives one twice or names another request. */
import { createHash } from 'node:crypto';
import type { ContractViolation, Exchange } from '../../../record/exchange.ts';
import { parseJson } from '../../../record/json.ts';
import type { HttpRequest } from '../../wire/http.ts';
import { type Ids, idInPath } from '../call.ts';

/** A successful answer of the contract, before it is recorded. */
export interface Issued {
  readonly operation: Exchange['operation'];
  readonly request: HttpRequest;
  /** The file of an upload, in base64: the multipart body around it may differ each time. */
  readonly file?: string;
  readonly text: string;
  readonly ids: Ids;
  /** Index of the exchange that the answer will get. */
  readonly index: number;
}

/** The first time that an id was given: the exchange, and a digest of what was sent. */
interface First {
  readonly index: number;
  readonly sent: string | undefined;
}

export class IssuedIds {
  readonly #documents = new Map<string, First>();
  readonly #requests = new Map<string, First>();
  /** By requestId and e-mail address, since only within one request an address is surely one signatory. */
  readonly #signatories = new Map<string, First>();

  /** Tokens that two documents got: then nobody knows which of them a token means. */
  readonly repeatedTokens = new Set<string>();
  /** Whether two requests got the same id: then nobody knows which of them the id means. */
  repeats = false;

  get hasRequests(): boolean {
    return this.#requests.size > 0;
  }

  /** Keeps the ids of an answer; returns the violations in them, and the ids that later calls can use. */
  take(issued: Issued): { readonly ids: Ids; readonly violations: readonly ContractViolation[] } {
    const { operation, request, text, ids } = issued;
    if (operation === 'uploadDocument') {
      const before = this.#again(this.#documents, ids.documentToken, issued);
      if (before && ids.documentToken) this.repeatedTokens.add(ids.documentToken);
      return { ids, violations: before ? [twice('upload.token-identifies', '', before)] : [] };
    }
    // For types 1 to 3 it is not shown where an id stands, nor that it differs from the ids of type 0.
    if (operation === 'createSkeletonRequest') {
      const before = this.#again(this.#requests, ids.requestId, issued);
      if (!before) return { ids, violations: [] };
      this.repeats = true;
      const { requestId: _, ...rest } = ids;
      return { ids: rest, violations: [twice('skeleton.request-id-unique', '/requestId', before)] };
    }
    if (operation !== 'addSignatory') return { ids, violations: [] };
    const asked = decodeURIComponent(idInPath(request.url.href));
    const violations = echoViolations(asked, text);
    const { signatoryId, ...rest } = ids;
    // The two ids are exchanged: this one is of nobody, and is no second mistake.
    if (violations.length > 0 && signatoryId === asked) return { ids: rest, violations };
    const place = signatoryId === undefined ? undefined : JSON.stringify([asked, signatoryId]);
    const before = this.#again(this.#signatories, place, issued);
    const again = before ? [twice('signatory.signatory-id-unique', '/signatoryId', before)] : [];
    return { ids, violations: [...violations, ...again] };
  }

  /** Forgets the ids of a deleted request or document: nothing says that they are never given again. */
  forget({ requestId = '', documentToken = '' }: Readonly<Record<string, unknown>>): void {
    this.#requests.delete(String(requestId));
    this.#documents.delete(String(documentToken));
  }

  /** The earlier answer that gave the same id; none if exactly the same call was made, since both may count as one. */
  #again(known: Map<string, First>, id: string | undefined, { request, file, index }: Issued): First | null {
    if (id === undefined) return null;
    const whole = file ?? request.body;
    const sent = whole ? createHash('sha256').update(whole).digest('base64') : undefined;
    const first = known.get(id);
    if (!first) {
      known.set(id, { index, sent });
      return null;
    }
    return sent !== undefined && first.sent === sent ? null : first;
  }
}

function twice(requirement: ContractViolation['requirement'], pointer: string, { index }: First) {
  return { requirement, pointer, message: `is what exchange ${index} gave before` };
}

/** The violation of a requestId in the answer that is not that of the path; the contract checks that it is a string. */
function echoViolations(asked: string, text: string): ContractViolation[] {
  const given = (parseJson(text) as Readonly<Record<string, unknown>> | null | undefined)?.requestId;
  if (typeof given !== 'string' || given === '' || given === asked) return [];
  const message = `is not ${JSON.stringify(asked)}, the id in the path`;
  return [{ requirement: 'signatory.request-id-echoed', pointer: '/requestId', message }];
}
