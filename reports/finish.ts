/** The end of a run: puts it together, writes it, and shows it on the terminal and to GitHub. */
import { relative, resolve } from 'node:path';
import { contractVersion } from '../openapi/contract.ts';
import { gaps } from '../openapi/gaps/register.ts';
import { catalogue } from '../openapi/requirements/catalogue.ts';
import { assemble, type Material } from './assemble.ts';
import { tellGitHub, withoutCommands } from './github.ts';
import { suiteVersion } from './package.ts';
import { emptyRecord, type RunRecord } from './record.ts';
import type { Run } from './run.ts';
import { painter, terminalText } from './terminal.ts';
import { writeReports } from './write.ts';

/** What the suite itself does not know of a run. */
export type RunMaterial = Omit<Material, 'catalogue' | 'gaps' | 'suite' | 'contract'>;

/** @param out folder for what the run leaves */
export function finishRun(out: string, material: RunMaterial): Run {
  const suite = suiteVersion();
  const run = assemble({ catalogue, gaps, suite, contract: { version: contractVersion }, ...material });
  const folder = resolve(out);
  const files = writeReports(folder, run);
  process.stdout.write(`${withoutCommands(terminalText(run, painter(process.stdout)))}\n`);
  process.stdout.write(`written to ${relative(process.cwd(), folder) || '.'}: ${files.join(', ')}\n`);
  tellGitHub(run);
  return run;
}

/** In the place of a record when nothing was recorded. */
export function missingRecord(seed: number, startedAt: string): RunRecord {
  return { target: { name: 'unknown', baseUrl: '', profileHash: '' }, seed, startedAt, ...emptyRecord };
}
