/** The second step: an access token can be had, and the target accepts it. */
import { randomUUID } from 'node:crypto';
import { minimalRequest } from '../../generators/bodies/request.ts';
import { headerOf, is2xx, isPage } from '../../record/exchange.ts';
import { isNotThere, isTransient } from '../judging/classify.ts';
import { titleAt } from '../judging/names.ts';
import type { Answer, Authorization } from '../target/call.ts';
import { unreachable } from './address.ts';
import { type Ground, type StepBroken, stepBrokenBy } from './ground.ts';

export interface Access {
  /** Endpoint 4 was not found, neither with the access token nor with an unknown one: the base URL may be wrong. */
  readonly nowhere: boolean;
  /** Whether a document token that nobody issued was accepted. */
  readonly takesAnything: boolean;
  /** The text of a refusal that is about access alone. */
  readonly standing: string;
}

/**
 * Creates nothing: a type 0 creation that names a document token which nobody issued, with the access token of the
 * run, and again with one that nobody issued.
 * @throws StepBroken when there is no access token, it is not taken, or no such service is there
 */
export async function access(ground: Ground): Promise<Access> {
  const { profile, tokens, say } = ground;
  const { auth } = profile;
  await tokens.valid();
  const own = await create(ground, 'valid');
  assertService(own, profile.address.baseUrl);
  if (is2xx(own)) {
    assertRequest(own);
    say('access token', `taken; so is a document token that nobody issued (${own.status})`);
    return { nowhere: false, takesAnything: true, standing: '' };
  }
  const other = await create(ground, 'unknown');
  assertHealthy(own, other);
  const refused = own.status === 401 || (own.status === 403 && other.status === 403);
  if (refused) throw rejected(own, auth.kind);
  const nowhere = [own, other].every(isNotThere);
  const told = other.status === 401 ? 'taken' : 'not refused';
  say(
    'access token',
    `${told} (${own.status} for an unknown document, ${other.status} with an unknown token)`,
  );
  return { nowhere, takesAnything: is2xx(other), standing: other.status === 401 ? other.text : '' };
}

function create(ground: Ground, authorization: Authorization): Promise<Answer> {
  const json = minimalRequest({ title: titleAt(ground.facts, 'access'), documents: [randomUUID()] });
  return ground
    .client({}, { encoding: 'raw' })
    .call({ operation: 'createSkeletonRequest', purpose: 'observation', authorization, body: { json } });
}

/** @throws StepBroken when the answer does not come from such a service, or the service is in trouble */
function assertService(answer: Answer, baseUrl: string): void {
  const { status, exchange, headers, text } = answer;
  if (exchange.failure) throw unreachable(exchange.failure, baseUrl);
  const take = 'take the base URL of the API and not of a website';
  const login = 'a login page may also mean that the access token is not taken';
  if (status >= 300 && status < 400) {
    const why = `it redirects to ${headerOf(headers, 'location') ?? 'an unknown place'}`;
    throw stepBrokenBy(answer, 'base URL', why, `${take}; a redirect to ${login}`);
  }
  // A web server that knows no POST answers with 501.
  if ((is2xx(answer) || status === 501) && isPage(text)) {
    const why = 'that is a web page and not an answer of the service';
    throw stepBrokenBy(answer, 'base URL', why, `${take}; ${login}`);
  }
}

/** @throws StepBroken when a creation was accepted and the answer is none to a creation */
function assertRequest(answer: Answer): void {
  if (answer.ids.requestId !== undefined) return;
  const why = 'a creation with an unknown document was taken, and there is no requestId in the answer';
  const fix = 'look at the base URL: what answers there seems to be another service';
  throw stepBrokenBy(answer, 'base URL', why, fix);
}

/** @throws StepBroken when both calls met trouble */
function assertHealthy(own: Answer, other: Answer): void {
  if (!isTransient(own) || !isTransient(other)) return;
  const fix = 'call probe again later, or ask who runs the service';
  throw stepBrokenBy(own, 'access token', 'the target is in trouble', fix);
}

function rejected(answer: Answer, kind: string): StepBroken {
  const fixes: Readonly<Record<string, string>> = {
    static:
      'get a fresh access token and export it as the variable that auth.token names (ESIGN_TOKEN with --base-url)',
    'authorization-code': 'log in again (command login), with the scopes that the service wants',
  };
  const fix = fixes[kind] ?? 'look at the scope and the parameters under auth of the profile';
  const why = answer.status === 403 ? 'it may not create requests' : 'the access token is not taken';
  return stepBrokenBy(answer, 'access token', why, fix);
}
