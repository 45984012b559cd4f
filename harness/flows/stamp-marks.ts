/** What a completed page shows that the uploaded one did not: marks, each of which may be a stamp or a part of one. */
import type { Box } from '../untrusted/pdf/boxes.ts';
import { markersIn, type PdfContent, type PdfPage } from '../untrusted/pdf/completed.ts';

export interface Mark extends Box {
  readonly page: number;
  /** The mark is made of text alone, which may be smaller than the stamp around it. */
  readonly lettered?: true;
}

/** Marks closer than this are one. */
export const tolerancePt = 2;
/** A mark closer to the edge of the page than this may have been moved there. */
const edgePt = 0.5;

export function addedTo(before: PdfContent, after: PdfContent) {
  const added = (of: (page: PdfPage) => readonly Box[]) =>
    before.pages.flatMap((old, index) => {
      const at = pageOf(old, index, after);
      const page = after.pages[at];
      return (
        (page ? of(page) : [])
          // An invisible signature field has no size.
          .filter(({ width, height }) => width > 0 && height > 0)
          .filter((mark) => !of(old).some((other) => same(mark, other)))
          .map(({ x, y, width, height }) => ({ page: at, x, y, width, height }))
      );
    });
  return {
    shapes: added(({ boxes, annotations }) => [...boxes, ...annotations]),
    texts: added(({ items }) => items),
  };
}

/** The index of a page in the completed document, which may begin with a cover: the first with all texts of the page. */
function pageOf({ items }: PdfPage, index: number, { pages }: PdfContent): number {
  const texts = items.map(({ text }) => text);
  const at = pages.slice(index).findIndex(({ text }) => {
    return markersIn({ text, metadata: '' }, texts).length === texts.length;
  });
  return index + Math.max(0, at);
}

export function isAtEdge({ x, y, width, height }: Mark, page: PdfPage | undefined): boolean {
  if (!page) return false;
  return x < edgePt || y < edgePt || x + width > page.width - edgePt || y + height > page.height - edgePt;
}

export function same(one: Box, other: Box): boolean {
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

export function bySize(marks: readonly Mark[]): readonly Mark[] {
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
