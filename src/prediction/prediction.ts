/** What a model said about one record. At least one of `label`, `scores` and `second` is there. */
export interface Prediction {
  /** The class that the output names outright: an index as the model counts, or a name. */
  readonly label?: number | string;
  /** One number per class, in the model's order: probabilities, logits or any other scores. */
  readonly scores?: ArrayLike<number>;
  /** Of two classes the second one's probability, or its logit, where the model answers nothing else, as one sigmoid does. */
  readonly second?: number;
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
  /** What a single number says of a record; `class` where it is left out. */
  readonly single?: SingleNumber;
}

/**
 * What a single number says of a record: the index of its class, or the score of the second of two classes. `either` where only
 * the answer can tell: programs write an index without a decimal point (`1`), a score with one (`1.0`, `0.73`, `1e-9`).
 */
export type SingleNumber = 'class' | 'score' | 'either';

const DECIMAL = /\d(?:\.\d|[eE][-+]?\d)|\b(?:nan|inf)/i;

/** The shape for an answer written like this: what `either` is there. */
export function shapeOfText(text: string, shape: OutputShape): OutputShape {
  return shape.single === 'either' ? { ...shape, single: DECIMAL.test(text) ? 'score' : 'class' } : shape;
}
