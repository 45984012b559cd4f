/** Makes text that a target sent harmless where it is shown: nothing invisible, nothing that moves what is around it. */

// Control characters, and those that are invisible or turn the direction of the text around them.
const unseen = /[^\P{C}\n\t]|[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u061c]/gu;

/** Text as it was sent, with every character that one would not see written as its code. */
export function visible(text: string): string {
  return text.replace(unseen, codeOf);
}

/** What stands for a character that is not shown as it is. */
export function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;
}
