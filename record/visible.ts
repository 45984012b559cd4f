/** Makes text that a target sent harmless where it is shown: nothing invisible, nothing that moves what is around it. */

// Control characters, and those that are invisible or turn the direction of the text around them.
const unseen = /[^\P{C}\n\t]|[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u061c]/gu;

/** Text as it was sent, with every character that one would not see written as its code. */
export function visible(text: string): string {
  return text.replace(unseen, codeOf);
}

/**
 * How a CI service is told to do something by what stands in a log: `::` at the beginning of a line (GitHub), and
 * `##[`, `##vso[` or `##teamcity[` anywhere in it (GitHub and Azure, Azure, TeamCity).
 */
const command = /:(?=:)(?<=^[^\S\n]*:)|#(?=#(?:vso|teamcity)?\[)/gim;

/** The same, with the first character of every command as its code: for all that may come into a log. */
export function inert(text: string, code = codeOf): string {
  return visible(text).replaceAll(command, code);
}

/** What stands for a character that is not shown as it is. */
export function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;
}
