/** The command `compare`: tells what changed between two runs, or accepts a run as the baseline. */
import { referenceName } from '../harness/profile/schema.ts';
import { ConfigurationError } from '../record/errors.ts';
import { writeWhole } from '../record/files.ts';
import { print, printJson } from '../record/print.ts';
import {
  acceptable,
  baselineOf,
  baselineText,
  headOf,
  readBaseline,
  readComparable,
} from '../reports/accepted/baseline.ts';
import { driftBetween } from '../reports/accepted/drift.ts';
import { exitCode } from '../reports/concluding/outcome.ts';
import { readRun } from '../reports/run/run-file.ts';
import { circumstances, driftMarkdown, driftText } from '../reports/texts/drift-text.ts';
import { calledAs } from './called-as.ts';

interface CompareArguments {
  readonly strictDrift?: boolean;
  readonly driftFactor?: number;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly accept?: boolean;
  readonly out?: string;
}

/** Prints what changed; returns the exit code: 1 when something gates. */
export function compare(first: string, second: string | undefined, options: CompareArguments): number {
  if (options.accept) return accept(first, second, options.out);
  if (second === undefined)
    throw new ConfigurationError('compare: name two runs, or one with --accept and --out FILE');
  if (options.out !== undefined) throw new ConfigurationError('compare: --out belongs to --accept');
  if (options.json && options.markdown)
    throw new ConfigurationError('compare: --json and --markdown exclude each other');
  const before = readBaseline(first);
  const { baseline: after, selection } = readComparable(second);
  const { strictDrift: strict = false, driftFactor: factor } = options;
  const drift = driftBetween(before, after, { strict, factor, selection });
  const sides = { before, after };
  if (options.json) {
    printJson({ before: headOf(before), after: headOf(after), circumstances: circumstances(sides), drift });
  } else if (options.markdown) {
    print(`${['## Drift', '', ...driftMarkdown(drift, sides)].join('\n')}\n`);
  } else {
    print(`${driftText(sides, drift)}\n`);
  }
  return drift.some(({ gating }) => gating) ? exitCode.nonconformant : exitCode.conformant;
}

function accept(place: string, second: string | undefined, out: string | undefined): number {
  if (second !== undefined) throw new ConfigurationError('compare --accept: name one run only');
  if (out === undefined)
    throw new ConfigurationError('compare --accept: say with --out FILE where the baseline goes');
  const run = acceptable(readRun(place), place);
  writeWhole(out, baselineText(baselineOf(run)), { named: 'by-user' });
  const target = run.target.name === referenceName ? '' : ' --target PROFILE';
  print(`written to ${out}; from now on: ${calledAs()} run${target} --baseline ${out}\n`);
  if (run.verdict !== 'conformant')
    print(`note: this run is ${run.verdict}; what did not pass in it is accepted as it is\n`);
  return exitCode.conformant;
}
