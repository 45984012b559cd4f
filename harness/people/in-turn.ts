/** Work that shares something is done one after the other. */

import { channelsOf } from './codes.ts';
import type { SigningTask } from './driver.ts';

/** Makes a function that runs `work` once all earlier work with the same key has ended. */
export function inTurn(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    return mine;
  };
}

/**
 * Makes a function that runs `work` while nobody else who shares the mobile number of the task acts or asks for a code:
 * codes that come at the same time could not be told apart.
 */
export function inTurnByNumber(): <T>(task: SigningTask, work: () => Promise<T>) => Promise<T> {
  const turns = inTurn();
  return (task, work) => (channelsOf(task).includes('sms') ? turns(task.mobileNumber, work) : work());
}
