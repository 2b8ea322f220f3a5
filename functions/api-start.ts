import { apiStart } from '../src/app/api/api-start.ts';
import { executions } from '../src/aws/states/executions.ts';
import { env } from './runtime/env.ts';
import { http } from './runtime/http.ts';
import { bucket, now } from './runtime/services.ts';

/** The routes of the API that start trainings and runs. */
export const handler = http(apiStart, () => ({
  store: bucket(),
  executions: () => executions({ stateMachineArn: env('STATE_MACHINE_ARN') }),
  clock: now,
}));
