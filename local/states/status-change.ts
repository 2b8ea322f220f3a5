import type { BusEvent } from '../gateway/ports.ts';

/** EventBridge leaves input and output out when they are larger than this together. */
const DATA_LIMIT_BYTES = 248 * 1024;

export interface ExecutionState {
  readonly arn: string;
  readonly name: string;
  readonly machineArn: string;
  readonly status: string;
  readonly startMs: number;
  readonly stopMs: number | undefined;
  readonly input: string;
  readonly output: string | undefined;
  readonly error: string | undefined;
  readonly cause: string | undefined;
}

/** The event that AWS puts on the bus when a standard execution starts and when it ends. */
export function statusChangeEvent(state: ExecutionState): BusEvent {
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
      stateMachineArn: state.machineArn,
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
