/** The table of faults in docs/faults.md: what each one does, and which rows of which check turn red. */
import { alsoShown } from '../../../harness/flows/choose-flows.ts';
import { withNeighbours } from '../../../harness/flows/flow.ts';
import { areas, catalogue, checked, isJudgedByFlows } from '../../../openapi/requirements/catalogue.ts';
import { type FaultId, faults, isFaultId } from '../../../reference/faults.ts';
import { flows } from '../../flows/all.ts';
import type { FaultResult, RedRow } from './fault-result.ts';
import { isOfFlows, type Known } from './selection.ts';

const head = `# Faults

This file is written by \`npm run faults\`, and \`npm test\` compares it with what a sample of the faults does.

The reference service has a catalogue of **faults**: each violates one requirement, and can be turned on alone
(\`npm run conformance -- serve --fault ID\`). Each one is put before the checks. It has to turn its own requirement
red and no other one; what depends on a step that it breaks could not run. And there is no testable requirement, no
check and, aside from those that are judged from whole flows, no row of a check that no fault turns red.

\`\`\`sh
npm run faults -- otp.sms/refused    # one fault, with all that came of it
npm run faults -- otp upload.pdf     # those of an area or of a requirement
npm run faults                       # all, each before the checks of its requirement and a sample of the others
npm run faults -- --all              # all, each before every check
npm run faults -- --check --sampled  # as in npm test: the first of each requirement, and one in three of the others
\`\`\`
`;

/** The text of docs/faults.md. Faults without a result have empty rows. */
export function faultTable(results: readonly FaultResult[]): string {
  const byFault = new Map(results.map((result) => [result.fault, result]));
  const entries = Object.entries(faults) as [FaultId, (typeof faults)[FaultId]][];
  const proved = checked.filter(({ id }) => entries.some(([, { requirement }]) => requirement === id));
  const summary = `${entries.length} faults for ${proved.length} of ${checked.length} testable requirements. The other ${
    catalogue.length - checked.length
  } requirements are not testable, each for the reason in the catalogue.`;
  const sections = areas.map((area) => {
    const ids = checked.filter((entry) => entry.area === area).map(({ id }) => id as string);
    const rows = ids.flatMap((id) =>
      entries
        .filter(([, { requirement }]) => requirement === id)
        .map(([fault, { title }]) => line(fault, title, byFault.get(fault))),
    );
    return rows.length === 0 ? '' : [`## ${area}`, '', ...columns, ...rows].join('\n');
  });
  return `${[head.trimEnd(), summary, ...sections.filter(Boolean)].join('\n\n')}\n`;
}

const columns = ['| fault | what the service does | the row that turns red | why |', '|---|---|---|---|'];

function line(fault: FaultId, title: string, result: FaultResult | undefined): string {
  const { requirement } = faults[fault];
  const rows = result?.red[requirement] ?? [];
  // Groups of rows run at the same time, and which one begins first depends on timing. Of flows the smallest one is shown
  // that needs no other: it is the easiest to follow, and the quickest to run again.
  const sorted = smallestFirst(rows);
  const first = sorted.find(({ row }) => row === result?.alone) ?? sorted[0];
  const more = rows.length - 1;
  // How many flows run, and how far each gets before it is judged, differs, so only the first row is shown.
  const others = more < 1 || inFlows.has(requirement) ? '' : ` and ${more} more`;
  const cells = [
    `\`${fault}\``,
    title,
    // The number of answers with the same mistake depends on how often calls were repeated, so it is not shown.
    `${first?.row ?? ''}${others}`,
    // Ids are new in each run.
    (first?.reason ?? '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…'),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** How the table says that each fault was seen; a new fault is not among them. */
export function knownFrom(table: string): ReadonlyMap<FaultId, Known> {
  return new Map(
    table.split('\n').flatMap((text): [FaultId, Known][] => {
      const [, fault = '', row = ''] = /^\| `([^`]+)` \| .*? \| ([^|]+) \|/.exec(text) ?? [];
      return isFaultId(fault) ? [[fault, { flow: isFlow(row) ? row : null }]] : [];
    }),
  );
}

/** Requirements that flows show, alone or beside checks of calls. */
const inFlows: ReadonlySet<string> = new Set([
  ...checked.filter(isJudgedByFlows).map(({ id }) => id),
  ...withNeighbours(flows).flatMap(alsoShown),
]);

/** How many people a flow has, by its name, which is the row that it gives. */
const ofFlows: ReadonlyMap<string, number> = new Map(
  withNeighbours(flows).map(({ name, signatories }) => [name, signatories.length]),
);

const peopleIn = (row: string): number => ofFlows.get(row) ?? 0;

/** Whether a flow gives the row. */
export const isFlow = (row: string): boolean => ofFlows.has(row);

/** Rows of flows with few people before those with many. */
export const smallestFirst = (rows: readonly RedRow[]): readonly RedRow[] =>
  rows.toSorted((one, other) => peopleIn(one.row) - peopleIn(other.row) || (one.row < other.row ? -1 : 1));

/** Faults whose row depends on timing: which call comes third, and so shows the fault. */
const raced: ReadonlySet<FaultId> = new Set(['skeleton.request-id-unique/third']);

/**
 * The part of a line that is the same in each run: which flow shows a fault first, and how, may depend on timing.
 * @param ran of the other faults, id and title alone are known
 */
export function comparable(text: string, ran: ReadonlySet<FaultId>): string {
  const [, fault = ''] = /^\| `([^`]+)`/.exec(text) ?? [];
  const cells = text.split(' | ');
  const isTimed =
    isFaultId(fault) &&
    (!ran.has(fault) ||
      isOfFlows(faults[fault].requirement) ||
      raced.has(fault) ||
      ofFlows.has(cells[2] ?? ''));
  return isTimed ? cells.slice(0, 2).join(' | ') : text;
}
