/** What a model said about one record. At least one of `label` and `scores` is there. */
export interface Prediction {
  /** The class that the output names outright: an index as the model counts, or a name. */
  readonly label?: number | string;
  /** One number per class, in the model's order: probabilities, logits or any other scores. */
  readonly scores?: ArrayLike<number>;
  /** The winner's score where the output has no other. */
  readonly confidence?: number;
}

/** What an output says of its records, in their order; it can be gone through more than once. */
export interface Predictions extends Iterable<Prediction> {
  readonly count: number;
}

/** What the plan says about outputs, without which `[1, 0, 0]` cannot be read. */
export interface OutputShape {
  /** Length of a score vector: the number of classes less `classOffset`. */
  readonly scoreCount: number;
  /** True where an input object is one record, as an image is. */
  readonly oneRecord: boolean;
}
