export type ExecutionStatus =
  'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED' | 'PENDING_REDRIVE';

export interface ExecutionDescription {
  readonly arn: string;
  readonly status: ExecutionStatus;
  readonly startedAt: Date;
  readonly endedAt?: Date;
  readonly input?: string;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/** One line of an execution's history, with what a progress display needs. */
export interface ExecutionEvent {
  readonly id: number;
  /** As Step Functions names it: `TaskStateEntered`, `TaskStateExited`, `ExecutionFailed`, … */
  readonly type: string;
  readonly at: Date;
  readonly state?: string;
  /** JSON text of the state's output. */
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/** Executions of one state machine. Errors keep Step Functions' names; throttling is named `Throttled`. */
export interface Executions {
  /** The ARN that an execution of this name has or would have. */
  arnOf(name: string): string;
  /**
   * Starts an execution. Repeating name and input while it runs is harmless (`started` again);
   * `exists` says that an execution of this name has ended, or had another input.
   */
  start(
    name: string,
    input: string,
  ): Promise<{ readonly outcome: 'started' | 'exists'; readonly arn: string }>;
  /** Undefined where no such execution is known (any more: they are forgotten after 90 days). */
  describe(arn: string): Promise<ExecutionDescription | undefined>;
  /** Ends as ABORTED. An execution that has ended already is left as it is. */
  stop(arn: string, reason: { readonly error: string; readonly cause: string }): Promise<void>;
  /** Oldest first, or newest first with `newestFirst`. */
  history(arn: string, options?: { readonly newestFirst?: boolean }): AsyncIterable<ExecutionEvent>;
}
