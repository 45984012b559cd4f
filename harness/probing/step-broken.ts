/** The first step of a probe that breaks: what came, where, and what is likely to help. */
import { received } from '../../record/exchange-text.ts';
import type { Answer } from '../target/call.ts';

export type StepName =
  | 'host name'
  | 'connection'
  | 'proxy'
  | 'TLS'
  | 'base URL'
  | 'access token'
  | 'upload'
  | 'creation'
  | 'signatory';

export class StepBroken extends Error {
  override readonly name = 'StepBroken';
  readonly step: StepName;
  /** What the user may do about it. */
  readonly fix: string;
  /** A command that sends the call again. */
  readonly curl: string | undefined;

  constructor(step: StepName, what: string, fix: string, curl?: string) {
    super(what);
    this.step = step;
    this.fix = fix;
    this.curl = curl;
  }
}

/** The call, and what came of it. */
export function came({ exchange }: Answer): string {
  return `${exchange.request.method} ${exchange.request.url}: ${received(exchange)}`;
}

/** Of a step that a call broke. */
export function brokenBy(answer: Answer, step: StepName, why: string, fix: string): StepBroken {
  return new StepBroken(step, `${came(answer)}${why && `; ${why}`}`, fix, answer.exchange.curl);
}
