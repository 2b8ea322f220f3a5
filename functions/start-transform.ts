import { startTransform } from '../src/app/transform/start-transform.ts';
import { executions } from '../src/aws/states/executions.ts';
import { engines } from './runtime/engines.ts';
import { env } from './runtime/env.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `StartTransform` of statemachines/batch-inference.asl.yml. */
export const handler = step(startTransform, () => ({
  store: bucket(),
  engines: engines(),
  executions: () => executions({ stateMachineArn: env('STATE_MACHINE_ARN') }),
  clock: now,
}));
