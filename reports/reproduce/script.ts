/** A chain of calls in the form that both kinds of script are written from: headings, words in pieces, files of bodies, ids to pick. */
import { type Exchange, headerOf, isFieldName } from '../../record/exchange.ts';
import { visible } from '../../record/visible.ts';
import type { Run } from '../run/run.ts';
import { chainOf, type Picked } from './chain.ts';
import { isSentMeanwhile, type KnownValue, type Piece, piecesOf, stand, variablesIn } from './pieces.ts';

/** The body of a call: pieces for a file that the script writes, or a file with a body beside run.json. */
type ScriptBody = { readonly name: string; readonly pieces: readonly Piece[] } | { readonly file: string };

export interface ScriptCall {
  readonly number: number;
  readonly title: string;
  readonly method: string;
  readonly url: readonly Piece[];
  readonly headers: readonly { readonly name: string; readonly value: readonly Piece[] }[];
  /** `null`: no body is sent. */
  readonly body: ScriptBody | null;
  readonly picks: readonly Picked[];
  /** Variables with what was sent to people meanwhile: the reader is asked for it before the call. */
  readonly asks: readonly string[];
  /** The question: the host, and the call with a label in the place of what is asked for. */
  readonly question: string;
  /** Whether later calls depend on this one, which was accepted in the run. */
  readonly needed: boolean;
  /** Seconds to wait before the call, since new ids were not known at once in the run. */
  readonly pauseS: number;
}

export interface Script {
  readonly heading: readonly string[];
  /** What was expected and received in the run, on one line, where it is known. */
  readonly says?: string;
  readonly folder: string;
  readonly baseUrl: string;
  readonly needs: readonly string[];
  readonly defaults: readonly { readonly variable: string; readonly value: string }[];
  readonly calls: readonly ScriptCall[];
  readonly files: readonly string[];
  /** Status of the last answer in the run, for comparison; absent where there was none. */
  readonly status?: number;
  /** Whether the last answer is a file and not printed. */
  readonly endsInFile: boolean;
}

/** The address for callbacks: nobody listens any more at the one of the run. */
export const callbackUrl = 'CALLBACK_URL';

/** Headers that curl makes itself. */
const fieldsOfCurl = new Set(['content-length', 'host', 'connection', 'accept', 'user-agent']);

/** @param name of the folder, such as the id of the requirement */
export function scriptOf(
  run: Run,
  exchange: Exchange,
  name: string,
  { heading, says }: { readonly heading: readonly string[]; readonly says?: string },
): Script {
  const steps = chainOf(run, exchange);
  const known: KnownValue[] = [];
  const { baseUrl } = run.target;
  const calls = steps.map(({ exchange: each, picks }, at): ScriptCall => {
    for (const value of callbackUrls(each)) {
      if (!known.some((one) => one.variable === callbackUrl)) known.push({ value, variable: callbackUrl });
    }
    const call = callOf(each, at + 1, baseUrl, [...known]);
    known.push(...picks);
    const accepted = each.response !== null && Math.floor(each.response.status / 100) === 2;
    return { ...call, picks, needed: accepted && at < steps.length - 1, pauseS: pauseBefore(each) };
  });
  const picked = new Set(steps.flatMap(({ picks }) => picks.map(({ variable }) => variable)));
  const used = calls.flatMap(variablesOf);
  const open = [...new Set(used)].filter(
    (variable) => !picked.has(variable) && variable !== base && !isSentMeanwhile(variable),
  );
  const listened = known.find(({ variable }) => variable === callbackUrl);
  const values: Readonly<Record<string, string>> = {
    ...stand,
    ...(listened ? { [callbackUrl]: listened.value } : {}),
  };
  const last = exchange.response?.body;
  return {
    heading: [
      ...heading,
      `calls ${[...new Set(steps.map(({ exchange: { request } }) => hostOf(request.url)))].join(', ')}`,
    ].map(oneLine),
    says: says === undefined ? undefined : oneLine(says),
    folder: `reproduce/${name.replaceAll(/[^\w.-]|^\.+/g, '-')}`,
    baseUrl,
    needs: open.filter((variable) => values[variable] === undefined),
    defaults: open.flatMap((variable) => {
      const value = values[variable];
      return value === undefined ? [] : [{ variable, value }];
    }),
    calls,
    status: exchange.response?.status,
    files: [...new Set(calls.flatMap(({ body }) => (body && 'file' in body ? [body.file] : [])))],
    endsInFile:
      last?.documents !== undefined || last?.base64 !== undefined || last?.file?.endsWith('.bin') === true,
  };
}

function variablesOf({ url, headers, body }: Pick<ScriptCall, 'url' | 'headers' | 'body'>): string[] {
  return [
    ...variablesIn(url),
    ...headers.flatMap(({ value }) => variablesIn(value)),
    ...(body && 'pieces' in body ? variablesIn(body.pieces) : []),
  ];
}

/** Links are refused: the folder may come from a stranger, whose host also gives the answers that would be written through a link. */
export const ofLinks = 'it holds a link, through which nothing is written: remove it';

