/** Draws a mark onto a page: a frame of exactly its size, with its lines inside. */
import type { PDFDocument, PDFFont, PDFPage } from 'pdf-lib';
import { lettering, write } from './fonts.ts';
import type { Mark } from './marks.ts';

const pointsIn = { points: 1, pixels: 72 / 96, millimetres: 72 / 25.4 } as const;

export async function drawMark(pdf: PDFDocument, page: PDFPage, mark: Mark): Promise<void> {
  const { rgb } = await import('pdf-lib');
  const { x, y, width, height } = boxOf(page, mark);
  const ink = rgb(0.1, 0.15, 0.45);
  const filled = mark.fill === null ? {} : { color: rgb(...channels(mark.fill)) };
  page.drawRectangle({ x, y, width, height, borderColor: ink, borderWidth: 0.75, ...filled });
  const { font, lines } = await lettering(pdf, mark.lines);
  const step = height / (lines.length + 0.5);
  for (const [at, line] of lines.entries()) {
    const size = fitting(font, line.shown, width - 4, step * 0.8);
    await write(page, line, { x: x + 2, y: y + height - step * (at + 1), size, font, color: ink });
  }
}

type Box = Record<'x' | 'y' | 'width' | 'height', number>;

/** A number in a form that PDF allows, which has no exponents; nothing visible on a page needs larger or finer numbers. */
const withinPdf = (number: number) => Number(Math.max(-1e6, Math.min(1e6, number)).toFixed(6));

/** The place of a mark in points from the lower left corner of the page, before a viewer turns it. */
function boxOf(page: PDFPage, { place }: Mark): Box {
  const sheet = page.getMediaBox();
  if ('rank' in place) return placeInRows(sheet, place);
  const { measure, kept, ...mark } = place;
  const { unit } = measure;
  const [across, up] =
    unit === 'percent' ? [sheet.width / 100, sheet.height / 100] : [pointsIn[unit], pointsIn[unit]];
  const [x, width] = [withinPdf(mark.x) * across, withinPdf(mark.width) * across];
  const [y, height] = [withinPdf(mark.y) * up, withinPdf(mark.height) * up];
  const box = {
    'bottom-left': { x, y },
    'top-left': { x, y: sheet.height - y - height },
    centre: { x: sheet.width / 2 + x - width / 2, y: sheet.height / 2 + y - height / 2 },
  }[measure.origin];
  const within = (at: number, most: number) => (kept ? Math.max(0, Math.min(at, most)) : at);
  return {
    x: sheet.x + within(box.x, sheet.width - width),
    y: sheet.y + within(box.y, sheet.height - height),
    width,
    height,
  };
}

/** A place in rows of three on A4. On smaller pages, and for many signers, marks are made smaller until all fit. */
function placeInRows(sheet: Box, { rank, of }: { readonly rank: number; readonly of: number }): Box {
  const scales = Array.from({ length: 20 }, (_, at) => 1 / (at + 1));
  const across = (scale: number) => Math.floor((sheet.width - 64 * scale) / (176 * scale));
  const up = (scale: number) => Math.floor((sheet.height - 16 * scale) / (44 * scale));
  const scale = scales.find((each) => across(each) > 0 && across(each) * up(each) >= of) ?? 0.05;
  const columns = Math.max(1, across(scale));
  return {
    x: sheet.x + (36 + (rank % columns) * 176) * scale,
    y: sheet.y + (24 + Math.floor(rank / columns) * 44) * scale,
    width: 168 * scale,
    height: 36 * scale,
  };
}

/** The largest size up to `most` at which a line is no wider than `width`. */
function fitting(font: PDFFont, line: string, width: number, most: number): number {
  const natural = font.widthOfTextAtSize(line, 1);
  return Math.max(1, natural === 0 ? most : Math.min(most, width / natural));
}

/** Red, green and blue from 0 to 1 of a hex color with three or six digits; others are black. */
function channels(color: string): [number, number, number] {
  const digits = /^#([0-9a-f]{6}|[0-9a-f]{3})/i.exec(color)?.[1] ?? '000000';
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const channel = (at: number) => Number.parseInt(long.slice(at, at + 2), 16) / 255;
  return [channel(0), channel(2), channel(4)];
}
