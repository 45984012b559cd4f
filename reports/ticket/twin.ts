/** The accepted call that is most like one that was judged, and what differs between the two. */
import type { Exchange } from '../exchange-schema.ts';
import type { Run } from '../run.ts';

export interface Twin {
  readonly exchange: Exchange;
  readonly differences: readonly Difference[];
}

export interface Difference {
  /** Path in the body, or `header NAME`. */
  readonly where: string;
  /** As JSON or as text; `null` where it is absent. */
  readonly here: string | null;
  readonly there: string | null;
}

/** Calls that a target is asked to accept. */
const plain: readonly Exchange['purpose'][] = ['judged', 'shared', 'flow'];

/** Headers that say nothing about the call itself. */
const ofTransport = new Set(['host', 'content-length', 'connection', 'accept', 'user-agent', 'date']);

/** Of the calls of the same operation that were rightly accepted, the one that differs least in what matters. */
export function twinOf(run: Run, exchange: Exchange): Twin | undefined {
  const blamed = new Set(
    run.requirements.flatMap(({ checks }) =>
      checks.flatMap(({ rows }) => rows.flatMap((row) => (row.verdict === 'failed' ? row.exchanges : []))),
    ),
  );
  const accepted = run.exchanges.filter(
    (each) =>
      each.operation !== null &&
      each.operation === exchange.operation &&
      plain.includes(each.purpose) &&
      !blamed.has(each.index) &&
      each.violations.length === 0 &&
      isAccepted(each),
  );
  let best: { twin: Twin; weight: number } | undefined;
  for (const each of accepted) {
    const differences = differencesOf(exchange, each);
    const weight = differences.reduce((sum, difference) => sum + weightOf(difference), 0);
    // A call that is the same but for its people and title shows nothing.
    if (differences.every(isFresh) || (best && weight >= best.weight)) continue;
    best = { twin: { exchange: each, differences }, weight };
  }
  return best?.twin;
}

function isAccepted({ response }: Exchange): boolean {
  return response !== null && response.status >= 200 && response.status < 300;
}

/** Fields whose texts are chosen anew for each call. */
const chosenAnew = /(?:^|\.)(?:Email|Name|Title|CallbackUrl|Documents\[\d+\])$/;

/** Whether it is only one of the texts that differ from call to call anyhow. */
export function isFresh({ where, here, there }: Difference): boolean {
  const texts = [here, there].every((value) => value !== null && value.length > 2 && value.startsWith('"'));
  return texts && chosenAnew.test(where);
}

function weightOf(difference: Difference): number {
  if (isFresh(difference)) return 1;
  // What the judged call lacks is what repairs it, more often than another value is.
  if (difference.here === null) return 15;
  return difference.there === null ? 30 : 20;
}

/** What is not the same in two requests. */
export function differencesOf(one: Exchange, other: Exchange): Difference[] {
  const here = partsOf(one);
  const there = partsOf(other);
  return [...new Set([...here.keys(), ...there.keys()])]
    .map((where) => ({ where, here: here.get(where) ?? null, there: there.get(where) ?? null }))
    .filter((each) => each.here !== each.there);
}

function partsOf({ request }: Exchange): Map<string, string> {
  const parts = new Map<string, string>();
  for (const [name, value] of request.headers) {
    if (!ofTransport.has(name.toLowerCase())) parts.set(`header ${name.toLowerCase()}`, boundless(value));
  }
  const { body } = request;
  if (!body) return parts;
  const json = jsonOf(body.text);
  if (json !== undefined) leaves(json, '', parts);
  else if (body.text !== undefined) parts.set('the body', JSON.stringify(body.text));
  else parts.set('the file', `${body.size} bytes, SHA-256 ${body.sha256.slice(0, 16)}…`);
  return parts;
}

/** The boundary of a multipart body is drawn anew each time. */
function boundless(value: string): string {
  return value.replace(/boundary=("[^"]*"|[^;]*)/i, 'boundary=…');
}

function jsonOf(text: string | undefined): unknown {
  if (text === undefined || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every value of a body under its path: `OTP.Type`, `Documents[0]`. */
function leaves(value: unknown, path: string, parts: Map<string, string>): void {
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0) {
    parts.set(path || 'the body', JSON.stringify(value));
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    leaves(inner, Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key, parts);
  }
}
