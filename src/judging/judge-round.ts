import { normalQuantile } from '../metric/normal-quantile.ts';
import type { Interval } from '../metric/wilson-interval.ts';
import { type Evidence, verdictOf } from './bets.ts';
import { nextRoundInputs } from './next-round.ts';
import { accuracyBounds, accuracyEvidence, type AnswerCounts } from './sequential-accuracy.ts';

/** Question that the rounds of a drop are to answer. */
export interface RoundQuestion {
  /** Smallest accuracy that passes. */
  readonly minAccuracy: number;
  /** Confidence of the verdict, such as 0.95. */
  readonly confidence: number;
  /** Labelled inputs below which there is no verdict. */
  readonly minInputs: number;
  /** Inputs of the whole drop. */
  readonly of: number;
}

/** Answer to the question after some rounds. */
export interface RoundAnswer {
  /** Undefined while the answers do not decide. */
  readonly verdict: 'passed' | 'failed' | undefined;
  /** Accuracy that the whole drop needs to pass, see `neededAccuracy`. */
  readonly needed: number;
  readonly evidence: Evidence;
}

/** Probability that one end of the interval misses: each end has half of what the confidence leaves, so that both together keep it. */
function alphaOf(confidence: number): number {
  return (1 - confidence) / 2;
}

/**
 * Accuracy that a drop predicted whole would need: the lower end of its one-sided Wilson interval is at least `minAccuracy` where the score
 * test that it inverts (Wilson 1927) says so. A verdict on a part must not be had for less.
 */
export function neededAccuracy(minAccuracy: number, confidence: number, labelled: number): number {
  if (labelled === 0) return 1;
  const spread = Math.sqrt((minAccuracy * (1 - minAccuracy)) / labelled);
  return Math.min(1, minAccuracy + normalQuantile(confidence) * spread);
}

/**
 * Whether the whole drop would pass its gate, by the answers of the inputs drawn so far. It may be asked for after every round: it is wrong
 * in at most 1 − confidence of all drops, however often it is asked for, since the evidence is a martingale along the draws (Ville 1939).
 *
 * @param batches answers of each cell of the lottery, in the order of the draws
 */
export function judgeRound(
  { minAccuracy, confidence, minInputs, of }: RoundQuestion,
  batches: readonly AnswerCounts[],
): RoundAnswer {
  const labelled = sum(batches, ({ right, wrong }) => right + wrong);
  const drawn = labelled + sum(batches, ({ missing }) => missing);
  const ofWhole = drawn === 0 ? 0 : Math.floor((of * labelled) / drawn);
  const needed = neededAccuracy(minAccuracy, confidence, ofWhole);
  const evidence = accuracyEvidence(needed, of, batches);
  const found = labelled < minInputs ? undefined : verdictOf(evidence, alphaOf(confidence));
  const verdict = found && (found === 'above' ? 'passed' : 'failed');
  return { verdict, needed, evidence };
}

/** Bounds of the accuracy of the whole drop, valid after every round: they exclude the needed accuracy where the verdict is known. */
export function roundBounds(confidence: number, of: number, batches: readonly AnswerCounts[]): Interval {
  return accuracyBounds(alphaOf(confidence), of, batches);
}

/** Inputs that the next round should have. */
export function nextRound(
  { confidence, of }: Pick<RoundQuestion, 'confidence' | 'of'>,
  { evidence }: Pick<RoundAnswer, 'evidence'>,
  { first, drawn }: { readonly first: number; readonly drawn: number },
): number {
  return nextRoundInputs(evidence, { first, drawn, total: of, alpha: alphaOf(confidence) });
}

function sum(batches: readonly AnswerCounts[], count: (batch: AnswerCounts) => number): number {
  return batches.reduce((total, batch) => total + count(batch), 0);
}
