/** What a probe found out, and how far it came. */

import type { Observation } from '../../openapi/observation.ts';
import type { Created } from '../../record/exchange.ts';
import type { Place } from '../untrusted/place.ts';
import type { StepBroken } from './step-broken.ts';
import type { Type3 } from './type3.ts';
import type { Unmade } from './unmade.ts';
import type { UploadWay } from './upload-ways.ts';

export interface Findings {
  readonly upload?: { readonly way: UploadWay; readonly place?: Place; readonly status: number };
  /** Or why it was not found. */
  readonly type3?: Type3 | string;
  /** Ids that have to be strings are numbers. */
  readonly numericIds: boolean;
  readonly refusedUrl?: Unmade['refusedUrl'];
  /** What else was seen, in the words of the gap register. */
  readonly observations: readonly Observation[];
}

export interface ProbeResult extends Findings {
  /** The first step that broke. */
  readonly broken?: StepBroken;
  readonly calls: number;
  /** What was made at the target, with what became of it. */
  readonly created: readonly Created[];
  readonly warnings: readonly string[];
}
