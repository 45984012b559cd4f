/** Plain text from what mailboxes hold: HTML, entities, encoded words, transfer encodings. */

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  zwnj: '',
  zwj: '',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  copy: '©',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
};

/** Character references of HTML as characters; unknown names stay as they are. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name as string] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

export function isMarkup(text: string): boolean {
  return /<(?:!doctype|\/?(?:html|head|body|div|p|a|b|br|span|table|td|strong|em|h[1-6]|img|pre|ul|li))\b[^>]*>/i.test(
    text,
  );
}

/** What a reader sees of an HTML text: without markup, comments, styles and scripts, and with what entities stand for. */
export function strip(markup: string): string {
  const bare = markup
    .replaceAll(/<!--[\s\S]*?-->/g, ' ')
    .replaceAll(/<(style|script|head|title)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replaceAll(/<\/?(?:b|i|em|strong|span|a|font|u|small|wbr)\b[^>]*>/gi, '')
    .replaceAll(/<[^>]*>/g, ' ');
  return decodeEntities(bare);
}

/** White space as single spaces: plain e-mails are wrapped at any place. */
export function fold(text: string): string {
  return text.replaceAll(/[\s\u00a0\u200b]+/g, ' ').trim();
}

/** A leaf as text that can be searched: encoded words and quoted-printable are undone. */
export function decodeLeaf(text: string): string {
  const words = text.includes('=?') ? decodeWords(text) : text;
  // A soft line break or an encoded equals sign is hardly ever in a text that is not quoted-printable.
  return /=\r?\n/.test(words) ? decodeQuotedPrintable(words) : words;
}

/** RFC 2045, section 6.7. */
export function decodeQuotedPrintable(text: string): string {
  const joined = text.replaceAll(/[ \t]*=\r?\n/g, '');
  return joined.replaceAll(/(?:=[0-9A-F]{2})+/gi, (encoded) =>
    Buffer.from(encoded.replaceAll('=', ''), 'hex').toString('utf8'),
  );
}

/** RFC 2047; texts in other character sets than UTF-8 and Latin-1 stay encoded. */
function decodeWords(text: string): string {
  const adjacent = text.replaceAll(/\?=\s+=\?/g, '?==?');
  return adjacent.replaceAll(
    /=\?(utf-8|us-ascii|iso-8859-1)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi,
    (_whole, charset: string, encoding: string, encoded: string) => {
      const bytes =
        encoding.toLowerCase() === 'b'
          ? Buffer.from(encoded, 'base64')
          : Buffer.from(
              encoded
                .replaceAll('_', ' ')
                .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) =>
                  String.fromCharCode(Number.parseInt(hex, 16)),
                ),
              'latin1',
            );
      return bytes.toString(charset.toLowerCase() === 'iso-8859-1' ? 'latin1' : 'utf8');
    },
  );
}
