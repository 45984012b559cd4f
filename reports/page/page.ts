/** index.html: the interface and its proof by one run, on one self-contained page. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { raw } from 'hono/html';
import { html } from '../markup.ts';
import type { Run } from '../run.ts';
import { visible } from '../visible.ts';
import { otherCalls } from './calls.ts';
import { flowSection } from './flows.ts';
import { gapSection } from './gaps.ts';
import { head } from './head.ts';
import { matrix } from './matrix.ts';
import { navigation } from './navigation.ts';
import { operationSections } from './operation.ts';
import { groundOf, type Scripts } from './requirement.ts';

/** The page as HTML text. Nothing of it is loaded from elsewhere, and it can be read without its script. */
export function page(run: Run, scripts: Scripts = 'beside'): string {
  // Files of ours without any filled-in value: escaping would break them.
  const style = asset('style.css');
  const script = asset('behaviour.js');
  // No other script than this very one is ever run, whatever a target said.
  const hash = createHash('sha256').update(script).digest('base64');
  const ground = groundOf(run, scripts);
  const events = flowSection(run);
  const sections = [
    ...(events ? [{ anchor: 'events', title: 'Events and signing' }] : []),
    { anchor: 'gaps', title: 'Open questions' },
    { anchor: 'traceability', title: 'Traceability' },
    { anchor: 'calls', title: 'Other calls' },
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'">
<meta name="color-scheme" content="light dark">
<title>${run.verdict}: ${visible(run.target.name)}, conformance report</title>
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#main">To the requirements</a>
${head(run)}
<div class="columns">
${navigation(run, sections)}
<main id="main" tabindex="-1">
${operationSections(ground)}
${events}
${gapSection(run)}
${matrix(run)}
${otherCalls(ground)}
</main>
</div>
<script>${raw(script)}</script>
</body>
</html>
`.toString();
}

function asset(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}
