/** The options of a run as commands and programs give them. Names no other file: programs get it from the package. */
export interface GivenOptions {
  /** Path of the target profile; absent: `baseUrl`, or the reference service when that is absent too. */
  readonly target?: string;
  /** Base URL of a target without a profile; its access token comes from `ESIGN_TOKEN`. */
  readonly baseUrl?: string;
  /** Folder for run.json and all that is rendered from it. */
  readonly out: string;
  /** Ids of requirements (and, before they are looked up, names of areas) to which the run is limited; absent: all. */
  readonly only?: readonly string[];
  /** Folder with requirements and checks of a team's own. */
  readonly checks?: string;
  /** Failed `should`s count as failures. */
  readonly strict: boolean;
  /** A version of the suite, such as `0.1.0`: requirements that came later are reported and do not gate. */
  readonly since?: string;
  /** Decides every choice of the generators. */
  readonly seed: number;
  /** Calls in flight at the same time; at least 1. */
  readonly concurrency: number;
  /** Steps of random sequences that are made beyond the checks; absent: none. */
  readonly exploreSteps?: number;
  /** After the checks explore until every situation was seen: 3,000 steps at most, or `exploreSteps`. */
  readonly thorough?: boolean;
  /** Path of a sequence that is played instead of random ones. */
  readonly replaySequence?: string;
  /** Also send what is only observed: the whole OTP matrix, large and unusual documents. */
  readonly explore: boolean;
  /** Folder or run.json of a run that left requests with people, with which this one goes on. */
  readonly resume?: string;
  /** Whether people may be asked to sign, where the profile says that people do. */
  readonly manual: boolean;
  /** Whether failures are asked about again at the end of the run. */
  readonly confirm: boolean;
  /** Paths of what the run is held against: accepted deviations, a baseline, an earlier run to recheck. */
  readonly deviations?: string;
  readonly baseline?: string;
  readonly recheck?: string;
  /** Whether entries of the deviations file that are not needed any more gate. */
  readonly stale?: 'fail' | 'warn';
  /** Drift where the document is silent gates too. */
  readonly strictDrift?: boolean;
  /** By which factor volatile numbers have to change to be drift; absent: they never are. */
  readonly driftFactor?: number;
  /** Signature requests that the run may create at most; absent: what the profile allows. */
  readonly budget?: number;
  /** Folder that gets a recording of the run; folder of a recording that is judged instead of a target. */
  readonly record?: string;
  readonly replay?: string;
  /** With the style sheet in the page, which otherwise lies beside it. */
  readonly singleFile?: boolean;
}
