import type { ExecutionStatus } from './engine/execution.ts';

/** The facts of an execution that DescribeExecution, the event on the bus, and a waiting execution have in common. */
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
