import * as z from 'zod';

/** A model as a function opens it. */
export const FunctionModel = z.object({
  /** Digest of the archive, by which it lies in the bucket. */
  sha256: z.string(),
  imageUri: z.string(),
  environment: z.record(z.string(), z.string()),
});
export type FunctionModel = z.infer<typeof FunctionModel>;

/** `functions/configs/<name>.json`: a configuration of an endpoint of type lambda, as SageMaker would hold one. */
export const FunctionConfig = z.object({
  schema: z.literal(1),
  variantName: z.string(),
  modelName: z.string(),
  memorySizeInMB: z.int(),
  model: FunctionModel,
  tags: z.record(z.string(), z.string()),
});
export type FunctionConfig = z.infer<typeof FunctionConfig>;

/** `functions/endpoints/<name>.json`: an endpoint of type lambda, which is a pointer to its configuration. */
export const FunctionEndpoint = z.object({
  schema: z.literal(1),
  configName: z.string(),
  createdAt: z.iso.datetime(),
  tags: z.record(z.string(), z.string()),
});
export type FunctionEndpoint = z.infer<typeof FunctionEndpoint>;
