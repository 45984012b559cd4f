/** The thread that reads PDFs with pdfjs: it can be ended while a hostile file keeps it busy. */
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

// Classes of browsers that pdfjs needs only for drawing. Without them it warns.
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) globalThis[name] ??= class {};
console.warn = () => {};
// pdfjs would load a package for drawing, which it can do without, from any folder above, where others may have put theirs.
const { getBuiltinModule } = process;
process.getBuiltinModule = (name) => (name === 'module' ? undefined : getBuiltinModule(name));
// The small forms load in three quarters of the time. Imported here, since pdfjs would otherwise look for this file beside its own.
globalThis.pdfjsWorker = await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs');
const { getDocument, OPS, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.min.mjs');

const { imagePixels, operators, textItems } = workerData;
const cMapUrl = fileURLToPath(import.meta.resolve('pdfjs-dist/cmaps/'));

/** The drawing operators that are reported of a page: none about the content of pictures, and none about fonts. */
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

/** The operators after which something may be seen: text, pictures, paths, shadings, forms. */
const painting = new Set(
  Object.entries(OPS).flatMap(([name, operator]) =>
    /^(paint|constructPath|shadingFill|rawFillPath)|show/i.test(name) ? [operator] : [],
  ),
);

/** The content of a file, up to the given number of pages. */
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
    // pdfjs takes the number from the file as it is, even a negative one.
    const pageCount = Math.max(0, opened.numPages);
    const pages = [];
    for (let number = 1; number <= Math.min(pageCount, most); number += 1) {
      const page = opened.getPage(number).then(pageOf);
      pages.push(await page.catch((error) => ({ problem: String(error?.message ?? error) })));
    }
    const { info } = most > 0 ? await opened.getMetadata() : { info: {} };
    const notes = pages.flatMap((page) => page.notes ?? []).slice(0, textItems);
    const metadata = [...Object.values(info), ...notes].filter((value) => typeof value === 'string');
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
    notes: annotations.flatMap(({ contentsObj, fieldValue }) => [contentsObj?.str, fieldValue]),
    annotations: annotations.map(({ rect }) => (Array.isArray(rect) ? rect : [])),
    operators: drawn,
    isPainted: fnArray.some((operator) => painting.has(operator)),
  };
}

/** The arguments that are numbers or lists of them; of a path only how it ends and its bounds. */
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

// Tells that pdfjs is loaded: that time must not count against the deadline of a file.
parentPort.postMessage({});
