import type { ExecutionStatus } from './engine/execution.ts';

/** What everybody tells of an execution: DescribeExecution, the event on the bus, and the execution that waits for it. */
export interface ExecutionFacts {
  readonly arn: string;
  readonly name: string;
  readonly stateMachineArn: string;
  readonly status: ExecutionStatus;
  readonly startMs: number;
  readonly stopMs: number | undefined;
  readonly input: string;
  readonly output: string | undefined;
  readonly error: string | undefined;
  readonly cause: string | undefined;
}
