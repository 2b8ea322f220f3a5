import { grouped, percent } from '../../text/figures.ts';
import { mostConfused } from '../most-confused.ts';
import { showInvisible } from '../page/markup.ts';
import type { Report } from '../report.ts';
import { shortened } from '../svg/text-width.ts';
import { shareText } from '../text/share-text.ts';

/** Cap on the classes of a matrix in a terminal; beyond it the confusions are shown instead. */
const MAX_CLASSES = 16;
const MAX_NAME_LENGTH = 14;
const SHOWN_PAIRS = 10;
const CELL = 5;

/** Colors text; the identity where the terminal has no colors. */
export interface Paint {
  readonly right: (text: string) => string;
  readonly wrong: (text: string) => string;
  readonly muted: (text: string) => string;
}

const PLAIN: Paint = { right: (text) => text, wrong: (text) => text, muted: (text) => text };

/**
 * The confusion matrix in per cent of the row for a terminal; with many classes, or where `columns` are too few, the most
 * frequent confusions.
 */
export function terminalMatrix(
  report: Pick<Report, 'classes' | 'confusion'>,
  paint: Paint = PLAIN,
  columns = Infinity,
): string {
  if (report.confusion.length === 0) return '';
  if (report.classes.length > MAX_CLASSES) return pairs(report, paint);
  const { names, headings } = shortNames(report.classes.map(({ name }) => showInvisible(name)));
  const width = Math.max(...names.map((name) => name.length));
  const widest = Math.max(...report.classes.map(({ support }) => grouped(support).length));
  const fits = width + 1 + CELL * names.length + 2 + widest <= columns;
  return fits ? grid(report, { names, headings, width }, paint) : pairs(report, paint);
}

/**
 * Names of the rows, and of the columns: their first letters, or the first ones after a common prefix (`0` of `class_0`), or else
 * numbers, which also stand before the names of the rows.
 */
function shortNames(classes: readonly string[]): {
  readonly names: readonly string[];
  readonly headings: readonly string[];
} {
  const [first = ''] = classes;
  const ends = [...first.matchAll(/(?<=[^\p{L}\p{N}])(?=.)|(?<=\D)(?=\d)/gu)].map(({ index }) => index);
  const shared = ends.findLast((end) => classes.every((name) => name.startsWith(first.slice(0, end)))) ?? 0;
  const whole = classes.map((name) => cut(shortened(name, MAX_NAME_LENGTH * 0.6), MAX_NAME_LENGTH));
  const names = areDistinct(whole)
    ? whole
    : classes.map((name) => cut(shortened(`…${name.slice(shared)}`, MAX_NAME_LENGTH * 0.6), MAX_NAME_LENGTH));
  const headings = [classes, classes.map((name) => name.slice(shared))]
    .map((some) => some.map((name) => cut(name, CELL - 1)))
    .find(areDistinct);
  if (headings !== undefined) return { names, headings };
  const digits = String(classes.length - 1).length;
  return {
    names: names.map((name, at) => `${String(at).padStart(digits)} ${name}`),
    headings: classes.map((_, at) => String(at)),
  };
}

function areDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

function cut(name: string, length: number): string {
  return [...name].slice(0, length).join('');
}

function grid(
  { classes, confusion }: Pick<Report, 'classes' | 'confusion'>,
  { names, headings, width }: ReturnType<typeof shortNames> & { readonly width: number },
  paint: Paint,
): string {
  const counts = new Map(
    confusion.map(([truth, predicted, count]) => [truth * classes.length + predicted, count]),
  );
  const head = headings.map((name) => name.padStart(CELL)).join('');
  const rows = classes.map(({ support }, truth) => {
    const cells = classes.map((_, predicted) => {
      const count = counts.get(truth * classes.length + predicted) ?? 0;
      if (count === 0) return paint.muted('·'.padStart(CELL));
      const text = shareText(count / support).padStart(CELL);
      return truth === predicted ? paint.right(text) : paint.wrong(text);
    });
    return `${(names[truth] ?? '').padStart(width)} ${cells.join('')}  ${paint.muted(grouped(support))}`;
  });
  return [
    `${' '.repeat(width)} ${paint.muted(head)}`,
    ...rows,
    paint.muted('rows: truth, columns: prediction, % of the row'),
  ].join('\n');
}

function pairs(report: Pick<Report, 'classes' | 'confusion'>, paint: Paint): string {
  const found = mostConfused(report, SHOWN_PAIRS);
  if (found.length === 0) return paint.muted('no confusions: every record is right');
  const lines = found.map(
    ({ truth, predicted, count, share }) =>
      `${showInvisible(truth)} ${paint.muted('taken for')} ${showInvisible(predicted)}  ` +
      `${paint.wrong(grouped(count))} ${paint.muted(percent(share))}`,
  );
  return [paint.muted('most frequent confusions'), ...lines].join('\n');
}
