/** Problem of a file that keeps a run from starting. */
export interface ProblemRow {
  readonly file: string;
  readonly field: string;
  readonly value: string;
  readonly message: string;
}
