/** A reproduction as a script for POSIX shells with curl. */
import { inSingleQuotes } from '../../record/curl.ts';
import type { Picked } from './chain.ts';
import { meaningOf, type Piece, variablesIn, withTextsJoined } from './pieces.ts';
import { base, curlWords, ofLinks, pauseReason, type Script, type ScriptCall } from './script.ts';

/** The script as text. It stops at the first call that is not sent, and shows the last answer; it exits with 0 only if the status is as in the run, and says what was otherwise. */
export function shScript(script: Script): string {
  const { heading, folder, baseUrl, needs, defaults, calls, files, says, status, endsInFile } = script;
  const picks = calls.flatMap((call) => call.picks);
  const last = calls.at(-1)?.number ?? 0;
  const answer = `shown < "$out/answer-${last}.txt"; echo`;
  return [
    '#!/bin/sh',
    ...heading.map((line) => `# ${line}`),
    'set -eu',
    // Answers may have codes and links in them.
    'umask 077',
    ...needs.map((variable) => `: "\${${variable}:?set it to ${meaningOf(variable)}}"`),
    ...defaults.map(({ variable, value }) => `${variable}=\${${variable}:-${quoted([value])}}`),
    `${base}=\${${base}:-${quoted([baseUrl])}}`,
    ...files.map(
      (file) =>
        `[ -f ${quoted([file])} ] && [ ! -L ${quoted([file])} ] || { echo ${quoted([`start it in the folder that has ${file}`])} >&2; exit 2; }`,
    ),
    `out=${quoted([folder])}; mkdir -p "$out"`,
    `[ -z "$(find "$out" ! -type d \\( ! -type f -o -links +1 \\))" ] || { echo "$out: ${ofLinks}" >&2; exit 2; }`,
    shownFunction,
    ...(calls.some(({ needed }) => needed) ? [acceptedFunction] : []),
    ...(picks.some(({ place }) => place?.kind === 'key') ? [keyFunction] : []),
    ...(calls.some(({ url }) => url.some((piece) => typeof piece !== 'string' && piece.encoded))
      ? [encodeFunction]
      : []),
    ...(calls.some(({ asks }) => asks.length > 0) ? [askedFunction] : []),
    ...calls.flatMap(callLines),
    ...(says === undefined ? [] : [`printf '%s\\n' ${quoted([`in the run: ${says}`])} 'now:'`]),
    `head -n 1 "$out/headers-${last}.txt" | shown; ${endsInFile ? `case $(head -c 4 "$out/answer-${last}.txt") in %PDF) echo "a PDF: $out/answer-${last}.txt";; *) ${answer};; esac` : answer}`,
    ...(status === undefined ? [] : [statusLines(last, status)]),
    '',
  ].join('\n');
}

/** Exits with 1 if the last status is another one than in the run. Interim answers (1xx) come before it in the file. */
function statusLines(last: number, status: number): string {
  return `now=$(sed -n 's/^HTTP[^ ]* \\([0-9]*\\).*/\\1/p' "$out/headers-${last}.txt" | sed '$!d')
if [ "$now" = ${status} ]; then echo 'the status is as in the run: ${status}' >&2
else echo "the status differs: ${status} in the run, $now now" >&2; exit 1; fi`;
}

const shownFunction = `shown() { # a text, without what a terminal would obey
  LC_ALL=C tr -d '\\000-\\010\\013-\\037\\177' | LC_ALL=C sed "$(printf 's/\\302[\\200-\\237]/?/g')"
}`;

const acceptedFunction = `accepted() { # goes on if the call was accepted, as it was in the run
  grep -q '^HTTP/[0-9.]* 2' "$out/headers-$1.txt" && return
  { echo "call $1 was not accepted:"; head -n 1 "$out/headers-$1.txt" | shown; shown < "$out/answer-$1.txt"; } >&2; exit 2
}`;

/** The nth text or number under a key of a JSON answer. */
const keyFunction = `pick() { # file, key, which one
  tr -d '\\r\\n' < "$1" | grep -oE "\\"$2\\"[[:space:]]*:[[:space:]]*(\\"[^\\"]*\\"|[0-9]+)" | sed -n "$3p" |
    sed -e 's/^"[^"]*"[[:space:]]*:[[:space:]]*//' -e 's/^"//' -e 's/"$//' -e 's#\\\\/#/#g'
}`;

