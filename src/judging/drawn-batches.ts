/** Inputs of one batch, drawn at random, by their answers. */
export interface AnswerCounts {
  readonly right: number;
  readonly wrong: number;
  /** Inputs with a label and no usable answer, which are wrong. */
  readonly unanswered: number;
  /** Inputs with neither. */
  readonly lost: number;
  /** Inputs with an answer and no label. */
  readonly unlabeled: number;
  /** Inputs that the model didn't have to answer. */
  readonly missing: number;
}

/** Inputs of one batch by the judgment of two runs. */
export interface PairCounts {
  /** Right only now. */
  readonly gained: number;
  /** Right only before. */
  readonly lost: number;
  /** Right in both, or in neither. */
  readonly same: number;
  /** Inputs that aren't in both runs with an answer and a label, which count for neither side. */
  readonly missing: number;
}

/** Inputs of one batch as far as a class or slice is concerned. */
export interface PartCounts {
  readonly right: number;
  /** With a wrong answer, or none. */
  readonly wrong: number;
  /** Inputs of it that the model didn't have to answer. */
  readonly missing: number;
  /** Inputs that aren't known to belong to it. */
  readonly others: number;
}

/** Inputs of each cell of the lottery, in the order of the draws. */
export interface DrawnBatches {
  readonly answers: readonly AnswerCounts[];
  /** The same inputs by each class and slice that has a bound. */
  readonly parts: readonly (readonly PartCounts[])[];
  /** Independent inputs that the labeled ones are worth at least, if inputs come in groups. */
  readonly worth?: number | undefined;
  /** Compared with the other run; empty without one. */
  readonly pairs: readonly PairCounts[];
}
