/** Looks at what a signatory is shown, the page and the documents, by calls of the profile. */
import { markerPattern } from '../../generators/documents/document.ts';
import { role } from '../../openapi/codes.ts';
import { headerOf } from '../../record/exchange.ts';
import type { CallTemplate } from '../profile/parts.ts';
import type { Profile } from '../profile/schema.ts';
import { fill, type Variables } from '../profile/template.ts';
import { shownText } from '../untrusted/html.ts';
import { leavesOf, unfolded } from '../untrusted/payload/tree.ts';
import { readPdf } from '../untrusted/pdf/completed.ts';
import { isPdf, pdfsIn } from '../untrusted/pdf/documents-in.ts';
import { type PageView, type SigningTask, unknown } from './driver.ts';
import { linkVariables, type OutboxReader } from './outbox.ts';
import {
  isNameless,
  type MakeCall,
  meaningOf,
  nameless,
  type TemplateAnswer,
  toldAnswer,
  uses,
  variablesOf,
} from './template-call.ts';

/** Redirects that are followed to a page at most. */
const mostHops = 5;

export interface PageParts {
  readonly calls: NonNullable<Profile['calls']>;
  readonly call: MakeCall;
  readonly outbox: OutboxReader;
}

/** Fetches the page, or its data, and the document. If the page is another's, they looked, and nothing is known. */
export async function viewPage(parts: PageParts, task: SigningTask, documents?: number): Promise<PageView> {
  const seen = await shownTo(parts, task, documents);
  const { view: page } = parts.calls;
  const isOwn = !page || personal.some((variable) => uses(page, variable));
  return isOwn || seen.kind !== 'seen' ? seen : unknown(impersonal, seen.exchanges);
}

async function shownTo(
  { calls, call, outbox }: PageParts,
  task: SigningTask,
  documents = 1,
): Promise<PageView> {
  const { view: page, viewDocument } = calls;
  if (!page) return unknown('the profile signs by calls, which show no page');
  const link = await linkVariables([page, viewDocument], task, outbox, 'seen');
  if (typeof link === 'string') return unknown(link);
  if (isNameless(page, task)) return unknown(nameless('calls.view'));
  const exchanges: number[] = [];
  const visit: Visit = { call, exchanges, cookies: new Map() };
  const get = (template: CallTemplate, name: string, index = 0) => {
    const place = { documentIndex: String(index), documentNumber: String(index + 1) };
    return fetchLikeBrowser(template, { ...variablesOf(task), ...link, ...place }, name, visit);
  };
  const shown = await get(page, 'calls.view');
  if (meaningOf(shown, page) !== 'accepted') return unknown(toldAnswer('calls.view', shown), exchanges);
  const ofPage = [...exchanges];
  const seen = { kind: 'seen', text: textOn(shown.text), source: shown.text, exchanges, ofPage } as const;
  // That others than signers are shown the document is not stated.
  const isShown =
    documents > 0 && task.role === role.signer && viewDocument && !isNameless(viewDocument, task);
  if (!isShown) return seen;
  return {
    ...seen,
    ...(await documentsShown(viewDocument, documents, (index) =>
      get(viewDocument, 'calls.viewDocument', index),
    )),
  };
}

type OfDocuments = Pick<
  Extract<PageView, { kind: 'seen' }>,
  'document' | 'documentText' | 'documentUnread' | 'notFound' | 'all'
>;

/** Gets each document where a call can name it, else the only one or the first. @param get gets the document with an index, from 0 */
async function documentsShown(
  template: CallTemplate,
  documents: number,
  get: (index: number) => Promise<TemplateAnswer>,
): Promise<OfDocuments> {
  const isApart = ['documentIndex', 'documentNumber'].some((place) => uses(template, place));
  // Where a document stands outside of the count, the profile counts from another number than the target.
  const outside = uses(template, 'documentIndex') ? documents : -1;
  const texts: string[] = [];
  let documentUnread: string | undefined;
  for (let index = 0; index < (isApart ? documents : 1); index++) {
    const file = await get(index);
    const isCounted = isApart && file.status === 404 && isPdf((await get(outside)).bytes);
    const found = isCounted ? 'unclear' : await documentIn(file, template);
    // Where the first document is found, the profile names the right address.
    if (found === 'none') return { document: false, notFound: file.status === 404 && index === 0 };
    if (found === 'unclear') {
      const told = toldAnswer('calls.viewDocument', { ...file, text: '' });
      const hint = isCounted ? ': {documentIndex} counts from 0, {documentNumber} from 1' : '';
      documentUnread ??= `${told}, and nothing tells whether it shows the document${hint}`;
    } else if (found.text !== undefined) texts.push(found.text);
  }
  if (documentUnread !== undefined) return { documentUnread };
  // Of a document without its marker, such as a DOC that became pictures below a vendor's line, nothing tells which one it is.
  const told = texts.filter((text) => text.search(markerPattern) >= 0);
  return { document: true, documentText: texts.join('\n'), all: isApart && told.length === documents };
}

