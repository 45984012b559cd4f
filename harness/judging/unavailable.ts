/** Says why a shared call gives nothing to build on: the one reason that all who depend on it share. */

import { isPage } from '../target/answers/stray.ts';
import { type Answer, is2xx, isTrouble } from '../target/call.ts';
import type { SharedCall } from '../target/run-facts.ts';
import { received } from '../target/show.ts';
import { headerValue } from '../untrusted/header.ts';
import { parseJson, valueAt } from '../untrusted/pointer.ts';
import { quotaHint, speaksOfQuota } from './quota.ts';

const names: Readonly<Record<SharedCall, string>> = {
  document: 'the upload of a first document',
  docx: 'the upload of a DOCX',
  skeleton: 'a type 0 creation with the required fields',
  signatory: 'adding a signatory to a request',
  stamped: 'an auto stamping creation',
  'stamped-unversioned': 'an auto stamping creation on the unversioned path',
  template: 'a creation of type 1 with the body of the profile',
  fixed: 'a creation of type 2 with the body of the profile',
};

/** Statuses that speak of the credentials of the run rather than of the target. */
const credentials = new Set([401, 403, 407]);

/** Failures that a wrong address has, or a service that is not up. */
const notReached = /^(E(?!PROTO|RR_)[A-Z_]+|CONNECT_TIMEOUT|DEADLINE|NOT_SENT)$/;

/** Whether an answer speaks of the credentials of the run: by its status, or in the words that uploads have. */
export function blamesCredentials(answer: Answer): boolean {
  if (speaksOfQuota(answer)) return false;
  return credentials.has(answer.status) || /invalid access token|access token is expired/i.test(answer.text);
}

/** Whether an answer speaks of the account of the run, of its access token or of what it has used up. */
export function blamesAccount(answer: Answer): boolean {
  return speaksOfQuota(answer) || blamesCredentials(answer);
}

/** One sentence with the call, what came of it, and what is likely to help. */
export function unavailable(name: SharedCall, answer: Answer): string {
  const { exchange } = answer;
  const came = exchange.response ? 'was answered with' : 'had no answer:';
  const hint = hintFor(name, answer);
  return `${names[name]} (exchange ${exchange.index}) ${came} ${received(exchange)}${hint ? `; ${hint}` : ''}`;
}

/** Statuses of an address that knows no such operation. */
const nowhere = new Set([404, 405, 501]);

/** What is likely to help; `null` where the answer says nothing about it. */
export function hintFor(name: SharedCall, answer: Answer): string | null {
  const { status, headers, text, documentToken } = answer;
  if (status === 0) {
    const unreached = name === 'document' && notReached.test(answer.exchange.failure?.code ?? '');
    return unreached ? 'is the base URL right, and the service up?' : null;
  }
  if (speaksOfQuota(answer)) return quotaHint(name);
  if (blamesCredentials(answer)) {
    // Nothing else is called before a document was taken with the same access token.
    if (status === 403 && name !== 'document') {
      return 'the access token was taken before and is not for this: look at the rights of the account (auth.scope), and at what its plan allows';
    }
    return 'the access token of the run is not accepted: look at ESIGN_TOKEN or at auth in the profile';
  }
  if (name === 'document' && nowhere.has(status) && isPage(text)) {
    return 'that is a web page: is the base URL right?';
  }
  if (status === 429) {
    return 'the target limits the rate of calls: say how many it takes (address.perSecond, address.inFlight)';
  }
  if (isTrouble(answer)) return 'the target is in trouble';
  if (status >= 300 && status < 400) {
    return `it redirects to ${headerValue(headers, 'location') ?? 'an unknown place'}: is the base URL right?`;
  }
  if (is2xx(answer) && isPage(text)) {
    return 'that is a web page and not an answer of the service: is the base URL right?';
  }
  if (answer.guess !== undefined) return answer.guess;
  if (!is2xx(answer)) return null;
  if (documentToken && 'missing' in documentToken) {
    return `${documentToken.missing}: say in the profile where the document token stands (upload.token)`;
  }
  if (documentToken && 'wrongType' in documentToken) {
    return `the document token is a JSON ${documentToken.wrongType} and no string`;
  }
  if (name !== 'skeleton') return null;
  const number = typeof valueAt(parseJson(text), '/requestId') === 'number';
  const tolerate = number ? ' (with tolerate.numericIds in the profile the other checks can go on)' : '';
  return `it carries no requestId that is a string${tolerate}`;
}
