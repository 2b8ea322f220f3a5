import { type DrawnValues, type Evidence, evidenceOf, meanBounds, suffices } from '../judging/bets.ts';
import type { DrawnBatches } from '../judging/drawn-batches.ts';
import { nextRoundInputs } from '../judging/next-round.ts';
import { exactLower, exactUpper, neededRight } from '../metric/exact-bound.ts';
import { normalQuantile } from '../metric/normal-quantile.ts';
import type { Interval } from '../metric/wilson-interval.ts';
import type { EarlyBound, EarlyEvidence } from './early-evidence.ts';

/** Question that the rounds of a drop are to answer. */
export interface RoundQuestion {
  /** Smallest accuracy that passes; undefined if every accuracy does. */
  readonly minAccuracy?: number | undefined;
  /** Largest loss of accuracy against another run that passes; undefined if every loss does. */
  readonly maxAccuracyDrop?: number | undefined;
  /** Largest share of inputs without an answer that passes; undefined if every share does. */
  readonly maxErrorRate?: number | undefined;
  /** Confidence of the verdict, such as 0.95. */
  readonly confidence: number;
  /** Labelled inputs below which there is no verdict. */
  readonly minInputs: number;
  /** Inputs of the whole drop. */
  readonly of: number;
}

/** Answer to the question after some rounds. */
export interface EarlyAnswer extends Omit<EarlyEvidence, 'confidence' | 'stopped'> {
  readonly bounds: readonly (EarlyBound & {
    readonly counted: number;
    readonly evidence: Evidence;
  })[];
}

/** A bound as it's asked about all inputs of a drop. */
interface Asked extends Pick<EarlyBound, 'kind' | 'name' | 'floor'> {
  /** Inputs that the bound counts, of those drawn. */
  readonly counted: number;
  /** Least and largest figure that there is. */
  readonly range: Interval;
  /** The inputs' surplus over a figure, less the slope for those that differ from another run's; 0 for those that don't count. */
  readonly surplus: (over: number, slope: number) => readonly DrawnValues[];
  /** Figures below which the complete run surely doesn't prove the bound, and above which it surely does. */
  readonly needed: Interval;
  /** Deducted for each input that differs from another run's where the figure is asked to be above what is needed. */
  readonly slope: number;
}

/**
 * Judges a drop by the inputs drawn so far. Each bound is two questions about all inputs: is the figure surely so high that the complete run
 * proves the bound, or so low that it doesn't? The complete run passes or it doesn't, so only one kind of error is possible: it's passed
 * wrongly only if the bound that is missed is decided wrongly, each at 1 − confidence, and stopped wrongly only if one of all is, each at
 * its part of it. The evidence is a martingale along the draws (Ville 1939), so it may be asked after every round.
 */
export function judgeEarly(question: RoundQuestion, batches: DrawnBatches): EarlyAnswer {
  const asked = askedBounds(question, batches);
  const alpha = alphaOf(question.confidence, asked.length);
  const bounds = asked.map((bound) => {
    const { kind, name, floor, counted } = bound;
    const evidence = {
      above: evidenceAt(bound, question.of, bound.needed.high, bound.slope).above,
      below: evidenceAt(bound, question.of, bound.needed.low).below,
    };
    const isMissed = counted >= question.minInputs && suffices(evidence.below, alpha.high);
    const isProven = counted >= question.minInputs && suffices(evidence.above, alpha.low);
    const verdict = isMissed ? ('failed' as const) : isProven ? ('passed' as const) : undefined;
    const needed = isMissed ? bound.needed.low : bound.needed.high;
    return {
      ...{ kind, name, floor, counted, evidence, verdict, needed },
      bounds: endsOf(bound, question.of, alpha),
    };
  });
  const isPassed = bounds.length > 0 && bounds.every(({ verdict }) => verdict === 'passed');
  const isFailed = bounds.some(({ verdict }) => verdict === 'failed');
  return { verdict: isFailed ? 'failed' : isPassed ? 'passed' : undefined, bounds };
}

/** Ends of the accuracy of the whole drop, and of its change against the other run, each at the confidence and valid after every round. */
export function earlyEnds(
  { confidence, of }: Pick<RoundQuestion, 'confidence' | 'of'>,
  batches: DrawnBatches,
): { readonly accuracy: Interval; readonly change: Interval } {
  const alpha = alphaOf(confidence, 1);
  const whole = { of, confidence };
  return {
    accuracy: endsOf(askedAccuracy(0, whole, batches), of, alpha),
    change: endsOf(askedChange(0, whole, batches), of, alpha),
  };
}

/** Inputs that the next round should have: as many as the bound needs that is farthest from a verdict. */
export function nextRound(
  { confidence, of }: Pick<RoundQuestion, 'confidence' | 'of'>,
  { bounds }: Pick<EarlyAnswer, 'bounds'>,
  { first, drawn }: { readonly first: number; readonly drawn: number },
): number {
  const asked = { first, drawn, total: of, alpha: 1 - confidence };
  const open = bounds.filter(({ verdict }) => verdict === undefined);
  return Math.max(...open.map(({ evidence }) => nextRoundInputs(evidence, asked)));
}

/** Chance of a wrong claim by the lower end of a bound's figure, and by the upper one. */
function alphaOf(confidence: number, bounds: number): Interval {
  return { low: 1 - confidence, high: (1 - confidence) / Math.max(1, bounds) };
}

