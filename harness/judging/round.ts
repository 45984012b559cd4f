/** Rounds of confirmation, in which failed checks run again. */

/** What is made in a round has names of its own, since a target may refuse the same thing twice. */
export function inRound(name: string, round: number): string {
  return round > 0 ? `${name} round ${round}` : name;
}
