/** Drafts entries of a deviations file from the failures of a run, for a person to fill in. */
import { Document, isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml';
import { column } from './outcome.ts';
import type { Run, RunRequirement } from './run.ts';

/** Longest reason, in characters: the whole message stands in the report. */
const longest = 160;

const head = ({ startedAt, target }: Run, schema: string | undefined): string =>
  `${schema === undefined ? '' : ` yaml-language-server: $schema=${schema}\n`} Failures of the run of ${startedAt} against ${target.name}, to accept until a date. Of each entry fill in owner
 and until (YYYY-MM-DD), say in reason why it is accepted, and remove what is not.`;

/**
 * The file as text, or `null` when the run has no failure that is not accepted yet.
 * @param schema where editors find the JSON Schema, if it has a place that lasts
 */
export function draftDeviations(run: Run, schema: string | undefined): string | null {
  const failed = run.requirements.filter((each) => column(each) === 'failed');
  if (failed.length === 0) return null;
  const document = new Document({ deviations: failed.map((each) => entryOf(each, run)) });
  document.commentBefore = head(run, schema);
  const entries = document.get('deviations');
  if (isSeq<YAMLMap>(entries)) {
    for (const [index, entry] of entries.items.entries()) explain(entry, failed[index]);
  }
  return document.toString({ lineWidth: 0, nullStr: '', flowCollectionPadding: false });
}

function entryOf(requirement: RunRequirement, run: Run): Record<string, unknown> {
  return {
    requirement: requirement.id,
    targets: [run.target.name],
    reason: reasonOf(requirement),
    owner: null,
    until: null,
    match: titlesOf(requirement),
  };
}

/** Tells the reader what the entry is about and what to fill in. */
function explain(entry: YAMLMap, requirement: RunRequirement | undefined): void {
  const key = entry.items[0]?.key;
  if (isScalar(key)) key.commentBefore = ` ${requirement?.statement ?? ''}`;
  const comments = {
    owner: ' who follows it up',
    until: ' last day on which it is accepted, YYYY-MM-DD',
  };
  for (const [name, comment] of Object.entries(comments)) {
    const value = entry.get(name, true) as Scalar | undefined;
    if (value) value.comment = comment;
  }
  const match = entry.items.find((pair) => isScalar(pair.key) && pair.key.value === 'match');
  if (match && isScalar(match.key)) {
    match.key.commentBefore = ' only these rows; any other failing row of the requirement still fails';
  }
  const targets = entry.get('targets', true);
  if (isSeq(targets) && !isMap(targets)) targets.flow = true;
}

/** What was seen, as a start for a reason. */
function reasonOf({ checks }: RunRequirement): string {
  const failed = checks.filter(({ verdict }) => verdict === 'failed');
  const rows = failed.flatMap((check) => check.rows.filter(({ verdict }) => verdict === 'failed'));
  const message = rows[0]?.message ?? failed[0]?.message ?? 'it fails';
  const [line = ''] = message.split('\n');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** Patterns for the titles of the failing rows. */
function titlesOf({ checks }: RunRequirement): string[] {
  const titles = checks
    .filter(({ verdict }) => verdict === 'failed')
    .flatMap((check) => {
      const rows = check.rows.filter(({ verdict }) => verdict === 'failed').map(({ title }) => title);
      return rows.length > 0 ? rows : [check.title];
    });
  return [...new Set(titles)];
}
