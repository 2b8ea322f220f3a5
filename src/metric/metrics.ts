import { grouped } from '../text/figures.ts';
import { type Agreement, agreement } from './agreement.ts';
import { type Calibration, calibration } from './calibration.ts';
import { type ClassAverages, classAverages } from './class-averages.ts';
import { NOT_ASKED } from './count-outcome.ts';
import { type ClassQuality, perClass } from './per-class.ts';
import { type RankingCurves, rankingCurves } from './ranking-curves.ts';
import type { Tally } from './tally.ts';
import { type TopKAccuracy, topKAccuracy } from './top-k.ts';
import { drawnInterval, type Interval } from './wilson-interval.ts';

/** Every figure of a run. A figure that the outputs do not allow is undefined, with the reason in `absent`. */
export interface Metrics {
  readonly inputs: number;
  readonly predicted: number;
  readonly labeled: number;
  readonly correct: number;
  readonly errors: ReadonlyMap<string, number>;
  readonly errorRate: number;
  readonly accuracy: number | undefined;
  readonly accuracyInterval: Interval | undefined;
  readonly topK: readonly TopKAccuracy[];
  readonly averages: ClassAverages | undefined;
  readonly agreement: Agreement | undefined;
  readonly logLoss: number | undefined;
  readonly brier: number | undefined;
  readonly calibration: Calibration | undefined;
  readonly meanConfidence: { readonly right: number | undefined; readonly wrong: number | undefined };
  readonly ranking: RankingCurves | undefined;
  readonly classes: readonly ClassQuality[];
  readonly absent: readonly string[];
}

/** If at least this share of the labeled outputs has what a figure needs, the figure only covers those outputs. */
const MIN_SHARE = 0.99;

function suffices(count: number, { labeled }: Pick<Tally, 'labeled'>): boolean {
  return count > 0 && count >= MIN_SHARE * labeled;
}

/** Computes the figures of a merged tally. @param fraction fraction of inputs drawn, if intervals are for the whole drop */
export function metricsOf(tally: Tally, topK: readonly number[], fraction = 0): Metrics {
  const classes = perClass(tally.confusion, tally.classes.names.length, fraction);
  const complete = suffices(tally.distributions, tally);
  const confident = tally.calibration.reduce((total, bin) => total + bin.count, 0);
  const wrongCount = tally.wrongHistogram.reduce((total, times) => total + times, 0);
  const rightCount = confident - wrongCount;
  return {
    inputs: tally.inputs,
    predicted: tally.predicted,
    labeled: tally.labeled,
    correct: tally.correct,
    errors: tally.errors,
    errorRate: errorRate(tally),
    accuracy: tally.labeled === 0 ? undefined : tally.correct / tally.labeled,
    accuracyInterval: drawnInterval(tally.correct, tally.labeled, fraction),
    topK: suffices(tally.ranked, tally) ? topK.map((k) => topKAccuracy(tally, k, fraction)) : [],
    averages: classAverages(classes),
    agreement: agreement(classes),
    logLoss: complete ? tally.logLoss.high / tally.distributions : undefined,
    brier: complete ? tally.brier.high / tally.distributions : undefined,
    calibration: suffices(confident, tally) ? calibration(tally.calibration, fraction) : undefined,
    meanConfidence: {
      right: rightCount === 0 ? undefined : tally.rightConfidence.high / rightCount,
      wrong: wrongCount === 0 ? undefined : tally.wrongConfidence.high / wrongCount,
    },
    ranking: complete ? rankingCurves(tally) : undefined,
    classes,
    absent: absentFigures(tally, confident),
  };
}

/** Errors that count as the model's: inputs, or records of them, that it had to answer and did not. */
function modelErrors(errors: ReadonlyMap<string, number>): number {
  return [...errors].reduce((sum, [reason, times]) => sum + (NOT_ASKED.has(reason) ? 0 : times), 0);
}

/** Share of inputs without a usable prediction, among those that the model had to answer. */
function errorRate({ predicted, errors }: Tally): number {
  const failed = modelErrors(errors);
  return failed === 0 ? 0 : failed / (predicted + failed);
}

function absentFigures(tally: Tally, confident: number): string[] {
  const { labeled, ranked, distributions, predicted } = tally;
  const few = (figures: string, count: number, what: string): string[] => {
    if (count === labeled) return [];
    if (suffices(count, tally))
      return [`${figures} of ${grouped(count)} of ${grouped(labeled)} outputs: the others lack ${what}.`];
    const have = count === 0 ? 'no output has' : `only ${count} of ${labeled} outputs have`;
    return [`${figures} absent: ${have} ${what}.`];
  };
  if (predicted === 0) return ['No input has a usable prediction, so there are no quality figures.'];
  if (labeled === 0) return ['No input has a known truth, so there are no quality figures.'];
  const meant =
    ranked === labeled && distributions === 0
      ? ' Logits become probabilities with labels.scores "logits"; several classes for one record (multi-label) are not supported.'
      : '';
  return [
    ...few('Top-k accuracy is', ranked, 'a score for each class'),
    ...few(
      'Log loss, Brier score, ROC AUC and average precision are',
      distributions,
      'probabilities of all classes that add up to 1',
    ).map((sentence) => `${sentence}${meant}`),
    ...few('Calibration is', confident, 'a probability of the predicted class'),
  ];
}
