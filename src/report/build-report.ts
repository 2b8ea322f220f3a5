import type { Exemplar } from '../metric/exemplar.ts';
import type { Metrics } from '../metric/metrics.ts';
import type { Tally } from '../metric/tally.ts';
import { thresholdCurve } from '../metric/threshold-curve.ts';
import { UNJUDGED } from '../tasks/unjudged.ts';
import { chosenExemplars } from './chosen-exemplars.ts';
import type { Report } from './report.ts';
import { reportClasses } from './report-classes.ts';
import { reportQuality } from './report-quality.ts';

/** The fields of a report besides its figures. */
export type ReportFrame = Pick<
  Report,
  | 'run'
  | 'rescoreOf'
  | 'previous'
  | 'sample'
  | 'program'
  | 'status'
  | 'createdAt'
  | 'startedAt'
  | 'seconds'
  | 'costUsd'
  | 'gate'
  | 'failure'
  | 'problems'
  | 'notes'
  | 'isDoubted'
  | 'failures'
  | 'comparison'
  | 'labels'
  | 'labelReading'
  | 'labelChanges'
  | 'suspectLabels'
  | 'ledger'
  | 'slices'
  | 'task'
  | 'answers'
  | 'setup'
  | 'jobs'
>;

/**
 * Joins the frame of a run with the figures of its tally.
 *
 * @param kept records that stand for the cells of the matrix
 */
export function buildReport(
  frame: ReportFrame,
  tally: Tally,
  metrics: Metrics,
  kept: readonly Exemplar[] = [],
): Report {
  const quality = reportQuality(metrics);
  const matrix = reportClasses(tally, metrics);
  const confident = tally.calibration.some((bin) => bin.count > 0);
  return {
    schema: 1,
    ...frame,
    total: metrics.inputs,
    records: metrics.predicted,
    correct: quality?.correct ?? null,
    accuracy: quality?.accuracy ?? null,
    errors: [...metrics.errors.values()].reduce((total, times) => total + times, 0),
    errorRate: metrics.errorRate,
    quality,
    absent: UNJUDGED[frame.task] === null ? [...metrics.absent] : [],
    ...matrix,
    reliability: [...(metrics.calibration?.curve ?? [])],
    confidenceHistogram: confident ? { right: tally.rightHistogram, wrong: tally.wrongHistogram } : null,
    thresholds: thresholdsOf(tally),
    mistakes: tally.mistakes,
    exemplars: chosenExemplars(matrix, kept),
    errorsByReason: Object.fromEntries(
      [...metrics.errors].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)),
    ),
  };
}

/** A report without figures, of a run that ended before any prediction was read. */
export function buildEmptyReport(frame: ReportFrame, total: number): Report {
  return {
    schema: 1,
    ...frame,
    total,
    records: 0,
    correct: null,
    accuracy: null,
    errors: 0,
    errorRate: 0,
    quality: null,
    absent: [],
    classes: [],
    confusion: [],
    reliability: [],
    confidenceHistogram: null,
    thresholds: null,
    mistakes: [],
    exemplars: [],
    errorsByReason: {},
  };
}

function thresholdsOf(tally: Tally): Report['thresholds'] {
  const curve = thresholdCurve(tally);
  if (curve === undefined) return null;
  return { ...curve, points: curve.points.map((at) => [at.threshold, at.truePositives, at.falsePositives]) };
}
