/** Text of others within Markdown, where it cannot be read as markup. */

/** A code block whose fence is longer than any run of backticks inside. */
export function fence(lines: readonly string[]): string[] {
  const mark = '`'.repeat(Math.max(3, backticks(lines.join('\n')) + 1));
  return [mark, ...lines, mark];
}

/** Text as code within a line. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const longest = backticks(line);
  const mark = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${mark}${space}${line}${space}${mark}`;
}

/** Length of the longest run of backticks in a text. */
function backticks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((found) => found.length));
}
