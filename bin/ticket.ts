/** Tickets that `report` writes for the vendor of a target: evidence about one requirement or gap, and the open questions. */
import { resolve } from 'node:path';
import { isRequirementId } from '../openapi/requirements/catalogue.ts';
import { ConfigurationError } from '../record/errors.ts';
import { writeWhole } from '../record/files.ts';
import { placeIn } from '../record/own-files.ts';
import { print } from '../record/print.ts';
import { didYouMean } from '../record/schema-errors.ts';
import { allOf } from '../reports/concluding/outcome.ts';
import { copyBodies } from '../reports/ending/write.ts';
import { scriptFolder, scriptsFor } from '../reports/reproduce/scripts.ts';
import { deciding } from '../reports/run/decisive.ts';
import type { Run, RunRequirement } from '../reports/run/run.ts';
import { firstLine } from '../reports/run/words.ts';
import { gapsMarkdown } from '../reports/ticket/gaps-markdown.ts';
import { gapTicket, ticket, ticketable } from '../reports/ticket/ticket.ts';

export function writeTicket(run: Run, folder: string, id: string, out: string | undefined): void {
  const gap = run.gaps.find((each) => each.id === id);
  const { text, scripts } = gap ? { text: gapTicket(run, gap), scripts: [] } : evidence(run, find(run, id));
  if (out === undefined) {
    print(text);
    return;
  }
  const target = resolve(out);
  const name = `ticket-${id}.md`;
  writeWhole(placeIn(target, name), text);
  for (const [script, lines] of scripts) writeWhole(placeIn(target, `${scriptFolder}/${script}`), lines);
  const files = copyBodies(new Set(text.match(/bodies\/[0-9a-f]{32,64}\.\w+/g)), folder, target);
  const written = [name, ...scripts.map(([script]) => `${scriptFolder}/${script}`), ...files];
  print(`written to ${out}: ${written.join(', ')}\n`);
  const found = allOf(run).find((each) => each.id === id);
  if (found?.verdict === 'could-not-run')
    print(`for you, and not in the ticket: ${firstLine(deciding(found).says)}\n`);
}

function evidence(run: Run, requirement: RunRequirement) {
  return { text: ticket(run, requirement), scripts: scriptsFor(run, requirement) };
}

export function writeGaps(run: Run, file: string): void {
  writeWhole(resolve(file), gapsMarkdown(run), { named: 'by-user' });
  print(`written to ${file}: ${run.gaps.length} open questions\n`);
}

/** @throws ConfigurationError when nothing can be said about the requirement */
function find(run: Run, id: string): RunRequirement {
  const choices = ticketable(run).map((each) => each.id);
  const found = allOf(run).find((each) => each.id === id);
  if (found && choices.includes(id)) return found;
  if (found)
    throw new ConfigurationError(
      `--ticket ${id}: no call to show: the requirement is ${found.verdict} in this run: ${found.reason ?? found.notTestable ?? 'no call was made for it'}`,
    );
  if (isRequirementId(id))
    throw new ConfigurationError(
      `--ticket ${id}: this run did not check it; \`run\` with --only ${id} does, or without a selection`,
    );
  const hint = didYouMean(id, [...choices, ...run.gaps.map((each) => each.id)]);
  throw new ConfigurationError(
    `--ticket ${id}: there is no such requirement and no such open question${hint}`,
  );
}
