/** A reproduction as a script for PowerShell (5.1 and later) with curl, which Windows brings along. */
import type { Picked } from './chain.ts';
import { escaped, meaningOf, type Piece, withTextsJoined } from './pieces.ts';
import { base, curlWords, ofLinks, pauseReason, type Script, type ScriptCall } from './script.ts';

/** The script as text. It stops at the first call that is not sent, and shows the answer to the last one. */
export function powershellScript(script: Script): string {
  const { heading, folder, baseUrl, needs, defaults, calls, files, says, status, endsInFile } = script;
  const last = calls.at(-1)?.number ?? 0;
  return [
    ...heading.map((line) => `# ${line}`),
    "$ErrorActionPreference = 'Stop'",
    '$curl = (Get-Command curl.exe, curl -CommandType Application -ErrorAction Ignore | Select-Object -First 1).Source',
    ...needs.flatMap((variable) => [
      `$${variable} = $env:${variable}`,
      `if (-not $${variable}) { throw 'Set $env:${variable} to ${meaningOf(variable)}' }`,
    ]),
    ...defaults.map(
      ({ variable, value }) =>
        `$${variable} = if ($env:${variable}) { $env:${variable} } else { ${quoted(value)} }`,
    ),
    `$${base} = if ($env:${base}) { $env:${base} } else { ${quoted(baseUrl)} }`,
    `$out = (New-Item -ItemType Directory -Force ${quoted(folder)}).FullName`,
    `if (@(Get-Item -LiteralPath $out -Force; Get-ChildItem -LiteralPath $out -Force) | Where-Object LinkType) { throw "$($out): ${ofLinks}" }`,
    ...files.map(
      (file) =>
        `if (-not (Test-Path ${quoted(file)}) -or (Get-Item ${quoted(file)} -Force).LinkType) { throw ${quoted(`Start it in the folder that has ${file}`)} }`,
    ),
    argumentFunction,
    pickFunction,
    shownFunction,
    ...calls.flatMap(callLines),
    ...(says === undefined ? [] : [quoted(`in the run: ${says}`), "'now:'"]),
    `Shown (Get-Content "$out/headers-${last}.txt" -TotalCount 1); ${endsInFile ? `if ((Get-Content "$out/answer-${last}.txt" -TotalCount 1) -like '%PDF*') { "a PDF: $out/answer-${last}.txt" } else { ${answerShown(last)} }` : answerShown(last)}`,
    ...(status === undefined ? [] : [statusLines(last, status)]),
    '',
  ].join('\n');
}

function statusLines(last: number, status: number): string {
  return `$now = @(Select-String -Path "$out/headers-${last}.txt" -Pattern '^HTTP/\\S+ (\\d+)')[-1].Matches[0].Groups[1].Value
if ($now -eq ${status}) { [Console]::Error.WriteLine('the status is as in the run: ${status}') }
else { [Console]::Error.WriteLine("the status differs: ${status} in the run, $now now"); exit 1 }`;
}

/**
 * Before version 7.3, PowerShell passes a quotation mark in an argument to a program as the end of that argument. Programs
 * that read arguments in the code page of the machine, such as curl, get a quotation mark for some signs beyond ASCII, too.
 */
const argumentFunction = `function Argument($text) {
  if ($text -match '[^\\x00-\\x7f]') { throw 'not sent: what it names has signs beyond ASCII' }
  if ("$PSNativeCommandArgumentPassing" -notin '', 'Legacy') { return $text }
  [regex]::Replace($text, '(\\\\*)("|$)', { param($m) $m.Groups[1].Value * 2 + $(if ($m.Groups[2].Length) { '\\"' }) })
}`;

/** The nth match of an expression in a file. */
const pickFunction = `function Pick($file, $pattern, $nth, $call) {
  $found = [regex]::Matches([IO.File]::ReadAllText($file), $pattern)
  if ($found.Count -lt $nth) { throw "not found in the answer to call $call" }
  $found[$nth - 1].Groups[1].Value.Trim('"').Replace('\\/', '/')
}`;

/** A text, without what a terminal would obey. */
const shownFunction = `function Shown($text) { "$text" -replace '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]' }`;

const answerShown = (number: number) => `Shown (Get-Content "$out/answer-${number}.txt" -Raw)`;

function callLines(call: ScriptCall): string[] {
  const { number, title, body, picks, asks, question, needed, pauseS } = call;
  const words = curlWords(call, { text: quoted, pieces: (pieces) => `(Argument ${expressionOf(pieces)})` });
  return [
    '',
    `# ${number}. ${title}`,
    ...(pauseS > 0 ? [`Start-Sleep ${pauseS} # ${pauseReason}`] : []),
    ...asks.map((variable) => `$${variable} = Read-Host ${quoted(question)}`),
    ...(body && 'pieces' in body
      ? [`[IO.File]::WriteAllText("$out/${body.name}", ${expressionOf(body.pieces)})`]
      : []),
    `& $curl ${words.join(' `\n  ')}`,
    `if ($LASTEXITCODE -ne 0) { throw 'call ${number} was not answered' }`,
    ...(needed
      ? [
          `if (-not (Select-String -Path "$out/headers-${number}.txt" -Pattern '^HTTP/[0-9.]+ 2' -Quiet)) { throw "call ${number} was not accepted: $(${answerShown(number)})" }`,
        ]
      : []),
    ...picks.map((pick) => pickLine(pick, number)),
  ];
}

function pickLine({ variable, value, place }: Picked, number: number): string {
  if (!place) return `$${variable} = ${quoted(value)} # of the run: it stands nowhere in the answer`;
  const pick = (file: string, pattern: string, nth: number) =>
    `$${variable} = Pick "$out/${file}-${number}.txt" ${quoted(pattern)} ${nth} ${number}`;
  if (place.kind === 'key')
    return pick('answer', `"${escaped(place.key)}"\\s*:\\s*("[^"]*"|\\d+)`, place.nth);
  if (place.kind === 'whole') return pick('answer', '^\\s*(.*?)\\s*$', 1);
  return pick('headers', `(?im)^${escaped(place.name)}:\\s*${escaped(place.before)}([^\\r\\n]+)`, 1);
}

/** Pieces as one expression: a text, or a concatenation of texts and variables. */
function expressionOf(pieces: readonly Piece[]): string {
  const texts = withTextsJoined(pieces);
  const parts = texts.map((piece) => {
    if (typeof piece === 'string') return quoted(piece);
    return piece.encoded ? `[uri]::EscapeDataString($${piece.variable})` : `$${piece.variable}`;
  });
  if (parts.length === 0) return "''";
  return parts.length === 1
    ? (parts[0] ?? '')
    : `(${[...(typeof texts[0] === 'string' ? [] : ["''"]), ...parts].join(' + ')})`;
}

/** A text in single quotes, in which PowerShell treats only quotes as special (typographic ones too), which are doubled. */
const quoted = (text: string): string => `'${text.replaceAll(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
