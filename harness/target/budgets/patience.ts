/** How long trouble of the target is borne: a moment is waited for, an outage is not. */
import type { HttpOutcome } from '../../wire/http.ts';

/** Trouble that is not over by then is taken as lasting: from then on no call waits for it any more. */
const momentMs = 3_000;
/** The same where the target itself asks for time with 429 or 503. */
const askedMs = 15_000;

export class Patience {
  #since: number | null = null;

  /** Takes note of what came of a call. */
  saw(outcome: HttpOutcome): void {
    const status = 'response' in outcome ? outcome.response.status : 0;
    if (status !== 0 && status !== 429 && status < 500) this.#since = null;
    else this.#since ??= performance.now();
  }

  /** Whether to make a call anew that met trouble. */
  get forAnother(): boolean {
    return this.#lastsMs() < momentMs;
  }

  /** Whether to send a call again that was answered with 429 or 503, or that nobody took. */
  get forRepeats(): boolean {
    return this.#lastsMs() < askedMs;
  }

  #lastsMs(): number {
    return this.#since === null ? 0 : performance.now() - this.#since;
  }
}
