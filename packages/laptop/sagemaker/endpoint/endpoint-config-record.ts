import * as z from 'zod';
import { ModelName } from '../model-record.ts';
import { Tags } from '../tags.ts';

const RESOURCE_NAME = /^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}$/;
/** Any family and size, because the values of the API's enumeration come and go with the years. */
const INSTANCE_TYPE = /^ml\.[a-z][a-z0-9-]*\.[a-z0-9]+$/;
const MEMORY_STEP_MB = 1024;

/** Name of an endpoint, an endpoint configuration or a production variant. */
export const ResourceName = z.string().min(1).max(63).regex(RESOURCE_NAME);

const ServerlessConfig = z.strictObject({
  MemorySizeInMB: z
    .int()
    .min(1024)
    .max(6144)
    .refine((size) => size % MEMORY_STEP_MB === 0, {
      message: 'Member must satisfy enum value set: [1024, 2048, 3072, 4096, 5120, 6144]',
    }),
  MaxConcurrency: z.int().min(1).max(200),
  ProvisionedConcurrency: z.int().min(1).max(200).optional(),
});

/** Bounds within which SageMaker keeps the instances of a variant that hosts inference components. */
const ManagedInstanceScaling = z.strictObject({
  Status: z.enum(['ENABLED', 'DISABLED']).optional(),
  MinInstanceCount: z.int().min(0).optional(),
  MaxInstanceCount: z.int().min(1).optional(),
});

/** One production variant, as in the input of CreateEndpointConfig. */
export const ProductionVariant = z.strictObject({
  VariantName: ResourceName,
  ModelName: ModelName.optional(),
  InitialInstanceCount: z.int().min(1).optional(),
  InstanceType: z.string().regex(INSTANCE_TYPE).optional(),
  InitialVariantWeight: z.number().min(0).optional(),
  AcceleratorType: z
    .enum([
      'ml.eia1.medium',
      'ml.eia1.large',
      'ml.eia1.xlarge',
      'ml.eia2.medium',
      'ml.eia2.large',
      'ml.eia2.xlarge',
    ])
    .optional(),
  ServerlessConfig: ServerlessConfig.optional(),
  VolumeSizeInGB: z.int().min(1).max(512).optional(),
  ModelDataDownloadTimeoutInSeconds: z.int().min(60).max(3600).optional(),
  ContainerStartupHealthCheckTimeoutInSeconds: z.int().min(60).max(3600).optional(),
  CoreDumpConfig: z.record(z.string(), z.unknown()).optional(),
  EnableSSMAccess: z.boolean().optional(),
  InferenceAmiVersion: z.string().max(63).optional(),
  RoutingConfig: z
    .strictObject({ RoutingStrategy: z.enum(['LEAST_OUTSTANDING_REQUESTS', 'RANDOM']) })
    .optional(),
  ManagedInstanceScaling: ManagedInstanceScaling.optional(),
});
export type ProductionVariant = z.infer<typeof ProductionVariant>;

/** Input of CreateEndpointConfig. */
export const CreateEndpointConfigInput = z.strictObject({
  EndpointConfigName: ResourceName,
  ProductionVariants: z.array(ProductionVariant).min(1).max(10),
  ExecutionRoleArn: z.string().max(2048).optional(),
  KmsKeyId: z.string().max(2048).optional(),
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
