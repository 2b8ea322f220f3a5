/** The message that a run has sent. */
export interface MessageRow {
  readonly run: string;
  readonly subject: string;
  readonly body: string;
  readonly at: string;
  readonly isSent: boolean;
}
