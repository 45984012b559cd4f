/** The end of a run: puts the run together, writes it, and shows it on the terminal and to GitHub. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { contractVersion } from '../../openapi/contract.ts';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { openToOthers } from '../../record/files.ts';
import { placeIn } from '../../record/own-files.ts';
import { print } from '../../record/print.ts';
import { Stages } from '../../record/stages.ts';
import { assemble, type Material, withStanding } from '../assembling/assemble.ts';
import { emptyRecord } from '../assembling/record.ts';
import { exitCode } from '../concluding/outcome.ts';
import { suiteVersion } from '../run/package.ts';
import type { Run } from '../run/run.ts';
import { tellGitHub } from '../texts/github.ts';
import { painter, terminalText } from '../texts/terminal.ts';
import { namedBodies, renderers, writeEach } from './write.ts';

type RunMaterial = Omit<Material, 'catalogue' | 'gaps' | 'suite' | 'contract'>;

/** A run that has come to its end, and the names of the files in its folder that could be written. */
interface Finished {
  readonly run: Run;
  readonly files: readonly string[];
}

/**
 * Writes and shows a run. An error on the way becomes a problem of the run, and all other parts are written and shown.
 * @param out folder for the files of the run
 */
export function finishRun(out: string, material: RunMaterial, rendered = renderers): Finished {
  const folder = resolve(out);
  const stages = new Stages();
  const judged = assembled(material, stages);
  stages.now('large bodies', () => openBodies(folder, judged), null);
  let finished = writeRun(folder, judged, stages, rendered);
  const shown = stages.now('the terminal', () => terminalText(finished.run, painter(process.stdout)), '');
  print(`${shown}\n`);
  const told = stages.count;
  stages.now('the summary for GitHub', () => tellGitHub(finished.run), null);
  if (stages.count > told) {
    print(`${stages.problems.join('\n')}\n`);
    finished = writeRun(folder, judged, stages, rendered);
  }
  const place = relative(process.cwd(), folder) || '.';
  const { files } = finished;
  print(
    files.length > 0
      ? `written to ${place}: ${files.join(', ')}\n`
      : `nothing could be written to ${place}: what stands above is all that is known of this run\n`,
  );
  return finished;
}

/** Writes the run. An error while writing is a problem of the run too, so it is written again until no new error occurs. */
function writeRun(folder: string, judged: Run, stages: Stages, rendered: typeof renderers): Finished {
  for (;;) {
    const known = stages.count;
    const { problems } = stages;
    const run: Run =
      known === 0
        ? judged
        : withStanding({
            ...judged,
            problems: [...judged.problems, ...problems],
            verdict: 'error',
            exitCode: exitCode.error,
          });
    const files = writeEach(folder, run, stages, rendered);
    if (stages.count === known) return { run, files };
  }
}

/** The run. If it cannot be put together, it is tried without deviations, baseline and recheck, and at last without a record. */
function assembled(material: RunMaterial, stages: Stages): Run {
  const alone = { ...material, deviations: undefined, baseline: undefined, recheck: undefined };
  const { target, seed, startedAt, problems = [] } = material.record;
  const bare = { ...alone, results: [], record: { target, seed, startedAt, problems, ...emptyRecord } };
  const about = { catalogue, gaps, suite: suiteVersion(), contract: { version: contractVersion } };
  const attempt = (name: string, given: RunMaterial) =>
    stages.now(name, () => assemble({ ...about, ...given }), undefined);
  return (
    attempt('putting the run together', material) ??
    attempt('putting its verdicts together', alone) ??
    assemble({ ...about, ...bare })
  );
}

/**
 * Gives the bodies, which only the user could read during the run, the mode of any other new file.
 * @throws Error when bodies that exchanges name are gone: somebody removed the folder, or wrote another run into it
 */
function openBodies(folder: string, run: Run): void {
  const names = [...namedBodies(run)];
  const lost = names.filter((name) => !existsSync(join(folder, name)));
  for (const name of names) if (!lost.includes(name)) openToOthers(placeIn(folder, name));
  if (lost.length === 0) return;
  throw new Error(
    `${lost.length} of them are gone from ${folder}, such as ${lost[0]}: something else changed the folder during the run`,
  );
}
