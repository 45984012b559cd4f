/** How to see an exchange again: the whole chain from the access token to the call, as scripts. */
import type { Exchange } from '../record/exchange.ts';
import { powershellScript } from './reproduce/powershell.ts';
import { callbackUrl, scriptOf } from './reproduce/script.ts';
import { shScript } from './reproduce/sh.ts';
import type { Run, RunRequirement } from './run.ts';

export interface Reproduction {
  /** How many calls it makes. */
  readonly calls: number;
  /** Whether the target is told where to send callbacks. */
  readonly listens: boolean;
  /** Variables of the environment that have to be set: secrets, each named after the host that it goes to. */
  readonly needs: readonly string[];
  readonly sh: string;
  readonly powershell: string;
}

/**
 * Scripts that upload, create and call as the run did, with ids of their own. They are started in the folder of
 * run.json, where the files of large bodies are.
 * @param says what was expected and received, where it is known
 */
export function reproduction(
  run: Run,
  requirement: Pick<RunRequirement, 'id' | 'statement' | 'section'>,
  exchange: Exchange,
  says?: string,
): Reproduction {
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
