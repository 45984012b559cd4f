/** Stamps as they may stand on a page: which of them no unit, reference point or direction of the axes explains. */
import { expect, test } from '@playwright/test';
import { type Mark, misplacement, outlines } from '../../harness/flows/stamp-measure.ts';

type Box = readonly [x: number, y: number, width: number, height: number];

const sizes = { small: { Width: 120, Height: 40 }, large: { Width: 180, Height: 80 } };
const given: readonly Box[] = [
  [60, 100, 120, 40],
  [220, 100, 120, 40],
  [60, 300, 180, 80],
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
    'by the upper right corner': ([x, y, w, h]) => [x + 200 - w, y - h, w, h],
    'proportions of a picture kept': ([x, y, w, h]) => {
      const side = Math.min(w / 3, h);
      return [x + (w - 3 * side) / 2, y + (h - side) / 2, 3 * side, side];
    },
    'a caption below': ([x, y, w, h]) => [x, y - 8, w, h + 8],
  };
  for (const [name, change] of Object.entries(good)) expect(each(change), name).toBeNull();
});

test('what no such choice explains is found', () => {
  const bad: Record<string, (box: Box, index: number) => Box> = {
    'axes swapped': ([x, y, w, h]) => [y, x, w, h],
    'sides swapped': ([x, y, w, h]) => [x, y, h, w],
    'width ignored': ([x, y, , h]) => [x, y, 100, h],
    'height ignored': ([x, y, w]) => [x, y, w, 30],
    'second too high': ([x, y, w, h], index) => [x, y + (index === 1 ? 60 : 0), w, h],
    'third too far to the right': ([x, y, w, h], index) => [x + (index === 2 ? 90 : 0), y, w, h],
    'in a row': ([, , w, h], index) => [30 + 190 * index, 40, w, h],
    'in a column': ([, , w, h], index) => [30, 40 + 100 * index, w, h],
  };
  for (const [name, change] of Object.entries(bad)) expect(each(change), name).not.toBeNull();
});

test('what cannot be told apart is not judged', () => {
  const more: readonly Box[] = [...given, [400, 5, 100, 6]];
  expect(misplacement(found(more.map(([x, y, w, h]) => [y, x, w, h])), sizes)).toBeNull();
  expect(each(([x, y, w, h], index) => [x, y, w + 9 * index, h])).toBeNull();
});
