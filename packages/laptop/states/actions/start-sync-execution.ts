import { AwsError } from '../../kernel/aws-error.ts';

/** Exists for express machines only, which the stack does not run. */
export function startSyncExecution() {
  return (): never => {
    throw new AwsError(
      'StateMachineTypeNotSupported',
      'This operation is not supported by this type of state machine: StartSyncExecution is for EXPRESS machines, the local stack runs STANDARD ones. Use StartExecution and DescribeExecution.',
    );
  };
}
