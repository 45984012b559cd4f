/** Keeps on disk what a run has created while it is under way, so that a run that was killed can be cleaned up after. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { type Created, createdSchema } from '../../record/exchange.ts';
import { placeIn, readOwnLines } from '../../record/own-files.ts';
import { httpUrl } from '../../record/schema-parts.ts';

const nameOf = (runId: string) => `unfinished-${runId}.jsonl`;
const names = /^unfinished-\w+\.jsonl$/;

/** What a run that did not come to its end has left. */
export interface Unfinished {
  readonly file: string;
  readonly baseUrl: string;
  readonly created: readonly Created[];
}

export class CleanupJournal {
  readonly #file: string;
  readonly #baseUrl: string;
  #begun = false;

  /** @param folder of the run; made, like the file, when something was created */
  constructor(folder: string, runId: string, baseUrl: string) {
    this.#file = join(folder, nameOf(runId));
    this.#baseUrl = baseUrl;
  }

  /** Notes an object at once: the process may be gone the next moment. */
  note({ kind, id }: Created): void {
    if (!this.#begun) {
      mkdirSync(join(this.#file, '..'), { recursive: true });
      this.#add({ baseUrl: this.#baseUrl });
      this.#begun = true;
    }
    this.#add({ kind, id });
  }

  /** The run has come to its end: run.json tells the rest. */
  end(): void {
    rmSync(this.#file, { force: true });
  }

  #add(line: unknown): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

const schemas = {
  head: Type.Object({ baseUrl: httpUrl }),
  line: Type.Pick(createdSchema, ['kind', 'id']),
};

/**
 * The runs into a folder that did not come to their end.
 * @throws ConfigurationError when a journal there is none, with its line
 */
export function unfinishedIn(folder: string): Unfinished[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => names.test(name))
    .map((name) => {
      const file = placeIn(folder, name);
      const { head, lines } = readOwnLines('journal', file, schemas);
      const created = lines.map(({ kind, id }) => ({ kind, id, exchange: 0 }));
      return { file, baseUrl: head?.baseUrl ?? '', created };
    });
}
