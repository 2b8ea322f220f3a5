import * as z from 'zod';
import { Tags } from './tags.ts';

/** Input of CreateTransformJob; see CreateModelInput. */
export const CreateTransformJobInput = z.strictObject({
  TransformJobName: z.string(),
  ModelName: z.string(),
  MaxConcurrentTransforms: z.int().optional(),
  ModelClientConfig: z
    .strictObject({
      InvocationsTimeoutInSeconds: z.int().optional(),
      InvocationsMaxRetries: z.int().optional(),
    })
    .optional(),
  MaxPayloadInMB: z.int().max(100).optional(),
  BatchStrategy: z.enum(['MultiRecord', 'SingleRecord']).optional(),
  Environment: z.record(z.string(), z.string()).optional(),
  TransformInput: z.strictObject({
    DataSource: z.strictObject({
      S3DataSource: z.strictObject({
        S3DataType: z.enum(['ManifestFile', 'S3Prefix', 'AugmentedManifestFile']),
        S3Uri: z.string(),
      }),
    }),
    ContentType: z.string().optional(),
    CompressionType: z.enum(['None', 'Gzip']).optional(),
    SplitType: z.enum(['None', 'Line', 'RecordIO', 'TFRecord']).optional(),
  }),
  TransformOutput: z.strictObject({
    S3OutputPath: z.string(),
    Accept: z.string().optional(),
    AssembleWith: z.enum(['None', 'Line']).optional(),
    KmsKeyId: z.string().optional(),
  }),
  TransformResources: z.strictObject({
    InstanceType: z.string(),
    InstanceCount: z.int().max(100),
    VolumeKmsKeyId: z.string().optional(),
    TransformAmiVersion: z.string().optional(),
  }),
  DataProcessing: z
    .strictObject({
      InputFilter: z.string().optional(),
      OutputFilter: z.string().optional(),
      JoinSource: z.enum(['None', 'Input']).optional(),
    })
    .optional(),
  Tags: Tags.optional(),
  ExperimentConfig: z.record(z.string(), z.unknown()).optional(),
});
export type CreateTransformJobInput = z.infer<typeof CreateTransformJobInput>;

/** Status of a transform job in DescribeTransformJob; `Completed`, `Failed` and `Stopped` are final. */
export const TransformJobStatus = z.enum(['InProgress', 'Completed', 'Failed', 'Stopping', 'Stopped']);
export type TransformJobStatus = z.infer<typeof TransformJobStatus>;

/** A transform job as it is kept on disk. */
export const TransformJobRecord = z.object({
  arn: z.string(),
  status: TransformJobStatus,
  failureReason: z.string().optional(),
  creationTimeMs: z.number(),
  lastModifiedTimeMs: z.number(),
  transformStartTimeMs: z.number().optional(),
  transformEndTimeMs: z.number().optional(),
  input: CreateTransformJobInput,
});
export type TransformJobRecord = z.infer<typeof TransformJobRecord>;
