import type { BusEvent } from '../kernel/ports.ts';
import type { ExecutionFacts } from './execution-facts.ts';

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
