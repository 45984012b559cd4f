/** Bodies that are long, or no text: redacted files in a folder of their own beside run.json, equal ones once. */
import { existsSync } from 'node:fs';
import type { RecordedBody } from '../../record/exchange.ts';
import { writeWhole } from '../../record/files.ts';
import { placeIn, readOwnBytes } from '../../record/own-files.ts';
import type { Stages } from '../../record/stages.ts';
import { withTexts } from '../untrusted/text.ts';

/** Stands for a large body that could not be written to disk. */
const notWritten = '(not kept: it could not be written)';
/** Stands for a body that came after the run had kept as much as it may. */
export const tooMuch = '(not kept: what came before it is as much as a run keeps)';

interface LargeBodiesParts {
  /** The folder of the run; the one of the bodies is made when the first one comes. */
  readonly folder: string;
  /** Notes a body that could not be written: the record goes on without it. */
  readonly stages: Stages;
  /** Bytes of all of them together. */
  readonly mostKept: number;
  /** A text redacted, by the secrets that are known by then. */
  readonly redacted: (text: string) => string;
}

export class LargeBodies {
  readonly #parts: LargeBodiesParts;
  readonly #written = new Set<string>();
  /** Bytes so far. */
  #met = 0;

  constructor(parts: LargeBodiesParts) {
    this.#parts = parts;
  }

  /** Keeps a body in a file. */
  keep(sha256: string, content: string | Buffer): Pick<RecordedBody, 'file' | 'text'> {
    const file = `bodies/${sha256.slice(0, 32)}.${typeof content === 'string' ? 'txt' : 'bin'}`;
    if (this.#written.has(file)) return { file };
    const met = this.#met + Buffer.byteLength(content);
    // A huge one leaves room for those that follow.
    if (met > this.#parts.mostKept) return { text: tooMuch };
    this.#met = met;
    try {
      this.#write(file, content);
    } catch (error) {
      this.#parts.stages.note('large bodies', error);
      return { text: notWritten };
    }
    this.#written.add(file);
    return { file };
  }

  /** Redacts all of them once more, since some secrets become known only after them, such as a code in the list of a mailbox. */
  redactAgain(): void {
    for (const file of this.#written) {
      try {
        const place = placeIn(this.#parts.folder, file);
        // One that is gone is told when the run is put together.
        if (!existsSync(place)) continue;
        const kept = readOwnBytes('body', place, 'by-us');
        this.#write(file, file.endsWith('.txt') ? kept.toString() : kept);
      } catch (error) {
        this.#parts.stages.note('large bodies', error);
      }
    }
  }

  /** Bodies tell ids and addresses while callbacks are still waited for, so only the user can read them until the run ends. */
  #write(file: string, content: string | Buffer): void {
    const { folder, redacted } = this.#parts;
    const shown = typeof content === 'string' ? redacted(content) : withTexts(content, redacted);
    writeWhole(placeIn(folder, file), shown, { modes: { file: 0o600 } });
  }
}
