/** Opens PDFs with pdfjs in a thread of its own, which can be ended while a hostile file keeps it busy. */
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

// What only drawing needs of a browser: pdfjs tells that it is missing, and does without it otherwise.
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) globalThis[name] ??= class {};
console.warn = () => {};
// Otherwise pdfjs would look for this file of its own where it lies itself.
globalThis.pdfjsWorker = await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
const { getDocument, OPS, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');

const { imagePixels, operators, textItems } = workerData;
const cMapUrl = fileURLToPath(import.meta.resolve('pdfjs-dist/cmaps/'));

/** What is told of a page: no pictures and no fonts. */
const told = new Set([
  OPS.save,
  OPS.restore,
  OPS.transform,
  OPS.paintFormXObjectBegin,
  OPS.paintFormXObjectEnd,
  OPS.beginAnnotation,
  OPS.endAnnotation,
  OPS.constructPath,
  OPS.setFillRGBColor,
  OPS.setStrokeRGBColor,
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
]);

/** The file, with as many of its pages as are asked for. */
async function read({ bytes, pages: most }) {
  const task = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: imagePixels,
    cMapUrl,
    cMapPacked: true,
  });
  try {
    const opened = await task.promise;
    // What stands in the file is taken as it is, also when it is below zero.
    const pageCount = Math.max(0, opened.numPages);
    const pages = [];
    for (let number = 1; number <= Math.min(pageCount, most); number += 1) {
      const page = opened.getPage(number).then(pageOf);
      pages.push(await page.catch((error) => ({ problem: String(error?.message ?? error) })));
    }
    const { info } = most > 0 ? await opened.getMetadata() : { info: {} };
    const metadata = Object.values(info).filter((value) => typeof value === 'string');
    return { pageCount, ops: OPS, pages, metadata };
  } finally {
    await task.destroy().catch(() => undefined);
  }
}

async function pageOf(page) {
  const { items } = await page.getTextContent();
  const annotations = await page.getAnnotations();
  const { fnArray, argsArray } = await page.getOperatorList();
  const drawn = [];
  for (let at = 0; at < fnArray.length && drawn.length < operators; at += 1) {
    if (told.has(fnArray[at])) drawn.push([fnArray[at], plainArguments(fnArray[at], argsArray[at])]);
  }
  return {
    view: page.view,
    items: items
      .filter(({ str }) => str)
      .slice(0, textItems)
      .map(({ str, transform, width, height }) => ({ str, transform, width, height })),
    annotations: annotations.map(({ rect }) => (Array.isArray(rect) ? rect : [])),
    operators: drawn,
  };
}

/** Numbers, and lists of them; of a path only how it ends and its bounds. */
function plainArguments(operator, given) {
  const list = Array.isArray(given) ? given : [];
  if (operator === OPS.constructPath) return [list[0], null, numbers(list[2])];
  if (operator === OPS.setFillRGBColor || operator === OPS.setStrokeRGBColor)
    return Array.from(given ?? []).slice(0, 3);
  return list.map((each) => (typeof each === 'number' ? each : numbers(each)));
}

function numbers(value) {
  const list = Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value).slice(0, 6) : null;
  return list?.every((each) => typeof each === 'number') ? list : null;
}

parentPort.on('message', async (asked) => {
  try {
    parentPort.postMessage({ read: await read(asked) });
  } catch (error) {
    parentPort.postMessage({ error: { name: error?.name, message: String(error?.message ?? error) } });
  }
});

// Loading pdfjs takes its time, which is not that of a file.
parentPort.postMessage({});
