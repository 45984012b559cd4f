/** The options of a run as commands and programs give them. Imports no other file, since the package exports it to programs. */
export interface GivenOptions {
  /** Path of the target profile; absent: `baseUrl`, or the reference service when that is absent too. */
  readonly target?: string;
  /** Base URL of a target without a profile; its access token comes from `ESIGN_TOKEN`. */
  readonly baseUrl?: string;
  /** Folder for run.json and all files rendered from it. */
  readonly out: string;
  /** Ids of requirements (and, before they are looked up, names of areas) to which the run is limited; absent: all. */
  readonly only?: readonly string[];
  /** Folder with a team's own requirements and checks. */
  readonly checks?: string;
  /** Failed `should`s count as failures. */
  readonly strict: boolean;
  /** A version of the suite, such as `0.1.0`: requirements that were added later are reported, but do not gate. */
  readonly since?: string;
  /** Decides every choice of the generators. */
  readonly seed: number;
  /** Calls in flight at the same time; at least 1. */
  readonly concurrency: number;
  /** Steps of random sequences that are run besides the checks; absent: none. */
  readonly exploreSteps?: number;
  /** After the checks explore until every situation was seen: 3,000 steps at most, or `exploreSteps`. */
  readonly thorough?: boolean;
  /** Path of a sequence that is played instead of random ones. */
  readonly replaySequence?: string;
  /** Also send calls that are only observed: the whole OTP matrix, large and unusual documents. */
  readonly explore: boolean;
  /** Folder or run.json of a run whose requests waited for people: this run continues it. */
  readonly resume?: string;
  /** Whether people may be asked to sign, where the profile says that they sign by hand. */
  readonly manual: boolean;
  /** Whether failures are asked about again at the end of the run. */
  readonly confirm: boolean;
  /** Paths of files to compare with: accepted deviations, a baseline, an earlier run to recheck. */
  readonly deviations?: string;
  readonly baseline?: string;
  readonly recheck?: string;
  /** Whether entries of the deviations file that are no longer needed gate. */
  readonly stale?: 'fail' | 'warn';
  /** Whether drift gates also where the document is silent. */
  readonly strictDrift?: boolean;
  /** The factor by which a volatile number has to change to count as drift; absent: it never does. */
  readonly driftFactor?: number;
  /** Signature requests that the run may create at most; absent: what the profile allows. */
  readonly budget?: number;
  /** Folder for a recording of the run; folder of a recording that is judged instead of calling a target. */
  readonly record?: string;
  readonly replay?: string;
  /** Write the style sheet into the page instead of a file beside it. */
  readonly singleFile?: boolean;
}
