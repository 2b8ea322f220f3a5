import * as z from 'zod';

/** A mapping that feeds a function from a queue, as it is stored. */
export const EventSourceMapping = z.object({
  uuid: z.string(),
  queueArn: z.string(),
  /** A function's name or ARN, with or without version. */
  functionTarget: z.string(),
  batchSize: z.number(),
  windowSeconds: z.number(),
  enabled: z.boolean(),
  reportsItemFailures: z.boolean(),
  maximumConcurrency: z.number().optional(),
});
export type EventSourceMapping = z.infer<typeof EventSourceMapping>;
