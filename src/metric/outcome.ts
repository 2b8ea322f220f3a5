import type { FilePlace } from '../input/file-place.ts';
import type { Member } from '../input/input.ts';

/** One record with the model's answer. */
export interface Outcome extends FilePlace {
  /** Where its bytes lie; undefined if the input is an object. */
  readonly member?: Member | undefined;
  /** Class id; undefined if the truth is unknown. */
  readonly truth: number | undefined;
  /** Class id. */
  readonly predicted: number;
  /** Scores by score index, which is class id less `classOffset`. */
  readonly scores: ArrayLike<number> | undefined;
  /** Index of the predicted class among the scores; undefined if it has no score. */
  readonly scoreIndex: number | undefined;
  /** True if the scores are probabilities that add up to one. */
  readonly distribution: boolean;
  /** Probability of the predicted class, if known. */
  readonly confidence: number | undefined;
}
