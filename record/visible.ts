/** Makes text of a target harmless where it is shown: nothing invisible, and nothing that moves the text around it. */

// Control characters, and those that are invisible or turn the direction of the text around them.
const unseen = /[^\P{C}\n\t]|[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u061c]/gu;

/** The text with every invisible character written as its code. */
export const visible = (text: string): string => text.replace(unseen, codeOf);

/** The same in one line: a line of a target may look like one of ours. */
export const inLine = (text: string): string => visible(text).replaceAll(/\n\s*/g, ' ');

/** Commands for a CI service in a log: `::` begins a line (GitHub), `##[`, `##vso[`, `##teamcity[` stand anywhere. */
const command = /:(?=:)(?<=^[^\S\n]*:)|#(?=#(?:vso|teamcity)?\[)/gim;

/** The same, with the first character of every command as its code, for all text that may come into a log. */
export const inert = (text: string, code = codeOf): string => visible(text).replaceAll(command, code);

function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;
}
