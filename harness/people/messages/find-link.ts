/** Finds the link to the signing page in the texts of an e-mail. */
import { decodeEntities, readHtml } from '../../untrusted/html.ts';
import { limits } from '../../untrusted/limits.ts';
import { firstMatch, inOneGo } from '../../untrusted/pattern.ts';
import { percentDecoded } from '../../untrusted/text.ts';
import type { SigningTask } from '../driver.ts';

/** Links that every newsletter template has, and addresses that are names of schemas rather than pages. */
const elsewhere =
  /unsubscribe|opt-?out|privacy|imprint|impressum|terms|support\b|\/help|w3\.org|schemas?\.(?:microsoft|xmlsoap)|fonts\.g|facebook\.|twitter\.|linkedin\.|instagram\.|apps\.apple|play\.google/i;
const picture = /\.(?:png|jpe?g|gif|svg|webp|ico|css|woff2?)(?:[?#]|$)/i;

/** How sure it is that a link leads to the signing page of this person. */
const sure = { namesRequest: 2, soundsLikeIt: 1, unknown: 0 } as const;

interface FoundLink {
  readonly url: string;
  readonly certainty: number;
}

/** The link that fits best, the first one of several that fit equally. */
export function findLink(
  leaves: readonly string[],
  task: Pick<SigningTask, 'requestId' | 'signatoryId'>,
  pattern: RegExp | undefined,
): FoundLink | undefined {
  const found = pattern ? inOneGo(() => linksMatching(leaves, pattern)) : leaves.flatMap(linksIn);
  let best: FoundLink | undefined;
  for (const url of found) {
    const certainty = certaintyOf(url, task);
    if (!best || certainty > best.certainty) best = { url, certainty };
  }
  return best;
}

function linksMatching(leaves: readonly string[], pattern: RegExp): string[] {
  return leaves.flatMap((leaf) => {
    const match = firstMatch(pattern, decodeEntities(leaf));
    if (!match) return [];
    // The link will be opened, so only a web page counts. The group of the pattern may be the link, encoded or not, or only
    // its token; where the pattern matches a part of an address, the whole address is meant.
    const found = match[1] === undefined ? [] : [match[1], percentDecoded(match[1])];
    const around = bareAddresses(match.input).filter((address) => address.includes(match[0]));
    const url = [...found, match[0], ...around].find(isPage);
    return url ? [url] : [];
  });
}

/** Targets of anchors in HTML; bare addresses in plain text, or in HTML that has no anchor. */
export function linksIn(leaf: string): string[] {
  const { isMarkup, links } = readHtml(leaf);
  const targets = isMarkup ? links : [];
  const addresses = targets.length > 0 ? targets : bareAddresses(isMarkup ? decodeEntities(leaf) : leaf);
  return addresses.filter((address) => isPage(address) && !elsewhere.test(address) && !picture.test(address));
}

function bareAddresses(text: string): readonly string[] {
  return [...text.matchAll(/https?:\/\/(?:\[[\da-f:.]+\])?[^\s<>"'`\]]+/gi)].map(([address]) =>
    withoutEnd(address),
  );
}

function isPage(address: string): boolean {
  const isLong = address.length > limits.linkCharacters.most;
  return /^https?:\/\//i.test(address) && !isLong && URL.canParse(address);
}

/** The address without the punctuation of the sentence around it. */
function withoutEnd(address: string): string {
  // A bracket that the address itself opens belongs to it.
  const signs = address.includes('(') ? '.,;:!?' : '.,;:!?)}*_';
  let end = address.length;
  while (end > 0 && signs.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

function certaintyOf(
  url: string,
  { requestId, signatoryId }: Pick<SigningTask, 'requestId' | 'signatoryId'>,
) {
  if ((signatoryId && url.includes(signatoryId)) || (requestId && url.includes(requestId)))
    return sure.namesRequest;
  return /sign|approv|review|request|document|envelope|invit/i.test(url) ? sure.soundsLikeIt : sure.unknown;
}

/** Query parameters in which a link that counts clicks carries the address behind it. */
const leadsOn = /^(?:u|url|to|target|link|l|dest|destination|href|goto)$/i;

/** Addresses within addresses that are followed at most. */
const mostHops = 4;

/** Whether a part looks random, as secrets do. */
const isDrawn = (part: string) => /^(?=.*\d)\S{8,}$/.test(part) && !isPage(part);

/** The decoded parts of the path, and the route behind a `#`. */
function partsOf({ pathname, hash }: URL) {
  const path = pathname.split('/').filter((part) => part !== '');
  return { path: path.map(percentDecoded), route: hash.slice(hash.lastIndexOf('/') + 1).replace(/^#/, '') };
}

/** The secret part of a signing link: the pattern's group, its query value `token` or the like, or its last part. */
export function tokenOf(link: string, pattern?: RegExp, hops = mostHops): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const group = pattern && firstMatch(pattern, link)?.[1];
  // A group that the pattern spells out, as in `/(sign|review)/`, is no token.
  const isWord = group !== undefined && pattern?.source.includes(group);
  if (group !== undefined && !isWord && !isPage(group) && !isPage(percentDecoded(group)))
    return percentDecoded(group);
  const url = new URL(link);
  for (const name of ['token', 'accessToken', 'access_token', 'key', 't']) {
    const value = url.searchParams.get(name);
    if (value) return value;
  }
  const { path, route } = partsOf(url);
  // A link that counts clicks carries the address of the signing page; a signing page may carry that of the page after it.
  const page = [...url.searchParams].find(([name, value]) => leadsOn.test(name) && isPage(value))?.[1];
  if (page !== undefined && hops > 0) {
    const inner = tokenOf(page, undefined, hops - 1);
    const isElsewhere = new URL(page).host !== url.host && isDrawn(inner ?? '');
    if (isElsewhere || !path.some(isDrawn)) return inner;
  }
  // A plain word as the last part names a page: then the token is another part that looks random.
  const last = path.at(-1);
  if (last !== undefined && !/^[a-z_-]+$/i.test(last)) return last;
  return [...url.searchParams.values(), route, ...path.toReversed()].find(isDrawn) ?? last;
}

/** All parts of a link that may give access, as they look random: the end of its path, its query values, its route. */
export function drawnIn(link: string, hops = mostHops): readonly string[] {
  if (hops === 0 || !URL.canParse(link)) return [];
  const url = new URL(link);
  const { path, route } = partsOf(url);
  const values = [...url.searchParams.values()];
  const inner = values.filter(isPage).flatMap((page) => drawnIn(page, hops - 1));
  return [...path.slice(-1), ...values, route].filter(isDrawn).concat(inner);
}
