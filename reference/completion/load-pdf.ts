/** Loads an uploaded PDF, unless it is made to keep the service busy. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PDFDocument } from 'pdf-lib';

/** Bounds of loading: a contract of 500 pages needs a fifth of each. */
const most = { ms: 5_000, megabytes: 512, nodes: 10_000 };
const lookMs = 50;

/** Marks of a file that inflates when it is loaded. In names, # and two digits may stand for a character; elsewhere # occurs by chance. */
const inflates = /ObjStm|XRef|\/[^\s/<>()[\]{}%]*#[\dA-Fa-f]{2}/;

/** Bytes of a file that is loaded in a second, whatever stands in it: pdf-lib looks for objects that are none in quadratic time. */
const quick = 64 * 1024;

/** The program of the thread, which only finds out whether loading ends; errors of a damaged file come when it is loaded again. */
const trial = `const { parentPort, workerData } = require('node:worker_threads');
const { PDFDocument } = require(workerData);
const told = () => parentPort.postMessage('done');
parentPort.on('message', (bytes) => PDFDocument.load(bytes).then(told, told));`;

/** A thread that has nothing to do: starting one takes longer than loading a file. */
let idle: Worker | undefined;

/** @throws the error of pdf-lib for a damaged or encrypted file, or an error `Excess` */
export async function loadPdf(bytes: Uint8Array): Promise<PDFDocument> {
  const mayTakeLong = bytes.length > quick || inflates.test(Buffer.from(bytes).toString('latin1'));
  if (mayTakeLong && !(await loadsInThread(bytes))) throw excess();
  const { PDFDocument } = await import('pdf-lib');
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  let nodes = 0;
  // A page tree may name the same pages again and again, and a list of that length would crash the process.
  pdf.catalog.Pages().traverse(() => {
    nodes += 1;
    if (nodes > most.nodes) throw excess();
  });
  return pdf;
}

const excess = (): Error => Object.assign(new Error('loading it takes more than it may'), { name: 'Excess' });

async function loadsInThread(bytes: Uint8Array): Promise<boolean> {
  const before = process.memoryUsage.rss();
  // Looks are counted, not time: on a busy machine looking takes as much longer as loading does.
  let looks = most.ms / lookMs;
  const thread = idle ?? newThread();
  idle = undefined;
  thread.ref();
  let ending: Promise<unknown> | undefined;
  const watch = setInterval(() => {
    const more = (process.memoryUsage.rss() - before) / 1024 / 1024;
    looks -= 1;
    // It may take a while to end a thread that is busy.
    if (looks < 0 || more > most.megabytes) ending ??= thread.terminate();
  }, lookMs);
  const ended = await new Promise<boolean>((resolve) => {
    const gone = () => resolve(false);
    thread.once('exit', gone);
    thread.once('message', () => {
      thread.off('exit', gone);
      resolve(true);
    });
    thread.postMessage(bytes);
  });
  clearInterval(watch);
  if (ended && !ending && !idle) {
    thread.unref();
    idle = thread;
  } else {
    await (ending ?? thread.terminate());
  }
  return ended;
}

function newThread(): Worker {
  const thread = new Worker(trial, {
    eval: true,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    workerData: fileURLToPath(import.meta.resolve('pdf-lib/dist/pdf-lib.min.js')),
    resourceLimits: { maxOldGenerationSizeMb: most.megabytes },
  });
  // A thread ends after any error.
  thread.on('error', () => undefined);
  thread.on('exit', () => {
    if (idle === thread) idle = undefined;
  });
  return thread;
}
