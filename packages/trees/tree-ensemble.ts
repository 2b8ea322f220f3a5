/** One side of a split. */
export type Side = 'left' | 'right';

/** Number up to which, inclusive, a value goes to a side. Values above it meet the next cut. */
export interface Cut {
  readonly upTo: number;
  readonly to: Side;
}

/**
 * A split of any of the libraries: cuts in rising order, then the side of larger values. A threshold has one cut, a set of categories two
 * for each run of neighboring codes, and LightGBM's "zero is missing" up to three.
 */
export interface Split {
  readonly feature: number;
  readonly cuts: readonly Cut[];
  readonly above: Side;
  /** Side of a missing value (NaN). */
  readonly missing: Side;
  /** Places of the children in the tree. */
  readonly left: number;
  readonly right: number;
}

/** Number that a leaf adds to an output. */
interface Addend {
  readonly output: number;
  readonly weight: number;
}

/** The addends of a leaf: one, or one for each output. */
export interface Leaf {
  readonly adds: readonly Addend[];
}

/** Nodes of a tree, beginning with the root; undefined for a node that the library has deleted. */
export type Tree = readonly (Split | Leaf | undefined)[];

/** Function from the sums of a record to its answer. */
export type Link = 'identity' | 'sigmoid' | 'softmax' | 'exp' | 'step' | 'signed-square' | 'softplus';

/** Whether a model's answer is a probability for each class, or a number. */
export type TreeTask = 'classification' | 'regression';

/** An ensemble of trees: its answer is the link of the sums of one leaf a tree. */
export interface TreeEnsemble {
  /** Number of columns. */
  readonly features: number;
  /** Names of the columns in order, or none. */
  readonly featureNames: readonly string[];
  /** Precision in which the library compares: XGBoost and CatBoost round each value to float32, LightGBM doesn't. */
  readonly inputs: 'float32' | 'float64';
  /** Precision in which the library adds leaves. */
  readonly sums: 'float32' | 'float64';
  readonly outputs: number;
  /** Number added to the sum of each output. */
  readonly base: readonly number[];
  readonly trees: readonly Tree[];
  /** Number of trees in the file, with those after the round that early stopping chose. */
  readonly allTrees: number;
  readonly link: Link;
  readonly task: TreeTask;
  /** Names of the classes, or none. */
  readonly classNames: readonly string[];
  /** Name of the library with its version. */
  readonly library: string;
  /** Facts for a person, such as the round that early stopping chose. */
  readonly notes: readonly string[];
}