function askedBounds(question: RoundQuestion, batches: DrawnBatches): Asked[] {
  const { minAccuracy, maxAccuracyDrop, maxErrorRate } = question;
  return [
    ...(minAccuracy === undefined ? [] : [askedAccuracy(minAccuracy, question, batches)]),
    ...(maxAccuracyDrop === undefined ? [] : [askedChange(-maxAccuracyDrop, question, batches)]),
    ...(maxErrorRate === undefined ? [] : [askedErrors(1 - maxErrorRate, question, batches)]),
  ];
}

type Whole = Pick<RoundQuestion, 'of' | 'confidence'>;

/** Right answers of the labelled inputs; one without an answer is wrong. */
function askedAccuracy(floor: number, whole: Whole, { answers }: DrawnBatches): Asked {
  const counts = answers.map(({ right, wrong, unanswered, lost, unlabelled, missing }) => ({
    ...{ good: right, bad: wrong + unanswered, rest: lost + unlabelled + missing },
  }));
  return askedShare('accuracy', floor, whole, counts);
}

/** Inputs with an answer, of those that the model had to answer. */
function askedErrors(floor: number, whole: Whole, { answers }: DrawnBatches): Asked {
  const counts = answers.map(({ right, wrong, unanswered, lost, unlabelled, missing }) => ({
    ...{ good: right + wrong + unlabelled, bad: unanswered + lost, rest: missing },
  }));
  return askedShare('errors', floor, whole, counts);
}

function askedShare(
  kind: 'accuracy' | 'errors',
  floor: number,
  whole: Whole,
  counts: readonly { readonly good: number; readonly bad: number; readonly rest: number }[],
): Asked {
  const counted = sum(counts, ({ good, bad }) => good + bad);
  const drawn = counted + sum(counts, ({ rest }) => rest);
  return {
    ...{ kind, name: '', floor, counted, slope: 0 },
    range: { low: 0, high: 1 },
    surplus: (over) =>
      counts.map(({ good, bad, rest }) => [
        [1 - over, good],
        [-over, bad],
        [0, rest],
      ]),
    needed: neededShares(floor, whole.confidence, countedOfAll(counted, drawn, whole.of)),
  };
}

/** Share of inputs that differ at which the line that stands for its square root touches it. */
const DIFFERING = 0.06;

/**
 * The complete run proves the bound if gained − lost − floor · n − ½ reaches z · √(n · ψ), by the score test. The root of the share ψ that differs
 * is below its tangent anywhere, so a line may stand for it. Below the floor itself no run proves the bound.
 */
function askedChange(floor: number, whole: Whole, { pairs }: DrawnBatches): Asked {
  const counted = sum(pairs, ({ gained, lost, same }) => gained + lost + same);
  const drawn = counted + sum(pairs, ({ missing }) => missing);
  const z = normalQuantile(whole.confidence);
  const n = Math.max(1, countedOfAll(counted, drawn, whole.of).low);
  const slope = z / (2 * Math.sqrt(DIFFERING * n));
  return {
    ...{ kind: 'change', name: '', floor, counted, slope },
    range: { low: -1, high: 1 },
    surplus: (over, less) =>
      pairs.map(({ gained, lost, same, missing }) => [
        [1 - over - less, gained],
        [-1 - over - less, lost],
        [-over, same],
        [0, missing],
      ]),
    needed: { low: floor, high: floor + slope * DIFFERING + 1 / n + (z * z) / (2 * n) },
  };
}

/** Evidence on "the figure of all inputs is at least `over`". */
function evidenceAt({ range, surplus }: Asked, total: number, over: number, slope = 0): Evidence {
  const question = { mean: 0, low: range.low - over - slope, high: range.high - over, total };
  return evidenceOf(question, surplus(over, slope));
}

function endsOf(asked: Asked, total: number, alpha: Interval): Interval {
  return meanBounds((over) => evidenceAt(asked, total, over), asked.range, alpha);
}

/** Chance that the inputs of all that a bound counts are taken to be fewer, or more, than they are. */
const COUNT_ALPHA = 1e-5;

/** Least and most inputs that a bound counts in the whole drop, by those drawn. */
function countedOfAll(counted: number, drawn: number, of: number): Interval {
  const [low, high] = [
    exactLower(counted, drawn, 1 - COUNT_ALPHA),
    exactUpper(counted, drawn, 1 - COUNT_ALPHA),
  ];
  return {
    low: Math.max(counted, Math.floor(of * low)),
    high: Math.min(of - (drawn - counted), Math.ceil(of * high)),
  };
}

/**
 * Shares of the inputs counted with which the complete run surely doesn't prove a floor, and with which it does. The share falls with the count,
 * but in whole right answers: between two counts it may be beyond those of both by less than an input.
 */
function neededShares(floor: number, confidence: number, { low: few, high: many }: Interval): Interval {
  const step = floor > 0 && few < many ? 1 : 0;
  return {
    low: neededShare(floor, confidence, many) - step / Math.max(1, many),
    high: neededShare(floor, confidence, few) + step / Math.max(1, few),
  };
}

/** Least share of right answers of `count` that proves a floor: half an input below the least number. Above 1 if none does. */
export function neededShare(floor: number, confidence: number, count: number): number {
  return floor <= 0 ? 0 : (neededRight(floor, count, confidence) - 0.5) / Math.max(1, count);
}

function sum<T>(batches: readonly T[], count: (batch: T) => number): number {
  return batches.reduce((total, batch) => total + count(batch), 0);
}
