/** What every page of the reports begins and ends with: one file that loads nothing. */
import { readFileSync } from 'node:fs';
import { raw } from 'hono/html';
import { html, type Markup } from './markup.ts';

export interface Page {
  readonly title: string;
  /** Style sheets beside the code, in their order. */
  readonly styles: readonly URL[];
  /** SHA-256, in base64, of the one script that may run, whatever a target said; none without it. */
  readonly scriptHash?: string;
  /** Class of the body. */
  readonly kind?: string;
  readonly body: Markup;
}

/** A whole page as HTML text. */
export function pageText({ title, styles, scriptHash, kind, body }: Page): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'${scriptHash ? `; script-src 'sha256-${scriptHash}'` : ''}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${styles.map(asset)}</style>
</head>
<body${kind ? html` class="${kind}"` : ''}>
${body}
</body>
</html>
`.toString();
}

/** A file of ours without any filled-in value: escaping would break it. */
export function asset(file: URL): Markup {
  return raw(readFileSync(file, 'utf8'));
}
