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

/** Colours text; the identity where the terminal has no colours. */
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
  const names = report.classes.map(({ name }) =>
    [...shortened(showInvisible(name), MAX_NAME_LENGTH * 0.6)].slice(0, MAX_NAME_LENGTH).join(''),
  );
  const width = Math.max(...names.map((name) => name.length));
  const widest = Math.max(...report.classes.map(({ support }) => grouped(support).length));
  const fits = width + 1 + CELL * names.length + 2 + widest <= columns;
  return fits ? grid(report, names, width, paint) : pairs(report, paint);
}

function grid(
  { classes, confusion }: Pick<Report, 'classes' | 'confusion'>,
  names: readonly string[],
  width: number,
  paint: Paint,
): string {
  const counts = new Map(
    confusion.map(([truth, predicted, count]) => [truth * classes.length + predicted, count]),
  );
  const head = names
    .map((name) =>
      [...name]
        .slice(0, CELL - 1)
        .join('')
        .padStart(CELL),
    )
    .join('');
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
      `${showInvisible(truth)} ${paint.muted('taken for')} ${showInvisible(predicted)}  ${paint.wrong(grouped(count))} ${paint.muted(percent(share))}`,
  );
  return [paint.muted('most frequent confusions'), ...lines].join('\n');
}
