/** Everything that the suite prints goes through here: what strangers said cannot move the cursor, hide or turn text, nor tell a CI service to do something. */
import { codeOf, visible } from './visible.ts';

/** Colors of our own: bold, dim, and those of the foreground. None hides what it colors. */
const painted = new RegExp(`(${'\\u001b'}\\[(?:1|2|22|3[0-79]|9[0-7])m)`);

/**
 * How a CI service is told to do something by what stands in a log: `::` at the beginning of a line (GitHub), and
 * `##[`, `##vso[` or `##teamcity[` anywhere in it (GitHub and Azure, Azure, TeamCity).
 */
const command = /:(?=:)(?<=^[^\S\n]*:)|#(?=#(?:vso|teamcity)?\[)/gim;

/** To standard output. */
export function print(text: string): void {
  process.stdout.write(harmless(text));
}

/** To standard error: what goes wrong, and questions. */
export function printError(text: string): void {
  process.stderr.write(harmless(text));
}

/** A workflow command for GitHub, in one line: whatever else is printed is none. */
export function printCommand(line: string): void {
  process.stdout.write(`${visible(line)}\n`);
}

/** A value as JSON, for programs: what one would not see stands in the escapes of JSON. */
export function printJson(value: unknown): void {
  const coded = (found: string) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('');
  const text = JSON.stringify(value, null, 2)
    .replaceAll(/\\[\s\S]|[^ -~\n]/gu, (found) =>
      found.startsWith('\\') || visible(found) === found ? found : coded(found),
    )
    .replaceAll(command, coded);
  process.stdout.write(`${text}\n`);
}

/**
 * The text with every character that one would not see, and the first of every command, written as its code, but with
 * our own colors.
 */
function harmless(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(painted)
    .map((part, at) => (at % 2 === 1 ? part : visible(part).replaceAll(command, codeOf)))
    .join('');
}
