import * as z from 'zod';
import { Tags } from '../tags.ts';

const MEMORY_STEP_MB = 1024;

const ServerlessConfig = z.strictObject({
  MemorySizeInMB: z.int().refine((size) => size % MEMORY_STEP_MB === 0, {
    message: 'Member must satisfy enum value set: [1024, 2048, 3072, 4096, 5120, 6144]',
  }),
  MaxConcurrency: z.int(),
  ProvisionedConcurrency: z.int().optional(),
});

/** Bounds within which SageMaker keeps the instances of a variant that hosts inference components. */
const ManagedInstanceScaling = z.strictObject({
  Status: z.enum(['ENABLED', 'DISABLED']).optional(),
  MinInstanceCount: z.int().optional(),
  MaxInstanceCount: z.int().optional(),
});

/** One production variant, as in the input of CreateEndpointConfig. */
export const ProductionVariant = z.strictObject({
  VariantName: z.string(),
  ModelName: z.string().optional(),
  InitialInstanceCount: z.int().optional(),
  InstanceType: z.string().optional(),
  InitialVariantWeight: z.number().optional(),
  AcceleratorType: z.string().optional(),
  ServerlessConfig: ServerlessConfig.optional(),
  VolumeSizeInGB: z.int().optional(),
  ModelDataDownloadTimeoutInSeconds: z.int().optional(),
  ContainerStartupHealthCheckTimeoutInSeconds: z.int().optional(),
  CoreDumpConfig: z.record(z.string(), z.unknown()).optional(),
  EnableSSMAccess: z.boolean().optional(),
  InferenceAmiVersion: z.string().optional(),
  RoutingConfig: z
    .strictObject({ RoutingStrategy: z.enum(['LEAST_OUTSTANDING_REQUESTS', 'RANDOM']) })
    .optional(),
  ManagedInstanceScaling: ManagedInstanceScaling.optional(),
});
export type ProductionVariant = z.infer<typeof ProductionVariant>;

/** Input of CreateEndpointConfig; see CreateModelInput. */
export const CreateEndpointConfigInput = z.strictObject({
  EndpointConfigName: z.string(),
  ProductionVariants: z.array(ProductionVariant),
  ExecutionRoleArn: z.string().optional(),
  KmsKeyId: z.string().optional(),
  VpcConfig: z.record(z.string(), z.unknown()).optional(),
  EnableNetworkIsolation: z.boolean().optional(),
  Tags: Tags.optional(),
});
export type CreateEndpointConfigInput = z.infer<typeof CreateEndpointConfigInput>;

/** An endpoint configuration as it is kept on disk. */
export const EndpointConfigRecord = z.object({
  arn: z.string(),
  creationTimeMs: z.number(),
  input: CreateEndpointConfigInput,
});
export type EndpointConfigRecord = z.infer<typeof EndpointConfigRecord>;
