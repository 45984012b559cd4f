/** Finds stamps among the marks of a completed page, and whether they stand where their Offsets lead. */
import { CouldNotRun } from '../../record/errors.ts';
import type { PdfContent, PdfPage } from '../untrusted/pdf/completed.ts';
import { addedTo, bySize, isAtEdge, type Mark, outlines, same, tolerancePt } from './stamp-marks.ts';

/** Places may have been rounded to whole pixels; a mark far from the others may be off by more. */
const roundedPt = 1.5;
/**
 * The marks that may be the stamps, largest first: the different shapes if there are as many as stamps, else the
 * outlines of shapes, else the outlines of everything. Texts may be larger than the stamp around them.
 * @param plan what was given; one of the stamps may lie beyond the page
 * @throws CouldNotRun when stamps cannot be told apart, or one may have been moved to the edge of the page
 */
export function stampsIn(before: PdfContent, after: PdfContent, plan: StampPlan): readonly Mark[] {
  const least = plan.small.length + 1;
  const most = least + 1;
  const { shapes, texts } = addedTo(before, after);
  const single = shapes.filter((mark, index) => !shapes.slice(0, index).some((other) => same(mark, other)));
  const all = outlines([...shapes, ...texts]).map(
    (mark): Mark => (shapes.length === 0 ? { ...mark, lettered: true } : mark),
  );
  // Marks at the edge may be something else, such as the id of the request.
  const within = (marks: readonly Mark[]) => marks.filter((mark) => !isAtEdge(mark, after.pages[mark.page]));
  const inside = within(all);
  // Marks in one column or row, such as lines of text, are no stamps, of which no three share an X_offset or a Y_offset.
  const added = [...shapes, ...texts];
  const isNarrow = axes.some((axis) => distinct(added.map((mark) => [mark[axis]])).length < least - 1);
  if (isNarrow && within(added).length === added.length) return inside.slice(0, 1);
  const drawn = [bySize(single), outlines(shapes)].map(within);
  // If some stamps are drawn, all of them are: then texts are none.
  const few = drawn.find((marks) => {
    const page = after.pages[marks[0]?.page ?? 0];
    return marks.length < least && page !== undefined && lackStamps(marks, plan, page);
  });
  if (few) return few;
  const candidates = [...drawn, within(all)];
  const found = candidates.find(({ length }) => length >= least && length <= most);
  if (found) return found;
  if (inside.length >= least) return inside;
  if (all.length - inside.length > 1)
    throw new CouldNotRun('a stamp stands at the edge of the page, where it may have been moved to');
  const places = distinct(within(single.length > 0 ? single : texts).map(({ page, x, y }) => [page, x, y]));
  if (places.length >= least) throw new CouldNotRun('the stamps overlap: they cannot be told apart');
  return inside;
}

/** Offset and size of a stamp, as they were sent. */
export interface GivenStamp {
  readonly Offset: { readonly X_offset: number; readonly Y_offset: number };
  readonly StampSize: { readonly Width: number; readonly Height: number };
}

export interface StampFinding {
  /** What is wrong, whatever the unit, the reference point and the direction of the axes; `null` when nothing is known to be. */
  readonly misplaced: string | null;
  /** PDF points per unit of X_offset and of Y_offset, where they are known; negative when the axis points the other way. */
  readonly perUnitX?: number;
  readonly perUnitY?: number;
}

/** The stamps that a flow sends: a small one with a negative Offset, small ones, and one large and higher than wide. */
export interface StampPlan {
  /** Three or more of one size, no two with an offset alike; the first two and the large one are of one person. */
  readonly small: readonly [GivenStamp, GivenStamp, GivenStamp, ...GivenStamp[]];
  readonly large: GivenStamp;
  /** As large as the small ones. If Offsets count from a corner of the page, it lies beyond the page and cannot be seen. */
  readonly negative: GivenStamp;
}

/** A stamp closer to the edge of the page may have been moved, for a printer's margin, for example. */
const marginPt = 36;

export type IsOfAnother = (stamp: GivenStamp, mark: Mark) => boolean;

/**
 * Compares the outlines, largest first, with what was sent: x has to be a linear function of X_offset, and y of Y_offset.
 * Which outline is which small stamp is not known: any assignment that fits will do.
 */
