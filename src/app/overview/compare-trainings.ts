import type { ComparedTraining, TrainingsData } from '../../api/console/comparison.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { wilsonInterval } from '../../metric/wilson-interval.ts';
import { totalCostUsd } from '../../price/quote.ts';
import type { TrainingReport } from '../../report/training/training-report.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { frozenJson } from '../records/drop.ts';
import { listTrainingJobRecords } from '../records/training-jobs.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { trainingReportJson } from '../records/training-report.ts';
import { trainingMetricsJson } from '../records/training-work.ts';
import { requireFew } from './compare-data.ts';
import type { LiveCurves } from './live-curves.ts';
import { toVerdict } from './run-rows.ts';

interface CompareTrainingsServices {
  readonly store: ObjectStore;
  readonly liveCurves: LiveCurves;
}

/**
 * Trainings side by side, under way or ended: hyperparameters, curves, and how each model was judged.
 *
 * @throws {RequestProblem} `unknown-training` if its files aren't frozen yet, `invalid-request` for too many
 */
export async function compareTrainings(
  runs: readonly RunParts[],
  services: CompareTrainingsServices,
): Promise<TrainingsData> {
  requireFew(runs);
  return { trainings: await Promise.all(runs.map((run) => toComparedTraining(run, services))) };
}

async function toComparedTraining(
  run: RunParts,
  { store, liveCurves }: CompareTrainingsServices,
): Promise<ComparedTraining> {
  const [frozen, plan, records, report, metrics] = await Promise.all([
    frozenJson(run).read(store),
    trainingPlanJson(run).read(store),
    Array.fromAsync(listTrainingJobRecords(store, run)),
    trainingReportJson(run).read(store),
    trainingMetricsJson(run).read(store),
  ]);
  if (frozen === undefined && report === undefined)
    throw new RequestProblem(
      'unknown-training',
      `training ${toRunId(run)} does not exist, or waits for files`,
    );
  const curves = metrics?.series ?? (await liveCurves(plan, records));
  return {
    run: toRunId(run),
    verdict:
      report === undefined
        ? 'running'
        : toVerdict({ status: report.status, gate: report.evaluation?.verdict ?? 'none' }),
    endedAt: report?.createdAt ?? null,
    files: frozen?.objects ?? null,
    hyperparameters: plan?.hyperparameters ?? {},
    curves,
    // SageMaker's last value may come from any host; the curves next to it come from the first.
    last: { ...metrics?.final, ...lastValues(curves) },
    judged: toJudged(report?.evaluation ?? null),
    promotion:
      report === undefined || report.promotion === null
        ? null
        : { word: report.promotion.promotion, reason: report.promotion.reason },
    costUsd: report === undefined ? totalCostUsd(records) : report.costUsd,
    seconds: report?.seconds ?? null,
  };
}

/** Last value of each metric by its first host: the curves are in the order of the hosts. */
function lastValues(curves: ComparedTraining['curves']): Record<string, number | null> {
  const byMetric = Map.groupBy(curves, ({ metric }) => metric);
  return Object.fromEntries(
    [...byMetric].map(([metric, [first]]) => [metric, first?.points.at(-1)?.value ?? null]),
  );
}

function toJudged(evaluation: TrainingReport['evaluation']): ComparedTraining['judged'] {
  if (evaluation === null) return null;
  const { run, accuracy, inputs, trainedOn, nearDuplicates } = evaluation;
  return {
    run,
    accuracy,
    inputs,
    trainedOn: trainedOn.count,
    interval: accuracy === null ? null : (wilsonInterval(Math.round(accuracy * inputs), inputs) ?? null),
    nearDuplicates: nearDuplicates?.count ?? null,
  };
}
