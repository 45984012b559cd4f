/** Keeps on disk what a run has created while it is under way, so that a run that was killed can be cleaned up after. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Created } from '../../record/exchange.ts';

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

/** The runs into a folder that did not come to their end. */
export function unfinishedIn(folder: string): Unfinished[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => names.test(name))
    .map((name) => read(join(folder, name)));
}

function read(file: string): Unfinished {
  const [head, ...lines] = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const { baseUrl } = JSON.parse(head ?? '{}') as { baseUrl?: string };
  return { file, baseUrl: baseUrl ?? '', created: lines.flatMap(object) };
}

/** The last line may be cut off. */
function object(line: string): Created[] {
  try {
    const { kind, id } = JSON.parse(line) as Created;
    return [{ kind, id, exchange: 0 }];
  } catch {
    return [];
  }
}
