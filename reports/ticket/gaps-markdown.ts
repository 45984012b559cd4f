/** The open questions of a run as Markdown, for an integrator to ask the vendor of the target. */
import { gaps as register } from '../../openapi/gaps/register.ts';
import { ConfigurationError } from '../../record/errors.ts';
import { yamlIn } from '../../record/own-files.ts';
import type { Run, RunGap } from '../run/run.ts';
import { code, plain } from '../texts/markdown.ts';

/** The list: first observations that should be confirmed, then questions that only the vendor can answer. */
export function gapsMarkdown(run: Run): string {
  const of = (status: RunGap['status']) => run.gaps.filter((gap) => gap.status === status);
  const [observed, answered, unobserved] = [of('observed'), of('answered-by-profile'), of('unobserved')];
  return `${[
    `# Open questions about ${plain(run.target.name)}`,
    '',
    `The interface document leaves ${run.gaps.length} questions open or answers them in two ways. ${observed.length} of them were observed in the run of ${run.startedAt} (UTC) against ${code(run.target.baseUrl)}, by ${plain(`${run.suite.name} ${run.suite.version}`)}. None of the answers is wrong: what is asked for is whether it can be relied on.`,
    ...section('To confirm: what was observed', observed),
    ...section('To confirm: what the integrator assumes', answered),
    ...section('To answer: what was not seen', unobserved),
  ].join('\n')}\n`;
}

function section(title: string, gaps: readonly RunGap[]): string[] {
  if (gaps.length === 0) return [];
  return ['', `## ${title}`, ...gaps.flatMap(question)];
}

function question({ id, question: text, profile, observations }: RunGap): string[] {
  const entry = register.find((each) => each.id === id);
  return [
    '',
    `- [ ] **${plain(text)}**  `,
    `  ${code(id)}${entry ? `, interface document: ${plain(entry.section)}` : ''}`,
    ...(profile && entry?.profileKey ? [assumed(entry.profileKey, profile)] : []),
    ...observations.map(({ key, value, stability, exchanges }) => {
      const shown = Array.isArray(value)
        ? value.map((each) => code(String(each))).join(', ')
        : code(String(value));
      const last = exchanges.at(-1);
      const from = last === undefined ? '' : `, as in exchange ${last}`;
      return `  - ${code(key)}: ${shown}${stability === 'volatile' ? ' (changes from run to run)' : ''}${from}`;
    }),
    '  - Answer:',
  ];
}

/** The answer of the profile on one line, as JSON. Text that is no YAML, in a foreign run, is shown as it is. */
function assumed(key: string, says: string): string {
  let value = says;
  try {
    value = JSON.stringify(yamlIn(says, key).value) ?? says;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
  }
  return `  - the profile of the integrator says ${code(`${key}: ${value}`)}`;
}
