import { type DrawnValues, type Evidence, evidenceOf, meanBounds, suffices } from '../judging/bets.ts';
import type { DrawnBatches, PartCounts } from '../judging/drawn-batches.ts';
import { nextRoundInputs } from '../judging/next-round.ts';
import { normalQuantile } from '../metric/normal-quantile.ts';
import type { Interval } from '../metric/wilson-interval.ts';
import type { Bound } from './bound.ts';
import type { EarlyBound, EarlyEvidence } from './early-evidence.ts';
import { countedOfAll, neededShares } from './needed-shares.ts';

/** A class or slice that has a bound. */
export interface EarlyPart extends Pick<Bound, 'name' | 'floor' | 'minInputs'> {
  readonly kind: 'recall' | 'slice';
  /** Labeled inputs of it in the whole drop; undefined if only those drawn are known. */
  readonly of: number | undefined;
}

/** Question that the rounds of a drop are to answer. */
export interface RoundQuestion {
  /** Smallest accuracy that passes; undefined if every accuracy does. */
  readonly minAccuracy?: number | undefined;
  /** Largest loss of accuracy against another run that passes; undefined if every loss does. */
  readonly maxAccuracyDrop?: number | undefined;
  /** Largest share of inputs without an answer that passes; undefined if every share does. */
  readonly maxErrorRate?: number | undefined;
  /** Classes and slices that have a bound. */
  readonly parts: readonly EarlyPart[];
  /** Confidence of the verdict, such as 0.95. */
  readonly confidence: number;
  /** Labeled inputs below which there is no verdict. */
  readonly minInputs: number;
  /** Inputs of the whole drop. */
  readonly of: number;
}

/** Decision on a bound after some rounds. */
type DecidedBound = Omit<EarlyBound, 'bounds'> & { readonly counted: number; readonly evidence: Evidence };

/** Decision on the question after some rounds. */
export interface EarlyDecision extends Pick<EarlyEvidence, 'verdict'> {
  readonly bounds: readonly DecidedBound[];
}

/** A bound as it's asked about all inputs of a drop. */
interface Asked extends Pick<EarlyBound, 'kind' | 'name' | 'floor'> {
  /** Inputs that the bound counts, of those drawn. */
  readonly counted: number;
  /** Inputs of the whole drop that it asks about: all, or one class's. */
  readonly of: number;
  /** Counted inputs below which the rounds decide nothing. */
  readonly least: number;
  /** Least and largest figure that there is. */
  readonly range: Interval;
  /** The inputs' surplus over a figure, less the slope for those that differ from another run's; 0 for those that don't count. */
  readonly surplus: (over: number, slope: number) => readonly DrawnValues[];
  /** Figures below which the complete run surely doesn't prove the bound, and above which it surely does. */
  readonly needed: Interval;
  /** Deducted for each input that differs from another run's when the question is whether the figure is above the needed one. */
  readonly slope: number;
}

/**
 * Judges a drop by the inputs drawn so far. Each bound is two questions about all inputs: is the figure surely so high
 * that the complete run proves the bound, or so low that it doesn't? The complete run passes or it doesn't, so only one
 * kind of error is possible: it's passed wrongly only if the bound that is missed is decided wrongly, each at 1 −
 * confidence, and stopped wrongly only if one of all is, each at its part of it. The evidence is a martingale along the
 * draws (Ville 1939), so it may be asked after every round.
 */
export function decideEarly(question: RoundQuestion, batches: DrawnBatches): EarlyDecision {
  const asked = askedBounds(question, batches);
  const alpha = alphaOf(question.confidence, asked.length);
  const bounds = asked.map((bound) => decideBound(bound, alpha));
  return { verdict: verdictOf(bounds), bounds };
}

/** The decision, with the limits of each figure, which take a hundred times as long to find. */
export function judgeEarly(
  question: RoundQuestion,
  batches: DrawnBatches,
): Pick<EarlyDecision, 'verdict'> & { readonly bounds: readonly (DecidedBound & EarlyBound)[] } {
  const asked = askedBounds(question, batches);
  const alpha = alphaOf(question.confidence, asked.length);
  const bounds = asked.map((bound) => ({ ...decideBound(bound, alpha), bounds: endsOf(bound, alpha) }));
  return { verdict: verdictOf(bounds), bounds };
}

function verdictOf(bounds: readonly DecidedBound[]): EarlyDecision['verdict'] {
  if (bounds.some(({ verdict }) => verdict === 'failed')) return 'failed';
  return bounds.length > 0 && bounds.every(({ verdict }) => verdict === 'passed') ? 'passed' : undefined;
}

function decideBound(bound: Asked, alpha: Interval): DecidedBound {
  const { kind, name, floor, counted, least } = bound;
  const evidence = {
    above: evidenceAt(bound, bound.needed.high, bound.slope).above,
    below: bound.needed.low > 1 ? Infinity : evidenceAt(bound, bound.needed.low).below,
  };
  const isMissed = counted >= least && suffices(evidence.below, alpha.high);
  const isProven = counted >= least && suffices(evidence.above, alpha.low);
  const verdict = isMissed ? ('failed' as const) : isProven ? ('passed' as const) : undefined;
  const needed = isMissed ? bound.needed.low : bound.needed.high;
  return { kind, name, floor, counted, evidence, verdict, needed };
}

/**
 * Limits of the accuracy of the whole drop, and of its change against the other run, each at the confidence and valid after every round.
 */
export function earlyEnds(
  { confidence, of }: Pick<RoundQuestion, 'confidence' | 'of'>,
  batches: DrawnBatches,
): { readonly accuracy: Interval; readonly change: Interval } {
  const alpha = alphaOf(confidence, 1);
  const whole = { of, confidence, minInputs: 1 };
  return {
    accuracy: endsOf(askedAccuracy(0, whole, batches), alpha),
    change: endsOf(askedChange(0, whole, batches), alpha),
  };
}

