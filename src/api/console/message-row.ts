/** A message that has been sent about a run or an endpoint. */
export interface MessageRow {
  /** Null in a message about an endpoint. */
  readonly run: string | null;
  readonly pipeline: string;
  readonly subject: string;
  readonly body: string;
  readonly at: string;
  readonly isSent: boolean;
}
