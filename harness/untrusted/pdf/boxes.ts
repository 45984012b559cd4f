/** Finds the bounds of the paths and images that are drawn on a page, by following its drawing operators. */
import { limits } from '../limits.ts';
import type { RawPage } from './open.ts';

/** A rectangle on a page, in PDF points from its lower left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Matrix = readonly [number, number, number, number, number, number];
const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** The bounds, in drawing order. `ops` names the numbers of the operators. */
export function boxesOf(
  operators: RawPage['operators'],
  ops: Readonly<Record<string, number>>,
  { left, bottom }: { readonly left: number; readonly bottom: number },
): readonly Box[] {
  const boxes: Box[] = [];
  const saved: Matrix[] = [];
  let matrix = identity;
  const add = (bounds: readonly number[]): void => {
    const { x, y, width, height } = boundsOf(matrix, bounds);
    boxes.push({ x: x - left, y: y - bottom, width, height });
  };
  for (const [operator, list] of operators) {
    // A drawing of countless strokes is no stamp.
    if (boxes.length >= limits.pdfBoxes.most) break;
    switch (operator) {
      case ops.save:
        saved.push(matrix);
        break;
      case ops.restore:
      case ops.paintFormXObjectEnd:
      case ops.endAnnotation:
        matrix = saved.pop() ?? identity;
        break;
      case ops.transform:
        matrix = times(matrix, list);
        break;
      case ops.paintFormXObjectBegin:
        saved.push(matrix);
        matrix = times(matrix, list[0]);
        break;
      case ops.beginAnnotation:
        // An annotation is drawn with its own transformation, which puts its box in its place on the page.
        saved.push(matrix);
        matrix = times(times(identity, list[2]), list[3]);
        break;
      case ops.constructPath:
        // A path that only clips draws nothing.
        if (list[0] !== ops.endPath && isNumbers(list[2], 4)) add(list[2]);
        break;
      case ops.paintImageXObject:
      case ops.paintInlineImageXObject:
      case ops.paintImageMaskXObject:
        add([0, 0, 1, 1]);
        break;
    }
  }
  return boxes;
}

function boundsOf(matrix: Matrix, [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): Box {
  const [a, b, c, d, e, f] = matrix;
  const corners = [
    [x1, y1],
    [x2, y1],
    [x1, y2],
    [x2, y2],
  ] as const;
  const xs = corners.map(([x, y]) => a * x + c * y + e);
  const ys = corners.map(([x, y]) => b * x + d * y + f);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function times(outer: Matrix, given: unknown): Matrix {
  if (!isNumbers(given, 6)) return outer;
  const [a, b, c, d, e, f] = outer;
  const [p = 1, q = 0, r = 0, s = 1, t = 0, u = 0] = Array.from(given);
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

function isNumbers(value: unknown, length: number): value is number[] {
  const list = ArrayBuffer.isView(value) || Array.isArray(value) ? (value as ArrayLike<unknown>) : undefined;
  return list?.length === length && Array.from(list).every((item) => Number.isFinite(item));
}
