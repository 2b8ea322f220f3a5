import { acceptDrop } from '../src/app/drop/accept-drop.ts';
import { logger } from './runtime/logger.ts';
import { runExecutions } from './runtime/run-executions.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** Upload events from the queue: touches the pulse of each drop and starts at most one execution for it. */
export const handler = step(acceptDrop, () => ({
  store: bucket(),
  clock: now,
  executions: runExecutions(),
  warn: (message: string, facts: Readonly<Record<string, unknown>>) =>
    logger.error('UPLOAD_EVENT_FAILED', { message, ...facts }),
}));
