import * as z from 'zod';
import { Tags } from './tags.ts';

const MODEL_NAME = /^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/;
const ENVIRONMENT_KEY = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Name of a model, 1 to 63 characters. */
export const ModelName = z.string().max(63).regex(MODEL_NAME);

/** Environment of containers, with the count that the calling API allows. */
export function environmentOf(mostPairs: number): z.ZodType<Record<string, string>> {
  return z
    .record(z.string().max(1024).regex(ENVIRONMENT_KEY), z.string().max(10240))
    .refine((pairs) => Object.keys(pairs).length <= mostPairs, {
      message: `Member must have length less than or equal to ${mostPairs}`,
    });
}

const ContainerDefinition = z.strictObject({
  ContainerHostname: z.string().max(63).optional(),
  Image: z.string().max(255).optional(),
  ImageConfig: z.record(z.string(), z.unknown()).optional(),
  Mode: z.enum(['SingleModel', 'MultiModel']).optional(),
  ModelDataUrl: z.string().max(1024).optional(),
  ModelDataSource: z.record(z.string(), z.unknown()).optional(),
  Environment: environmentOf(100).optional(),
  ModelPackageName: z.string().max(176).optional(),
  InferenceSpecificationName: z.string().max(63).optional(),
});
export type ContainerDefinition = z.infer<typeof ContainerDefinition>;

/** Input of CreateModel. */
export const CreateModelInput = z.strictObject({
  ModelName: ModelName.min(1),
  PrimaryContainer: ContainerDefinition.optional(),
  Containers: z.array(ContainerDefinition).max(15).optional(),
  InferenceExecutionConfig: z.strictObject({ Mode: z.enum(['Serial', 'Direct']) }).optional(),
  ExecutionRoleArn: z
    .string()
    .min(20)
    .max(2048)
    .regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/?[a-zA-Z_0-9+=,.@\-_/]+$/)
    .optional(),
  Tags: Tags.optional(),
  VpcConfig: z
    .strictObject({
      SecurityGroupIds: z.array(z.string().max(32)).min(1).max(5),
      Subnets: z.array(z.string().max(32)).min(1).max(16),
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