/** Inputs that the next round should have: as many as the bound needs that is farthest from a verdict. */
export function nextRound(
  { confidence, of }: Pick<RoundQuestion, 'confidence' | 'of'>,
  { bounds }: Pick<EarlyDecision, 'bounds'>,
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
  const { minAccuracy, maxAccuracyDrop, maxErrorRate, parts } = question;
  return [
    ...(minAccuracy === undefined ? [] : [askedAccuracy(minAccuracy, question, batches)]),
    ...(maxAccuracyDrop === undefined ? [] : [askedChange(-maxAccuracyDrop, question, batches)]),
    ...parts.map((part, at) => askedPart(part, question, batches.parts[at] ?? [])),
    ...(maxErrorRate === undefined ? [] : [askedErrors(1 - maxErrorRate, question, batches)]),
  ];
}

type Whole = Pick<RoundQuestion, 'of' | 'confidence' | 'minInputs'>;

/** Right answers of the labeled inputs; one without an answer is wrong. */
function askedAccuracy(floor: number, whole: Whole, { answers, worth }: DrawnBatches): Asked {
  const counts = answers.map(({ right, wrong, unanswered, lost, unlabeled, missing }) => ({
    good: right,
    bad: wrong + unanswered,
    rest: lost + unlabeled + missing,
  }));
  return askedShare({ kind: 'accuracy', name: '', floor }, whole, { counts, worth });
}

/**
 * Right answers of a class or slice. Labels are known before the predictions, and with them the inputs of each class:
 * those drawn are a random part of them, whatever becomes of the others.
 */
function askedPart(part: EarlyPart, whole: Whole, batches: readonly PartCounts[]): Asked {
  const counts = batches.map(({ right, wrong, missing, others }) => ({
    good: right,
    bad: wrong,
    rest: part.of === undefined ? missing + others : missing,
  }));
  const drawn = sum(counts, ({ good, bad, rest }) => good + bad + rest);
  const of = part.of === undefined ? whole.of : Math.max(part.of, drawn);
  const { minInputs } = part;
  const asked = askedShare(part, { ...whole, of, minInputs: 0 }, { counts, minInputs });
  // If none is missing, the labeled inputs are those that the complete run counts.
  const isKnown = part.of !== undefined && counts.every(({ rest }) => rest === 0);
  const counted = { low: of, high: of };
  return isKnown ? { ...asked, needed: neededShares(part, whole.confidence, counted) } : asked;
}

/** Inputs with an answer, of those that the model had to answer. */
function askedErrors(floor: number, whole: Whole, { answers }: DrawnBatches): Asked {
  const counts = answers.map(({ right, wrong, unanswered, lost, unlabeled, missing }) => ({
    good: right + wrong + unlabeled,
    bad: unanswered + lost,
    rest: missing,
  }));
  return askedShare({ kind: 'errors', name: '', floor }, whole, { counts });
}

/** Inputs as a bound of a share counts them. */
interface AskedCounts {
  readonly counts: readonly { readonly good: number; readonly bad: number; readonly rest: number }[];
  readonly worth?: number | undefined;
  /** Inputs below which the complete run proves nothing. */
  readonly minInputs?: number;
}

function askedShare(
  { kind, name, floor }: Pick<EarlyBound, 'kind' | 'name' | 'floor'>,
  { of, confidence, minInputs: least }: Whole,
  { counts, worth, minInputs = 1 }: AskedCounts,
): Asked {
  const counted = sum(counts, ({ good, bad }) => good + bad);
  const drawn = counted + sum(counts, ({ rest }) => rest);
  return {
    kind,
    name,
    floor,
    counted,
    of,
    least,
    slope: 0,
    range: { low: 0, high: 1 },
    surplus: (over) =>
      counts.map(({ good, bad, rest }) => [
        [1 - over, good],
        [-over, bad],
        [0, rest],
      ]),
    needed: neededShares({ floor, minInputs }, confidence, countedOfAll(counted, drawn, of), worth),
  };
}

/** Share of inputs that differ at which the line that stands for its square root touches it. */
const DIFFERING = 0.06;

/**
 * The complete run proves the bound if gained − lost − floor · n − ½ reaches z · √(n · ψ), by the score test. The root of the share
 * ψ that differs is below its tangent anywhere, so a line may stand for it. Below the floor itself no run proves the bound.
 */
function askedChange(
  floor: number,
  { of, confidence, minInputs: least }: Whole,
  { pairs, worth }: DrawnBatches,
): Asked {
  const counted = sum(pairs, ({ gained, lost, same }) => gained + lost + same);
  const drawn = counted + sum(pairs, ({ missing }) => missing);
  const z = normalQuantile(confidence);
  const n = Math.max(1, Math.min(worth ?? Infinity, countedOfAll(counted, drawn, of).low));
  const slope = z / (2 * Math.sqrt(DIFFERING * n));
  return {
    kind: 'change',
    name: '',
    floor,
    counted,
    of,
    least,
    slope,
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
function evidenceAt({ range, surplus, of }: Asked, over: number, slope = 0): Evidence {
  const question = { mean: 0, low: range.low - over - slope, high: range.high - over, total: of };
  return evidenceOf(question, surplus(over, slope));
}

function endsOf(asked: Asked, alpha: Interval): Interval {
  return meanBounds((over) => evidenceAt(asked, over), asked.range, alpha);
}

function sum<T>(batches: readonly T[], count: (batch: T) => number): number {
  return batches.reduce((total, batch) => total + count(batch), 0);
}
