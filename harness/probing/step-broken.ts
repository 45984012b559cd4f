/** The first step of a probe that breaks: what came, where, and what is likely to help. */

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
