/** Stamps as they may stand on a page: which of them no unit, reference point or direction of the axes explains. */
import { expect, test } from '@playwright/test';
import { type Mark, outlines } from '../../harness/flows/stamp-marks.ts';
import { type GivenStamp, placement, type StampPlan, stampsIn } from '../../harness/flows/stamp-measure.ts';
import type { PdfContent, PdfPage, TextItem } from '../../harness/untrusted/pdf/completed.ts';
import { CouldNotRun } from '../../record/errors.ts';

type Box = readonly [x: number, y: number, width: number, height: number];

/** What the flow about stamps asks for, in points: three small ones, a large one, and one before the others. */
const given: readonly Box[] = [
  [19, 10, 16, 8],
  [39, 14, 16, 8],
  [27, 26, 16, 8],
  [8, 45, 20, 24],
  [-6, -28, 16, 8],
];

const [first, second, third, large, negative] = given.map(([X_offset, Y_offset, Width, Height]) => ({
  Offset: { X_offset, Y_offset },
  StampSize: { Width, Height },
})) as [GivenStamp, GivenStamp, GivenStamp, GivenStamp, GivenStamp];
const plan: StampPlan = { small: [first, second, third], large, negative };

const emptyPage: PdfPage = {
  width: 595,
  height: 842,
  text: '',
  items: [],
  boxes: [],
  annotations: [],
  isPainted: false,
};

const found = (boxes: readonly Box[]): readonly Mark[] =>
  outlines(boxes.map(([x, y, width, height]) => ({ page: 0, x, y, width, height })));
const placed = (boxes: readonly Box[]) => placement(found(boxes), plan, emptyPage).misplaced;
/** On the page, where offsets count from its middle. */
const inside = given.map(([x, y, w, h]): Box => [300 + 4 * x, 400 + 4 * y, 4 * w, 4 * h]);
const each = (change: (box: Box, index: number) => Box) => placed(inside.map(change));

/** In the middle of each stamp, as large as fits. */
const picture =
  (shape: number) =>
  ([x, y, w, h]: Box): Box => {
    const side = Math.min(w / shape, h);
    return [x + (w - shape * side) / 2, y + (h - side) / 2, shape * side, side];
  };

/** What dialects do not show. */
test('any unit, reference point and direction of the axes is as good as another', () => {
  const good: Record<string, (box: Box) => Box> = {
    'another unit of sizes': ([x, y, w, h]) => [x, y, w * 0.75, h * 0.75],
    'from the right': ([x, y, w, h]) => [595 - x - w, y, w, h],
    'by the upper right corner': ([x, y, w, h]) => [x + 40 - w, y + 20 - h, w, h],
    'proportions of a wide picture kept': picture(3),
    'proportions of a square picture kept': picture(1),
    'proportions of a high picture kept': picture(0.5),
    'a caption below': ([x, y, w, h]) => [x, y - 4, w, h + 4],
    'rounded to whole points': (box) =>
      box.map((each, at) => (at < 2 ? Math.round(0.77 * each) : 0.77 * each)) as never,
  };
  for (const [name, change] of Object.entries(good)) expect(each(change), name).toBeNull();
});

test('what lies beyond the page may be seen nowhere, or in the margin', () => {
  const four = given.slice(0, 4);
  expect(placed(four)).toBeNull();
  expect(placed([...four, [10, 5, 16, 8]])).toBeNull();
  expect(placed([...four, [6, 28, 16, 8]])).toMatch(/negative/);
  expect(placed([...four, [-6, 28, 16, 8]])).toMatch(/negative/);
  expect(placed(inside.slice(0, 4))).toMatch(/nowhere/);
  // From the middle of the page, in percent of it, the large one lies beyond.
  const percent = given.map(([x, y, w, h]): Box => [298 + 5.95 * x, 421 + 8.42 * y, 5.95 * w, 8.42 * h]);
  expect(placed(percent.toSpliced(3, 1))).toBeNull();
  expect(placed(inside.toSpliced(3, 1))).toMatch(/the largest is missing/);
});

test('the stamp that was given the largest size is that much larger than the others', () => {
  const sized = (times: number, more = 0) =>
    each(([x, y, w, h], index) =>
      index === 3 ? [x, y, times * w + more, times * h + more] : [x, y, w + more, h + more],
    );
  expect(sized(0.5)).toMatch(/the largest one is not the largest/);
  expect(sized(2)).toMatch(/not as large beside the small ones/);
  for (const margin of [-24, -8, 8]) expect(sized(1, margin)).toBeNull();
});

test('stamps that were given one size have one, unless they cannot be told apart', () => {
  const larger = (index: number, times: number) =>
    each(([x, y, w, h], at) => [x, y, at === index ? times * w : w, h]);
  expect(larger(1, 2)).toMatch(/different sizes/);
  // One of another person may show another picture.
  expect(larger(4, 2)).toBeNull();
  expect(larger(2, 2)).toBeNull();
  const halved = ([x, y, w, h]: Box, at: number): Box => (at === 2 ? [x, y, w / 2, h / 2] : [x, y, w, h]);
  expect(each(halved)).toMatch(/different sizes/);
  expect(larger(1, 1.2)).toBeNull();
  const changed = (change: (box: Box) => Box) => each((box, at) => (at === 2 ? change(box) : box));
  expect(changed(([x, y, w, h]) => [x, y, h, w])).toMatch(/different sizes/);
  expect(changed(picture(0.5))).toBeNull();
  expect(each((box, at) => picture(at === 2 ? 0.4 : 4)(box))).toBeNull();
});

