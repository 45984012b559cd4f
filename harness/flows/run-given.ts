/** What is decided before a run begins. */
import type { Replay } from '../replaying/recording.ts';
import type { FlowDefinition } from './flow.ts';
import type { WaitingLedger } from './resuming/ledger.ts';

export interface RunGiven {
  readonly runId: string;
  readonly callbackUrl: string;
  readonly flows: readonly FlowDefinition[];
  readonly profileDir: string;
  /** What is left with people; absent where no people act. */
  readonly waiting?: WaitingLedger;
  /** Folder of a recording that is made of the run. */
  readonly record?: string | undefined;
  /** The recording that is judged again, and its folder. */
  readonly replay?: Replay | undefined;
}
