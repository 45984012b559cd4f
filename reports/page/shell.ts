/** The frame of every page of the reports, and the style sheet beside them. */
import { readFileSync } from 'node:fs';
import { raw } from 'hono/html';
import { html, type Markup } from './markup.ts';

interface Page {
  readonly title: string;
  /** SHA-256, in base64, of the one script that may run; without it no script may, so none that a target sent can. */
  readonly scriptHash?: string;
  readonly kind?: string;
  /** Write the style sheet into the page, for a page without other files. */
  readonly whole?: boolean;
  readonly body: Markup;
}

/** Name of the style sheet beside a page. It is a file, since servers with a strict policy, such as Jenkins, allow none inside. */
export const styleFile = 'report.css';

export function styleSheet(): string {
  return ['design.css', 'style.css', '../comparison/comparison.css']
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('\n');
}

export function pageText({ title, scriptHash, kind, whole = false, body }: Page): string {
  // For a page opened from disk, 'self' matches nothing in some browsers, so `file:` is allowed too.
  const styles = whole ? "'unsafe-inline'" : "'self' file:";
  const policy = `default-src 'none'; style-src ${styles}${scriptHash ? `; script-src 'sha256-${scriptHash}'` : ''}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${whole ? html`<style>${raw(styleSheet())}</style>` : html`<link rel="stylesheet" href="${styleFile}">`}
</head>
<body${kind ? html` class="${kind}"` : ''}>
${body}
</body>
</html>
`.toString();
}
