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
import { quoted } from '../../text/shell-quoted.ts';
import { costFact, type Fact } from '../facts.ts';
import type { TrainingReport } from './training-report.ts';

/** The figures that sum up a training, in the order of its work. */
export function trainingFacts(report: TrainingReport, isBilled = true): readonly Fact[] {
  const metrics = report.metrics.flatMap(({ name, final }) =>
    final === null ? [] : [{ label: 'Metric', value: `${name} ${short(final)}` }],
  );
  return [...jobFacts(report, isBilled), ...metrics, ...judgmentFacts(report.evaluation)];
}

/** Facts on the data and the hardware of a training, its time and its cost. */
export function jobFacts(report: TrainingReport, isBilled = true): readonly Fact[] {
  const { jobs, lineage, seconds } = report;
  const job = jobs.at(-1);
  const billed = job?.billableSeconds ?? null;
  return [
    { label: 'Files', value: grouped(lineage.data.objects) },
    ...(job === undefined ? [] : [{ label: 'Hosts', value: `${job.instanceCount} × ${job.instanceType}` }]),
    costFact(report, { what: 'for training', quoted: 'quoted at most', isBilled }),
    {
      label: 'Time',
      value: duration(seconds),
      note: billed === null ? undefined : `${duration(billed)} billed a host`,
    },
  ];
}

/** How the model was judged. */
export function judgmentFacts(judged: TrainingReport['evaluation']): readonly Fact[] {
  if (judged === null) return [];
  const { run, accuracy, inputs, against, trainedOn, nearDuplicates: alike, costUsd } = judged;
  const { weakest, suspectLabels } = judged;
  return [
    {
      label: 'Accuracy',
      value: accuracy === null ? 'not known' : percent(accuracy),
      note: `on ${plural(inputs, 'input')}, judged by ${run} for ${dollars(costUsd)}`,
    },
    ...weakest.map(({ name, correct, support, recall, interval: { low, high } }) => ({
      label: 'Weakest',
      value: `${name} ${percent(recall)}`,
      note: `${grouped(correct)} of ${grouped(support)} found, 95% interval ${percent(low)} to ${percent(high)}`,
    })),
    ...(suspectLabels === 0
      ? []
      : [
          {
            label: 'Labels',
            value: `${grouped(suspectLabels)} worth a look`,
            note: `if they are wrong, so is the accuracy: inferdrop review ${quoted(run)}`,
          },
        ]),
    ...(against === null ? [] : againstFacts(against)),
    ...(trainedOn.count === 0
      ? []
      : [
          {
            label: 'Trained on',
            value: `${plural(trainedOn.count, 'input')} of the evaluation`,
            note: 'the gate does not count them',
          },
        ]),
    ...(alike === null || alike.count === 0
      ? []
      : [
          {
            label: 'Look-alike',
            value: `${plural(alike.count, 'input')} of the evaluation`,
            note: ['like one that was trained on; the gate does not count them', ...pairs(alike.first)].join(
              ': ',
            ),
          },
        ]),
  ];
}

type Against = NonNullable<NonNullable<TrainingReport['evaluation']>['against']>;

function againstFacts({ run, accuracyBefore, accuracyNow, pValue, lost, gained }: Against): readonly Fact[] {
  const tested = pValue === null ? '' : `; McNemar ${pText(pValue)}`;
  const flips = `${grouped(lost)} lost, ${grouped(gained)} gained${tested}`;
  if (accuracyBefore === null || accuracyNow === null) return [{ label: 'Against', value: run, note: flips }];
  return [
    { label: 'Against', value: run, note: flips },
    {
      label: 'Change',
      value: `${signedPercent(accuracyNow - accuracyBefore)} points`,
      note: `${percent(accuracyBefore)} to ${percent(accuracyNow)} on the inputs of both`,
    },
  ];
}

/** Names of look-alikes in one text; none if none is kept. */
function pairs(first: readonly { readonly key: string; readonly like: string }[]): readonly string[] {
  return first.length === 0 ? [] : [first.map(({ key, like }) => `${key} like ${like}`).join(', ')];
}
