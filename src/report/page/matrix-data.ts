/** Data that the page carries as JSON, for its script to draw the matrix from. Imports nothing: browsers run what uses it. */
export interface MatrixData {
  readonly names: readonly string[];
  /** Labeled records of each class. */
  readonly support: readonly number[];
  /** Labeled records predicted as each class. */
  readonly predicted: readonly number[];
  /** Count of each cell by truth × classes + prediction, as `CountPacker` writes it. */
  readonly cells: string;
  /** Places of the classes, similar ones side by side. */
  readonly similar: readonly number[];
}
