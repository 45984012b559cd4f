/** Patterns of a profile over foreign texts: one that a text keeps busy for years is given up on it; and texts as patterns. */
import vm from 'node:vm';
import { limits } from './limits.ts';

const given: { pattern?: RegExp; text?: string } = {};
const context = vm.createContext(given);
const search = new vm.Script('pattern.exec(text)');
/** Patterns with texts that took too long: a mailbox is read again and again. */
const givenUp = new Set<string>();
const mostGivenUp = 100;
/** Time for the patterns of which texts were given up, in milliseconds: each time half as long. */
const shortened = new Map<string, number>();
/** A usual text takes one. */
const leastMs = 100;

/** The first match in a text; `null` also where it is not found within the bound. */
export function firstMatch(pattern: RegExp, text: string): RegExpExecArray | null {
  const both = `${pattern} ${text}`;
  if (givenUp.has(both)) return null;
  Object.assign(given, { pattern, text });
  const timeout = shortened.get(`${pattern}`) ?? limits.patternMs.most;
  try {
    return search.runInContext(context, { timeout }) as RegExpExecArray | null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    // Texts are large.
    if (givenUp.size >= mostGivenUp) givenUp.clear();
    givenUp.add(both);
    shortened.set(`${pattern}`, Math.max(leastMs, timeout / 2));
    return null;
  }
}

/** A text as a pattern that matches it alone. */
export function escapedPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
