import { evaluateModel } from '../src/app/training/evaluate-model.ts';
import { executions } from '../src/aws/states/executions.ts';
import { env } from './runtime/env.ts';
import { lookAt } from './runtime/look-at.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `EvaluateModel` of statemachines/training.asl.yml. */
export const handler = step(evaluateModel, () => ({
  store: bucket(),
  executions: () => executions({ stateMachineArn: env('STATE_MACHINE_ARN') }),
  lookAt,
  clock: now,
}));
