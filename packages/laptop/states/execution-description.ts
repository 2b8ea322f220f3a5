import type { BusEvent } from '../kernel/ports.ts';
import type { ExecutionStatus } from './engine/execution.ts';
import type { ExecutionRecord } from './store/execution-file.ts';
import type { ExecutionSummary } from './store/execution-index.ts';

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

/** Everything that DescribeExecution returns. */
export interface ExecutionDescription extends ExecutionFacts {
  readonly definitionId: string;
  readonly roleArn: string;
  readonly revisionId: string;
}

/** Description of an execution from its entry in the index and its own file. */
export function descriptionOf(
  summary: ExecutionSummary,
  { begun, ended }: ExecutionRecord,
): ExecutionDescription {
  return {
    arn: summary.arn,
    name: summary.name,
    stateMachineArn: summary.machineArn,
    status: summary.status,
    startMs: summary.startMs,
    stopMs: summary.stopMs,
    input: begun?.input ?? '{}',
    definitionId: begun?.definitionId ?? '',
    roleArn: begun?.roleArn ?? '',
    revisionId: begun?.revisionId ?? '',
    output: ended?.output,
    error: ended?.error,
    cause: ended?.cause,
  };
}

/** EventBridge leaves input and output out when they are larger than this together. */
const DATA_LIMIT_BYTES = 248 * 1024;

/** The event that AWS puts on the bus when a standard execution starts or finishes. */
export function statusChangeEvent(state: ExecutionFacts): BusEvent {
  const { input, output } = state;
  const included = Buffer.byteLength(input) + Buffer.byteLength(output ?? '') <= DATA_LIMIT_BYTES;
  const isOver = state.status !== 'RUNNING' && state.status !== 'SUCCEEDED';
  return {
    source: 'aws.states',
    'detail-type': 'Step Functions Execution Status Change',
    resources: [state.arn],
    timeMs: state.stopMs ?? state.startMs,
    detail: {
      executionArn: state.arn,
      stateMachineArn: state.stateMachineArn,
      name: state.name,
      status: state.status,
      startDate: state.startMs,
      stopDate: state.stopMs ?? null,
      input: included ? input : null,
      output: included ? (output ?? null) : null,
      stateMachineVersionArn: null,
      stateMachineAliasArn: null,
      redriveCount: 0,
      redriveDate: null,
      redriveStatus: isOver ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
      redriveStatusReason: isOver ? null : `Execution is ${state.status} and cannot be redriven`,
      inputDetails: { included },
      outputDetails: output === undefined ? null : { included },
      error: state.error ?? null,
      cause: state.cause ?? null,
    },
  };
}
