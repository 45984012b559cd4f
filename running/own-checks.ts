/** A team's own requirements and checks: a folder with requirements.yaml, and modules named `….check.mjs` beside it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { Answer as OwnAnswer, OwnCheck, OwnJudged, OwnParts } from '../bin/public.ts';
import type { Judged } from '../harness/judging/case.ts';
import type { CheckParts } from '../harness/judging/parts.ts';
import { assertReadable, importModule, reasonOf } from '../harness/people/load-module.ts';
import type { Answer, Call } from '../harness/target/call.ts';
import { withinTime } from '../harness/untrusted/deadline.ts';
import { adopt, areas, type CatalogueEntry } from '../openapi/requirements/catalogue.ts';
import { ConfigurationError } from '../record/errors.ts';
import { foundAt } from '../record/files.ts';
import { display, readOwnYaml, validIn } from '../record/own-files.ts';
import {
  asFile,
  closed,
  entryId,
  literals,
  nonEmpty,
  object,
  operationId,
  optional,
} from '../record/schema-parts.ts';
import type { LoadedCheck } from './load-checks.ts';

const entry = object({
  statement: nonEmpty('What the service has to do, in a sentence.'),
  level: literals(['must', 'should'], 'A failed must ends the run with exit code 1, a should with --strict.'),
  section: nonEmpty('Where it is agreed: a guideline, a contract, a ticket.'),
  operation: optional(operationId),
  since: optional(
    Type.String({
      pattern: '^\\d+\\.\\d+\\.\\d+$',
      description:
        'With --since of an earlier version it is reported and does not gate; else it always does.',
    }),
  ),
});

export const ownRequirementsSchema = asFile(
  {
    requirements: Type.Record(entryId, entry, {
      ...closed,
      minProperties: 1,
      description: 'By their ids, all of which begin with one prefix of the team: acme.request-id.',
    }),
  },
  "A team's own requirements (requirements.yaml)",
);

export interface OwnChecks {
  readonly prefix: string;
  readonly entries: readonly CatalogueEntry[];
  readonly checks: readonly LoadedCheck[];
}

/** Limits for loading a module, and for a check. After these times it is waiting for something that will not come. */
const [loadMs, checkMs] = [15_000, 600_000];

/** The checks in a folder, whose requirements are known from then on. @throws ConfigurationError with file, line, reason */
export async function ownChecks(folder: string): Promise<OwnChecks> {
  const file = join(folder, 'requirements.yaml');
  const shown = display(file);
  const read = readOwnYaml('requirements', file, 'by-us');
  const value = validIn(read, ownRequirementsSchema, shown);
  const refuse = (id: string, why: string): never => {
    throw new ConfigurationError(`${shown}:${read.lineAt(`/requirements/${id}`)}: ${id}: ${why}`);
  };
  const ids = Object.keys(value.requirements);
  const [prefix = ''] = (ids[0] ?? '').split('.');
  if (areas.includes(prefix))
    refuse(ids[0] ?? '', `"${prefix}" is an area of the suite; take another prefix`);
  for (const id of ids) if (!id.startsWith(`${prefix}.`)) refuse(id, `all ids share one prefix, "${prefix}"`);
  const entries = Object.entries(value.requirements).map(
    ([id, given]): CatalogueEntry => ({
      operation: null,
      since: '0.0.0',
      ...(given as object as Pick<CatalogueEntry, 'section' | 'statement' | 'level'>),
      check: 'own',
      id: id as CatalogueEntry['id'],
      area: prefix,
    }),
  );
  const found = await checksIn(folder, ids, shown);
  adopt(entries);
  const checks = entries.map(({ id, statement }): LoadedCheck => {
    const check = found.get(id) ?? refuse(id, 'no module *.check.mjs of the folder has a check of it');
    const body = (parts: CheckParts) => judged(check, parts);
    return { title: statement.replace(/\.$/, ''), tags: [`@${id}`], ids: [id], body };
  });
  return { prefix, entries, checks };
}

async function checksIn(folder: string, ids: readonly string[], list: string) {
  const found = new Map<string, OwnCheck>();
  for (const name of readdirSync(folder)
    .filter((each) => /\.check\.m?[jt]s$/.test(each))
    .sort()) {
    const file = display(join(folder, name));
    const refuse = (why: string): never => {
      throw new ConfigurationError(`${file}: ${why}`);
    };
    // Loading a pipe would never end.
    if (!foundAt(join(folder, name))?.isFile()) refuse('is no file');
    assertReadable(name, file);
    const late = () => refuse(`was not loaded within ${loadMs / 1000} s`);
    const loading = importModule(join(folder, name)).then(exportedBy);
    const checks = await withinTime(loadMs, loading, late).catch((error: unknown) =>
      refuse(`could not be loaded: ${reasonOf(error)}`),
    );
    if (!checks) refuse("has no default export of the form { 'acme.request-id': async (parts) => {} }");
    for (const [id, check] of checks ?? []) {
      if (!ids.includes(id)) refuse(`${id} is no requirement of ${list} (there: ${ids.join(', ')})`);
      if (found.has(id))
        refuse(`${id} has a check already; one check judges all of a requirement, by its rows`);
      if (typeof check !== 'function') refuse(`${id} is no function`);
      found.set(id, check as OwnCheck);
    }
  }
  return found;
}

/** What a module exports by default. Reading it may run code of the module. */
function exportedBy(loaded: unknown): readonly (readonly [id: string, check: unknown])[] | undefined {
  const { default: exported } = loaded as { readonly default?: unknown };
  // A module compiled to CommonJS has its default export one level deeper.
  const checks = (exported as { readonly default?: unknown } | undefined)?.default ?? exported;
  return typeof checks === 'object' && checks !== null ? Object.entries(checks) : undefined;
}

async function judged(check: OwnCheck, parts: CheckParts): Promise<void> {
  const { check: info, session, facts, evidence: _, ...operations } = parts;
  if (facts.smoke)
    return info.skip("the profile says environment: production: nothing of a team's own is sent there");
  const given = {
    ...operations,
    facts,
    skip: (reason: string) => info.skip(reason),
    row: (title: string, judge: () => Promise<OwnJudged>) =>
      info.row(title, async (context) => {
        const { answers, ...rest } = (await judge()) as object as Judged;
        context.exchanges.push(...answers.map(({ exchange }) => exchange.index));
        return { ...rest, answers };
      }),
    call: (call: Call) => session.call({ ...call, purpose: 'judged', check: info.place }),
    shared: session.shared.bind(session),
    documents: session.documents.bind(session),
    request: session.request.bind(session),
    passed: (answer: OwnAnswer) => end('passed', answer),
    failed: (answer: OwnAnswer, said: string) => end('failed', answer, said),
    unproved: (answer: OwnAnswer, said: string) => end('could-not-run', answer, said),
  };
  const late = () => {
    throw new Error(`the check has not ended within ${checkMs / 60_000} minutes`);
  };
  await withinTime(checkMs, Promise.resolve(check(given as object as OwnParts)), late);
}

function end(verdict: OwnJudged['verdict'], answer: OwnAnswer, said?: string): OwnJudged {
  const answers = [answer as object as Answer];
  return { verdict, found: {}, answers, said } as object as OwnJudged;
}
