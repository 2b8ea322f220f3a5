import * as z from 'zod';
import { ModelRecord } from '../model-record.ts';
import { Tags } from '../tags.ts';

/** Runtime settings of an inference component: its copies. */
export const RuntimeConfig = z.strictObject({ CopyCount: z.int() });

const Specification = z.strictObject({
  ModelName: z.string(),
  ComputeResourceRequirements: z.strictObject({
    NumberOfCpuCoresRequired: z.number().optional(),
    NumberOfAcceleratorDevicesRequired: z.number().optional(),
    MinMemoryRequiredInMb: z.int(),
    MaxMemoryRequiredInMb: z.int().optional(),
  }),
  StartupParameters: z
    .strictObject({
      ModelDataDownloadTimeoutInSeconds: z.int().optional(),
      ContainerStartupHealthCheckTimeoutInSeconds: z.int().optional(),
    })
    .optional(),
});

/** Input of CreateInferenceComponent: a model by its name. Containers and adapters of other components are not emulated. */
export const CreateInferenceComponentInput = z.strictObject({
  InferenceComponentName: z.string(),
  EndpointName: z.string(),
  VariantName: z.string(),
  Specification,
  RuntimeConfig,
  Tags: Tags.optional(),
});
export type CreateInferenceComponentInput = z.infer<typeof CreateInferenceComponentInput>;

/** Status of an inference component. */
export const ComponentStatus = z.enum(['InService', 'Creating', 'Updating', 'Failed', 'Deleting']);

/** An inference component as it is kept on disk: with its own copy of the model, which may be deleted meanwhile. */
export const ComponentRecord = z.object({
  arn: z.string(),
  status: ComponentStatus,
  failureReason: z.string().optional(),
  creationTimeMs: z.number(),
  lastModifiedTimeMs: z.number(),
  input: CreateInferenceComponentInput,
  model: ModelRecord,
  /** Copies that are wanted. */
  desired: z.int().min(0),
  tags: Tags,
});
export type ComponentRecord = z.infer<typeof ComponentRecord>;
