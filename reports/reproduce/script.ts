/** A chain of calls as both kinds of script write it: headings, words in pieces, files of bodies, ids to pick out. */
import type { Exchange } from '../exchange-schema.ts';
import type { Run } from '../run.ts';
import { visible } from '../visible.ts';
import { chainOf, type Picked } from './chain.ts';
import { alteredToken, type Known, type Piece, piecesOf, stand, token, variablesIn } from './pieces.ts';

/** The body of a call: pieces for a file that the script writes, or a file of the run beside run.json. */
export type ScriptBody =
  | { readonly name: string; readonly pieces: readonly Piece[] }
  | { readonly file: string };

export interface ScriptCall {
  readonly number: number;
  /** One line for people. */
  readonly title: string;
  readonly method: string;
  readonly url: readonly Piece[];
  readonly headers: readonly { readonly name: string; readonly value: readonly Piece[] }[];
  /** `null`: none is sent. */
  readonly body: ScriptBody | null;
  /** Whether brackets and braces in the URL are meant as they stand. */
  readonly plainUrl: boolean;
  readonly picks: readonly Picked[];
}

export interface Script {
  /** Lines of the heading, without signs of a comment. */
  readonly heading: readonly string[];
  /** What was expected and received in the run, on one line, where it is known. */
  readonly says?: string;
  /** Folder for the files that the script writes. */
  readonly folder: string;
  readonly baseUrl: string;
  /** Variables of the environment that have to be set. */
  readonly needs: readonly string[];
  /** Variables that may be set, and have a value otherwise. */
  readonly defaults: readonly string[];
  /** Whether an altered access token is sent. */
  readonly alters: boolean;
  readonly calls: readonly ScriptCall[];
}

/** Headers that curl makes itself. */
const made = new Set(['content-length', 'host', 'connection', 'accept', 'user-agent']);

/** @param name of the folder, such as the id of the requirement */
export function scriptOf(
  run: Run,
  exchange: Exchange,
  name: string,
  { heading, says }: { readonly heading: readonly string[]; readonly says?: string | undefined },
): Script {
  const steps = chainOf(run, exchange);
  const known: Known[] = [];
  const { baseUrl } = run.target;
  const calls = steps.map(({ exchange: each, picks }, at): ScriptCall => {
    const call = callOf(each, at + 1, baseUrl, [...known]);
    known.push(...picks);
    return { ...call, picks };
  });
  const picked = new Set(steps.flatMap(({ picks }) => picks.map(({ variable }) => variable)));
  const used = calls.flatMap(({ url, headers, body }) => [
    ...variablesIn(url),
    ...headers.flatMap(({ value }) => variablesIn(value)),
    ...(body && 'pieces' in body ? variablesIn(body.pieces) : []),
  ]);
  const open = [...new Set(used)].filter((variable) => !picked.has(variable) && variable !== base);
  const alters = open.includes(alteredToken);
  const needed = open.filter((variable) => variable !== alteredToken && stand[variable] === undefined);
  return {
    heading: heading.map(oneLine),
    ...(says === undefined ? {} : { says: oneLine(says) }),
    folder: `reproduce/${name.replaceAll(/[^\w.-]/g, '-')}`,
    baseUrl,
    needs: [...new Set([...(alters ? [token] : []), ...needed])],
    defaults: open.filter((variable) => stand[variable] !== undefined),
    alters,
    calls,
  };
}

/** Name of the variable with the base URL. */
export const base = 'BASE_URL';

function callOf(
  each: Exchange,
  number: number,
  baseUrl: string,
  known: readonly Known[],
): Omit<ScriptCall, 'picks'> {
  const { method, url, headers, body } = each.request;
  const below = url.startsWith(baseUrl);
  const fields = headers
    .filter(([field]) => !made.has(field.toLowerCase()))
    .map(([field, value]) => ({ name: field, value: piecesOf(value, known) }));
  const length = headers.find(([field]) => field.toLowerCase() === 'content-length')?.[1];
  return {
    number,
    title: oneLine(
      `${each.operation ?? each.template ?? 'call'}, exchange ${each.index}: ${each.response ? `${each.response.status} ${each.response.reason}` : 'no answer'}`,
    ),
    method,
    url: [
      ...(below ? [{ variable: base }] : []),
      ...piecesOf(below ? url.slice(baseUrl.length) : url, known),
    ],
    headers: fields,
    body: body
      ? body.file !== undefined
        ? { file: body.file }
        : {
            name: `body-${number}${/json/i.test(body.mediaType) ? '.json' : '.txt'}`,
            pieces: piecesOf(body.text ?? '', known, 'body'),
          }
      : length === '0'
        ? { name: `body-${number}.txt`, pieces: [] }
        : null,
    plainUrl: /[[\]{}]/.test(url),
  };
}

/** Whatever a target said, a comment ends with its line. */
function oneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ').slice(0, 300);
}
