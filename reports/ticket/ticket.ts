/** Evidence about one requirement or open question, as Markdown for the vendor's support. */
import { operation } from '../../openapi/contract.ts';
import { counted } from '../../record/counted.ts';
import type { Exchange } from '../../record/exchange.ts';
import { findingText } from '../../record/finding-text.ts';
import { shownValue } from '../accepted/drift.ts';
import { exchangeOf } from '../concluding/causes.ts';
import { confirmationWords } from '../concluding/confirmation.ts';
import { deviationLine } from '../concluding/deviations-judge.ts';
import { allOf, column } from '../concluding/outcome.ts';
import { reproduction } from '../reproduce/scripts.ts';
import { deciding, decisive, decisiveExchange, lastOfFlow } from '../run/decisive.ts';
import type { Run, RunCheck, RunGap, RunRequirement, RunRow } from '../run/run.ts';
import { twinOf } from '../run/twin.ts';
import { code, fence, plain, scriptFence } from '../texts/markdown.ts';
import { differenceTable, exchangeMarkdown, flowsMarkdown } from './exchange.ts';

export function ticketable(run: Run): readonly RunRequirement[] {
  return allOf(run).filter(
    ({ verdict, checks }) => verdict === 'could-not-run' || checks.some(({ rows }) => rows.length > 0),
  );
}

/** How many rows are written out; the others are named. */
const most = 5;

/** The ticket. It contains only what is in run.json, which is free of secrets. */
export function ticket(run: Run, requirement: RunRequirement): string {
  const { checks, rows } = deciding(requirement);
  const stopped = requirement.verdict === 'could-not-run';
  const shown = rows.slice(0, most);
  const decisiveRow = shown.find((row) => decisiveExchange(row, run));
  const decided = decisiveRow && decisiveExchange(decisiveRow, run);
  return `${[
    `# ${requirement.id}: ${plain(requirement.statement)}`,
    '',
    ...facts(run, requirement, checks, decided),
    ...(stopped
      ? ['', 'It was not checked: nothing is said against the service. What the run met instead:']
      : checks.flatMap(({ message }) => (message ? ['', ...fence(message.split('\n'))] : []))),
    ...shown.flatMap((row) => rowMarkdown(row, run)),
    ...(rows.length > most
      ? [
          '',
          `The same happened with: ${rows
            .slice(most)
            .map(({ title }) => code(title))
            .join(', ')}.`,
        ]
      : []),
    ...flowsMarkdown(requirement, run),
    ...(decisiveRow ? twinMarkdown(decisiveRow, run) : []),
    ...reproduceMarkdown(run, requirement, decided, shown),
  ].join('\n')}\n`;
}

/** The observations of a run about an open question, with the calls; none of them can be a violation. */
export function gapTicket(run: Run, { id, question, profile, observations }: RunGap): string {
  const calls = [...new Set(observations.flatMap(({ exchanges }) => exchanges))].slice(0, most);
  return `${[
    `# ${id}: ${plain(question)}`,
    '',
    'The interface document leaves it open or says it in two ways: no answer is wrong.',
    '',
    `- **Target:** ${code(run.target.name)}, ${code(run.target.baseUrl)}`,
    ...(profile ? [`- **The profile says:** ${code(profile.replaceAll('\n', ' '))}`] : []),
    `- **Seen:** ${run.startedAt} (UTC)`,
    ...observations.map(({ key, value }) => `- ${code(key)}: ${code(shownValue(value))}`),
    ...calls.flatMap((index) => {
      const exchange = run.exchanges[index];
      return exchange ? ['', `## Exchange ${index}`, ...exchangeMarkdown(exchange)] : [];
    }),
  ].join('\n')}\n`;
}

function facts(
  run: Run,
  requirement: RunRequirement,
  checks: readonly RunCheck[],
  decided: Exchange | undefined,
): string[] {
  const { operation: id } = requirement;
  const { suite: by } = run;
  const called = id ? operation(id) : undefined;
  const again = checks.flatMap((check) => confirmationWords(check) ?? []);
  const list: (readonly [string, string])[] = [
    ['Interface document', `${plain(requirement.section)} (${requirement.level})`],
    ...(called ? [['Operation', code(`${called.method} {base_url}${called.path}`)] as const] : []),
    ['Target', `${code(run.target.name)}, ${code(run.target.baseUrl)}`],
    ['Result', column(requirement) === 'deviation' ? 'failed, an accepted deviation' : requirement.verdict],
    ...(requirement.deviation ? [['Deviation', code(deviationLine(requirement))] as const] : []),
    ['Seen', `${decided?.startedAt ?? run.startedAt} (UTC)`],
    ...again.map((words) => ['Confirmed', plain(words)] as const),
    [
      'Checked by',
      plain(`${by.name} ${by.version}, contract ${run.contract.version}, run of ${run.startedAt}`),
    ],
  ];
  return list.map(([name, value]) => `- **${name}:** ${value}`);
}

function rowMarkdown(row: RunRow, run: Run): string[] {
  const { verdict, finding } = row;
  const stopped = verdict === 'could-not-run';
  const exchange =
    (stopped && finding?.cause && exchangeOf(finding.cause, run.exchanges)) || decisiveExchange(row, run);
  const { cause: _, ...seen } = finding ?? {};
  // The cause is left out: it is advice to the author of the profile, not to the vendor.
  const says = stopped ? findingText(seen, (index) => run.exchanges[index]) : row.message;
  return [
    '',
    `## ${plain(row.title)}`,
    ...(says ? ['', ...fence(says.split('\n'))] : []),
    ...(exchange ? exchangeMarkdown(exchange) : []),
  ];
}

function twinMarkdown(row: RunRow, run: Run): string[] {
  const exchange = decisiveExchange(row, run);
  const twin = twinOf(row, run);
  if (!exchange || !twin) return [];
  return [
    '',
    '## A call that is accepted',
    '',
    'It differs from the one above in this, and in people and texts, which are chosen anew for each call:',
    '',
    ...differenceTable(exchange, twin),
    ...exchangeMarkdown(twin.exchange),
  ];
}

function reproduceMarkdown(
  run: Run,
  requirement: RunRequirement,
  decided: Exchange | undefined,
  rows: readonly RunRow[],
): string[] {
  // A flow decided where no call did.
  const found = decided ? undefined : (decisive(requirement, run) ?? lastOfFlow(requirement, run));
  const exchange = decided ?? found?.exchange;
  if (!exchange) return [];
  const said = found?.says ?? rows.find((row) => decisiveExchange(row, run) === exchange)?.message;
  const { calls, listens, needs, sh, powershell } = reproduction(
    run,
    requirement,
    exchange,
    said?.split('\n')[0],
  );
  const start = [
    `${counted(calls, 'call')}${needs.length === 0 ? '' : ` with secrets of yours in ${needs.map(code).join(', ')}, each for the host in its name`}.`,
    ...(listens ? [`Callbacks go to the receiver that ${code('CALLBACK_URL')} names.`] : []),
    `Files named ${code('bodies/…')} lie beside this text.`,
  ].join(' ');
  return [
    '',
    '## Reproduce',
    '',
    start,
    '',
    ...scriptFence(sh, 'sh'),
    '',
    'The same for PowerShell:',
    '',
    ...scriptFence(powershell, 'powershell'),
  ];
}
