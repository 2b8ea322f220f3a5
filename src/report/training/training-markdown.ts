import { problemLine } from '../../problem/problem.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { dollars, duration, grouped, percent, plural } from '../figures.ts';
import { inert } from '../inert.ts';
import { short } from './metric-plot.ts';
import { promotionText } from './promotion-text.ts';
import type { TrainingReport } from './training-report.ts';

/** A training in a few lines of Markdown that read well as plain text too: for the terminal and pull requests. */
export function trainingMarkdown(report: TrainingReport): string {
  const lines = [`**${inert(report.run)}** ${report.status}`, '', ...trainingLines(report).map(inert)];
  return `${lines.join('\n')}\n`;
}

/** The same as plain lines, without the run's name. */
export function trainingLines(report: TrainingReport): readonly string[] {
  const { failure, problems, metrics, evaluation, promotion, notes, lineage, run } = report;
  const job = report.jobs.at(-1);
  return [
    ...(failure === null
      ? []
      : [
          ...(problems.length > 0
            ? problems.map(problemLine)
            : `${failure.error}: ${failure.cause}`.split('\n')),
          `Next: ${failure.nextStep}`,
        ]),
    `${plural(lineage.data.objects, 'file')}; ${job === undefined ? 'no job' : `${job.instanceCount} × ${job.instanceType}`}; ${duration(report.seconds)}; ${dollars(report.costUsd)} for training.`,
    ...metrics.flatMap(({ name, final }) => (final === null ? [] : [`${name} ${short(final)} at the end.`])),
    ...(evaluation === null ? [] : evaluationLines(evaluation)),
    ...(promotion === null ? [] : [promotionText(promotion)]),
    ...(promotion?.promotion === 'asked' ? [`inferdrop promote ${quoted(run)}`] : []),
    ...notes.map((note) => `Note: ${note}`),
  ];
}

function evaluationLines({
  run,
  accuracy,
  inputs,
  against,
  trainedOn,
  nearDuplicates,
}: NonNullable<TrainingReport['evaluation']>): readonly string[] {
  return [
    `Judged by ${run}: ${accuracy === null ? 'no accuracy' : `accuracy ${percent(accuracy)}`} on ${plural(inputs, 'input')}.`,
    ...(against === null
      ? []
      : [
          `Against ${against.run}: ${against.accuracyBefore === null || against.accuracyNow === null ? '' : `${percent(against.accuracyBefore)} to ${percent(against.accuracyNow)}, `}${grouped(against.lost)} lost, ${grouped(against.gained)} gained.`,
        ]),
    ...(trainedOn.count === 0
      ? []
      : [
          `${plural(trainedOn.count, 'input')} of the evaluation ${trainedOn.count === 1 ? 'was' : 'were'} trained on.`,
        ]),
    ...(nearDuplicates === null || nearDuplicates.count === 0
      ? []
      : [
          `${plural(nearDuplicates.count, 'input')} of the evaluation ${nearDuplicates.count === 1 ? 'looks' : 'look'} like one that was trained on, and ${nearDuplicates.count === 1 ? 'does' : 'do'} not count for the gate: ${nearDuplicates.first.map(({ key, like }) => `${key} like ${like}`).join(', ')}.`,
        ]),
  ];
}
