/** Writes everything that a run leaves in its folder: run.json and what is rendered from it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../record/files.ts';
import { placeIn } from '../record/own-files.ts';
import { badge } from './badge.ts';
import { har } from './har.ts';
import { junitXml } from './junit.ts';
import { overlay } from './overlay/overlay.ts';
import { page } from './page/page.ts';
import { isScript, scriptFiles, scriptFolder } from './reproduce/files.ts';
import type { Run } from './run.ts';
import { bodiesOf, writeRun } from './run-file.ts';
import { summary } from './summary.ts';

/** Renderings by file name; `null` where this run gets none, so that none of an earlier run stays. */
function renderings(run: Run): Record<string, string | null> {
  return {
    'junit.xml': junitXml(run),
    'summary.md': summary(run),
    'index.html': page(run),
    'badge.svg': badge(run),
    'exchanges.har': har(run),
    'observed.overlay.yaml': overlay(run),
  };
}

/** Writes run.json last: who finds it finds the rest complete. Returns the names of the files. */
export function writeReports(directory: string, run: Run): string[] {
  const written: string[] = [];
  for (const [name, content] of Object.entries(renderings(run))) {
    if (content === null) {
      rmSync(join(directory, name), { force: true });
    } else {
      writeWhole(placeIn(directory, name), content);
      written.push(name);
    }
  }
  writeScripts(placeIn(directory, scriptFolder), scriptFiles(run));
  writeRun(directory, run);
  removeOldBodies(directory, run);
  return ['run.json', ...written];
}

/** Scripts of an earlier run go; what running some of them has left in the folder stays. */
function writeScripts(folder: string, scripts: ReadonlyMap<string, string>): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (isScript(name) && !scripts.has(name)) rmSync(join(folder, name));
  }
  for (const [name, text] of scripts) writeWhole(placeIn(folder, name), text);
}

/** Large bodies are named by their hash; those that no exchange of this run names are of an earlier one. */
function removeOldBodies(directory: string, run: Run): void {
  const folder = placeIn(directory, 'bodies');
  if (!existsSync(folder)) return;
  const named = bodiesOf(run);
  for (const name of readdirSync(folder)) {
    if (/^[0-9a-f]{32,64}\.\w+$/.test(name) && !named.has(`bodies/${name}`)) rmSync(join(folder, name));
  }
}
