/** Keeps a list on disk of what a run is creating and has created, so that a killed run can be cleaned up. */
import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { type Created, createdSchema } from '../../record/exchange.ts';
import { addLine, type FileTrouble, writeWhole } from '../../record/files.ts';
import { readJson } from '../../record/json.ts';
import { mismatch, placeIn, readOwnText } from '../../record/own-files.ts';
import { httpUrl, object, text } from '../../record/schema-parts.ts';
import { userKey } from '../profile/state-folder.ts';
import type { Creation, Journal } from '../target/call.ts';

const nameOf = (runId: string) => `unfinished-${runId}.jsonl`;
const names = /^unfinished-\w+\.jsonl$/;

/** The objects that a run left which did not come to its end. */
export interface Unfinished {
  readonly file: string;
  readonly baseUrl: string;
  readonly created: readonly Created[];
  /** Creations that were sent and whose answer nobody has seen: the ids of their objects are not known. */
  readonly underWay: readonly Creation[];
  /** Why some lines of the file cannot be read, as a sentence for the user; the others are used all the same. */
  readonly damage?: string;
}

const { kind, id, mark } = createdSchema.properties;
const objectSchema = object({ kind, id, mark });
const targetSchema = object({ baseUrl: httpUrl });
const sentSchema = object({ kind, title: text(), sent: Type.Integer() });
const answeredSchema = object({ answered: Type.Integer() });
/** The first line names the target. Each other line is a creation that was sent, one that was answered, or an object. */
const lineSchema = Type.Union([targetSchema, sentSchema, answeredSchema, objectSchema]);
type Line = Static<typeof lineSchema>;

export class CleanupJournal implements Journal {
  readonly #file: string;
  readonly #lines: string[];
  readonly #baseUrl: string;
  /** The key of this user; looked up with the first object, since it is made at its first use. */
  #key: { readonly ofUser: string | undefined } | undefined;
  #sent = 0;
  /** Why the file is not complete; the run goes on all the same. */
  trouble: FileTrouble | undefined;

  /** @param folder of the run; it and the file are made with the first creation */
  constructor(folder: string, runId: string, baseUrl: string) {
    this.#file = join(folder, nameOf(runId));
    this.#baseUrl = baseUrl;
    this.#lines = [JSON.stringify({ baseUrl })];
  }

  sending({ kind, title }: Creation): () => void {
    this.#sent += 1;
    const sent = this.#sent;
    this.#add({ sent, kind, title });
    return () => this.#add({ answered: sent });
  }

  /**
   * Notes an object at once, since the process may be killed the next moment; returns it with a mark that it was created
   * by this user on this machine, without it where no key can be kept. Every object is marked, since a profile may get a
   * call for its removal later; signatories go with their request.
   */
  note(created: Created): Created {
    this.#key ??= { ofUser: userKey() };
    const { ofUser } = this.#key;
    const isMarked = created.kind !== 'signatory' && ofUser !== undefined;
    const known = isMarked ? { ...created, mark: markOf(ofUser, this.#baseUrl, created) } : created;
    this.#add({ kind: known.kind, id: known.id, mark: known.mark });
    return known;
  }

  /** Removes the file: the run has come to its end, and run.json has the rest. */
  end(): void {
    rmSync(this.#file, { force: true });
  }

  #add(line: Line): void {
    const text = JSON.stringify(line);
    this.#lines.push(text);
    try {
      // The file is written anew when it was removed or replaced, or when a line was cut off for lack of space.
      if (this.trouble !== undefined || !addLine(this.#file, text)) writeLines(this.#file, this.#lines);
    } catch (error) {
      this.trouble ??= error as FileTrouble;
    }
  }
}

/** Writes the file so that nobody else on the machine can read it: with the id of a request, others could send false events. */
function writeLines(file: string, lines: readonly string[]): void {
  writeWhole(file, `${lines.join('\n')}\n`, { modes: { file: 0o600 } });
}

/** Whether the object has the mark of this user: files from elsewhere may list objects of others. */
export function isMarked(baseUrl: string, created: Created): boolean {
  const key = userKey();
  return key !== undefined && created.mark === markOf(key, baseUrl, created);
}

function markOf(key: string, baseUrl: string, { kind, id }: Created): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([baseUrl, kind, id]))
    .digest('base64url');
}

/** The runs with this folder that did not come to their end. */
export function unfinishedIn(folder: string): Unfinished[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => names.test(name))
    .map((name) => readIfPossible(folder, name));
}

/** What can be read of such a file; one that lies elsewhere, is too large or cannot be opened gives only its damage. */
function readIfPossible(folder: string, name: string): Unfinished {
  try {
    return read(placeIn(folder, name));
  } catch (error) {
    const damage = (error as Error).message;
    return { file: join(folder, name), baseUrl: '', created: [], underWay: [], damage };
  }
}

/** Keeps the objects that are still left in the file of a run; removes the file when none is. */
export function keepUnfinished(
  { file, baseUrl, underWay }: Unfinished,
  left: readonly Pick<Created, 'kind' | 'id' | 'mark'>[],
): void {
  if (left.length === 0 && underWay.length === 0) {
    rmSync(file, { force: true });
    return;
  }
  const lines: Line[] = [
    { baseUrl },
    ...left.map(({ kind, id, mark }) => ({ kind, id, mark })),
    ...underWay.map((each, index) => ({ sent: index + 1, ...each })),
  ];
  writeLines(
    file,
    lines.map((line) => JSON.stringify(line)),
  );
}

/** Damaged lines that are counted at most: checking millions of lines takes minutes. */
const mostDamages = 1_000;

function read(file: string): Unfinished {
  const texts = readOwnText('journal', file, 'by-us').split('\n');
  const created: Created[] = [];
  const underWay = new Map<number, Creation>();
  const damages: string[] = [];
  let baseUrl = '';
  for (const [index, text] of texts.entries()) {
    // A file with so many damages was not written by the suite.
    if (damages.length === mostDamages) break;
    const { line, damage } = lineIn(text, index === texts.length - 1);
    if (damage) damages.push(`${index + 1}: ${damage}`);
    if (!line) continue;
    if ('baseUrl' in line) baseUrl = line.baseUrl;
    else if ('answered' in line) underWay.delete(line.answered);
    else if ('sent' in line) underWay.set(line.sent, { kind: line.kind, title: line.title });
    else created.push({ ...line, exchange: 0 });
  }
  if (baseUrl === '') damages.push('1: no line names the target');
  const unfinished = { file, baseUrl, created, underWay: [...underWay.values()] };
  const [first] = damages;
  if (first === undefined) return unfinished;
  const more = damages.length > 1 ? ` (and ${damages.length - 1} more)` : '';
  const hint = `What that run created has a title that begins with "Conformance ${runOf(file)}": remove it at the target, then delete this file`;
  return { ...unfinished, damage: `${file}:${first}${more}: it is damaged. ${hint}` };
}

/** What a line says, or what is wrong with it. The last one may be cut off: its creation was not sent yet, or is noted as under way. */
function lineIn(text: string, isLast: boolean): { readonly line?: Line; readonly damage?: string } {
  const reading = readJson(text);
  if (!('value' in reading)) return isLast ? {} : { damage: 'is no JSON' };
  const line = reading.value as Line;
  return mismatch(lineSchema, line) ? { damage: 'is none of the lines of such a file' } : { line };
}

const runOf = (file: string): string => /unfinished-(\w+)\.jsonl$/.exec(file)?.[1] ?? '';
