import type { Place } from '../../input/shown-place.ts';
import type { Curve } from './run-data.ts';
import type { Bounds, Verdict } from './run-row.ts';

/** A run that is compared with others. */
export interface ComparedRun {
  readonly run: string;
  readonly verdict: Verdict;
  readonly endedAt: string;
  /** Whether its answers are judged; if not, they can only be the same or not. */
  readonly isJudged: boolean;
  readonly total: number;
  readonly errors: number;
  readonly accuracy: number | null;
  readonly interval: Bounds | null;
  readonly costUsd: number | null;
  readonly seconds: number | null;
  /** Digest of its model archive; null if it was refused before there was one. */
  readonly model: string | null;
  /** Sentence of its gate; empty if none was set. */
  readonly gate: string;
}

/** A record with another prediction in the second of two runs. */
export interface FlipRow extends Place {
  readonly truth: string | null;
  readonly before: string;
  readonly now: string;
  readonly scoreBefore: number | null;
  readonly scoreNow: number | null;
}

/** A run against the first one, on the inputs that have the same content in both. */
export interface ComparedPair {
  readonly run: string;
  readonly inputs: {
    readonly paired: number;
    readonly changed: number;
    readonly added: number;
    readonly missing: number | null;
  };
  /** Records of the paired inputs with another label than in the first run. */
  readonly relabeled: number;
  /** Records of the paired inputs with a prediction in both runs. */
  readonly answered: number;
  readonly sameClass: number;
  /** Null if no record has a truth and both predictions. */
  readonly accuracy: {
    readonly records: number;
    readonly before: number;
    readonly now: number;
    readonly change: number;
    readonly interval: Bounds;
  } | null;
  /**
   * Probability by McNemar's test that mere chance explains the change, corrected for the number of runs compared (Holm). Null if
   * there's nothing to test.
   */
  readonly pValue: number | null;
  readonly exact: boolean;
  readonly lost: number;
  readonly gained: number;
  /** Lost ones first, each kind by confidence. */
  readonly flips: readonly FlipRow[];
}

/** Runs next to each other, in the order in which they were asked for. */
export interface CompareData {
  readonly runs: readonly ComparedRun[];
  /** Each run after the first against the first, or the reason for which it cannot be compared. */
  readonly pairs: readonly (ComparedPair | { readonly run: string; readonly reason: string })[];
}

/** A training next to others. */
export interface ComparedTraining {
  readonly run: string;
  readonly verdict: Verdict;
  readonly endedAt: string | null;
  /** Files that it was trained on; null if they are not frozen yet. */
  readonly files: number | null;
  /** Values as JSON, by their names. */
  readonly hyperparameters: Readonly<Record<string, string>>;
  readonly curves: readonly Curve[];
  /** Last value of each metric by the first host; SageMaker's own if its log has no value. */
  readonly last: Readonly<Record<string, number | null>>;
  /** Judgment of its model; null until it is judged, and for a training without evaluation. */
  readonly judged: {
    readonly run: string;
    readonly accuracy: number | null;
    readonly interval: Bounds | null;
    readonly inputs: number;
    /** Inputs that the model was trained on. */
    readonly trainedOn: number;
    /** Images that look like one it was trained on; null if nothing was compared. */
    readonly nearDuplicates: number | null;
  } | null;
  readonly promotion: { readonly word: string; readonly reason: string } | null;
  readonly costUsd: number | null;
  readonly seconds: number | null;
}

/** Trainings next to each other, in the order in which they were asked for. */
export interface TrainingsData {
  readonly trainings: readonly ComparedTraining[];
}
