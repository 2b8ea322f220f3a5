import { shownRecord } from '../../input/shown-place.ts';
import { type Flip, flipKind } from '../../metric/flip.ts';
import { comparisonFacts } from '../../report/facts.ts';
import type { Report } from '../../report/report.ts';
import type { ReportComparison } from '../../report/report-comparison.ts';
import { factLines } from '../../report/text/fact-lines.ts';
import { UNJUDGED } from '../../tasks/unjudged.ts';
import { dollars, grouped, percent } from '../../text/figures.ts';
import { statusColor } from './status-color.ts';
import { type Column, right, toTable } from './table.ts';
import { type Terminal, visible } from './terminal.ts';

/** Cap on the records that are shown, lost ones first. */
const SHOWN_FLIPS = 10;

type Figures = Pick<Report, 'run' | 'status' | 'total' | 'errors' | 'accuracy' | 'costUsd' | 'gate' | 'task'>;

const FIGURES: readonly Column<Figures>[] = [
  { title: 'RUN', text: ({ run }) => visible(run) },
  { title: 'STATUS', text: ({ status }) => status, isStatus: true },
  right('INPUTS', ({ total }) => grouped(total)),
  right('ERRORS', ({ errors }) => grouped(errors)),
  right('ACCURACY', ({ accuracy }) => (accuracy === null ? '–' : percent(accuracy, 2))),
  right('COST', ({ costUsd }) => (costUsd === null ? '–' : dollars(costUsd))),
  { title: 'GATE', text: ({ gate }) => gate.verdict, isStatus: true },
];

const LABEL: Column<Flip> = { title: 'LABEL', text: ({ truth }) => visible(truth ?? '–') };

const flipColumns = (isJudged: boolean): readonly Column<Flip>[] => [
  { title: 'RECORD', text: flipKind },
  { title: 'INPUT', text: (flip) => visible(shownRecord(flip)) },
  ...(isJudged ? [LABEL] : []),
  { title: 'BEFORE', text: ({ before }) => visible(before) },
  { title: 'NOW', text: ({ now }) => visible(now) },
];

/** Two runs below each other, the change on the inputs of both, and some of the records that changed. */
export function comparisonLines(
  before: Figures,
  now: Figures,
  comparison: ReportComparison,
  { color }: Pick<Terminal, 'color'>,
): readonly string[] {
  const { answered, sameClass, flips } = comparison;
  const isJudged = UNJUDGED[now.task] === null;
  const same = {
    label: isJudged ? 'Same class' : 'Same',
    value: `${grouped(sameClass)} of ${grouped(answered)}`,
    note: isJudged ? 'records with a prediction in both' : 'records with an answer in both',
  };
  const shown = flips.slice(0, SHOWN_FLIPS);
  return [
    ...toTable([before, now], FIGURES, (cell) => statusColor(cell, color)),
    '',
    ...factLines([...comparisonFacts({ comparison, sample: null, task: now.task }), same]).map(visible),
    ...(shown.length === 0 ? [] : ['', ...toTable(shown, flipColumns(isJudged))]),
  ];
}