const askedFunction = `asked() { # what was sent while the script ran, as somebody types it in
  printf '%s\\n> ' "$1" >&2; IFS= read -r typed || { echo 'nothing was typed in' >&2; exit 2; }; printf '%s' "$typed"
}`;

const encodeFunction = `encoded() { # characters that a path does not take as they are
  printf '%s' "$1" | sed -e 's/%/%25/g' -e 's#/#%2F#g' -e 's/+/%2B/g' -e 's/=/%3D/g' -e 's/ /%20/g' -e 's/?/%3F/g' -e 's/#/%23/g' -e 's/&/%26/g' -e 's/:/%3A/g'
}`;

function callLines(call: ScriptCall): string[] {
  const { number, title, headers, body, picks, asks, question, needed, pauseS } = call;
  // Other accounts of the machine see the arguments of each program, but none of printf, which is a part of the shell.
  const isHidden = ({ name, value }: (typeof headers)[number]) =>
    variablesIn(value).length > 0 && !/^content-type$/i.test(name);
  const hidden = headers.filter(isHidden).map(({ name, value }) => quoted([`${name}: `, ...value]));
  const told = { ...call, headers: headers.filter((each) => !isHidden(each)) };
  const words = [
    ...curlWords(told, { text: (text) => quoted([text]), pieces: quoted }),
    ...(hidden.length > 0 ? ['-H @-'] : []),
  ];
  return [
    '',
    `# ${number}. ${title}`,
    ...(pauseS > 0 ? [`sleep ${pauseS} # ${pauseReason}`] : []),
    ...asks.map((variable) => `${variable}=$(asked ${quoted([question])})`),
    ...(body && 'pieces' in body ? [`printf '%s' ${quoted(body.pieces)} > "$out/${body.name}"`] : []),
    `${hidden.length > 0 ? `printf '%s\\n' ${hidden.join(' ')} |\n  ` : ''}curl ${words.join(' \\\n  ')}`,
    ...(needed ? [`accepted ${number}`] : []),
    ...picks.flatMap((pick) => pickLines(pick, number)),
  ];
}

function pickLines({ variable, value, place }: Picked, number: number): string[] {
  const given = `: "\${${variable}:?not found in the answer to call ${number}}"`;
  if (!place) return [`${variable}=${quoted([value])} # of the run: it stands nowhere in the answer`];
  if (place.kind === 'key')
    return [
      `${variable}=$(pick "$out/answer-${number}.txt" ${quoted([regex(place.key)])} ${place.nth})`,
      given,
    ];
  if (place.kind === 'whole') return [`${variable}=$(tr -d '\\r\\n" ' < "$out/answer-${number}.txt")`, given];
  const cut = `s#^[^:]*:[[:space:]]*${regex(place.before).replaceAll('#', '\\#')}##p`;
  return [
    `${variable}=$(tr -d '\\r' < "$out/headers-${number}.txt" | grep -i ${quoted([`^${regex(place.name)}:`])} | sed -n ${quoted([cut])})`,
    given,
  ];
}

/** A word of the shell, also an interactive one: fixed text in single quotes, variables in double quotes. */
function quoted(pieces: readonly Piece[]): string {
  const parts = withTextsJoined(pieces);
  if (parts.length === 0) return "''";
  const plain = parts.every((part) => (typeof part === 'string' ? !/["\\$`!]/.test(part) : !part.encoded));
  if (plain && parts.length > 1)
    return `"${parts.map((part) => (typeof part === 'string' ? part : `\${${part.variable}}`)).join('')}"`;
  return parts
    .map((part) => {
      if (typeof part === 'string') return inSingleQuotes(part);
      return part.encoded ? `"$(encoded "$${part.variable}")"` : `"$${part.variable}"`;
    })
    .join('');
}

/** A regular expression of grep and sed that matches exactly this text. */
const regex = (text: string): string => text.replaceAll(/[\\^$.*[\]]/g, '\\$&');
