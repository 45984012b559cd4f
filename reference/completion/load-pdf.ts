/** Loads a PDF that somebody uploaded, unless it is made to keep the service busy. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PDFDocument } from 'pdf-lib';

/** A contract of 500 pages takes a fifth of each. */
const most = { ms: 5_000, megabytes: 512, nodes: 10_000 };
const lookMs = 50;

/** Only these inflate when a file is loaded; in the name two digits may stand for a sign. Elsewhere # occurs by chance. */
const inflates = /ObjStm|XRef|\/[^\s/<>()[\]{}%]*#[\dA-Fa-f]{2}/;

/** What is damaged tells itself when it is loaded again. */
const trial = `const { parentPort, workerData } = require('node:worker_threads');
const load = async () => require(workerData.library).PDFDocument.load(workerData.bytes);
load().catch(() => {}).then(() => parentPort.postMessage('done'));`;

/** @throws what pdf-lib says of a damaged or encrypted file, or an error `Excess` */
export async function loadPdf(bytes: Uint8Array): Promise<PDFDocument> {
  if (inflates.test(Buffer.from(bytes).toString('latin1')) && !(await loadsInThread(bytes))) throw excess();
  const { PDFDocument } = await import('pdf-lib');
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  let nodes = 0;
  // A tree may name the same pages again and again: lists that are too long end the process.
  pdf.catalog.Pages().traverse(() => {
    nodes += 1;
    if (nodes > most.nodes) throw excess();
  });
  return pdf;
}

function excess(): Error {
  return Object.assign(new Error('loading it takes more than it may'), { name: 'Excess' });
}

/** Whether it comes to an end within the bounds. */
async function loadsInThread(bytes: Uint8Array): Promise<boolean> {
  const library = fileURLToPath(import.meta.resolve('pdf-lib/dist/pdf-lib.min.js'));
  const before = process.memoryUsage.rss();
  const until = performance.now() + most.ms;
  const thread = new Worker(trial, {
    ...{ eval: true, env: {}, execArgv: [], stdout: true, workerData: { library, bytes } },
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: most.megabytes },
  });
  const watch = setInterval(() => {
    const more = (process.memoryUsage.rss() - before) / 1024 / 1024;
    if (performance.now() > until || more > most.megabytes) void thread.terminate();
  }, lookMs);
  const ended = await new Promise<boolean>((resolve) => {
    thread.once('message', () => resolve(true));
    for (const event of ['error', 'exit']) thread.once(event, () => resolve(false));
  });
  clearInterval(watch);
  await thread.terminate();
  return ended;
}
