/** Reads PDFs, one after the other, in a thread that is ended when one takes too long or too much memory. */
import { Worker } from 'node:worker_threads';
import { sha256Of } from '../../../record/hash.ts';
import { hurry } from '../deadline.ts';
import { limits } from '../limits.ts';

/** The content of a page, in PDF points from the lower left corner of the page's own coordinates. */
export interface RawPage {
  /** Left, bottom, right, top. */
  readonly view: readonly number[];
  readonly items: readonly {
    readonly str: string;
    readonly transform: readonly number[];
    readonly width: number;
    readonly height: number;
  }[];
  /** Of each annotation left, bottom, right, top. */
  readonly annotations: readonly (readonly number[])[];
  /** Drawing operators, each with its arguments. */
  readonly operators: readonly (readonly [operator: number, given: readonly unknown[]])[];
  /** Whether text, a picture or a drawing is put on it; not all of that is among the operators and the items. */
  readonly isPainted: boolean;
}

export interface RawPdf {
  readonly pageCount: number;
  /** Numbers of the drawing operators, by name. */
  readonly ops: Readonly<Record<string, number>>;
  /** The requested pages; for one that cannot be read, why. */
  readonly pages: readonly (RawPage | { readonly problem: string })[];
  /** Title, subject, keywords, author and further metadata; the texts of comments and form fields. */
  readonly metadata: readonly string[];
}

/** Thrown when a file takes more than the bounds. */
export class PdfExcess extends Error {
  readonly reason: 'too-slow' | 'too-large';

  constructor(reason: PdfExcess['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

const toldToEnd = 'the run was told to end before it was read';

/** How often the memory of the thread is checked, in milliseconds. */
const lookMs = 50;

let last: Promise<unknown> = Promise.resolve();
let thread: Thread | undefined;

/** Recent results, as long as memory allows: each event of a request may bring its documents again. */
const lately = new Map<string, WeakRef<RawPdf>>();
const mostRemembered = 100;

/**
 * The content of a file; files wait for each other.
 * @param pages how many are read at most; 0: the file is only opened
 * @throws PdfExcess, or the error of pdfjs by its name for a file that cannot be opened
 */
export function openPdf(
  bytes: Uint8Array,
  pages: number = limits.pdfPages.most,
  deadlineMs: number = limits.pdfMs.most,
): Promise<RawPdf> {
  const key = `${pages} ${sha256Of(bytes)}`;
  const turn = last.then(async () => {
    const known = lately.get(key)?.deref();
    if (known) return known;
    const found = await read({ bytes, pages }, deadlineMs);
    lately.set(key, new WeakRef(found));
    const [oldest = ''] = lately.keys();
    if (lately.size > mostRemembered) lately.delete(oldest);
    return found;
  });
  last = turn.catch(() => undefined);
  return turn;
}

async function read(asked: Asked, deadlineMs: number): Promise<RawPdf> {
  if (hurry.on) throw new PdfExcess('too-slow', toldToEnd);
  const { most: togetherMs } = limits.pdfsMs;
  if (hurry.pdfsMs > togetherMs)
    throw new PdfExcess('too-slow', `reading those before it took longer than ${togetherMs} ms`);
  thread ??= new Thread();
  const own = thread;
  // The start of the thread does not count against the deadline of the file.
  await own.started;
  const give = (reason: PdfExcess['reason'], message: string) => own.end(new PdfExcess(reason, message));
  const late = `reading it took longer than ${deadlineMs} ms`;
  const timer = setTimeout(() => give('too-slow', late), deadlineMs);
  const startedMs = performance.now();
  const before = process.memoryUsage.rss();
  const watch = setInterval(() => {
    const { most } = limits.pdfMemoryBytes;
    if (process.memoryUsage.rss() - before > most)
      give('too-large', `reading it took more than ${most} bytes`);
    if (hurry.on) give('too-slow', toldToEnd);
  }, lookMs);
  try {
    return await own.ask(asked);
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    hurry.pdfsMs += performance.now() - startedMs;
    if (own.ended) thread = undefined;
  }
}

interface Asked {
  /** The bytes are copied to the thread, so the caller keeps them. */
  readonly bytes: Uint8Array;
  readonly pages: number;
}

const hasEnded = 'the thread that reads PDFs has ended';

/** The thread that runs pdfjs. Its 20 MB of code are needed late in most runs, or never. */
class Thread {
  readonly started: Promise<void>;
  ended = false;
  readonly #worker: Worker;
  /** The promise of the question under way; there is only one at a time. */
  #waiting: { resolve: (read: RawPdf) => void; reject: (error: Error) => void } | undefined;

  constructor() {
    this.#worker = new Worker(new URL('./worker.mjs', import.meta.url), {
      workerData: {
        imagePixels: limits.pdfImagePixels.most,
        operators: limits.pdfOperators.most,
        textItems: limits.pdfTextItems.most,
      },
      // The thread needs neither secrets nor the loaders of the sources.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.pdfMemoryBytes.most / 1024 / 1024 },
    });
    // A thread with nothing to do keeps no process alive.
    this.#worker.unref();
    this.started = new Promise((resolve) => {
      this.#worker.once('message', () => resolve()).once('exit', () => resolve());
    });
    this.#worker.on('message', ({ read, error }) => {
      this.#worker.unref();
      if (error)
        this.#waiting?.reject(Object.assign(new Error(String(error.message)), { name: String(error.name) }));
      else this.#waiting?.resolve(read as RawPdf);
    });
    this.#worker.on('error', (error) =>
      this.end(
        (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new PdfExcess('too-large', 'reading it took more memory than there is')
          : error,
      ),
    );
    this.#worker.on('exit', () => this.end(new Error(hasEnded)));
  }

  ask(asked: Asked): Promise<RawPdf> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(new Error(hasEnded));
      this.#waiting = { resolve, reject };
      this.#worker.ref();
      this.#worker.postMessage(asked);
    });
  }

  /** Ends the thread; the question under way fails with the error. */
  end(error: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.#waiting?.reject(error);
    void this.#worker.terminate();
  }
}

/** The number of pages; `null` for a file that is no PDF or cannot be opened in time. */
export async function pageCountOf(bytes: Uint8Array): Promise<number | null> {
  try {
    return (await openPdf(bytes, 0, limits.pdfOpenMs.most)).pageCount;
  } catch {
    // Whether the file is whole is judged elsewhere; here its number of pages is unknown.
    return null;
  }
}
