/** Prints all output of the suite, so that text of strangers cannot move the cursor, hide or turn text, or give commands to a CI service. */
import { inert, visible } from './visible.ts';

/** Colors that the suite itself prints: bold, dim, and foreground colors but black and white, so that no text is hidden. */
const painted = new RegExp(`(${'\\u001b'}\\[(?:1|2|22|3[1-69]|90)m)`);

/** Standard output; replaced by nothing in `printNothing`. */
let output: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'> = process.stdout;

/** The output itself, for text that is no line for `print`. */
export const screen = (): typeof output => output;

/** From now on only errors are printed: the suite runs as a part of another program. */
export function printNothing(): void {
  output = { write: () => true, isTTY: false, columns: 80 };
}

export function print(text: string): void {
  output.write(harmless(text));
}

/** To standard error: what goes wrong, and questions. Nothing of ours has colors there, so all of them are of strangers. */
export function printError(text: string): void {
  process.stderr.write(inert(text.replaceAll('\r\n', '\n')));
}

/** A workflow command for GitHub, in one line. All other output is kept from being one. */
export function printCommand(line: string): void {
  output.write(`${visible(line)}\n`);
}

/** A value as JSON, for programs: invisible characters are written as escapes of JSON. */
export function printJson(value: unknown, indent = 2): void {
  const coded = (found: string) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('');
  const text = JSON.stringify(value, null, indent).replaceAll(/\\[\s\S]|[^ -~\n]/gu, (found) =>
    found.startsWith('\\') || visible(found) === found ? found : coded(found),
  );
  output.write(`${inert(text, coded)}\n`);
}

/** The text with invisible characters, and the first of CI commands, written as codes. The suite's own colors stay. */
export function harmless(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(painted)
    .map((part, at) => (at % 2 === 1 ? part : inert(part)))
    .join('');
}
