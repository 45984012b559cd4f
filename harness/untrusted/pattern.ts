/** Runs patterns of a profile over foreign texts, within a time: some pairs would take years. Also makes texts into patterns. */
import { spawnSync } from 'node:child_process';
import vm from 'node:vm';
import { limits } from './limits.ts';

const given: { work?: () => unknown } = {};
const context = vm.createContext(given);
const script = new vm.Script('work()');
/** Pairs of pattern and text that took too long: they are not tried again, though a mailbox is read again and again. */
const givenUp = new Set<string>();
const mostGivenUp = 100;
/** Patterns that were too slow once: the time that a text gets, halved each time, and the time taken since, in milliseconds. */
const slow = new Map<string, { readonly timeoutMs: number; readonly tookMs: number }>();
/** The least time for a text; a usual one needs 1 ms. */
const leastMs = 100;

/** Whether one bound holds for everything that runs now. */
let together = false;

/**
 * The result of `work`, which searches many texts and may be run twice. It has one bound as a whole, since a bound for
 * each text is expensive. Where the whole takes too long, it runs again with a bound for each text.
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

/** The first match in a text; `null` where there is none, or none was found within the bounds. */
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
    // The set holds large texts, so it is emptied when it is full.
    if (givenUp.size >= mostGivenUp) givenUp.clear();
    givenUp.add(both);
    slow.set(name, { timeoutMs: Math.max(leastMs, timeoutMs / 2), tookMs: tookMs() });
    return null;
  }
}

/** @throws the error that `isLate` tests for, when the time is up */
function within<T>(timeout: number, work: () => T): T {
  given.work = work;
  return script.runInContext(context, { timeout }) as T;
}

const isLate = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

const trial = `for (const each of require('node:fs').readFileSync(0, 'utf8').split('\\0'))
  for (const flags of ['', 'u']) try { new RegExp(each, flags).exec('\\u0100') } catch {}`;

/** Whether patterns of strangers are made in time: some take V8 for ever, and only another process can be ended meanwhile. */
export function areMadeInTime(patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true;
  if (patterns.some((each) => each.includes('\0'))) return false;
  const how = { input: patterns.join('\0'), timeout: limits.slowPatternMs.most, windowsHide: true };
  return spawnSync(process.execPath, ['-e', trial], how).status === 0;
}

/** The pattern that matches exactly this text. */
export const escapedPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
