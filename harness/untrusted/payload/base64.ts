/** Base64 as payloads have it: with line breaks, in the URL alphabet, in `data:` URLs. */

/** The bytes, or `undefined` when the text is no base64. */
export function base64Bytes(text: string): Buffer | undefined {
  const compact = (/\s/.test(text) ? text.replaceAll(/\s+/g, '') : text)
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  const padding = compact.endsWith('==') ? 2 : Number(compact.endsWith('='));
  if ((compact.length - padding) % 4 === 1) return undefined;
  return Buffer.from(compact, 'base64');
}

/** Why a text is no base64, without quoting more of it than one character. */
export function notBase64(text: string): string {
  const at = text.search(/[^A-Za-z0-9+/_=\s-]/);
  if (at >= 0) return `the character ${JSON.stringify(text.charAt(at))} at ${at} is none of base64`;
  return 'its length or its padding is none of base64: part of it is missing';
}

/** Content and media type of a `data:` URL (RFC 2397), or `undefined` when it is none. */
export function dataUrl(text: string): { bytes: Buffer; mediaType: string } | undefined {
  if (!/^data:/i.test(text)) return undefined;
  const comma = text.indexOf(',');
  if (comma < 0) return undefined;
  const head = text.slice(5, comma);
  const content = text.slice(comma + 1);
  const mediaType = (head.split(';')[0] ?? '').toLowerCase();
  if (!/;base64$/i.test(head)) return { bytes: percentBytes(content), mediaType };
  const bytes = base64Bytes(content);
  return bytes && { bytes, mediaType };
}

/** The bytes of a percent-encoded text whose other characters are all in Latin-1. */
export function percentBytes(text: string): Buffer {
  const bytes = text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