test('a side that is not heeded is seen, though all stamps have the same proportions', () => {
  expect(each(([x, y, , h]) => [x, y, h, h])).toContain('only their Height is heeded');
  expect(each(([x, y, w]) => [x, y, w, 0.7 * w])).toContain('only their Width is heeded');
});

test('what cannot be told apart is not judged', () => {
  const more: readonly Box[] = [...inside, [400, 5, 100, 6]];
  expect(placed(more.map(([x, y, w, h]) => [y, x, w, h]))).toBeNull();
  expect(each(([x, y, w, h], index) => [x, y, w + 3 * index, h])).toBeNull();
});

const content = (...pages: readonly Partial<PdfPage>[]): PdfContent => ({
  readable: true,
  whole: true,
  empty: false,
  pageCount: pages.length,
  pages: pages.map((page) => ({ ...emptyPage, ...page })),
  text: '',
  metadata: '',
});
const boxes = (of: readonly Box[]) => of.map(([x, y, width, height]) => ({ x, y, width, height }));
const foundIn = (page: Partial<PdfPage>) => stampsIn(content({}), content(page), plan);
const texts = (of: readonly Box[]): readonly TextItem[] =>
  of.map(([x, y]) => ({ text: 'Signed by somebody', x: x + 2, y: y + 2, width: 90, height: 10 }));

test('a text that is longer than its stamp hides none of them, and one beyond the page is not missed', () => {
  expect(foundIn({ boxes: boxes(inside), items: texts(inside) })).toHaveLength(5);
  expect(foundIn({ boxes: boxes(given), items: texts(given) })).toHaveLength(4);
});

test('where some stamps are drawn, and others that would stand on the page are not, texts beside them are none', () => {
  const lines = [20, 40, 60, 80, 100, 120].map((y): Box => [20, y, 90, 10]);
  const judged = (drawn: readonly Box[], written: readonly Box[] = lines) =>
    placement(foundIn({ boxes: boxes(drawn), items: texts(written) }), plan, emptyPage).misplaced;
  const [one, two, , big, before] = inside as [Box, Box, Box, Box, Box];
  expect(judged([one, two, big])).toContain('at fewer places');
  expect(judged([one, big, before])).toContain('at fewer places');
  // Three frames that do not stand like stamps may be anything, and the stamps be letters.
  const letters = inside.map(([x, y, w, h], index): Box => [x, y + 40 * index, w, h]);
  const frames = [0, 1, 2].map((nth): Box => [40, 40 + 60 * nth, 64, 32]);
  expect(judged(frames, letters)).toBeNull();
  // The others would lie beyond the page.
  const coarse = given.map(([x, y, w, h]): Box => [13 * x, 30 * y, 4 * w, 4 * h]);
  expect(judged(coarse.slice(0, 3), letters)).toBeNull();
});

test('a page in front of those that were uploaded is none of them', () => {
  const items = texts(inside.slice(0, 1));
  const uploaded = { items, text: 'Signed by somebody' };
  const cover = { items: texts(inside), text: 'Certificate of completion' };
  const stamped = { ...uploaded, boxes: boxes(inside), text: 'Signed by\nsomebody\nstamp' };
  const marks = stampsIn(content(uploaded), content(cover, stamped), plan);
  expect(marks.map(({ page }) => page)).toEqual([1, 1, 1, 1, 1]);
});

test('of stamps that are letters alone the font has a size, and only that they stand at places of their own is known', () => {
  const judged = (of: readonly Box[]) => placement(foundIn({ items: texts(of) }), plan, emptyPage).misplaced;
  const apart = inside.map(([x, y, w, h], index): Box => [x, y + 40 * index, w, h]);
  expect(judged(apart)).toBeNull();
  expect(judged(apart.slice(0, 3))).toContain('at fewer places');
  // The names of those who signed, one below the other.
  const names = [20, 40, 60, 80].map((y): Box => [20, y, 90, 10]);
  expect(judged(names)).toContain('at fewer places');
  expect(judged([...names, [20, 300, 16, 8], [20, 340, 22, 14]])).toContain('at fewer places');
});

test('stamps at the edge of the page, or that overlap, prove nothing', () => {
  const moved = boxes(inside.map(([, y, w, h]): Box => [595 - w, y, w, h]));
  expect(() => foundIn({ boxes: moved })).toThrow(CouldNotRun);
  expect(() => foundIn({ boxes: moved })).toThrow(/edge of the page/);
  expect(() => foundIn({ items: texts(given.slice(0, 4)) })).toThrow(/overlap/);
  expect(foundIn({ boxes: boxes(inside.map(([, , w, h]): Box => [72, 72, w, h])) })).toHaveLength(1);
});
