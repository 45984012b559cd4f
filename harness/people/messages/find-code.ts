/** Finds a one-time password in the texts of a message. */
import { firstMatch, inOneGo } from '../../untrusted/pattern.ts';

/** A reference code is no code that is entered. */
const other = '(?<!\\b(?:reference|order|booking|tracking|document|customer|country|area|postal|zip)[ -])';
const word = `${other}(?:one[- ]time (?:password|code|pin)|verification code|security code|passcode|password|code|otp|pin|tan|kode)`;
/** Four to eight digits that are no part of a word, a date, a time, a number with a sign or an address. */
const alone = '(?<![\\w+./:#@-])(\\d{4,8})(?![\\w@/:-]|[.,]\\d)';
const halves = '(?<![\\w+./:-])(\\d{3}[ -]\\d{3})(?![\\w-])';

/** A year stands alone in many a footer. */
const standing = new RegExp(`(?!(?:19|20)\\d{2}(?!\\d))${alone}`);

/** From the surest to the least sure. */
const ways: readonly (readonly [RegExp, sure: boolean])[] = [
  [new RegExp(`\\b${word}\\b(?:\\s+(?:is|was|ist|lautet))?[\\s:="'*]*${alone}`, 'i'), true],
  [new RegExp(`\\b${word}\\b(?:\\s+(?:is|was))?[\\s:="'*]*${halves}`, 'i'), true],
  [new RegExp(`${alone}\\s+(?:is|as)\\s+(?:your|the)\\b`, 'i'), true],
  // After "code is kxbqvn" or the end of a sentence it may be the number of something else.
  [new RegExp(`\\b${word}\\b(?:(?!\\sis\\s+[^\\s\\d])[^\\d.!?]){0,80}?${alone}`, 'i'), true],
  [new RegExp(`\\b${word}\\b[^\\d]{0,80}?${alone}`, 'i'), false],
  [standing, false],
];

const unit = '\\s?(?:s|m|h|sec\\w*|sek\\w*|min\\w*|stunden|hours?)\\b';

export interface FoundCode {
  readonly code: string;
  /** Digits that merely stand alone may be something else. */
  readonly sure: boolean;
}

/** The code that the message most likely carries; `pattern` gives its first group, or all of it. */
export function findCode(texts: readonly string[], pattern: RegExp | undefined): FoundCode | undefined {
  if (pattern) {
    const [code, ...others] = inOneGo(() => texts.flatMap((text) => firstTwo(pattern, text)));
    if (code === undefined) return undefined;
    if (!/^\d+$/.test(code)) return { code, sure: true };
    // The pattern may be wrong where it finds a span of time, or another number than the one of which the message tells
    // by itself; where that tells of none, also where it says nothing but digits and finds several numbers.
    const isSpan = code.length < 4 || texts.some((text) => new RegExp(`\\b${code}${unit}`, 'i').test(text));
    const isOneOfMany = !saysMore(pattern) && others.some((each) => each !== code);
    const told = findCode(texts, undefined);
    return { code, sure: !isSpan && (told?.sure ? told.code === code : !isOneOfMany) };
  }
  const bare = texts.map((text) => text.replaceAll(/https?:\/\/\S+/gi, ' '));
  for (const [way, sure] of ways) {
    for (const text of bare) {
      const found = way.exec(text)?.[1];
      if (found) return { code: found.replaceAll(/[ -]/g, ''), sure };
    }
  }
  return undefined;
}

/** What a pattern finds in a text at first, and behind that. */
function firstTwo(pattern: RegExp, text: string): readonly string[] {
  const first = firstMatch(pattern, text);
  if (!first) return [];
  const second = firstMatch(pattern, text.slice(first.index + first[0].length));
  return [first, ...(second ? [second] : [])].map(([whole, group = whole]) => group);
}

/** What a pattern says in letters and signs that are none of the text: kinds of groups, classes and escapes. */
const syntax = /\(\?(?:<?[=!]|:|<\w+>)|\[[^[\]]*\]|\\[a-z]/gi;

/** The code in what no person is shown as a text, such as markup, ids and times: it is sure where the pattern says what stands beside it. */
export function findBeside(texts: readonly string[], pattern: RegExp): FoundCode | undefined {
  const found = findCode(texts, pattern);
  return found && { ...found, sure: found.sure && saysMore(pattern) };
}

/** Whether a pattern says what stands beside the code. */
const saysMore = (pattern: RegExp) => /[<>="#:]|\p{L}/u.test(pattern.source.replaceAll(syntax, ''));
