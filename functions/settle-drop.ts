import { randomUUID } from 'node:crypto';
import { settleDrop } from '../src/app/drop/settle-drop.ts';
import { readEnv, toBucketNames } from './runtime/env.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `SettleDrop` of statemachines/batch-inference.asl.yml. */
export const handler = step(settleDrop, () => {
  const env = readEnv('READ_BUCKET_ARNS', 'INCOMING_RETENTION_DAYS', 'NONCURRENT_RETENTION_DAYS');
  return {
    store: bucket(),
    clock: now,
    newId: randomUUID,
    settings: {
      readBuckets: toBucketNames(env.READ_BUCKET_ARNS),
      retention: {
        incomingDays: Number(env.INCOMING_RETENTION_DAYS),
        noncurrentDays: Number(env.NONCURRENT_RETENTION_DAYS),
      },
    },
  };
});
