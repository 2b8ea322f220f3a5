import * as z from 'zod';

/**
 * `endpoints/<pipeline>/change.json`: the execution that changes a pipeline's endpoint, and what it found. There is at
 * most one, because the file is only ever created where it is absent; the execution removes it at its end.
 */
export const EndpointChange = z.object({
  schema: z.literal(1),
  action: z.enum(['deploy', 'delete']),
  executionArn: z.string(),
  startedAt: z.iso.datetime(),
  endpointName: z.string(),
  /** The configuration that is deployed; null for a deletion. */
  configName: z.string().nullable(),
  /** What served before; null where nothing did. */
  previousConfigName: z.string().nullable(),
  /** Set before SageMaker is asked, so that a repeated step knows that it may have been. */
  requested: z.boolean(),
});
export type EndpointChange = z.infer<typeof EndpointChange>;
