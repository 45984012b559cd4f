/** Reads times as services write them: ISO 8601, HTTP dates, numbers since 1970 in four units, the form of .NET; and durations. */

/** How a time is written. With `auto`, the type of the value decides, and the size of a number shows its unit. */
interface TimeForm {
  readonly format?: 'auto' | 'text' | 'unix';
  readonly unit?: 's' | 'ms' | 'us' | 'ns';
}

/** The longest time, in characters; a longer text is not given to the parser of dates. */
const longest = 64;

const perMs = { s: 1e-3, ms: 1, us: 1e3, ns: 1e6 } as const;

/** Within the years 2000 to 2100, the numbers of the four units do not overlap. */
const earliestMs = Date.UTC(2000, 0);
const latestMs = Date.UTC(2100, 0);

/** Milliseconds since 1970, or `undefined` when it is no time of this century. */
export function timeOf(value: unknown, { format = 'auto', unit }: TimeForm = {}): number | undefined {
  const text = typeof value === 'string' && value.length <= longest ? value.trim() : '';
  const number = typeof value === 'number' ? value : /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  if (number !== undefined) {
    if (format === 'text') return undefined;
    const units = unit ? [unit] : (['s', 'ms', 'us', 'ns'] as const);
    return units.map((name) => number / perMs[name]).find(plausible);
  }
  if (text === '' || format === 'unix') return undefined;
  const dotNet = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/.exec(text)?.[1];
  const ms = dotNet ? Number(dotNet) : Date.parse(withZone(text));
  return plausible(ms) ? ms : undefined;
}

/** A time without a zone counts as UTC: only the order of times of the same target matters. */
function withZone(text: string): string {
  return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text)
    ? `${text.replace(' ', 'T')}Z`
    : text;
}

const plausible = (ms: number): boolean => ms >= earliestMs && ms < latestMs;

const duration =
  /^P(?=[\dT])(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?)?$/;

/** Milliseconds of an ISO 8601 duration in weeks, days, hours, minutes and seconds, such as `PT1H30M`. */
export function durationMs(text: string): number | undefined {
  const parts = text.length <= longest ? duration.exec(text)?.slice(1) : undefined;
  const seconds = [604_800, 86_400, 3_600, 60, 1];
  return parts?.reduce((sum, part = '0', at) => sum + Number(part) * (seconds[at] ?? 0) * 1_000, 0);
}
