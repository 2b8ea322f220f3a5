import * as z from 'zod';
import { Framework } from '../frameworks/framework-name.ts';

/** The model of a run, and the archives that it comes from. */
export const PlannedModel = z.object({
  /** Name of the SageMaker model, derived from digest, image, environment, role and network. */
  name: z.string(),
  /** S3 URI that the archive was read from. */
  artifact: z.string(),
  /** Version and ETag of the object at that time. */
  artifactVersion: z.string().nullable(),
  artifactEtag: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.int().positive(),
  /** The archive that an endpoint serves, if the jobs' archive opens bundles; null if it's the same. */
  served: z
    .object({
      artifact: z.string(),
      artifactVersion: z.string().nullable(),
      artifactEtag: z.string(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    })
    .nullable(),
  /** The archive as a person uploaded it, if the endpoint's has a handler added to it; null if it's the same. */
  given: z.object({ artifact: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }).nullable(),
  imageUri: z.string(),
  framework: Framework,
  frameworkVersion: z.string(),
  environment: z.record(z.string(), z.string()),
  executionRoleArn: z.string(),
  networkIsolation: z.boolean(),
  vpc: z.object({ subnets: z.array(z.string()), securityGroups: z.array(z.string()) }).nullable(),
});
export type PlannedModel = z.infer<typeof PlannedModel>;
