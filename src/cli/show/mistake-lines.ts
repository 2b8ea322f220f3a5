import type { Report } from '../../report/report.ts';
import { grouped, percent, plural } from '../../text/figures.ts';
import { type Column, toTable } from './table.ts';
import { visible } from './terminal.ts';

type Mistake = Report['mistakes'][number];

const CONFIDENCE: Column<Mistake> = {
  title: 'confidence',
  text: ({ confidence }) => (confidence === null ? '–' : percent(confidence)),
  align: 'right',
};
const CLASSES: readonly Column<Mistake>[] = [
  { title: 'predicted', text: ({ predicted }) => visible(predicted) },
  { title: 'truth', text: ({ truth }) => visible(truth) },
];
const RECORD: Column<Mistake> = {
  title: 'record',
  text: ({ recordIndex }) => String(recordIndex),
  align: 'right',
};
const INPUT: Column<Mistake> = { title: 'input', text: ({ key }) => visible(key) };

/** How many mistakes a run made, and a table of the first `count`, for a terminal. */
export function mistakeLines(
  { run, quality, mistakes }: Pick<Report, 'run' | 'quality' | 'mistakes'>,
  count: number,
): readonly string[] {
  if (quality === null)
    return [`${visible(run)} has no labelled record with a prediction: nothing is known to be wrong.`];
  const { labelled, correct } = quality;
  if (correct === labelled) return [`No mistakes in ${plural(labelled, 'labelled record')}.`];
  const shown = mistakes.slice(0, count);
  const isSure = shown.some(({ confidence }) => confidence !== null);
  const hasRecords = shown.some(({ recordIndex }) => recordIndex > 0);
  return [
    `${grouped(shown.length)} of ${plural(labelled - correct, 'mistake')}${isSure ? ', the most confident first' : '; the model gives no probabilities'}:`,
    ...toTable(shown, [CONFIDENCE, ...CLASSES, ...(hasRecords ? [RECORD] : []), INPUT]),
  ];
}
