/** A cell by its row and column as they are shown. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The part of a matrix that is shown: a square of 1/zoom of its side, from `left` and `top`, in cells. */
export interface View {
  readonly zoom: number;
  readonly left: number;
  readonly top: number;
}

/** The view of the whole matrix. */
export const WHOLE: View = { zoom: 1, left: 0, top: 0 };
/** Cells along the side of the closest view, and of the view that a class is found in. */
const CLOSEST = 4;
const FOUND = 24;
/** Smallest cell, in pixels, next to which a name can be read, and the margin for names, and without. */
const READABLE = 9;
const MARGIN = 120;
const NO_MARGIN = 8;

/** The view nearest to this one that lies within a matrix of so many classes. */
export function within({ zoom, left, top }: View, classes: number): View {
  const near = between(1, zoom, classes / CLOSEST);
  const last = classes - classes / near;
  return { zoom: near, left: between(0, left, last), top: between(0, top, last) };
}

/** Zooms by a factor, with a cell in the middle; without one, the middle stays. */
export function zoomed(view: View, factor: number, classes: number, middle = middleOf(view, classes)): View {
  const zoom = between(1, view.zoom * factor, classes / CLOSEST);
  const half = classes / zoom / 2;
  return within({ zoom, left: middle.column - half, top: middle.row - half }, classes);
}

/** Moves no further than needed to show a cell. */
export function revealing({ zoom, left, top }: View, { row, column }: Cell, classes: number): View {
  const side = classes / zoom;
  const shown = (from: number, at: number): number => between(at - side + 1, from, at);
  return within({ zoom, left: shown(left, column), top: shown(top, row) }, classes);
}

/** A view that shows some classes next to the one at this place of the diagonal. */
export function around(place: number, classes: number): View {
  const from = place - FOUND / 2;
  return within({ zoom: Math.max(1, classes / FOUND), left: from, top: from }, classes);
}

/** Side of a cell and of the margin for names, in pixels, on a square of this side. */
export function scaleOf({ zoom }: View, classes: number, side: number): { size: number; margin: number } {
  const margin = ((side - NO_MARGIN) * zoom) / classes >= READABLE ? MARGIN : NO_MARGIN;
  return { size: ((side - margin) * zoom) / classes, margin };
}

function middleOf({ zoom, left, top }: View, classes: number): Cell {
  const half = classes / zoom / 2;
  return { row: top + half, column: left + half };
}

/** The value, but at least `low` and at most `high`; `low` where they cross. */
function between(low: number, value: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
