/** The file of accepted deviations: reads it, reporting mistakes by line, key, value and fix; drafts it from a run; prunes it. */
import { existsSync } from 'node:fs';
import { Document, isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml';
import { ConfigurationError } from '../../record/errors.ts';
import { display, type OwnYaml, readOwnYaml, validIn } from '../../record/own-files.ts';
import { applyDeviations, failingRows } from '../concluding/deviations-judge.ts';
import { allOf, column } from '../concluding/outcome.ts';
import { deciding } from '../run/decisive.ts';
import { type Deviations, deviationsSchema, type Listed, type StaleMode } from '../run/deviations.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { cut, firstLine } from '../run/words.ts';

/** @throws ConfigurationError with a line for each mistake */
export function readDeviations(path: string, stale: StaleMode = 'fail'): Deviations {
  return deviationsIn(textOf(path), display(path), stale);
}

function deviationsIn({ value, lineAt }: OwnYaml, file: string, stale: StaleMode): Deviations {
  const lists = validIn({ value: value ?? {}, lineAt }, deviationsSchema, file);
  const entries = (['deviations', 'flaky'] as const).flatMap((list) =>
    (lists[list] ?? []).map((entry, index): Listed => {
      return { list, line: lineAt(`/${list}/${index}`), ...entry };
    }),
  );
  return { file, stale, entries };
}

function textOf(path: string): OwnYaml {
  if (!existsSync(path))
    throw new ConfigurationError(
      `${display(path)}: there is no such file; esign-conformance deviations draft RUN --out FILE writes one`,
    );
  return readOwnYaml('deviations', path);
}

/** Longest drafted reason, in characters: the report has the whole message. */
const longest = 160;

const head = ({ startedAt, target }: Run, schema: string | undefined): string =>
  `${schema === undefined ? '' : ` yaml-language-server: $schema=${schema}\n`} Failures of the run of ${startedAt} against ${target.name}, to accept until a date. Of each entry fill in owner
 and until (YYYY-MM-DD), say in reason why it is accepted, and remove what is not.`;

/** The file as text; `null` without a failure to accept. @param schema where editors find the schema, if that lasts */
export function draftDeviations(run: Run, schema: string | undefined): string | null {
  const failed = allOf(run).filter((each) => column(each) === 'failed');
  if (failed.length === 0) return null;
  const document = new Document({ deviations: failed.map((each) => entryOf(each, run)) });
  document.commentBefore = head(run, schema);
  const entries = document.get('deviations');
  if (isSeq<YAMLMap>(entries)) {
    for (const [index, entry] of entries.items.entries()) comment(entry, failed[index]);
  }
  return document.toString({ lineWidth: 0, nullStr: '', flowCollectionPadding: false });
}

function entryOf(requirement: RunRequirement, run: Run): Record<string, unknown> {
  return {
    requirement: requirement.id,
    targets: [run.target.name],
    // The message of the failure, as a start for a reason.
    reason: cut(firstLine(deciding(requirement).says), longest, '…'),
    owner: null,
    until: null,
    match: [...new Set(failingRows(requirement).map(({ title }) => title))],
  };
}

function comment(entry: YAMLMap, requirement: RunRequirement | undefined): void {
  const key = entry.items[0]?.key;
  if (isScalar(key)) key.commentBefore = ` ${requirement?.statement ?? ''}`;
  const comments = { owner: ' who follows it up', until: ' last day on which it is accepted, YYYY-MM-DD' };
  for (const [name, text] of Object.entries(comments)) {
    const value = entry.get(name, true) as Scalar | undefined;
    if (value) value.comment = text;
  }
  const match = entry.items.find((pair) => isScalar(pair.key) && pair.key.value === 'match');
  if (match && isScalar(match.key))
    match.key.commentBefore = ' only these rows; any other failing row of the requirement still fails';
  const targets = entry.get('targets', true);
  if (isSeq(targets) && !isMap(targets)) targets.flow = true;
}

/** Removes entries that a run needs no more; comments stay. Nothing is written. @throws ConfigurationError by line */
export function pruneDeviations(path: string, run: Run) {
  const given = textOf(path);
  const { document, text } = given;
  const deviations = deviationsIn(given, display(path), 'fail');
  const { file } = deviations;
  const situation = { target: run.target.name, day: run.startedAt.slice(0, 10) };
  const bare = allOf(run).map(({ deviation: _, ...each }) => each);
  const { entries } = applyDeviations(bare, deviations, situation).deviations;
  const removed = entries.filter(({ status }) => status === 'stale');
  const left = entries.filter(({ status, says }) => status !== 'stale' && says !== undefined);
  if (removed.length === 0) return { file, text, removed, left };
  const ofList = entries.filter(({ list }) => list === 'deviations');
  // The last entry is removed first, so that the positions of the others stay valid.
  for (const [index, entry] of [...ofList.entries()].reverse()) {
    if (removed.includes(entry)) document.deleteIn(['deviations', index]);
  }
  const padded = /[[{] \S/.test(text);
  return { file, text: document.toString({ lineWidth: 0, flowCollectionPadding: padded }), removed, left };
}
