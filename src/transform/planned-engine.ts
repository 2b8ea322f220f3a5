import * as z from 'zod';

/** An engine's part of a plan, for all of its jobs: one member for each engine. */
export const PlannedEngine = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('sagemaker'),
    /** In order of preference, each once. */
    instanceTypes: z.array(z.string()).min(1),
    instanceCount: z.int().min(1),
    /** Null if SageMaker chooses. */
    amiVersion: z.string().nullable(),
    /** Requests at once in the first job; each job has its own. */
    maxConcurrentTransforms: z.int().min(1).max(100),
    /** Largest of all jobs; each job has its own. */
    maxPayloadInMB: z.int().min(1).max(100),
    invocationsTimeoutInSeconds: z.int().min(1).max(3600),
    invocationsMaxRetries: z.int().min(0).max(3),
    /** The container's own limits, raised as far as the settings above need. */
    environment: z.record(z.string(), z.string()),
  }),
  z.object({
    name: z.literal('lambda'),
    memoryMB: z.int().min(128),
    maxConcurrency: z.int().min(1),
  }),
]);
export type PlannedEngine = z.infer<typeof PlannedEngine>;
