/** Scripts that reproduce an exchange: the whole chain of calls, from the upload to the call itself. */
import type { Exchange } from '../../record/exchange.ts';
import { allOf } from '../concluding/outcome.ts';
import { decisive } from '../run/decisive.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { powershellScript } from './powershell.ts';
import { callbackUrl, scriptOf } from './script.ts';
import { shScript } from './sh.ts';

/**
 * Scripts that upload, create and call as the run did, with new ids. They have to be started in the folder of
 * run.json, where the files of large bodies are.
 * @param says what was expected and received, where it is known
 */
export function reproduction(
  run: Run,
  requirement: Pick<RunRequirement, 'id' | 'statement' | 'section'>,
  exchange: Exchange,
  says?: string,
) {
  const heading = [
    `${requirement.id}: ${requirement.statement}`,
    `interface document: ${requirement.section}`,
  ];
  const script = scriptOf(run, exchange, requirement.id, { heading, says });
  const listens = script.defaults.some(({ variable }) => variable === callbackUrl);
  return {
    calls: script.calls.length,
    listens,
    needs: script.needs,
    sh: shScript(script),
    powershell: powershellScript(script),
  };
}

export const scriptFolder = 'reproduce';

/** Names of the scripts in their folder; `null` for an invalid id, which a foreign run.json may hold. */
export function scriptNames(id: string): { readonly sh: string; readonly powershell: string } | null {
  return /^[a-z]+\.[a-z0-9-]+$/.test(id) ? { sh: `${id}.sh`, powershell: `${id}.ps1` } : null;
}

/** Whether a file in the folder is a script of some run, by its name. */
export function isScript(name: string): boolean {
  return /^[a-z]+\.[a-z0-9-]+\.(sh|ps1|sequence\.(json|sh))$/.test(name);
}

export function scriptFiles(run: Run): ReadonlyMap<string, string> {
  return new Map(allOf(run).flatMap((requirement) => scriptsFor(run, requirement)));
}

/** The scripts of one requirement, by their names: one for each shell, or none where no call decided. */
export function scriptsFor(run: Run, requirement: RunRequirement): readonly (readonly [string, string])[] {
  const names = scriptNames(requirement.id);
  const found = decisive(requirement, run);
  if (!names || !found) return [];
  const { sh, powershell } = reproduction(run, requirement, found.exchange, found.says);
  return [
    [names.sh, sh],
    // The byte order mark is needed: without it, Windows PowerShell reads a file in the code page of the machine.
    [names.powershell, `\ufeff${powershell}`],
  ];
}