export const pauseReason = 'the run waited as long for ids of a moment ago';

/** The longest wait that is taken from a run, in seconds: no run waits longer for one id. */
const longestPauseS = 60;

function pauseBefore({ attempts = [] }: Exchange): number {
  const ms = attempts.reduce(
    (sum, { because, waitedMs }) => sum + (because === 'not-taken' ? 0 : waitedMs),
    0,
  );
  return Math.min(longestPauseS, Math.ceil(ms / 1000));
}

function callbackUrls({ request: { body } }: Exchange): string[] {
  const [, url] = /"CallbackUrl"\s*:\s*"(https?:[^"\\]+)"/.exec(body?.text ?? '') ?? [];
  return url === undefined ? [] : [url];
}

export const base = 'BASE_URL';

/**
 * The host that curl would send a call to: the whole authority of the URL, so that no part of it can hide another host.
 * Without encryption its port is always named: a secret that is meant for https is not sent for everybody to read.
 */
function hostOf(url: string): string {
  const [, scheme, host = ''] = /^(https?):\/\/([^/?#]*)/i.exec(url) ?? [];
  return `${host}${/^http$/i.test(scheme ?? '') && !/:\d+$/.test(host) ? ':80' : ''}`.toLowerCase();
}

/**
 * A URL in pieces. Up to the first sign behind its host nothing is a variable: an answer gives the values of ids, and
 * could send the call, with a secret that is meant for this host, to another one.
 */
function urlPieces(url: string, baseUrl: string, known: readonly KnownValue[]): readonly Piece[] {
  const host = hostOf(url);
  const from = url.startsWith(baseUrl) && hostOf(baseUrl) === host ? baseUrl.length : 0;
  const [start = ''] = /^https?:\/\/[^/?#]*[/?#]?/i.exec(url) ?? [];
  const end = Math.max(from, start.length);
  return [
    ...(from > 0 ? [{ variable: base }] : []),
    url.slice(from, end),
    ...piecesOf(url.slice(end), known, { host, where: 'head' }),
  ];
}

function callOf(
  each: Exchange,
  number: number,
  baseUrl: string,
  known: readonly KnownValue[],
): Omit<ScriptCall, 'picks' | 'needed' | 'pauseS'> {
  const { method, url, headers, body } = each.request;
  const host = hostOf(url);
  const fields = headers
    .filter(
      ([field, value]) =>
        !fieldsOfCurl.has(field.toLowerCase()) && isFieldName(field) && !/[\r\n\0]/.test(value),
    )
    .map(([field, value]) => ({ name: field, value: piecesOf(value, known, { host, where: 'head' }) }));
  const length = headerOf(headers, 'content-length');
  const call = {
    number,
    title: oneLine(
      `${each.operation ?? each.template ?? 'call'}, exchange ${each.index}: ${each.response ? `${each.response.status} ${each.response.reason}` : 'no answer'}`,
    ),
    method,
    url: urlPieces(url, baseUrl, known),
    headers: fields,
    body: body
      ? body.file !== undefined
        ? { file: body.file }
        : {
            name: `body-${number}${/json/i.test(body.mediaType) ? '.json' : '.txt'}`,
            pieces: piecesOf(body.text ?? '', known, { host, where: 'body' }),
          }
      : length === '0'
        ? { name: `body-${number}.txt`, pieces: [] }
        : null,
  };
  return {
    ...call,
    asks: [...new Set(variablesOf(call).filter(isSentMeanwhile))],
    question: oneLine(`[one-time secret] that was sent, for ${host}: ${method} ${url} ${body?.text ?? ''}`),
  };
}

interface Quoting {
  readonly text: (text: string) => string;
  readonly pieces: (pieces: readonly Piece[]) => string;
}

/** The arguments of `curl` for a call. Headers and body of the answer go into files with the number of the call. */
export function curlWords(call: ScriptCall, quoted: Quoting): string[] {
  const { number, method, url, headers, body } = call;
  const hasType = headers.some(({ name }) => name.toLowerCase() === 'content-type');
  return [
    // -g: brackets and braces are meant as they stand, also in an id that an answer gives.
    `-sSg -D "$out/headers-${number}.txt" -o "$out/answer-${number}.txt"`,
    `${method === 'HEAD' ? '-I' : `-X ${quoted.text(method)}`} ${quoted.pieces(url)}`,
    ...headers.map(
      ({ name, value }) => `-H ${quoted.pieces(value.length === 0 ? [`${name};`] : [`${name}: `, ...value])}`,
    ),
    // Otherwise curl would say that the body is a form.
    ...(body && !hasType ? ["-H 'Content-Type:'"] : []),
    ...(body
      ? [`--data-binary ${'file' in body ? quoted.text(`@${body.file}`) : `"@$out/${body.name}"`}`]
      : []),
  ];
}

/** One line without control characters, so that text of a target cannot end a comment. */
const oneLine = (text: string): string => visible(text).replaceAll(/\s+/g, ' ').slice(0, 300);
