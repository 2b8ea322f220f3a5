import { normalQuantile } from '../metric/normal-quantile.ts';
import type { Interval } from '../metric/wilson-interval.ts';
import { type Evidence, verdictOf } from './bets.ts';
import { nextRoundInputs } from './next-round.ts';
import {
  accuracyBounds,
  accuracyEvidence,
  type AnswerCounts,
  changeBounds,
  changeEvidence,
  type PairCounts,
} from './sequential-accuracy.ts';

/** Question that the rounds of a drop are to answer. */
export interface RoundQuestion {
  /** Smallest accuracy that passes; undefined if every accuracy does. */
  readonly minAccuracy?: number | undefined;
  /** Largest loss of accuracy against another run that passes; undefined if every loss does. */
  readonly maxAccuracyDrop?: number | undefined;
  /** Confidence of the verdict, such as 0.95. */
  readonly confidence: number;
  /** Labelled inputs below which there is no verdict. */
  readonly minInputs: number;
  /** Inputs of the whole drop. */
  readonly of: number;
}

/** Inputs of each cell of the lottery, in the order of the draws. */
export interface DrawnBatches {
  readonly answers: readonly AnswerCounts[];
  /** Compared with the other run; empty without one. */
  readonly pairs: readonly PairCounts[];
}

/** Answer to the question of one bound. */
interface BoundAnswer {
  /** Undefined while the answers do not decide. */
  readonly verdict: 'passed' | 'failed' | undefined;
  readonly evidence: Evidence;
}

/** Answer to the question after some rounds. */
export interface RoundAnswer {
  /** Undefined while the answers do not decide. */
  readonly verdict: 'passed' | 'failed' | undefined;
  /** Undefined if every accuracy passes; with the accuracy that the whole drop needs to pass, see `neededAccuracy`. */
  readonly accuracy: (BoundAnswer & { readonly needed: number }) | undefined;
  /** Undefined if every loss passes; with the number of inputs drawn that both runs have judged. */
  readonly loss: (BoundAnswer & { readonly pairs: number }) | undefined;
}

/**
 * Probability that one bound is decided wrongly in one direction, half of what the confidence leaves. Both ends of an interval keep it together;
 * and so do both bounds of a gate: it passes wrongly only if the bound that is missed is decided wrongly, and fails wrongly only if one of two is.
 */
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
 */
export function judgeRound(question: RoundQuestion, { answers, pairs }: DrawnBatches): RoundAnswer {
  const accuracy =
    question.minAccuracy === undefined ? undefined : judgeAccuracy(question.minAccuracy, question, answers);
  const loss =
    question.maxAccuracyDrop === undefined ? undefined : judgeLoss(question.maxAccuracyDrop, question, pairs);
  const verdicts = [accuracy, loss].flatMap((bound) => (bound === undefined ? [] : [bound.verdict]));
  const isPassed = verdicts.length > 0 && verdicts.every((verdict) => verdict === 'passed');
  return {
    verdict: verdicts.includes('failed') ? 'failed' : isPassed ? 'passed' : undefined,
    accuracy,
    loss,
  };
}

function judgeAccuracy(
  minAccuracy: number,
  { confidence, minInputs, of }: RoundQuestion,
  batches: readonly AnswerCounts[],
): RoundAnswer['accuracy'] {
  const labelled = sum(batches, ({ right, wrong }) => right + wrong);
  const drawn = labelled + sum(batches, ({ missing }) => missing);
  const ofWhole = drawn === 0 ? 0 : Math.floor((of * labelled) / drawn);
  const needed = neededAccuracy(minAccuracy, confidence, ofWhole);
  const evidence = accuracyEvidence(needed, of, batches);
  return { verdict: verdictIf(labelled >= minInputs, evidence, confidence), evidence, needed };
}

function judgeLoss(
  maxAccuracyDrop: number,
  { confidence, minInputs, of }: RoundQuestion,
  batches: readonly PairCounts[],
): RoundAnswer['loss'] {
  const pairs = sum(batches, ({ gained, lost, same }) => gained + lost + same);
  const evidence = changeEvidence(-maxAccuracyDrop, of, batches);
  return { verdict: verdictIf(pairs >= minInputs, evidence, confidence), evidence, pairs };
}

function verdictIf(isEnough: boolean, evidence: Evidence, confidence: number): RoundAnswer['verdict'] {
  const found = isEnough ? verdictOf(evidence, alphaOf(confidence)) : undefined;
  return found && (found === 'above' ? 'passed' : 'failed');
}

/** Bounds of the accuracy of the whole drop, valid after every round: they exclude the needed accuracy where the verdict is known. */
export function roundBounds(confidence: number, of: number, batches: readonly AnswerCounts[]): Interval {
  return accuracyBounds(alphaOf(confidence), of, batches);
}

/** Bounds of the change of accuracy against the other run, on all inputs of the drop that both have, valid after every round. */
export function roundChangeBounds(confidence: number, of: number, batches: readonly PairCounts[]): Interval {
  return changeBounds(alphaOf(confidence), of, batches);
}

/** Inputs that the next round should have: as many as the bound needs that is farthest from a verdict. */
export function nextRound(
  { confidence, of }: Pick<RoundQuestion, 'confidence' | 'of'>,
  { accuracy, loss }: Pick<RoundAnswer, 'accuracy' | 'loss'>,
  { first, drawn }: { readonly first: number; readonly drawn: number },
): number {
  const open = [accuracy, loss].filter((bound) => bound !== undefined && bound.verdict === undefined);
  const asked = { first, drawn, total: of, alpha: alphaOf(confidence) };
  return Math.max(...open.map((bound) => nextRoundInputs(bound?.evidence ?? { above: 0, below: 0 }, asked)));
}

function sum<T>(batches: readonly T[], count: (batch: T) => number): number {
  return batches.reduce((total, batch) => total + count(batch), 0);
}
