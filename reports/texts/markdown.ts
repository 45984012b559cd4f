/** Puts foreign text into Markdown so that it is read neither as markup nor, in a log, as a command. */
import { inert, visible } from '../../record/visible.ts';

/** A code block whose fence is longer than any run of backticks inside. */
export function fence(lines: readonly string[], language = ''): string[] {
  return fenced(
    lines.map((line) => inert(line)),
    language,
  );
}

/** A script, which is copied into a terminal, so that what nobody sees in it stands as its code. */
export function scriptFence(script: string, language: string): string[] {
  const shown = visible(script);
  const remark =
    'Characters that nobody sees stand as their codes here; the script beside run.json has them.';
  return [...(shown === script ? [] : [remark, '']), ...fenced(shown.trimEnd().split('\n'), language)];
}

function fenced(lines: readonly string[], language: string): string[] {
  const mark = '`'.repeat(Math.max(3, backticks(lines.join('\n')) + 1));
  return [`${mark}${language}`, ...lines, mark];
}

export function code(text: string): string {
  const line = inert(text).replace(/\s+/g, ' ');
  const longest = backticks(line);
  const mark = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${mark}${space}${line}${space}${mark}`;
}

/** What a page that shows Markdown makes a link of, or a message to somebody. */
const linked = /@|:\/\/|www\./i;

/** Plain text within a line, for headings and where code would look odd. */
export function plain(text: string): string {
  return inert(text)
    .replace(/\s+/g, ' ')
    .split(/([ |])/)
    .map((word) => (linked.test(word) ? code(word) : word.replace(/[\\`*_[\]<>#|~&]/g, '\\$&')))
    .join('');
}

function backticks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
}
