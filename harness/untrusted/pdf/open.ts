/** Opens PDFs, one after the other, in a thread that is ended when one takes too long or too much memory. */
import { Worker } from 'node:worker_threads';
import { hurry } from '../deadline.ts';
import { limits } from '../limits.ts';

/** What is told of a page, in PDF points from the lower left corner of its file's coordinates. */
export interface RawPage {
  /** Left, bottom, right, top. */
  readonly view: readonly number[];
  readonly rotate: number;
  readonly items: readonly {
    readonly str: string;
    readonly transform: readonly number[];
    readonly width: number;
    readonly height: number;
  }[];
  readonly annotations: readonly {
    readonly subtype: string;
    readonly fieldName?: string;
    readonly text?: string;
    readonly rect: readonly number[];
  }[];
  /** Drawing operators, each with its arguments. */
  readonly operators: readonly (readonly [operator: number, given: readonly unknown[]])[];
}

export interface OpenPdf {
  readonly pages: number;
  /** Numbers of the drawing operators, by name. */
  readonly ops: Readonly<Record<string, number>>;
  /** @param number from 1 */
  page(number: number): Promise<RawPage>;
  /** Title, subject, keywords, author and further metadata. */
  metadata(): Promise<readonly string[]>;
}

/** Thrown when a file takes more than the bounds. */
export class PdfExcess extends Error {
  readonly reason: 'too-slow' | 'too-large';

  constructor(reason: PdfExcess['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** How long files that are given up in the end may take together: nobody waits hours for what a sender made for it. */
export class PdfPatience {
  readonly #mostMs: number;
  #lostMs = 0;

  constructor(mostMs: number = limits.pdfLostMs.most) {
    this.#mostMs = mostMs;
  }

  lost(ms: number): void {
    this.#lostMs += ms;
  }

  /** @throws PdfExcess when it has come to its end */
  assert(): void {
    if (hurry.on) throw new PdfExcess('too-slow', toldToEnd);
    if (this.#lostMs <= this.#mostMs) return;
    throw new PdfExcess('too-slow', `files before it took longer than ${this.#mostMs} ms, and were given up`);
  }
}
const patience = new PdfPatience();

const toldToEnd = 'the run was told to end before it was read';

/** How often the memory is looked at, in milliseconds. */
const lookMs = 50;

let last: Promise<unknown> = Promise.resolve();
let thread: Thread | undefined;

/**
 * What `work` makes of the document; files wait for each other.
 * @throws PdfExcess, or what pdfjs says about a file that cannot be opened, by its name
 */
export async function withPdf<Value>(
  bytes: Uint8Array,
  work: (opened: OpenPdf) => Promise<Value>,
  deadlineMs: number = limits.pdfMs.most,
  bound: PdfPatience = patience,
): Promise<Value> {
  const turn = last.then(() => read(bytes, work, deadlineMs, bound));
  last = turn.catch(() => undefined);
  return turn;
}

async function read<Value>(
  bytes: Uint8Array,
  work: (opened: OpenPdf) => Promise<Value>,
  deadlineMs: number,
  bound: PdfPatience,
): Promise<Value> {
  bound.assert();
  thread ??= new Thread();
  const own = thread;
  // The thread starts once, which is not the fault of a file.
  await own.started;
  const give = (reason: PdfExcess['reason'], message: string) => own.end(new PdfExcess(reason, message));
  const timer = setTimeout(
    () => give('too-slow', `reading it took longer than ${deadlineMs} ms`),
    deadlineMs,
  );
  const startedMs = performance.now();
  const before = process.memoryUsage.rss();
  const watch = setInterval(() => {
    const { most } = limits.pdfMemoryBytes;
    if (process.memoryUsage.rss() - before > most)
      give('too-large', `reading it took more than ${most} bytes`);
    if (hurry.on) give('too-slow', toldToEnd);
  }, lookMs);
  try {
    // The caller keeps its bytes: they are copied on the way.
    const { pages, ops } = await own.ask<Pick<OpenPdf, 'pages' | 'ops'>>('open', bytes);
    return await work({
      pages,
      ops,
      page: (number) => own.ask<RawPage>('page', number),
      metadata: () => own.ask<readonly string[]>('metadata'),
    });
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    if (own.ended) {
      thread = undefined;
      bound.lost(performance.now() - startedMs);
    } else await own.ask('close').catch(() => undefined);
  }
}

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** The thread with pdfjs, some 20 MB of code, which most runs need late or never. */
class Thread {
  readonly started: Promise<void>;
  ended = false;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

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
    this.started = new Promise((resolve) => {
      this.#worker.once('message', () => resolve()).once('exit', () => resolve());
    });
    this.#worker.on('message', ({ id, answer, error }) => {
      const waiting = this.#waiting.get(id as number);
      this.#waiting.delete(id as number);
      if (error)
        waiting?.reject(Object.assign(new Error(String(error.message)), { name: String(error.name) }));
      else waiting?.resolve(answer as never);
      this.#rest();
    });
    this.#worker.on('error', (error) =>
      this.end(
        (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new PdfExcess('too-large', 'reading it took more memory than there is')
          : error,
      ),
    );
    this.#worker.on('exit', () => this.end(new Error('the thread that reads PDFs has ended')));
    this.#rest();
  }

  ask<Answer>(ask: string, given?: unknown): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      if (this.ended) return reject(new Error('the thread that reads PDFs has ended'));
      const id = this.#count++;
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      this.#worker.ref();
      this.#worker.postMessage({ id, ask, given });
    });
  }

  /** Ends the thread; what was asked of it fails with the error. */
  end(error: Error): void {
    if (this.ended) return;
    this.ended = true;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    void this.#worker.terminate();
  }

  /** A thread with nothing to do keeps no process alive. */
  #rest(): void {
    if (this.#waiting.size === 0) this.#worker.unref();
  }
}

/** How many pages it has; `null` for what is no PDF or cannot be opened in time. */
export async function pageCountOf(bytes: Uint8Array): Promise<number | null> {
  try {
    return await withPdf(bytes, async ({ pages }) => pages, limits.pdfOpenMs.most);
  } catch {
    // Whether it is whole is judged elsewhere; here it has no number of pages.
    return null;
  }
}
