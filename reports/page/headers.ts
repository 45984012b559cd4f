/** Header fields that every call has and that say nothing about it: the page names them once. */
import type { Exchange } from '../../record/exchange.ts';

type Header = Exchange['request']['headers'][number];

/** What is left out, in words. */
export const usualHeaders =
  'Host as in the URL, Accept: */*, User-Agent of the suite, Date, Connection: keep-alive and Keep-Alive';

/** The header fields without those of which each call has the same; one with another value stays. */
export function telling(headers: readonly Header[], url?: string): Header[] {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : null;
  return headers.filter(([name, value]) => {
    const usual = usualValue(name.toLowerCase(), host);
    return usual !== 'any' && usual !== value.toLowerCase();
  });
}

function usualValue(name: string, host: string | null): string | null {
  switch (name) {
    case 'host':
      return host;
    case 'accept':
      return '*/*';
    case 'user-agent':
      return 'esign-conformance';
    case 'connection':
      return 'keep-alive';
    case 'date':
    case 'keep-alive':
      return 'any';
    default:
      return null;
  }
}
