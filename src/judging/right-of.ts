/** Right answers out of a count of records. */
export interface RightOf {
  readonly right: number;
  readonly count: number;
}
