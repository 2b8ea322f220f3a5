import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';

/** Exists for express machines only, which the stack does not run. */
export const startSyncExecution = () =>
  action('StartSyncExecution', {
    input: z.unknown(),
    run: () => {
      throw new AwsError(
        'StateMachineTypeNotSupported',
        'This operation is not supported by this type of state machine: StartSyncExecution is for EXPRESS machines, the local stack runs STANDARD ones. Use StartExecution and DescribeExecution.',
      );
    },
  });
