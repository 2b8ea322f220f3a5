import * as z from 'zod';
import { Tags } from './tags.ts';

const ContainerDefinition = z.strictObject({
  ContainerHostname: z.string().optional(),
  Image: z.string().optional(),
  ImageConfig: z.record(z.string(), z.unknown()).optional(),
  Mode: z.enum(['SingleModel', 'MultiModel']).optional(),
  ModelDataUrl: z.string().optional(),
  ModelDataSource: z.record(z.string(), z.unknown()).optional(),
  Environment: z.record(z.string(), z.string()).optional(),
  ModelPackageName: z.string().optional(),
  InferenceSpecificationName: z.string().optional(),
});
export type ContainerDefinition = z.infer<typeof ContainerDefinition>;

/** Input of CreateModel. Lengths, patterns and enumerations are held by the gateway, against AWS's own model. */
export const CreateModelInput = z.strictObject({
  ModelName: z.string(),
  PrimaryContainer: ContainerDefinition.optional(),
  Containers: z.array(ContainerDefinition).optional(),
  InferenceExecutionConfig: z.strictObject({ Mode: z.enum(['Serial', 'Direct']) }).optional(),
  ExecutionRoleArn: z.string().optional(),
  Tags: Tags.optional(),
  VpcConfig: z
    .strictObject({
      SecurityGroupIds: z.array(z.string()),
      Subnets: z.array(z.string()),
    })
    .optional(),
  EnableNetworkIsolation: z.boolean().optional(),
});

/** A model as it is kept on disk. */
export const ModelRecord = z.object({
  arn: z.string(),
  creationTimeMs: z.number(),
  input: CreateModelInput,
});
export type ModelRecord = z.infer<typeof ModelRecord>;
