/** badge.svg: the verdict of a full run for a README. */
import { standingInNumbers } from '../concluding/scope.ts';
import { html } from '../page/markup.ts';
import type { Run } from '../run/run.ts';

const colours: Record<Run['verdict'], string> = {
  conformant: '#2c6e2f',
  partial: '#2c6e2f',
  nonconformant: '#b3261e',
  incomplete: '#8a5a00',
  error: '#6a3093',
};

const label = 'e-signature conformance';

/** Average width of a character of the font below, in px; `textLength` makes the text fit exactly. */
const character = 6.4;

export function badge(run: Run): string | null {
  if (run.scope === 'partial') return null;
  const text = standingInNumbers(run);
  const [left, right] = [label, text].map((words) => Math.round(words.length * character));
  if (left === undefined || right === undefined) return null;
  const width = left + right + 24;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${text}">
<title>${label}: ${text}</title>
<clipPath id="round"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left + 12}" height="20" fill="#444"/><rect x="${left + 12}" width="${right + 12}" height="20" fill="${colours[run.verdict]}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="6" y="14" textLength="${left}">${label}</text>
<text x="${left + 18}" y="14" textLength="${right}">${text}</text>
</g>
</svg>
`.toString();
}
