/** index.html: the interface and its proof by one run, on one self-contained page. */
import { createHash } from 'node:crypto';
import { visible } from '../../record/visible.ts';
import { html } from '../markup.ts';
import type { Run } from '../run.ts';
import { standing } from '../scope.ts';
import { asset, pageText } from '../shell.ts';
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
  const script = asset(new URL('./behaviour.js', import.meta.url));
  const scriptHash = createHash('sha256').update(String(script)).digest('base64');
  const ground = groundOf(run, scripts);
  const events = flowSection(run);
  const sections = [
    ...(events ? [{ anchor: 'events', title: 'Events and signing' }] : []),
    { anchor: 'gaps', title: 'Open questions' },
    { anchor: 'traceability', title: 'Traceability' },
    { anchor: 'calls', title: 'Other calls' },
  ];
  return pageText({
    title: `${standing(run)}: ${visible(run.target.name)}, conformance report`,
    styles: [new URL('./style.css', import.meta.url)],
    scriptHash,
    body: html`<a class="skip" href="#main">To the requirements</a>
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
<script>${script}</script>`,
  });
}
