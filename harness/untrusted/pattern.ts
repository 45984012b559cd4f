/** Patterns of a profile over foreign texts: one that a text keeps busy for years is given up on it; and texts as patterns. */
import vm from 'node:vm';
import { limits } from './limits.ts';

const given: { work?: () => unknown } = {};
const context = vm.createContext(given);
const script = new vm.Script('work()');
/** Patterns with texts that took too long: a mailbox is read again and again. */
const givenUp = new Set<string>();
const mostGivenUp = 100;
/** The patterns of which texts were given up: time for each text, half as long each time, and what they took since, in milliseconds. */
const slow = new Map<string, { readonly timeoutMs: number; readonly tookMs: number }>();
/** A usual text takes one. */
const leastMs = 100;

/** Whether all that is done now is within one bound. */
let together = false;

/**
 * What `work` gives, which looks for patterns in many texts and may be begun anew: a bound for each text costs a thread.
 * Where all of it takes too long, each text has its own.
 */
export function inOneGo<T>(work: () => T): T {
  if (together) return work();
  together = true;
  try {
    return within(limits.patternMs.most, work);
  } catch (error) {
    if (!isLate(error)) throw error;
  } finally {
    together = false;
  }
  return work();
}

/** The first match in a text; `null` also where it is not found within the bounds. */
export function firstMatch(pattern: RegExp, text: string): RegExpExecArray | null {
  const name = `${pattern}`;
  const both = `${name} ${text}`;
  const known = slow.get(name);
  if (givenUp.has(both) || (known && known.tookMs > limits.slowPatternMs.most)) return null;
  if (together && !known) return pattern.exec(text);
  const timeoutMs = known?.timeoutMs ?? limits.patternMs.most;
  const startedMs = performance.now();
  const tookMs = () => (known?.tookMs ?? 0) + performance.now() - startedMs;
  try {
    const found = within(timeoutMs, () => pattern.exec(text));
    if (known) slow.set(name, { timeoutMs, tookMs: tookMs() });
    return found;
  } catch (error) {
    if (!isLate(error)) throw error;
    // Texts are large.
    if (givenUp.size >= mostGivenUp) givenUp.clear();
    givenUp.add(both);
    slow.set(name, { timeoutMs: Math.max(leastMs, timeoutMs / 2), tookMs: tookMs() });
    return null;
  }
}

/** @throws what `isLate` knows where the time is up */
function within<T>(timeout: number, work: () => T): T {
  given.work = work;
  return script.runInContext(context, { timeout }) as T;
}

const isLate = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** A text as a pattern that matches it alone. */
export function escapedPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
