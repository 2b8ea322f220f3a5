import type { ExecutionsOf } from '../../src/app/run/start-run.ts';
import { type Executions, executions } from '../../src/aws/executions.ts';
import { readEnv } from './env.ts';

/** The executions of runs of each kind. */
export function runExecutions(): ExecutionsOf<keyof Executions> {
  const { STATE_MACHINE_ARN, TRAINING_MACHINE_ARN } = readEnv('STATE_MACHINE_ARN', 'TRAINING_MACHINE_ARN');
  return (kind) =>
    executions({ stateMachineArn: kind === undefined ? STATE_MACHINE_ARN : TRAINING_MACHINE_ARN });
}