export function placement(
  found: readonly Mark[],
  plan: StampPlan,
  page: PdfPage | undefined,
  isOfAnother: IsOfAnother = () => false,
): StampFinding {
  const [large, ...small] = found;
  const least = plan.small.length;
  if (distinct(found.map((mark) => [mark.page, mark.x, mark.y])).length < least + 1)
    return { misplaced: `${least + 1} stamps with Offsets of their own stand at fewer places` };
  if (found.some(({ lettered }) => lettered)) return { misplaced: null };
  if (distinct(found.map(({ width, height }) => [width, height])).length < 2)
    return {
      misplaced: lacksLarge(found, plan, page)
        ? null
        : 'stamps of two sizes have the same size, or the largest is missing',
    };
  const [one] = small;
  if (!large || !one || small.length < least || small.length > least + 1) return { misplaced: null };
  const asLarge = (other: Mark) => (mark: Mark) =>
    close(mark.width, other.width) && close(mark.height, other.height);
  if (!small.every(asLarge(one))) {
    const isSmall = found.filter(asLarge(large)).length >= least;
    if (isSmall) return { misplaced: 'of stamps of two sizes the largest one is not the largest' };
    return { misplaced: isUneven(found, plan) ? 'stamps of one size have different sizes' : null };
  }
  const findings = arrangements(small, least).map((marks) => {
    const finding = findingOf(marks, large, small, plan, page);
    const given = [...plan.small, plan.large];
    const isMixed = [...marks, large].some((mark, index) => isOfAnother(given[index] ?? plan.large, mark));
    const misplaced = isMixed ? 'a stamp of one signatory names another one' : null;
    return finding.misplaced === null ? { ...finding, misplaced } : finding;
  });
  const best =
    findings.find(({ misplaced }) => misplaced === null) ?? findings.find(({ perUnitX }) => perUnitX);
  if (!best) return { misplaced: 'stamps of one size do not stand to each other as their Offsets do' };
  return best.misplaced === null ? { ...best, misplaced: missized(large, one, plan, best) } : best;
}

const axes = ['x', 'y'] as const;
type Axis = (typeof axes)[number];
const sizes = { x: ['width', 'Width'], y: ['height', 'Height'] } as const;
const offsetOf = ({ Offset }: GivenStamp, axis: Axis) => (axis === 'x' ? Offset.X_offset : Offset.Y_offset);

/** The places of marks along an axis: of their lower ends, or of the middle or the upper end of each. */
const parts = [0, 0.5, 1];

/** The line on which the marks of stamps stand along an axis by their Offsets, if there is one. */
function lineAlong(axis: Axis, stamps: readonly GivenStamp[], marks: readonly Mark[], part = 0) {
  const places = marks.map((mark) => mark[axis] + part * mark[sizes[axis][0]]);
  return lineOf(stamps.map((each, index) => [offsetOf(each, axis), places[index] ?? 0]));
}

/** Whether only the large stamp is missing, and may lie beyond the page, as with Offsets from the middle of it. */
function lacksLarge(found: readonly Mark[], plan: StampPlan, page: PdfPage | undefined): boolean {
  const { small, large, negative } = plan;
  if (found.length !== small.length + 1) return false;
  return arrangements(found, small.length).some((marks) => {
    const before = found.find((mark) => !marks.includes(mark));
    const [x, y] = axes.map((axis) => {
      const line = lineAlong(axis, small, marks);
      if (!before || !line) return undefined;
      const [seen, given] = sizes[axis];
      // Whether sizes have the unit of Offsets, and which of its corners an Offset names, is not shown.
      const perUnit = Math.max(Math.abs(line.perUnit), before[seen] / small[0].StampSize[given]);
      const reach = large.StampSize[given] * perUnit;
      const isNegative = Math.abs(before[axis] - line.at(offsetOf(negative, axis))) <= 3 * roundedPt;
      return isNegative ? { at: line.at(offsetOf(large, axis)) - reach, size: 2 * reach } : undefined;
    });
    return x !== undefined && y !== undefined && !isInside(x, y, page);
  });
}

