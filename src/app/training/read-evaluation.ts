import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { totalCostUsd } from '../../price/quote.ts';
import type { ReportClass } from '../../report/report.ts';
import { tellsOfLabels } from '../../report/text/suspects-text.ts';
import { TrainingReport } from '../../report/training/training-report.ts';
import { parseRunId, RunParts, toRunId } from '../../run/run-id.ts';
import { judgedReportJson } from '../records/report.ts';
import { reportCost } from '../records/run-index.ts';
import { evaluationJson } from '../records/training.ts';

/** Cap on the weakest classes that are named. */
const MAX_WEAKEST = 3;

/** The runs that have judged the model of a training so far; null if none has ended. */
export async function readEvaluation(
  store: ObjectStore,
  run: RunParts,
): Promise<TrainingReport['evaluation']> {
  const evaluation = await evaluationJson(run).read(store);
  const judging = parseRunId(evaluation?.candidateRun?.run ?? '');
  const judged = judging && (await judgedReportJson(judging).read(store));
  if (evaluation === undefined || judging === undefined || judged === undefined) return null;
  const { incumbentRun, trainedOn, nearDuplicates } = evaluation;
  const incumbent = incumbentRun?.isOwn === true ? parseRunId(incumbentRun.run) : undefined;
  const before = incumbent && ((await reportCost(incumbent).read(store)) ?? { costUsd: null });
  const { comparison, gate, suspectLabels: suspects } = judged;
  return {
    run: toRunId(judging),
    verdict: gate.verdict,
    explanation: gate.explanation,
    isSet: gate.isSet,
    accuracy: judged.accuracy,
    inputs: judged.total,
    costUsd: totalCostUsd(before === undefined ? [judged] : [judged, before]),
    against: comparison && {
      run: comparison.baseline,
      accuracyBefore: comparison.accuracy?.before ?? null,
      accuracyNow: comparison.accuracy?.now ?? null,
      pValue: comparison.pValue,
      lost: comparison.lost,
      gained: comparison.gained,
      flips: comparison.flips,
    },
    trainedOn,
    nearDuplicates,
    weakest: weakestClasses(judged.classes),
    suspectLabels: suspects !== null && tellsOfLabels(suspects, judged.classes) ? suspects.suspects : 0,
  };
}

/** The classes with the lowest recall, without those that are all right. */
function weakestClasses(
  classes: readonly ReportClass[],
): NonNullable<TrainingReport['evaluation']>['weakest'] {
  const judged = classes.flatMap(({ name, correct, support, recall, recallInterval: interval }) =>
    recall === null || recall === 1 || interval === null
      ? []
      : [{ name, correct, support, recall, interval }],
  );
  return judged.toSorted((a, b) => a.recall - b.recall).slice(0, MAX_WEAKEST);
}
