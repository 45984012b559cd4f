/** Finds a one-time password in the texts of a message. */
import { firstMatch, inOneGo } from '../../untrusted/pattern.ts';

/** Excludes codes that are not for entering, such as a reference code. */
const other = '(?<!\\b(?:reference|order|booking|tracking|document|customer|country|area|postal|zip)[ -])';
const word = `${other}(?:one[- ]time (?:password|code|pin)|verification code|security code|passcode|password|code|otp|pin|tan|kode)`;
/** Four to eight digits that are not part of a word, a date, a time, a signed number or an address. */
const alone = '(?<![\\w+./:#@-])(\\d{4,8})(?![\\w@/:-]|[.,]\\d)';
const halves = '(?<![\\w+./:-])(\\d{3}[ -]\\d{3})(?![\\w-])';

/** Digits that stand alone, unless they are a year, as in many footers. */
const standing = new RegExp(`(?!(?:19|20)\\d{2}(?!\\d))${alone}`);

/** Patterns of codes, from the surest to the least sure. */
const ways: readonly (readonly [RegExp, sure: boolean])[] = [
  [new RegExp(`\\b${word}\\b(?:\\s+(?:is|was|ist|lautet))?[\\s:="'*]*${alone}`, 'i'), true],
  [new RegExp(`\\b${word}\\b(?:\\s+(?:is|was))?[\\s:="'*]*${halves}`, 'i'), true],
  [new RegExp(`${alone}\\s+(?:is|as)\\s+(?:your|the)\\b`, 'i'), true],
  // After "code is kxbqvn", or after the end of a sentence, the number may be something else.
  [new RegExp(`\\b${word}\\b(?:(?!\\sis\\s+[^\\s\\d])[^\\d.!?]){0,80}?${alone}`, 'i'), true],
  [new RegExp(`\\b${word}\\b[^\\d]{0,80}?${alone}`, 'i'), false],
  [standing, false],
];

const unit = '\\s?(?:s|m|h|sec\\w*|sek\\w*|min\\w*|stunden|hours?)\\b';

export interface FoundCode {
  readonly code: string;
  /** Whether the text tells that it is a code: digits that stand alone may be something else. */
  readonly sure: boolean;
}

/** The code that the message most likely carries; `pattern` gives its first group, or all of it. */
export function findCode(texts: readonly string[], pattern: RegExp | undefined): FoundCode | undefined {
  if (pattern) {
    const [code, ...others] = inOneGo(() => texts.flatMap((text) => matches(pattern, text)));
    if (code === undefined) return undefined;
    const digits = withoutGaps(code);
    // It may be shown in groups of digits that are entered without what stands between them.
    if (digits !== code && /^\d+$/.test(digits)) return { code: digits, sure: false };
    if (!/^\d+$/.test(code)) return { code, sure: true };
    // The pattern may be wrong where it finds a span of time, or another number than the one that the message calls a
    // code. Where the message calls none so, a pattern of digits alone that finds several numbers may be wrong, too.
    const isSpan = code.length < 4 || texts.some((text) => new RegExp(`\\b${code}${unit}`, 'i').test(text));
    const isOneOfMany = !saysMore(pattern) && others.some((each) => each !== code);
    const told = findCode(texts, undefined);
    return { code, sure: !isSpan && (told?.sure ? told.code === code : !isOneOfMany) };
  }
  const bare = texts.map((text) => text.replaceAll(/https?:\/\/\S+/gi, ' '));
  for (const [way, sure] of ways) {
    for (const text of bare) {
      const found = way.exec(text)?.[1];
      if (found) return { code: withoutGaps(found), sure };
    }
  }
  return undefined;
}

const withoutGaps = (code: string) => code.replaceAll(/[ \u00a0\u202f-]/g, '');

/** How many numbers of a text are compared. */
const matchesMost = 20;

/** What a pattern finds in a text, one after the other. */
function matches(pattern: RegExp, text: string): readonly string[] {
  const all = new RegExp(pattern, `${pattern.flags.replace('g', '')}g`);
  const found: string[] = [];
  for (
    let match = firstMatch(all, text);
    match && found.length < matchesMost;
    match = firstMatch(all, text)
  ) {
    found.push(match.slice(1).find((group) => group !== undefined) ?? match[0]);
    if (match[0] === '') all.lastIndex += 1;
  }
  return found;
}

/** Letters and signs in a pattern that stand for no text: kinds of groups, classes and escapes. */
const syntax = /\(\?(?:<?[=!]|:|<\w+>)|\[[^[\]]*\]|\\[a-z]/gi;

/** The code in texts that no person reads, such as markup, ids and times. It is sure where the pattern says what stands beside it. */
export function findBeside(texts: readonly string[], pattern: RegExp): FoundCode | undefined {
  const found = findCode(texts, pattern);
  return found && { ...found, sure: found.sure && saysMore(pattern) };
}

/** Whether a pattern says what stands beside the code. */
const saysMore = (pattern: RegExp) => /[<>="#:]|\p{L}/u.test(pattern.source.replaceAll(syntax, ''));
