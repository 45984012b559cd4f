/** Rounds of confirmation: Playwright processes that run failed checks again, against the host of the run. */

const variable = 'ESIGN_CONFORMANCE_ROUND';

export interface Round {
  /** Counted from 1. */
  readonly round: number;
  /** Where the results go. */
  readonly file: string;
}

/** The environment entry that makes a Playwright process a round. */
export function roundEnvironment(round: Round): Record<string, string> {
  return { [variable]: JSON.stringify(round) };
}

/** The round that this process belongs to; `undefined` in a run itself. */
export function roundOf(env: NodeJS.ProcessEnv = process.env): Round | undefined {
  const given = env[variable];
  return given ? (JSON.parse(given) as Round) : undefined;
}

/** What is made in a round has names of its own, since a target may refuse the same thing twice. */
export function inRound(name: string, round: number | undefined): string {
  return round ? `${name} round ${round}` : name;
}