/** What the small stamps show about the axes, and whether the other stamps fit; without numbers if no axes fit. */
function findingOf(
  marks: readonly Mark[],
  large: Mark,
  small: readonly Mark[],
  plan: StampPlan,
  page: PdfPage | undefined,
): StampFinding {
  const [x, y] = axes.map((axis) => lineAlong(axis, plan.small, marks));
  const [own] = plan.small;
  const [first] = marks;
  if (!x || !y || !first) return { misplaced: 'no line' };
  const lines = { x, y };
  const found = { perUnitX: rounded(x.perUnit), perUnitY: rounded(y.perUnit), misplaced: null };
  const isPlaced = axes.every((axis) => {
    const { perUnit, at } = lines[axis];
    const [seen, given] = sizes[axis];
    // An Offset may be that of any point of a stamp.
    const more = Math.max(
      large[seen] - first[seen],
      Math.abs(perUnit) * (plan.large.StampSize[given] - own.StampSize[given]),
    );
    return Math.abs(large[axis] - at(offsetOf(plan.large, axis))) <= more + tolerancePt;
  });
  if (!isPlaced) return { ...found, misplaced: 'the largest stamp does not stand where its Offset leads' };
  const before = small.find((mark) => !marks.includes(mark));
  const led = (axis: Axis, times = 1) => lines[axis].at(times * offsetOf(plan.negative, axis));
  const isDue = isInside({ at: led('x'), size: first.width }, { at: led('y'), size: first.height }, page);
  if (!before)
    return isDue ? { ...found, misplaced: 'the stamp with a negative Offset is nowhere on the page' } : found;
  const is = (axis: Axis, times = 1) => Math.abs(before[axis] - led(axis, times)) <= 3 * roundedPt;
  const isThere = axes.every((axis) => is(axis));
  const isMirrored = axes.every((axis) => is(axis) || is(axis, -1));
  const isBefore = marks.every((mark) =>
    axes.every((axis) => (before[axis] - mark[axis]) / lines[axis].perUnit < 0),
  );
  return isThere || (!isDue && !isMirrored && isBefore)
    ? found
    : { ...found, misplaced: 'the stamp with a negative Offset does not stand where it leads' };
}

/**
 * Whether all stamps stand where their Offsets lead some point of them, and small ones differ plainly in size: those of one
 * person in one direction, those of several, who may have other pictures, in both.
 */
function isUneven(found: readonly Mark[], { small, large, negative }: StampPlan): boolean {
  const plainly = Math.log(1.5);
  // The negative one may lie beyond the page.
  const given = [...small, large, negative].slice(0, found.length);
  /** For each axis whether one of the marks is plainly larger. */
  const apart = (one: Mark, other: Mark) =>
    axes.map((axis) => Math.abs(Math.log(one[sizes[axis][0]] / other[sizes[axis][0]])) > plainly);
  /** How much a picture was enlarged that keeps its proportions and is as large as its stamp allows. */
  const timesOf = (mark: Mark) =>
    Math.max(...axes.map((axis) => mark[sizes[axis][0]] / small[0].StampSize[sizes[axis][1]]));
  const isOfAnotherSize = (one: Mark, other: Mark) =>
    apart(one, other).every(Boolean) && Math.abs(Math.log(timesOf(one) / timesOf(other))) > plainly;
  const isOff = ([own, next, ...others]: readonly Mark[]) =>
    own !== undefined &&
    next !== undefined &&
    (apart(own, next).some(Boolean) ||
      others.slice(0, small.length - 2).some((other) => isOfAnotherSize(own, other)));
  const isInLine = (marks: readonly Mark[], axis: Axis) =>
    parts.some((part) => lineAlong(axis, given, marks, part) !== undefined);
  return arrangements(found, given.length).some(
    (marks) => isOff(marks) && axes.every((axis) => isInLine(marks, axis)),
  );
}

/** Ordered choices of `count` things. */
function arrangements<Thing>(things: readonly Thing[], count: number): readonly (readonly Thing[])[] {
  if (count === 0) return [[]];
  return things.flatMap((thing) =>
    arrangements(
      things.filter((other) => other !== thing),
      count - 1,
    ).map((rest) => [thing, ...rest]),
  );
}

/** Fewer marks may be arranged like stamps by chance. */
const leastTelling = 3;

/** Whether each mark is one of the stamps, by size and place, and another is missing that would be on the page. */
function lackStamps(marks: readonly Mark[], { small, large, negative }: StampPlan, page: PdfPage): boolean {
  if (marks.length < leastTelling) return false;
  const all = [...small, large, negative];
  return arrangements(all, marks.length).some((given) => {
    const [x, y] = axes.map((axis) => alongAxis(marks, given, axis));
    if (!x || !y) return false;
    const due = all.filter((stamp) => isInside(x(stamp), y(stamp), page));
    return due.length > marks.length;
  });
}

