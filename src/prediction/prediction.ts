/** A model's answer for one record. At least one of `label`, `scores` and `second` is present. */
export interface Prediction {
  /** The class that the output names outright: an index as the model counts, or a name. */
  readonly label?: number | string;
  /** One number per class, in the model's order: probabilities, logits or any other scores. */
  readonly scores?: ArrayLike<number>;
  /** Probability or logit of the second of two classes, if the model returns nothing else, as a single sigmoid does. */
  readonly second?: number;
  /** Score of the predicted class, if the output has no other. */
  readonly confidence?: number;
}

/** The predictions of an output. */
export interface Predictions {
  readonly count: number;
  /** In the order of the records; can be iterated more than once. */
  readonly each: Iterable<Prediction>;
}

/** The plan's facts about outputs, without which `[1, 0, 0]` is ambiguous. */
export interface OutputShape {
  /** Length of a score vector: the number of classes less `classOffset`. */
  readonly scoreCount: number;
  /** True if an input object is one record, as an image is. */
  readonly oneRecord: boolean;
  /** Meaning of a single number; `class` where it is left out. */
  readonly single?: SingleNumber;
}

/**
 * Meaning of a single number for a record: the index of its class, or the score of the second of two classes. `either` where only
 * the answer can decide: programs write an index without a decimal point (`1`), a score with one (`1.0`, `0.73`, `1e-9`).
 */
export type SingleNumber = 'class' | 'score' | 'either';

const DECIMAL = /\d(?:\.\d|[eE][-+]?\d)|\b(?:nan|inf)/i;

/** The shape with `either` resolved by how the numbers of this answer are written. */
export function shapeOfText(text: string, shape: OutputShape): OutputShape {
  return shape.single === 'either' ? { ...shape, single: DECIMAL.test(text) ? 'score' : 'class' } : shape;
}
