/** Reproductions as files beside run.json: one for each shell and requirement that a call decided. */
import { decisive } from '../decisive.ts';
import { reproduction } from '../reproduce.ts';
import type { Run, RunRequirement } from '../run.ts';

/** Folder of the scripts, below that of run.json. */
export const scriptFolder = 'reproduce';

/** Names of the scripts in their folder; `null` for an id that is none, whatever else run.json may hold. */
export function scriptNames(id: string): { readonly sh: string; readonly powershell: string } | null {
  return /^[a-z]+\.[a-z0-9-]+$/.test(id) ? { sh: `${id}.sh`, powershell: `${id}.ps1` } : null;
}

/** Whether a file in the folder is a script of some run. */
export function isScript(name: string): boolean {
  return /^[a-z]+\.[a-z0-9-]+\.(sh|ps1)$/.test(name);
}

/** All scripts of a run, by their names. */
export function scriptFiles(run: Run): ReadonlyMap<string, string> {
  return new Map(run.requirements.flatMap((requirement) => scriptsFor(run, requirement)));
}

/** The scripts of one requirement, by their names: one for each shell, or none where no call decided. */
export function scriptsFor(run: Run, requirement: RunRequirement): readonly (readonly [string, string])[] {
  const names = scriptNames(requirement.id);
  const found = decisive(requirement, run);
  if (!names || !found) return [];
  const { sh, powershell } = reproduction(run, requirement, found.exchange, found.says);
  return [
    [names.sh, sh],
    // Without the mark at its beginning, Windows PowerShell reads a file in the code page of the machine.
    [names.powershell, `\ufeff${powershell}`],
  ];
}
