/** Lets flows wait for each other, so that people get all their tasks in one list. */
import type { SigningDriver, SigningStep } from '../people/driver.ts';

/** A flow comes with what its people will be asked, and goes on once all have come and the driver was told. */
export type Gathering = (steps: readonly SigningStep[]) => Promise<void>;

/** Nobody waits where the driver need not be told beforehand. */
export function gathering(flows: number, driver: SigningDriver): Gathering {
  if (!driver.announce) return async () => {};
  const all: SigningStep[] = [];
  let missing = flows;
  let open = () => {};
  const told = new Promise<void>((resolve) => {
    open = resolve;
  });
  return (steps) => {
    all.push(...steps);
    missing -= 1;
    if (missing === 0) void Promise.resolve(driver.announce?.(all)).finally(open);
    return told;
  };
}
