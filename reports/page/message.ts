/** A request or a response as it was, with its decisive lines marked and explained. */
import { below } from '../../openapi/json-pointer.ts';
import { counted } from '../../record/counted.ts';
import type { Exchange } from '../../record/exchange.ts';
import type { Finding } from '../../record/finding.ts';
import { expectedText } from '../../record/finding-text.ts';
import { parseJson } from '../../record/json.ts';
import type { Difference, Twin } from '../run/twin.ts';
import { html, type Markup, plainText } from './markup.ts';

type Body = NonNullable<Exchange['request']['body']>;
type Header = Exchange['request']['headers'][number];

/** A line of a message; one with a remark is decisive. */
interface Line {
  readonly text: string;
  readonly pointer?: string | null;
  readonly header?: string;
  readonly remark?: string;
}

/** Longest body shown on the page, in characters. */
const longestBody = 6000;
/** A twin with more differences than this is not helpful. */
const mostDifferences = 4;

/** The request. The part that is wrong on purpose is marked; if there is none, the differences from the accepted twin are. */
export function requestView({ request }: Exchange, twin: Twin | null, finding?: Finding): Markup {
  const lines = requestLines(request);
  const breaks = finding?.breaks;
  if (breaks !== undefined && lines.some(({ pointer }) => pointer !== undefined && pointer !== '')) {
    const there = lines.some(({ pointer }) => pointer === breaks);
    const remark = there ? 'wrong on purpose' : `no ${breaks.slice(breaks.lastIndexOf('/') + 1)}`;
    return view(withRemark(lines, nearest(lines, breaks), remark), request.body);
  }
  const differences = twin && twin.differences.length <= mostDifferences ? twin.differences : [];
  const marked = differences.reduce((all, each) => withRemark(all, lineOf(all, each), remarkOn(each)), lines);
  return view(marked, request.body);
}

/** The request of the accepted twin; parts that the other request lacks or has otherwise are marked. */
export function twinView({ exchange: { request }, differences }: Twin): Markup {
  const here =
    differences.length <= mostDifferences ? differences.filter(({ kind }) => kind !== 'added') : [];
  const lines = here.reduce(
    (all, each) =>
      withRemark(all, lineOf(all, each), each.kind === 'missing' ? 'only here' : 'otherwise here'),
    requestLines(request),
  );
  return view(lines, request.body);
}

/** The response; the place that decided the verdict is marked, if a finding names one. */
export function responseView({ response, failure, violations }: Exchange, finding?: Finding): Markup {
  if (!response) return html`<p>No answer${failure ? `: ${failure.message}` : ''}.</p>`;
  const { status, reason, headers, body } = response;
  let lines = linesOf(`${status} ${reason}`, telling(headers), body);
  for (const { pointer, message } of violations) lines = withRemark(lines, nearest(lines, pointer), message);
  const { expected, decisive } = finding ?? {};
  if (expected && decisive && violations.length === 0)
    lines = withRemark(lines, lineOf(lines, decisive), `expected ${expectedText(expected)}`);
  return view(lines, body);
}

/** A delivery, or another message without anything to mark. */
export function plainView(first: string, headers: readonly Header[], body: Body | null): Markup {
  return view(linesOf(first, headers, body), body);
}

function requestLines({ method, url, headers, body }: Exchange['request']): Line[] {
  return linesOf(`${method} ${url}`, telling(headers, url), body);
}

function linesOf(first: string, headers: readonly Header[], body: Body | null): Line[] {
  const head = [
    { text: first },
    ...headers.map(([name, value]) => ({ text: `${name}: ${value}`, header: name.toLowerCase() })),
  ];
  if (!body) return head;
  if (body.text === undefined)
    return [...head, { text: '' }, { text: `(${body.size} bytes, in a file)`, pointer: '' }];
  const shown = body.text.slice(0, longestBody);
  const json = body.text.length <= longestBody ? jsonLines(body.text) : null;
  const more = body.text.length - shown.length;
  const lines: readonly Line[] = json ?? shown.split('\n').map((text) => ({ text, pointer: '' }));
  return [
    ...head,
    { text: '' },
    ...lines,
    ...(more > 0 ? [{ text: `… ${more} characters more, in run.json` }] : []),
  ];
}

