import { cellStrength } from '../../src/report/colors.ts';
import type { Matrix, Unit } from './matrix.ts';
import { type Cell, scaleOf, type View } from './view.ts';

/** A cell that is not empty, and the strength of its color. */
export interface Patch {
  readonly truth: number;
  readonly predicted: number;
  readonly strength: number;
}

/** The picture to paint: the cells of a view, the strongest last, and the cell of the cursor. */
export interface Picture {
  readonly matrix: Matrix;
  readonly unit: Unit;
  /** Class of each row and column, and row and column of each class. */
  readonly order: readonly number[];
  readonly rowOf: readonly number[];
  readonly patches: readonly Patch[];
  readonly view: View;
  readonly cursor: Cell | undefined;
  /** Side of the square in pixels of CSS. */
  readonly side: number;
}

type Channels = readonly number[];
/** Color, by right or wrong and by level of strength. */
interface Colors {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}

const LEVELS = 64;
/** Level above which the number of a cell has the color of the paper. */
const DARK = LEVELS * 0.6;
/** Level that no right cell, no confusion, and no confusion of a cell as small as a pixel, is fainter than. */
const FAINTEST_RIGHT = 2;
const FAINTEST_WRONG = 10;
const FAINTEST_PIXEL = 26;
/** Smallest cells, in pixels, with a number, and with a gap between them. */
const WITH_NUMBER = 26;
const WITH_GAP = 12;

/** Cells of a matrix in a unit, the strongest last, confusions before right answers. */
export function patchesOf(matrix: Matrix, unit: Unit): Patch[] {
  const n = matrix.names.length;
  const patches = [...matrix.counts.keys()].map((index) => {
    const truth = Math.floor(index / n);
    const predicted = index % n;
    const strength = cellStrength(matrix.share(truth, predicted, unit), truth === predicted);
    return { truth, predicted, strength };
  });
  const isRight = ({ truth, predicted }: Patch): number => Number(truth === predicted);
  return patches.sort((a, b) => isRight(a) - isRight(b) || a.strength - b.strength);
}

/** Paints the matrix; names appear as soon as they fit. */
export function paint(pen: CanvasRenderingContext2D, ratio: number, picture: Picture): void {
  const { matrix, view, side } = picture;
  const { size, margin } = scaleOf(view, matrix.names.length, side);
  const colors = colorsOf(pen);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = colors.paper;
  pen.fillRect(0, 0, side, side);
  pen.save();
  pen.beginPath();
  pen.rect(margin, margin, side - margin, side - margin);
  pen.clip();
  paintCells(pen, ratio, colors, picture);
  paintCursor(pen, colors, picture);
  pen.restore();
  pen.strokeStyle = colors.muted;
  pen.lineWidth = 0.75;
  pen.strokeRect(margin - 0.5, margin - 0.5, side - margin, side - margin);
  if (margin < 100) return;
  pen.fillStyle = colors.ink;
  pen.font = `${Math.min(12, size * 0.85)}px system-ui,sans-serif`;
  paintNames(pen, picture);
}

function paintCells(
  pen: CanvasRenderingContext2D,
  ratio: number,
  colors: Colors,
  { matrix, unit, rowOf, patches, view, side }: Picture,
): void {
  const { size, margin } = scaleOf(view, matrix.names.length, side);
  const isPixel = size < 2;
  const box = Math.max(isPixel ? 1.8 : 1 / ratio, size - (size > WITH_GAP ? 1 : 0));
  pen.font = `${Math.min(13, size * 0.34)}px system-ui,sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  for (const { truth, predicted, strength } of patches) {
    const x = margin + ((rowOf[predicted] ?? 0) - view.left) * size;
    const y = margin + ((rowOf[truth] ?? 0) - view.top) * size;
    if (x + size < margin || y + size < margin || x > side || y > side) continue;
    const isRight = truth === predicted;
    const faintest = isRight ? FAINTEST_RIGHT : isPixel ? FAINTEST_PIXEL : FAINTEST_WRONG;
    const level = Math.max(faintest, Math.round(strength * LEVELS));
    pen.fillStyle = (isRight ? colors.right : colors.wrong)[level] ?? colors.ink;
    pen.fillRect(x, y, box, box);
    if (size < WITH_NUMBER) continue;
    pen.fillStyle = level > DARK ? colors.paper : colors.ink;
    pen.fillText(matrix.text(truth, predicted, unit), x + size / 2, y + size / 2);
  }
}

function paintCursor(pen: CanvasRenderingContext2D, { ink }: Colors, picture: Picture): void {
  const { matrix, view, side, cursor } = picture;
  if (cursor === undefined) return;
  const { size, margin } = scaleOf(view, matrix.names.length, side);
  const box = Math.max(size, 5);
  const start = (at: number): number => margin + at * size + size / 2 - box / 2 - 0.5;
  pen.strokeStyle = ink;
  pen.lineWidth = 1.5;
  pen.strokeRect(start(cursor.column - view.left), start(cursor.row - view.top), box, box);
}

function paintNames(pen: CanvasRenderingContext2D, { matrix, order, view, side }: Picture): void {
  const n = matrix.names.length;
  const { size, margin } = scaleOf(view, n, side);
  /** Names that begin in the view, and their middles. */
  const shown = (from: number): { name: string; middle: number }[] =>
    order
      .map((place, at) => ({ name: matrix.names[place] ?? '', middle: margin + (at - from + 0.5) * size }))
      .slice(Math.max(0, Math.floor(from)), Math.ceil(from + n / view.zoom + 1))
      .filter(({ middle }) => middle >= margin);
  pen.textAlign = 'right';
  for (const { name, middle } of shown(view.top)) pen.fillText(fitted(pen, name, margin), margin - 6, middle);
  pen.textAlign = 'left';
  for (const { name, middle } of shown(view.left)) {
    pen.save();
    pen.translate(middle, margin - 6);
    pen.rotate(-Math.PI / 2);
    pen.fillText(fitted(pen, name, margin), 0, 0);
    pen.restore();
  }
}

/** The name, shortened to fit the margin. */
function fitted(pen: CanvasRenderingContext2D, name: string, margin: number): string {
  const fits = (text: string): boolean => pen.measureText(text).width <= margin - 10;
  if (fits(name)) return name;
  let cut = name.length;
  while (cut > 1 && !fits(`${name.slice(0, cut)}…`)) cut--;
  return `${name.slice(0, cut)}…`;
}

/** Colors of the page's theme as it is now. */
function colorsOf(pen: CanvasRenderingContext2D): Colors {
  const style = getComputedStyle(document.documentElement);
  /** A canvas gives each opaque color back as `#rrggbb`. */
  const channels = (name: string): Channels => {
    pen.fillStyle = style.getPropertyValue(name).trim();
    const hex = String(pen.fillStyle);
    return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  };
  const paper = channels('--paper');
  const ramp = (hue: Channels): string[] =>
    Array.from({ length: LEVELS + 1 }, (_, level) =>
      rgb(paper.map((from, at) => Math.round(from + (((hue[at] ?? 0) - from) * level) / LEVELS))),
    );
  return {
    paper: rgb(paper),
    ink: rgb(channels('--ink')),
    muted: rgb(channels('--muted')),
    right: ramp(channels('--right')),
    wrong: ramp(channels('--wrong')),
  };
}

function rgb(channels: Channels): string {
  return `rgb(${channels.join(',')})`;
}
