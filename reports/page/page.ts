/** index.html: the interface and its proof by one run, on one self-contained page. */
import { readFileSync } from 'node:fs';
import { raw } from 'hono/html';
import { html } from '../markup.ts';
import type { Run } from '../run.ts';
import { visible } from '../visible.ts';
import { exchanges } from './exchange.ts';
import { gapSection } from './gaps.ts';
import { head } from './head.ts';
import { operationLinks, operationSections } from './operation.ts';

/** The page as HTML text. Nothing of it is loaded from elsewhere, and it needs no script. */
export function page(run: Run): string {
  // A file of ours without any filled-in value: escaping would break its selectors.
  const style = raw(readFileSync(new URL('./style.css', import.meta.url), 'utf8'));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${run.verdict}: ${visible(run.target.name)}, conformance report</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">To the requirements</a>
${head(run)}
<nav aria-label="Contents"><ul>${operationLinks()}<li><a href="#gaps">Open questions</a></li><li><a href="#exchanges">Exchanges</a></li></ul></nav>
<main id="main">
${operationSections(run)}
${gapSection(run)}
${exchanges(run.exchanges)}
</main>
</body>
</html>
`.toString();
}
