import { acceptDrop, AcceptDropInput, AcceptDropOutput } from '../src/app/drop/accept-drop.ts';
import { executions } from '../src/aws/executions.ts';
import { bucket } from './runtime/bucket.ts';
import { readEnv } from './runtime/env.ts';
import { logger } from './runtime/logger.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** Upload events from the queue: touches the pulse of each drop and starts at most one execution for it. */
export const handler = step({
  input: AcceptDropInput,
  output: AcceptDropOutput,
  services: () => ({
    store: bucket(),
    clock: now,
    executions: executions({ stateMachineArn: readEnv('STATE_MACHINE_ARN').STATE_MACHINE_ARN }),
    warn: (message: string, facts: Readonly<Record<string, unknown>>) =>
      logger.error('UPLOAD_EVENT_FAILED', { message, ...facts }),
  }),
  run: acceptDrop,
});
