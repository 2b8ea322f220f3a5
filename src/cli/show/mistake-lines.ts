import { shownRecord } from '../../input/shown-place.ts';
import type { Report } from '../../report/report.ts';
import { grouped, percent, plural } from '../../text/figures.ts';
import { type Column, right, toTable } from './table.ts';
import { visible } from './terminal.ts';

type Mistake = Report['mistakes'][number];

const COLUMNS: readonly Column<Mistake>[] = [
  right('confidence', ({ confidence }) => (confidence === null ? '–' : percent(confidence))),
  { title: 'predicted', text: ({ predicted }) => visible(predicted) },
  { title: 'truth', text: ({ truth }) => visible(truth) },
  { title: 'input', text: (mistake) => visible(shownRecord(mistake)) },
];

/** How many mistakes a run made, and a table of the first `count`, for a terminal. */
export function mistakeLines(
  { run, quality, mistakes }: Pick<Report, 'run' | 'quality' | 'mistakes'>,
  count: number,
): readonly string[] {
  if (quality === null) return [`${visible(run)} has no labels: nothing is known to be wrong.`];
  const wrong = quality.labeled - quality.correct;
  if (wrong === 0) return [`No mistakes in ${plural(quality.labeled, 'labeled record')}.`];
  const shown = mistakes.slice(0, count);
  return [
    `${grouped(shown.length)} of ${plural(wrong, 'mistake')}, the most confident first:`,
    ...toTable(shown, COLUMNS),
  ];
}