/** Makes a call that shows something; redirects are followed and cookies kept, as by a browser. */
async function fetchLikeBrowser(
  template: CallTemplate,
  variables: Variables,
  name: string,
  { call, exchanges, cookies }: Visit,
): Promise<TemplateAnswer> {
  const get = async (from: CallTemplate, given: Variables) => {
    const url = fill(from.url, given);
    const kept = cookies.get(originOf(url));
    const headers = kept ? { ...from.headers, Cookie: '{cookies}' } : from.headers;
    const all = { ...given, cookies: [...(kept ?? [])].map((each) => each.join('=')).join('; ') };
    const answer = await call({ ...from, headers }, all, name);
    exchanges.push(answer.index);
    for (const [, value] of answer.headers.filter(([field]) => /^set-cookie$/i.test(field))) {
      const [cookie = '', content = ''] = /^([^=;]+)=([^;]*)/.exec(value)?.slice(1) ?? [];
      const origin = originOf(answer.url ?? url);
      if (cookie) cookies.set(origin, (cookies.get(origin) ?? new Map()).set(cookie, content));
    }
    return answer;
  };
  let answer = await get(template, variables);
  for (let hop = 0; hop < mostHops && template.method === 'GET'; hop++) {
    const moved = meaningOf(answer, template) === 'unclear' && /^30[12378]$/.test(String(answer.status));
    const next = moved ? headerOf(answer.headers, 'location') : undefined;
    if (next === undefined || !URL.canParse(next, answer.url)) break;
    answer = await get({ ...template, url: '{link}' }, { link: new URL(next, answer.url).href });
  }
  return answer;
}

/** What a person reads on a page. Its data may come instead of a page, with escapes in its texts. */
function textOn(body: string): string {
  const data = unfolded(body);
  const texts = typeof data === 'string' ? [] : leavesOf(data).map(({ value }) => shownText(String(value)));
  return [shownText(body), ...texts].join('\n');
}

/** A look at a page, and what it leaves: the exchanges, and the cookies by origin, on which pages behind a redirect may rest. */
interface Visit {
  readonly call: MakeCall;
  readonly exchanges: number[];
  readonly cookies: Map<string, Map<string, string>>;
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : '');

/** What tells the people of a request apart in a call. */
const personal = ['signatoryId', 'email', 'name', 'mobileNumber', 'link', 'token'];
const impersonal =
  'calls.view names no person, by {link}, {token}, {signatoryId}, {email} or the like: it gives the same for everybody';

/** Finds a PDF, also in JSON or a part, or a picture; other ways to show a document are `unclear`, and empty pages none. */
async function documentIn(
  answer: TemplateAnswer,
  template: CallTemplate,
): Promise<{ readonly text: string | undefined } | 'none' | 'unclear'> {
  const meaning = answer.status === 404 ? 'refused' : meaningOf(answer, template);
  // A conflict with the state of the request may be about another document, such as the signed one.
  const isConflict = template.refuse === undefined && [409, 423].includes(answer.status);
  if (meaning === 'unclear' || isConflict) return 'unclear';
  const { bytes, headers } = answer;
  if (meaning === 'refused' || bytes.length === 0) return 'none';
  const held = pdfsIn(headers, bytes);
  const read = await Promise.all((held.length > 0 ? held : [bytes]).map((each) => readPdf(each)));
  const texts = read.flatMap((each) => (each.readable ? [each.text] : []));
  if (read.every((each) => each.readable && each.empty)) return 'none';
  if (texts.length > 0) return { text: texts.join('\n') };
  return headerOf(headers, 'content-type')?.startsWith('image/') ? { text: undefined } : 'unclear';
}
