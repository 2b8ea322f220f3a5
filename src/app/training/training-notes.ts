import { isDiskFull, jobFailure } from '../../problem/aws-words.ts';
import { grouped, plural } from '../../text/figures.ts';
import { said } from '../../text/said.ts';
import { changedText, isChanged } from '../../training/judge-promotion.ts';
import type { TrainingJobRecord } from '../../training/training-job-record.ts';
import type { TrainingMetrics } from '../../training/training-metrics.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import type { Registered } from '../records/training.ts';
import type { Judgment } from './evidence.ts';

/** Notes of the report for its reader, in sentences. */
export function trainingNotes({
  plan,
  last,
  registered,
  judgment,
  metrics,
}: {
  readonly plan: TrainingPlan | undefined;
  /** The last attempt. */
  readonly last: TrainingJobRecord | undefined;
  readonly registered: Registered | undefined;
  readonly judgment: Judgment;
  readonly metrics: TrainingMetrics | undefined;
}): string[] {
  const { status, stopReason, failureReason } = last ?? {};
  return [
    ...(plan?.notes ?? []),
    ...said(
      stopReason !== undefined &&
        `the job was stopped: ${stopReason}${registered === undefined ? '' : '. The model is what the script had saved by then'}`,
      jobFailure(failureReason) === 'killed' &&
        'the script was killed by signal 9, as happens where the memory of a host does not suffice: try larger ' +
          'instances or smaller batches',
      isDiskFull(failureReason) &&
        'the disk of a host was full: raise training.instances.volumeSizeInGB; on a laptop, free space on the disk of this machine',
    ),
    ...changeNotes(registered?.changedInputs),
    ...said(
      isChanged(judgment.changed) &&
        `${changedText(judgment.changed)}: they did not judge the model; a rerun of the training is judged by the newest files`,
    ),
    ...incumbentNotes(judgment.incumbentTrainedOn),
    ...lookNotes(judgment.nearDuplicates),
    ...groupNotes(judgment.sharedGroups),
    ...rowNotes(judgment.equalRows),
    ...noNumberNotes(metrics?.series ?? []),
    // The log of a script that failed may end before its first value.
    ...(metrics?.isWhole === true && status !== 'Failed'
      ? unmatchedNotes(plan?.metrics ?? [], metrics.series)
      : []),
    ...said(
      status === 'Stopping' &&
        'the job was still stopping when this report was written: its cost is as of then',
      metrics?.isWhole === false && 'the log was too long to be read whole: metrics are of its part',
    ),
  ];
}

function changeNotes(
  changed: { readonly superseded: number; readonly deleted: number; readonly arrived: number } | undefined,
): string[] {
  const { superseded = 0, deleted = 0, arrived = 0 } = changed ?? {};
  return said(
    superseded > 0 &&
      `${superseded} of the files were overwritten since they were frozen: which content was trained on is not known`,
    deleted > 0 && `${deleted} of the files were deleted since they were frozen`,
    arrived > 0 &&
      `${plural(arrived, 'file')} came into the drop after it had been frozen: the job may have trained on them, ` +
        'and the next training of the drop also has them',
  );
}

function incumbentNotes(shared: Judgment['incumbentTrainedOn']): string[] {
  if (shared === null || shared.count === 0) return [];
  const inputs = plural(shared.count, 'input');
  return [
    `${inputs} of the evaluation ${shared.count === 1 ? 'was' : 'were'} trained on by the model that served, in ` +
      `${shared.training}, and ${shared.count === 1 ? 'does' : 'do'} not count in the comparison with it`,
  ];
}

/** Notes on how far near-duplicates were searched for; those that were found are listed in the evaluation. */
function lookNotes(found: Judgment['nearDuplicates']): string[] {
  if (found === null) return [];
  const { judged, trained, isUnclear } = found;
  if (isUnclear)
    return [
      'images of the evaluation look as much alike as copies of one image do: whether one of them is a near-duplicate ' +
        'of a training file is unknown',
    ];
  return [
    `${plural(judged, 'image')} of the evaluation and ${grouped(trained)} of the training were compared by their ` +
      'looks, which finds copies that were written by another encoder or, from 32 pixels on, at another size: not those ' +
      'that were cut or mirrored',
  ];
}

function groupNotes(shared: Judgment['sharedGroups']): string[] {
  if (shared === null) return [];
  const { noun, groups, first, count, withoutGroup } = shared;
  return said(
    groups > 0 &&
      `training and evaluation share ${plural(groups, noun)} ` +
        `(${first.join('; ')}${first.length < groups ? '; …' : ''}): ${plural(count, 'input')} of the evaluation ` +
        'more count neither for the gate nor for the comparison',
    withoutGroup > 0 &&
      `${plural(withoutGroup, 'file')} of the training have no ${noun} by report.clusters: what they share with ` +
        'the evaluation is not known',
  );
}

/** Notes on rows that equal one of the training, whether they count or not. */
function rowNotes(found: Judgment['equalRows']): string[] {
  if (found === null) return [];
  const { areCopies, equal, repeated, trained, unread } = found;
  const facts =
    `${plural(equal, 'row')} of the evaluation ${equal === 1 ? 'equals' : 'equal'} one of the training's ` +
    `${grouped(trained)}, and ${grouped(repeated)} equal another of the evaluation`;
  return said(
    equal > 0 &&
      (areCopies
        ? `${facts}. Tables that were drawn apart don't share so many (exact test, 95%), so these rows count as trained on`
        : `${facts}. Tables that were drawn apart may share as many (exact test, 95%), so these rows count`),
    unread.count > 0 &&
      `${plural(unread.count, 'file')} of training or evaluation ${unread.count === 1 ? 'was' : 'were'} not read ` +
        `to the end as the pipeline's tables are, so which rows both have is not wholly known: ` +
        `${unread.first.join('; ')}${unread.first.length < unread.count ? '; …' : ''}`,
  );
}

/** Metrics that end in NaN or infinity: SageMaker's final value may be an earlier one. */
function noNumberNotes(series: TrainingMetrics['series']): string[] {
  const hosts = new Map<string, string[]>();
  for (const { metric, host, points } of series)
    if (points.at(-1)?.value === null) hosts.set(metric, [...(hosts.get(metric) ?? []), host]);
  return [...hosts].map(
    ([metric, of]) =>
      `the last value of the metric ${metric} in the log of ${of.join(', ')} is not a number: the training has ` +
      `diverged, or the group of the metric's expression takes more than the number along`,
  );
}

/** Notes on metrics without any value in the log. */
function unmatchedNotes(asked: TrainingPlan['metrics'], series: TrainingMetrics['series']): string[] {
  const names = asked.map(({ name }) => name).filter((name) => !series.some(({ metric }) => metric === name));
  return said(
    names.length > 0 &&
      `no line of the log matches the expression of ${names.join(', ')}: training.metrics in pipeline.json has it`,
  );
}
