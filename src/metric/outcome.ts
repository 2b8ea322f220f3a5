/** One record with what the model said about it. */
export interface Outcome {
  readonly key: string;
  /** Place of the record in its object; 0 where an object is one record. */
  readonly recordIndex: number;
  /** Class id; undefined where nobody knows the truth. */
  readonly truth: number | undefined;
  /** Class id. */
  readonly predicted: number;
  /** By score index, which is class id less `classOffset`. */
  readonly scores: ArrayLike<number> | undefined;
  /** Place of the predicted class among the scores; undefined where they have none for it. */
  readonly scoreIndex: number | undefined;
  /** True where the scores are probabilities that add up to one. */
  readonly distribution: boolean;
  /** Probability of the predicted class, where it is known. */
  readonly confidence: number | undefined;
}