function view(lines: readonly Line[], body: Body | null): Markup {
  const { file, documents = [] } = body ?? {};
  return html`<pre tabindex="0">${lines.map(({ text, remark }, at) => {
    const end = at < lines.length - 1 ? '\n' : '';
    if (remark === undefined) return plainText(`${text}${end}`);
    return html`<mark>${plainText(text)}</mark><span class="remark">  ← ${remark}</span>${end}`;
  })}</pre>${file ? html`<p class="quiet">The body is <a href="${file}">${file}</a>: ${body?.size} bytes, SHA-256 <code>${body?.sha256.slice(0, 16)}…</code></p>` : ''}${documents.map(({ size, sha256, pages }) => html`<p class="quiet">A PDF of ${size} bytes, ${pages === null ? 'which could not be opened' : counted(pages, 'page')}, SHA-256 <code>${sha256.slice(0, 16)}…</code></p>`)}`;
}

/** Words about a difference from the accepted twin, for the line of the request that has it. */
function remarkOn({ in: part, at, kind }: Difference): string {
  if (kind === 'missing') return `no ${at.slice(at.lastIndexOf('/') + 1)}: the accepted twin has it`;
  if (part === 'header') return 'the accepted twin has another one';
  if (at === '') return 'the accepted twin has another body';
  return kind === 'added' ? 'the accepted twin does without' : 'the accepted twin has another value';
}

/** The line of a place in the body, or of the innermost one around it. */
function nearest(lines: readonly Line[], pointer: string): number {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = lines.findIndex((line) => line.pointer === at);
    if (found >= 0) return found;
    if (at === '') return 0;
  }
}

/** The line of a place; the first line where the place is not found. */
function lineOf(lines: readonly Line[], { in: part, at = '' }: NonNullable<Finding['decisive']>): number {
  if (part === 'body') return nearest(lines, at);
  return Math.max(0, part === 'header' ? lines.findIndex(({ header }) => header === at.toLowerCase()) : 0);
}

function withRemark(lines: Line[], at: number, remark: string): Line[] {
  return lines.map((line, index) =>
    index === at
      ? { ...line, remark: line.remark === undefined ? remark : `${line.remark}; ${remark}` }
      : line,
  );
}

interface JsonLine {
  readonly text: string;
  /** JSON Pointer of the value that the line shows or opens; `null` for a line that closes one. */
  readonly pointer: string | null;
}

/** The lines of a JSON text; `null` when it is no JSON, or neither an object nor a list. */
export function jsonLines(text: string): JsonLine[] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  const value = parseJson(text);
  return value === undefined ? null : jsonLinesOf(value, '', '', '');
}

function jsonLinesOf(value: unknown, pointer: string, indent: string, name: string): JsonLine[] {
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0)
    return [{ text: `${indent}${name}${JSON.stringify(value)}`, pointer }];
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const inner = Object.entries(value).flatMap(([key, each], at, all) => {
    const label = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    const lines = jsonLinesOf(each, below(pointer, key), `${indent}  `, label);
    const last = lines.at(-1);
    if (last && at < all.length - 1) lines[lines.length - 1] = { ...last, text: `${last.text},` };
    return lines;
  });
  return [
    { text: `${indent}${name}${open}`, pointer },
    ...inner,
    { text: `${indent}${close}`, pointer: null },
  ];
}

export const usualHeaders =
  'Host as in the URL, Accept: */*, User-Agent of the suite, Date, Connection: keep-alive and Keep-Alive';

/** The header fields without those that every call has; one with an unusual value stays. */
function telling(headers: readonly Header[], url?: string): Header[] {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
  return headers.filter(([name, value]) => {
    const field = name.toLowerCase();
    const expected = field === 'host' ? host : usual.get(field);
    return expected !== 'any' && expected !== value.toLowerCase();
  });
}

/** Values of header fields that say nothing. */
const usual = new Map([
  ['accept', '*/*'],
  ['user-agent', 'esign-conformance'],
  ['connection', 'keep-alive'],
  ['date', 'any'],
  ['keep-alive', 'any'],
]);
