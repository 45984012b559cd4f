/** Measures where stamps were placed: what a completed page shows that the uploaded one did not. */
import { CouldNotRun } from '../../record/errors.ts';
import type { PdfContent, PdfPage } from '../untrusted/pdf/completed.ts';

/** A rectangle in PDF points, from the lower left corner of the page. */
export interface Mark {
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Marks closer than this are one. */
const tolerancePt = 2;
/** What is closer to the edge of the page than this may have been moved there. */
const edgePt = 0.5;

/** What was added to the pages of a document: drawn paths, images and annotations, and texts. */
interface Added {
  readonly shapes: readonly Mark[];
  readonly texts: readonly Mark[];
}

function addedTo(before: PdfContent, after: PdfContent): Added {
  const added = (of: (page: PdfPage) => readonly Rectangle[]) =>
    before.pages.flatMap((old, index) => {
      const page = after.pages[index];
      return (
        (page ? of(page) : [])
          // An invisible signature field has no size.
          .filter(({ width, height }) => width > 0 && height > 0)
          .filter((mark) => !of(old).some((other) => same(mark, other)))
          .map(({ x, y, width, height }) => ({ page: index, x, y, width, height }))
      );
    });
  return {
    shapes: added(({ boxes, annotations }) => [...boxes, ...annotations]),
    texts: added(({ items }) => items),
  };
}

/**
 * What may be the stamps, largest first: shapes that differ when they are `count`, otherwise the outlines of shapes,
 * otherwise those of everything. Texts may be larger than the stamp in which they stand.
 * @throws CouldNotRun when stamps cannot be told apart, or one may have been moved to the edge of the page
 */
export function stampsIn(before: PdfContent, after: PdfContent, count: number): readonly Mark[] {
  const { shapes, texts } = addedTo(before, after);
  const single = shapes.filter((mark, index) => !shapes.slice(0, index).some((other) => same(mark, other)));
  const all = outlines([...shapes, ...texts]);
  const found = [bySize(single), outlines(shapes)].find((each) => each.length === count) ?? all;
  // Something else may stand at the edge too: the id of the request, say.
  const inside = found.filter((mark) => !isAtEdge(mark, after.pages[mark.page]));
  if (inside.length >= count) return inside;
  if (inside.length < found.length) {
    throw new CouldNotRun('a stamp stands at the edge of the page, where it may have been moved to');
  }
  const places = distinct((single.length > 0 ? single : texts).map(({ page, x, y }) => [page, x, y]));
  if (places >= count) throw new CouldNotRun('the stamps overlap: they cannot be told apart');
  return inside;
}

function isAtEdge({ x, y, width, height }: Mark, page: PdfPage | undefined): boolean {
  if (!page) return false;
  return x < edgePt || y < edgePt || x + width > page.width - edgePt || y + height > page.height - edgePt;
}

type Rectangle = Omit<Mark, 'page'>;

function same(one: Rectangle, other: Rectangle): boolean {
  return (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(one[side] - other[side]) < 0.5);
}

/** The outlines of the marks: marks that touch belong together. Largest first. */
export function outlines(marks: readonly Mark[]): readonly Mark[] {
  const groups: Mark[] = [];
  for (const mark of marks) {
    let merged = mark;
    for (let index = groups.length - 1; index >= 0; index--) {
      const group = groups[index];
      if (group && touch(group, merged)) {
        merged = union(group, merged);
        groups.splice(index, 1);
      }
    }
    groups.push(merged);
  }
  return bySize(groups);
}

function bySize(marks: readonly Mark[]): readonly Mark[] {
  return marks.toSorted((a, b) => b.width * b.height - a.width * a.height);
}

function touch(a: Mark, b: Mark): boolean {
  return (
    a.page === b.page &&
    a.x <= b.x + b.width + tolerancePt &&
    b.x <= a.x + a.width + tolerancePt &&
    a.y <= b.y + b.height + tolerancePt &&
    b.y <= a.y + a.height + tolerancePt
  );
}

function union(a: Mark, b: Mark): Mark {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    page: a.page,
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** Three stamps that differ in one thing each: the second from the first in x, the third in y and in size. */
export interface StampPlan {
  readonly deltaX: number;
  readonly deltaY: number;
}

export interface StampFinding {
  /** How many different places and sizes the outlines have. */
  readonly places: number;
  readonly sizes: number;
  /** PDF points per unit of X_offset and of Y_offset; negative when the axis points the other way. */
  readonly perUnitX?: number;
  readonly perUnitY?: number;
}

/** Compares the outlines of three stamps with their plan. */
export function measure(found: readonly Mark[], { deltaX, deltaY }: StampPlan): StampFinding {
  const places = distinct(found.map(({ page, x, y }) => [page, x, y]));
  const sizes = distinct(found.map(({ width, height }) => [width, height]));
  const [large, ...small] = found;
  const [first, second] = [...small].sort((a, b) => a.x - b.x);
  // The largest outline is the third stamp; the other two lie beside each other.
  if (!large || !first || !second || found.length !== 3 || Math.abs(first.y - second.y) > tolerancePt) {
    return { places, sizes };
  }
  return {
    places,
    sizes,
    perUnitX: rounded((second.x - first.x) / deltaX),
    perUnitY: rounded((large.y - first.y) / deltaY),
  };
}

/** Widths and heights that were given: of the first two stamps, and of the third. */
export interface StampSizes {
  readonly small: { readonly Width: number; readonly Height: number };
  readonly large: { readonly Width: number; readonly Height: number };
}

/**
 * What is wrong with the outlines of three stamps, whatever the unit, the reference point and the direction of the
 * axes; `null` when nothing is, or when they cannot be told apart.
 */
export function misplacement(found: readonly Mark[], { small, large }: StampSizes): string | null {
  const [third, first, second] = found;
  if (!third || !first || !second || found.length !== 3) return null;
  const alike = (['width', 'height'] as const).every(
    (side) => Math.abs(first[side] - second[side]) <= tolerancePt,
  );
  if (!alike) return null;
  if (Math.abs(first.y - second.y) > tolerancePt) {
    return 'two stamps of one size, with one Y_offset and two X_offsets, do not stand beside each other';
  }
  // The reference point of a stamp may be any point of it.
  const aside = Math.min(...[first, second].map(({ x }) => Math.abs(third.x - x)));
  if (aside > third.width - first.width + tolerancePt) {
    return 'two stamps with one X_offset and two Y_offsets do not stand above each other';
  }
  const [wider, higher] = [third.width / first.width, third.height / first.height];
  const [toBeWider, toBeHigher] = [large.Width / small.Width, large.Height / small.Height];
  if (near(wider, 1)) return 'two stamps with two Widths have the same width';
  if (near(higher, 1)) return 'two stamps with two Heights have the same height';
  // A service may keep the proportions of a picture: then both are the same.
  if (near(wider, toBeHigher) && near(higher, toBeWider)) return 'Width and Height are taken for each other';
  return null;
}

function near(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.05 * other;
}

function distinct(values: readonly (readonly number[])[]): number {
  const kept: (readonly number[])[] = [];
  for (const value of values) {
    if (
      !kept.some((other) => other.every((side, index) => Math.abs(side - (value[index] ?? 0)) < tolerancePt))
    ) {
      kept.push(value);
    }
  }
  return kept.length;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
