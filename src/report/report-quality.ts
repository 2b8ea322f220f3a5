import type { Metrics } from '../metric/metrics.ts';
import type { ReportQuality } from './report.ts';

/** The figures of report.json; null if no record has both prediction and truth. */
export function reportQuality(metrics: Metrics): ReportQuality | null {
  const { accuracy, accuracyInterval, averages, agreement, calibration, ranking } = metrics;
  if (
    accuracy === undefined ||
    accuracyInterval === undefined ||
    averages === undefined ||
    agreement === undefined
  )
    return null;
  return {
    labeled: metrics.labeled,
    correct: metrics.correct,
    accuracy,
    accuracyInterval,
    balancedAccuracy: averages.balancedAccuracy,
    macro: averages.macro,
    weighted: averages.weighted,
    neverPredicted: averages.neverPredicted,
    matthews: agreement.matthews,
    kappa: agreement.kappa ?? null,
    topK: [...metrics.topK],
    logLoss: metrics.logLoss ?? null,
    brier: metrics.brier ?? null,
    expectedCalibrationError: calibration?.expectedError ?? null,
    meanConfidenceRight: metrics.meanConfidence.right ?? null,
    meanConfidenceWrong: metrics.meanConfidence.wrong ?? null,
    macroRocAuc: ranking?.macroRocAuc ?? null,
    macroAveragePrecision: ranking?.macroAveragePrecision ?? null,
  };
}
