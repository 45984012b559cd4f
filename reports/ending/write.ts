/** Writes all files of a run into its folder: run.json and everything that is rendered from it. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../../record/errors.ts';
import { writeWhole } from '../../record/files.ts';
import { placeIn, readOwnBytes } from '../../record/own-files.ts';
import { Stages } from '../../record/stages.ts';
import { badge } from '../machine/badge.ts';
import { har } from '../machine/har.ts';
import { junitXml } from '../machine/junit.ts';
import { overlay } from '../machine/overlay.ts';
import { page } from '../page/page.ts';
import { styleFile, styleSheet } from '../page/shell.ts';
import { isScript, scriptFiles, scriptFolder } from '../reproduce/scripts.ts';
import type { Run } from '../run/run.ts';
import { runText } from '../run/run-file.ts';
import { storyFiles } from '../texts/explored.ts';
import { summary } from '../texts/summary.ts';

/** Renderings by file name; for `null` the file of an earlier run is removed. */
export const renderers: Readonly<Record<string, (run: Run) => string | null>> = {
  'junit.xml': junitXml,
  'summary.md': summary,
  'index.html': (run) => page(run),
  [styleFile]: styleSheet,
  'badge.svg': badge,
  'exchanges.har': har,
  'observed.overlay.yaml': overlay,
};

/** The same, or with a page that needs no other file, for instance to be sent by mail. */
export const renderersOf = ({ singleFile = false }: { readonly singleFile?: boolean }): typeof renderers =>
  singleFile
    ? { ...renderers, 'index.html': (run) => page(run, { whole: true }), [styleFile]: () => null }
    : renderers;

/** @throws FileTrouble and errors of renderers, after all other files were written */
export function writeReports(directory: string, run: Run, rendered = renderers): string[] {
  const stages = new Stages();
  const files = writeEach(directory, run, stages, rendered);
  stages.assertWhole();
  return files;
}

/**
 * Writes all files that can be written, run.json last, so that who finds it finds the others too. For a run that broke,
 * run.json comes first, since there may not be enough space for everything.
 * @param stages notes what broke
 * @returns names of the files that were written
 */
export function writeEach(directory: string, run: Run, stages: Stages, rendered: typeof renderers): string[] {
  const write = (name: string, render: () => string | null): string[] =>
    stages.now(name, () => {
      const file = placeIn(directory, name);
      try {
        const content = render();
        if (content !== null) {
          writeWhole(file, content);
          return [name];
        }
        rmSync(file, { force: true });
      } catch (error) {
        // The file of an earlier run is removed, so that nobody takes it for this run's.
        removeFile(file);
        throw error;
      }
      return [];
    }, []);
  const json = () => write('run.json', () => runText(run));
  const isBroken = run.problems.length > 0;
  // What was written before something broke, such as for want of space, makes room.
  for (const name of isBroken ? ['run.json', ...Object.keys(rendered)] : [])
    stages.now(name, () => removeFile(placeIn(directory, name)), undefined);
  const early = isBroken ? json() : [];
  const written = Object.entries(rendered).flatMap(([name, render]) => write(name, () => render(run)));
  stages.now(
    scriptFolder,
    () => writeScripts(directory, new Map([...scriptFiles(run), ...storyFiles(run)])),
    null,
  );
  const first = isBroken ? early : json();
  stages.now('large bodies of an earlier run', () => removeOldBodies(directory, run), null);
  return [...first, ...written];
}

function removeFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) rmSync(file);
}

/** Writes the scripts and removes those of an earlier run; other files in the folder, which scripts may have written, stay. */
function writeScripts(directory: string, scripts: ReadonlyMap<string, string>): void {
  const folder = placeIn(directory, scriptFolder);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (isScript(name) && !scripts.has(name)) rmSync(join(folder, name));
  }
  try {
    for (const [name, text] of scripts) writeWhole(placeIn(directory, `${scriptFolder}/${name}`), text);
  } catch (error) {
    // An incomplete set of scripts is useless, and takes space that run.json may need.
    for (const name of scripts.keys()) rmSync(join(folder, name), { force: true });
    throw error;
  }
}

/** The files with large bodies of a run, relative to its folder. */
export function namedBodies(run: Run): ReadonlySet<string> {
  const bodies = run.exchanges.flatMap(({ request, response }) => [request.body, response?.body]);
  const all = [...bodies, ...run.deliveries.map(({ body }) => body)].flatMap((body) => body?.file ?? []);
  return new Set(all);
}

/** Most bytes of bodies that are copied from a run of others: ours keep 64 MiB, and one that was merged those of its shards. */
const mostCopied = 1024 ** 3;

/**
 * Copies files of bodies, named by their hashes, to another folder; gives the names of those that were there.
 * @throws ConfigurationError when they lie elsewhere, or are larger than a run keeps
 */
export function copyBodies(names: Iterable<string>, from: string, to: string): string[] {
  const there = [...names].filter((name) => existsSync(placeIn(from, name)));
  if (from === to) return there;
  const bytes = there.reduce((sum, name) => sum + statSync(join(from, name)).size, 0);
  if (bytes > mostCopied)
    throw new ConfigurationError(
      `${from}: is more than is read: its bodies have ${bytes} bytes, all together`,
    );
  for (const name of there) writeWhole(placeIn(to, name), readOwnBytes('body', placeIn(from, name), 'by-us'));
  return there;
}

/** Removes bodies that no exchange of this run names: they are left from an earlier run. */
function removeOldBodies(directory: string, run: Run): void {
  const folder = placeIn(directory, 'bodies');
  if (!existsSync(folder)) return;
  const named = namedBodies(run);
  for (const name of readdirSync(folder)) {
    if (/^[0-9a-f]{32,64}\.\w+$/.test(name) && !named.has(`bodies/${name}`)) rmSync(join(folder, name));
  }
}
