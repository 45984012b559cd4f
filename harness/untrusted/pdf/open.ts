/** Reads PDFs, one after the other, in a thread that is ended when one takes too long or too much memory. */
import { Worker } from 'node:worker_threads';
import { sha256Of } from '../../../record/hash.ts';
import { hurry } from '../deadline.ts';
import { limits } from '../limits.ts';

/** What is told of a page, in PDF points from the lower left corner of its file's coordinates. */
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
}

export interface RawPdf {
  readonly pageCount: number;
  /** Numbers of the drawing operators, by name. */
  readonly ops: Readonly<Record<string, number>>;
  /** The pages that were asked for, or why one cannot be read. */
  readonly pages: readonly (RawPage | { readonly problem: string })[];
  /** Title, subject, keywords, author and further metadata. */
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

/** How often the memory is looked at, in milliseconds. */
const lookMs = 50;

let last: Promise<unknown> = Promise.resolve();
let thread: Thread | undefined;

/** What was read lately, while there is room for it: each event of a request may bring its documents again. */
const lately = new Map<string, WeakRef<RawPdf>>();
const mostRemembered = 100;

/**
 * What stands in a file; files wait for each other.
 * @param pages that are read at most; 0: it is only opened
 * @throws PdfExcess, or what pdfjs says about a file that cannot be opened, by its name
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
  // The thread starts once, which is not the fault of a file.
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
  /** The caller keeps them: they are copied on the way. */
  readonly bytes: Uint8Array;
  readonly pages: number;
}

const hasEnded = 'the thread that reads PDFs has ended';

/** The thread with pdfjs, some 20 MB of code, which most runs need late or never. */
class Thread {
  readonly started: Promise<void>;
  ended = false;
  readonly #worker: Worker;
  /** Of what it is asked: one thing at a time. */
  #waiting: { resolve: (read: RawPdf) => void; reject: (error: Error) => void } | undefined;

  constructor() {
    this.#worker = new Worker(new URL('./worker.mjs', import.meta.url), {
      workerData: {
        imagePixels: limits.pdfImagePixels.most,
        operators: limits.pdfOperators.most,
        textItems: limits.pdfTextItems.most,
      },
      // Neither secrets nor loaders of the sources are of use there.
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

  /** Ends the thread; what was asked of it fails with the error. */
  end(error: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.#waiting?.reject(error);
    void this.#worker.terminate();
  }
}

/** How many pages it has; `null` for what is no PDF or cannot be opened in time. */
export async function pageCountOf(bytes: Uint8Array): Promise<number | null> {
  try {
    return (await openPdf(bytes, 0, limits.pdfOpenMs.most)).pageCount;
  } catch {
    // Whether it is whole is judged elsewhere; here it has no number of pages.
    return null;
  }
}
