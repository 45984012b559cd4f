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

/** After "code is kxbqvn", or after the end of a sentence, the number may be something else. */
const anywhereBehind = new RegExp(`\\b${word}\\b(?:(?!\\sis\\s+[^\\s\\d])[^\\d.!?]){0,80}?${alone}`, 'i');
/** Another number in the rest of the sentence. */
const anotherBehind = new RegExp(`^[^.!?]{0,40}?(?:${alone}|${halves})`);

/** Patterns of codes, from the surest to the least sure. */
const ways: readonly (readonly [RegExp, sure: boolean])[] = [
  [new RegExp(`\\b${word}\\b(?:\\s+(?:is|was|ist|lautet))?[\\s:="'*]*${alone}`, 'i'), true],
  [new RegExp(`\\b${word}\\b(?:\\s+(?:is|was))?[\\s:="'*]*${halves}`, 'i'), true],
  [new RegExp(`${alone}\\s+(?:is|as)\\s+(?:your|the)\\b`, 'i'), true],
  [anywhereBehind, true],
  [new RegExp(`\\b${word}\\b[^\\d]{0,80}?${alone}`, 'i'), false],
  [standing, false],
];

const unit = '\\s?(?:s|m|h|sec\\w*|sek\\w*|min\\w*|stunden|hours?)\\b';

interface FoundCode {
  readonly code: string;
  /** Whether the text tells that it is a code: digits that stand alone may be something else. */
  readonly sure: boolean;
}

/** The code that the message most likely carries; `pattern` gives its first group, or all of it. */
export function findCode(texts: readonly string[], pattern: RegExp | undefined): FoundCode | undefined {
  return pattern ? codeBy(pattern, texts) : likelyCode(texts);
}

function codeBy(pattern: RegExp, texts: readonly string[]): FoundCode | undefined {
  const [first, ...others] = inOneGo(() => texts.flatMap((text) => matches(pattern, text)));
  if (first === undefined) return undefined;
  const { code } = first;
  if (first.isPart) return { code, sure: false };
  const digits = withoutGaps(code);
  // It may be shown in groups of digits that are entered without what stands between them.
  if (digits !== code && /^\d+$/.test(digits)) return { code: digits, sure: false };
  // A pattern that says nothing of what stands beside a code may be wrong where it finds several.
  const isOneOfMany = !saysMore(pattern) && others.some((each) => each.code !== code);
  if (!/^\d+$/.test(code)) return { code, sure: !isOneOfMany };
  // It may be wrong, too, where it finds a span of time, or another number than the one that the message calls a code.
  const isSpan = code.length < 4 || texts.some((text) => new RegExp(`\\b${code}${unit}`, 'i').test(text));
  const told = likelyCode(texts);
  return { code, sure: !isSpan && (told?.sure ? told.code === code : !isOneOfMany) };
}

function likelyCode(texts: readonly string[]): FoundCode | undefined {
  const bare = texts.map((text) => text.replaceAll(/https?:\/\/\S+/gi, ' '));
  for (const [way, sure] of ways) {
    for (const text of bare) {
      const found = way.exec(text);
      if (!found?.[1]) continue;
      // "Your code for contract 10452 is 883412": the number that comes first may be another one.
      const rest = text.slice(found.index + found[0].length);
      const isOther = way === anywhereBehind && anotherBehind.test(rest);
      return { code: withoutGaps(found[1]), sure: sure && !isOther };
    }
  }
  return undefined;
}

const withoutGaps = (code: string) => code.replaceAll(/[ \u00a0\u202f-]/g, '');

/** How many numbers of a text are compared. */
const matchesMost = 20;

interface Match {
  readonly code: string;
  /** It is a part of a word: `\w` stops at a letter that is not of ASCII, and `\d{4}` within a longer number. */
  readonly isPart: boolean;
}

/** What a pattern finds in a text, one after the other. */
function matches(pattern: RegExp, text: string): readonly Match[] {
  const all = new RegExp(pattern, `${pattern.flags.replaceAll(/[dg]/g, '')}dg`);
  const found: Match[] = [];
  for (
    let match = firstMatch(all, text);
    match && found.length < matchesMost;
    match = firstMatch(all, text)
  ) {
    const group = Math.max(
      0,
      match.findIndex((each, index) => index > 0 && each !== undefined),
    );
    const [start = 0, end = 0] = match.indices?.[group] ?? [];
    const isPart = letter.test(text.slice(start - 1, start)) || letter.test(text.slice(end, end + 1));
    found.push({ code: match[group] ?? '', isPart });
    if (match[0] === '') all.lastIndex += 1;
  }
  return found;
}

const letter = /[\p{L}\p{M}\p{N}]/u;

/** Letters and signs in a pattern that stand for no text: kinds of groups, classes and escapes. */
const syntax = /\(\?(?:<?[=!]|:|<\w+>)|\[[^[\]]*\]|\\[a-z]/gi;

/** The code in texts that no person reads, such as markup, ids and times. It is sure where the pattern says what stands beside it. */
export function findBeside(texts: readonly string[], pattern: RegExp): FoundCode | undefined {
  const found = findCode(texts, pattern);
  return found && { ...found, sure: found.sure && saysMore(pattern) };
}

/** Whether a pattern says what stands beside the code. */
const saysMore = (pattern: RegExp) => /[<>="#:]|\p{L}/u.test(pattern.source.replaceAll(syntax, ''));
