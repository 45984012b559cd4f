/** docs/observations.md: for every gap what a run observes, under which keys, and what it needs for that. */
import { keysOf } from './observed-keys.ts';
import { type GapEntry, gaps } from './register.ts';

const opening = `# Observations

What the interface document leaves open is a **gap** of the register in \`openapi/gaps/\`. What a target does about one is an **observation**: it stands in run.json under \`gaps[].observations\`, in the report beside the question, and never fails. This page is written by \`npm run schema\` from the register; a test compares it.

\`\`\`sh
npm run conformance -- --target targets/acme.yaml             # observes beside the checks
npm run conformance -- --target targets/acme.yaml --explore   # sends all rows; some may create requests
\`\`\`

An observation has a \`key\`, a \`value\` (a text, a number, true or false, or a list of texts and numbers), a \`stability\` and the \`exchanges\` that show it. What was seen of callbacks names the call that created their request.

- Keys are never renamed, since runs are compared by them. What stands in braces differs: \`{operation}\` is an operationId of the contract, \`{row}\` the title of what was sent. Of several rows about one gap a usual run sends the first, one with \`--explore\` all.
- **stable**: two runs against an unchanged target agree. **volatile**: times, counts and whatever else depends on the moment.
- Where several calls of a run disagree, the value is the list of all values.
- Fields are written as lines: JSON Pointer with \`*\` for the elements of a list, \`?\` where the field was not always there, types, and the form of texts: \`/documents/*/content: string (pdf-base64)\`.
- \`{row}, with an unknown document token\`: a type 0 creation that cannot create anything, since it names a token that nobody issued. Where the target judges the body before it looks for the token, the answer says what it thinks of the body; where it does not, nothing is noted.

\`observed.overlay.yaml\` in the folder of the run turns the contract into the one that the target was seen to keep: an [OpenAPI Overlay](https://spec.openapis.org/overlay/v1.0.0.html) with the statuses, media types and schemas of its answers, the encoding of uploads and the payload of each event. It is a sample: what was not sent was not seen. Any tool for overlays applies it, for example:

\`\`\`sh
npx openapi-format openapi/esign.openapi.yaml --overlayFile reports/out/observed.overlay.yaml -o effective.yaml
\`\`\`
`;

export function observationsPage(): string {
  const areas = [...new Set(gaps.map(({ area }) => area))];
  const parts = areas.map((area) => {
    const own = gaps.filter((gap) => gap.area === area);
    return `## ${area}\n\n${own.map(section).join('\n')}`;
  });
  return `${[opening, ...parts].join('\n')}`;
}

function section({ id, question, observed, needs, profileKey }: GapEntry): string {
  const lines = [
    `### ${id}`,
    '',
    question,
    '',
    ...(observed === undefined ? [] : [`- Observed: ${observed}`]),
    ...(needs === undefined ? [] : [`- Needs ${needs}.`]),
    ...(profileKey === undefined ? [] : [`- Profile: \`${profileKey}\``]),
    ...keysOf(id).map(({ key, stability, says }) => `- \`${key}\` (${stability}): ${says}`),
    '',
  ];
  return lines.join('\n');
}