/** Where and how long a stamp stands along an axis, by the marks of the given stamps; undefined if they do not fit. */
function alongAxis(marks: readonly Mark[], given: readonly GivenStamp[], axis: Axis) {
  const [seen, size] = sizes[axis];
  const [times = 1, ...others] = marks.map(
    (mark, index) => mark[seen] / (given[index]?.StampSize[size] ?? 1),
  );
  if (!others.every((each) => near(each, times))) return undefined;
  for (const part of parts) {
    const line = lineAlong(axis, given, marks, part);
    if (!line) continue;
    return (stamp: GivenStamp): Stretch => {
      const length = times * stamp.StampSize[size];
      return { at: line.at(offsetOf(stamp, axis)) - part * length, size: length };
    };
  }
  return undefined;
}

/** The straight line through points, if there is one that is not level. */
function lineOf(points: readonly (readonly [given: number, seen: number])[]) {
  const [[from, seen], [to, then]] = [points.at(0) ?? [0, 0], points.at(-1) ?? [1, 0]];
  const perUnit = (then - seen) / (to - from);
  const at = (given: number) => seen + perUnit * (given - from);
  const fits = points.every(([given, there]) => close(there, at(given)));
  return fits && !close(then, seen) ? { perUnit, at } : undefined;
}

interface Stretch {
  readonly at: number;
  readonly size: number;
}

function isInside(x: Stretch, y: Stretch, page: PdfPage | undefined): boolean {
  const lies = ({ at, size }: Stretch, whole: number) => at > marginPt && at + size < whole - marginPt;
  return page !== undefined && lies(x, page.width) && lies(y, page.height);
}

/** What is wrong with the size of the large stamp beside a small one. */
function missized(
  large: Mark,
  one: Mark,
  plan: StampPlan,
  { perUnitX = 1, perUnitY = 1 }: StampFinding,
): string | null {
  const [small] = plan.small;
  const [wider, higher] = [large.width / one.width, large.height / one.height];
  const toBeWider = plan.large.StampSize.Width / small.StampSize.Width;
  const toBeHigher = plan.large.StampSize.Height / small.StampSize.Height;
  if (near(wider, 1)) return 'two stamps with two Widths have the same width';
  if (near(higher, 1)) return 'two stamps with two Heights have the same height';
  if (near(wider, toBeHigher) && near(higher, toBeWider)) return 'Width and Height are taken for each other';
  const ratios = [wider / toBeWider, higher / toBeHigher];
  // With margins, frames or captions of one size, a stamp of a larger size is rather too small beside a small one.
  if (!near(wider, higher) && (ratios.every((each) => each > 1.5) || ratios.every((each) => each < 1 / 1.5)))
    return 'the largest stamp is not as large beside the small ones as its StampSize';
  if (!near(wider, higher)) return null;
  // A service may keep the proportions of a picture and fit it into each size. Units may differ by axis.
  const shape = large.width / large.height;
  const shapes = [shape, shape * Math.abs(perUnitY / perUnitX)];
  const leaves = (given: 'Width' | 'Height', { StampSize: { Width, Height } }: GivenStamp) =>
    near(higher, plan.large.StampSize[given] / small.StampSize[given]) &&
    shapes.every((each) =>
      given === 'Height' ? each > (1.1 * Width) / Height : each < (0.9 * Width) / Height,
    );
  if (leaves('Height', plan.large)) return 'stamps are wider than given: only their Height is heeded';
  if (leaves('Width', small)) return 'stamps are higher than given: only their Width is heeded';
  return null;
}

const close = (one: number, other: number): boolean => Math.abs(one - other) <= roundedPt;

const near = (one: number, other: number): boolean => Math.abs(one - other) < 0.05 * other;

function distinct(values: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const kept: (readonly number[])[] = [];
  for (const value of values) {
    const isKnown = kept.some((other) =>
      other.every((side, index) => Math.abs(side - (value[index] ?? 0)) < tolerancePt),
    );
    if (!isKnown) kept.push(value);
  }
  return kept;
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
