/** Stamps as they may stand on a page: which of them no unit, reference point or direction of the axes explains. */
import { expect, test } from '@playwright/test';
import { type Mark, misplacement, outlines, stampsIn } from '../../harness/flows/stamp-measure.ts';
import type { PdfContent, PdfPage, TextItem } from '../../harness/untrusted/pdf/completed.ts';
import { CouldNotRun } from '../../record/errors.ts';

type Box = readonly [x: number, y: number, width: number, height: number];

const sizes = { small: { Width: 18, Height: 10 }, large: { Width: 25, Height: 18 } };
/** What the flow about stamps asks for, in points. */
const given: readonly Box[] = [
  [14, 12, 18, 10],
  [40, 12, 18, 10],
  [14, 39, 25, 18],
];

const found = (boxes: readonly Box[]): readonly Mark[] =>
  outlines(boxes.map(([x, y, width, height]) => ({ page: 0, x, y, width, height })));
const each = (change: (box: Box, index: number) => Box) => misplacement(found(given.map(change)), sizes);

test('any unit, reference point and direction of the axes is as good as another', () => {
  const good: Record<string, (box: Box) => Box> = {
    'as given': (box) => box,
    'another unit': ([x, y, w, h]) => [x * 0.35, y * 0.35, w * 0.35, h * 0.35],
    'another unit of sizes': ([x, y, w, h]) => [x, y, w * 0.75, h * 0.75],
    'from the top': ([x, y, w, h]) => [x, 842 - y - h, w, h],
    'from the right': ([x, y, w, h]) => [595 - x - w, y, w, h],
    'by the centre': ([x, y, w, h]) => [x - w / 2, y - h / 2, w, h],
    'by the upper right corner': ([x, y, w, h]) => [x + 40 - w, y + 20 - h, w, h],
    'proportions of a picture kept': ([x, y, w, h]) => {
      const side = Math.min(w / 3, h);
      return [x + (w - 3 * side) / 2, y + (h - side) / 2, 3 * side, side];
    },
    'a caption below': ([x, y, w, h]) => [x, y - 4, w, h + 4],
    'percent of the page': ([x, y, w, h]) => [5.95 * x, 8.42 * y, 5.95 * w, 8.42 * h],
  };
  for (const [name, change] of Object.entries(good)) expect(each(change), name).toBeNull();
});

test('what no such choice explains is found', () => {
  const bad: Record<string, (box: Box, index: number) => Box> = {
    'axes swapped': ([x, y, w, h]) => [y, x, w, h],
    'sides swapped': ([x, y, w, h]) => [x, y, h, w],
    'width ignored': ([x, y, , h]) => [x, y, 20, h],
    'height ignored': ([x, y, w]) => [x, y, w, 12],
    'second too high': ([x, y, w, h], index) => [x, y + (index === 1 ? 60 : 0), w, h],
    'third too far to the right': ([x, y, w, h], index) => [x + (index === 2 ? 40 : 0), y, w, h],
    'in a row': ([, , w, h], index) => [30 + 190 * index, 40, w, h],
    'in a column': ([, , w, h], index) => [30, 40 + 100 * index, w, h],
  };
  for (const [name, change] of Object.entries(bad)) expect(each(change), name).not.toBeNull();
});

test('what cannot be told apart is not judged', () => {
  const more: readonly Box[] = [...given, [400, 5, 100, 6]];
  expect(misplacement(found(more.map(([x, y, w, h]) => [y, x, w, h])), sizes)).toBeNull();
  expect(each(([x, y, w, h], index) => [x, y, w + 3 * index, h])).toBeNull();
});

const emptyPage: PdfPage = {
  width: 595,
  height: 842,
  rotation: 0,
  text: '',
  items: [],
  boxes: [],
  annotations: [],
};
const content = (page: Partial<PdfPage>): PdfContent => ({
  readable: true,
  whole: true,
  pageCount: 1,
  pages: [{ ...emptyPage, ...page }],
  text: '',
  metadata: '',
});
const boxes = (of: readonly Box[]) =>
  of.map(([x, y, width, height]) => ({ kind: 'path' as const, x, y, width, height }));
const found3 = (page: Partial<PdfPage>) => stampsIn(content({}), content(page), 3);
const texts = (of: readonly Box[]): readonly TextItem[] =>
  of.map(([x, y]) => ({ text: 'Signed by somebody', x: x + 2, y: y + 2, width: 90, height: 10 }));

test('a text that is longer than its stamp hides none of them', () => {
  expect(found3({ boxes: boxes(given), items: texts(given) })).toHaveLength(3);
});

test('stamps at the edge of the page, or that overlap, prove nothing', () => {
  const moved = boxes(given.map(([, y, w, h]): Box => [595 - w, y, w, h]));
  expect(() => found3({ boxes: moved })).toThrow(CouldNotRun);
  expect(() => found3({ boxes: moved })).toThrow(/edge of the page/);
  expect(() => found3({ items: texts(given) })).toThrow(/overlap/);
  expect(found3({ boxes: boxes(given.map(([, , w, h]): Box => [72, 72, w, h])) })).toHaveLength(1);
});
