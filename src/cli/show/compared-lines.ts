import type {
  CompareData,
  ComparedPair,
  ComparedTraining,
  TrainingsData,
} from '../../api/console/comparison.ts';
import {
  dollars,
  duration,
  grouped,
  percent,
  plural,
  pText,
  short,
  signedPercent,
} from '../../text/figures.ts';
import { statusColor } from './status-color.ts';
import { type Column, right, toTable } from './table.ts';
import { type Terminal, visible } from './terminal.ts';

const NONE = '–';

interface RunLine {
  readonly run: CompareData['runs'][number];
  /** Comparison with the first run; undefined for the first, and where there is none. */
  readonly pair: ComparedPair | undefined;
}

const figure = (
  title: string,
  text: Column<RunLine>['text'],
  ofJudged = false,
): Column<RunLine> & { ofJudged: boolean } => ({ title, text, align: 'right', ofJudged });

/** Columns of runs; the ones of truths are for runs that are judged. */
const RUN_COLUMNS: readonly (Column<RunLine> & { readonly ofJudged?: boolean })[] = [
  { title: 'RUN', text: ({ run }) => visible(run.run) },
  { title: 'VERDICT', text: ({ run }) => run.verdict, isStatus: true },
  figure('INPUTS', ({ run }) => grouped(run.total)),
  figure('ERRORS', ({ run }) => grouped(run.errors)),
  figure('ACCURACY', ({ run }) => share(run.accuracy), true),
  figure('COST', ({ run }) => cost(run.costUsd)),
  figure('CHANGE', ({ pair }) => (pair?.accuracy ? signedPercent(pair.accuracy.change) : NONE), true),
  {
    title: "MCNEMAR'S TEST",
    text: ({ pair }) => (pair === undefined || pair.pValue === null ? NONE : pText(pair.pValue)),
    ofJudged: true,
  },
  figure('LOST', ({ pair }) => (pair === undefined ? NONE : grouped(pair.lost)), true),
  figure('GAINED', ({ pair }) => (pair === undefined ? NONE : grouped(pair.gained)), true),
];

const same = (isJudged: boolean): Column<RunLine> =>
  figure(isJudged ? 'SAME CLASS' : 'SAME ANSWER', ({ pair }) =>
    pair === undefined ? NONE : `${grouped(pair.sameClass)} of ${grouped(pair.answered)}`,
  );

/** Runs below each other, each with its change from the first. */
export function comparedRunLines(
  { runs, pairs }: CompareData,
  { color }: Pick<Terminal, 'color'>,
): readonly string[] {
  const lines = runs.map((run, at) => {
    const pair = pairs[at - 1];
    return { run, pair: pair !== undefined && 'inputs' in pair ? pair : undefined };
  });
  const reasons = pairs.flatMap((pair) =>
    'reason' in pair ? [visible(`${pair.run} is not compared: ${pair.reason}`)] : [],
  );
  const relabeled = lines.flatMap(({ run: { run }, pair }) =>
    pair === undefined || pair.relabeled === 0
      ? []
      : [
          visible(
            `${plural(pair.relabeled, 'record')} of ${run} have another label than in the first run: both are judged ` +
              `by the labels of ${run}`,
          ),
        ],
  );
  const tested = lines.filter(({ pair }) => (pair?.pValue ?? null) !== null);
  const several = tested.length > 1 ? ['p values are corrected for the number of runs (Holm)'] : [];
  const isJudged = runs.some((run) => run.isJudged);
  const columns = [...RUN_COLUMNS.filter(({ ofJudged }) => isJudged || ofJudged !== true), same(isJudged)];
  return [
    ...toTable(lines, columns, (cell) => statusColor(cell, color)),
    ...relabeled,
    ...several,
    ...reasons,
  ];
}

interface Fact {
  readonly label: string;
  readonly cells: readonly string[];
}

/** Trainings as columns, with a line for each hyperparameter and metric; a hyperparameter that all share comes last. */
export function comparedTrainingLines({ trainings }: TrainingsData): readonly string[] {
  const row = (label: string, cell: (training: ComparedTraining) => string): Fact => ({
    label,
    cells: trainings.map((training) => visible(cell(training))),
  });
  const namesOf = (list: (training: ComparedTraining) => object): string[] => [
    ...new Set(trainings.flatMap((training) => Object.keys(list(training)))),
  ];
  const hyperparameters = namesOf(({ hyperparameters }) => hyperparameters).map((name) =>
    row(name, (training) => training.hyperparameters[name] ?? NONE),
  );
  const isShared = ({ cells }: Fact): boolean => new Set(cells).size === 1;
  const facts = [
    row('verdict', ({ verdict }) => verdict),
    row('files', ({ files }) => (files === null ? NONE : grouped(files))),
    ...hyperparameters.filter((fact) => !isShared(fact)),
    ...namesOf(({ last }) => last).map((name) =>
      row(name, ({ last }) => {
        const value = last[name] ?? null;
        return value === null ? NONE : short(value);
      }),
    ),
    row('judged', ({ judged }) =>
      judged === null ? NONE : `${share(judged.accuracy)} of ${grouped(judged.inputs)}`,
    ),
    row('promotion', ({ promotion }) => promotion?.word ?? NONE),
    row('cost', ({ costUsd }) => cost(costUsd)),
    row('time', ({ seconds }) => (seconds === null ? NONE : duration(seconds))),
    ...hyperparameters.filter(isShared),
  ];
  return toTable(facts, [
    { title: 'TRAINING', text: ({ label }) => visible(label) },
    ...trainings.map(({ run }, at): Column<Fact> =>
      right(visible(run).replace(/^training\//, ''), ({ cells }) => cells[at] ?? NONE),
    ),
  ]);
}

function share(accuracy: number | null): string {
  return accuracy === null ? NONE : percent(accuracy, 2);
}

function cost(usd: number | null): string {
  return usd === null ? NONE : dollars(usd);
}
