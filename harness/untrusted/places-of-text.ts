/** Finds a text wherever a service may put it: in the body, in a header or in the reason phrase. */
import type { HeaderField } from '../../record/exchange.ts';
import { parseJson } from '../../record/json.ts';
import { leaves } from './payload/tree.ts';
import { percentDecoded } from './text.ts';

/** The parts of an answer that are searched. */
interface Searched {
  readonly text: string;
  readonly headers: readonly HeaderField[];
  readonly reason: string;
}

/**
 * The places of a text in words, each once: `body /title`, `body (a JSON string)`, `body`, `header X-Error`,
 * `reason phrase`. Case, white space and punctuation do not matter. List positions are shown as `*`.
 */
export function placesOfText(wanted: string, { text, headers, reason }: Searched): string[] {
  const looked = lettersOf(wanted);
  const holds = (value: string) => lettersOf(value).includes(looked);
  const inJson = leaves(parseJson(text))
    .filter(({ value }) => holds(String(value)))
    .map(({ pointer }) => `body ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*') || '(a JSON string)'}`);
  const inBody = inJson.length > 0 ? inJson : holds(text) ? ['body'] : [];
  const inHeaders = headers
    .filter(([, value]) => holds(percentDecoded(value)))
    .map(([name]) => `header ${name}`);
  return [...new Set([...inBody, ...inHeaders, ...(holds(reason) ? ['reason phrase'] : [])])];
}

/** The letters and digits of a text: services separate words by blanks, hyphens, plus signs or nothing. */
function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/&(nbsp|#160|#xa0);/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
