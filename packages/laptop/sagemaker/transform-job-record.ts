import * as z from 'zod';
import { environmentOf, ModelName } from './model-record.ts';
import { Tags } from './tags.ts';

const JOB_NAME = /^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}$/;
const S3_URI = /^(https|s3):\/\/[^/]+(\/.*)?$/;

/** Name of a transform job. */
export const TransformJobName = z.string().min(1).max(63).regex(JOB_NAME);

const S3Uri = z.string().max(1024).regex(S3_URI);
const KmsKeyId = z
  .string()
  .max(2048)
  .regex(/^[a-zA-Z0-9:/_-]*$/);
const JsonPath = z.string().max(63);

/** Input of CreateTransformJob. */
export const CreateTransformJobInput = z.strictObject({
  TransformJobName,
  ModelName: ModelName.min(1),
  MaxConcurrentTransforms: z.int().min(0).optional(),
  ModelClientConfig: z
    .strictObject({
      InvocationsTimeoutInSeconds: z.int().min(1).max(3600).optional(),
      InvocationsMaxRetries: z.int().min(0).max(3).optional(),
    })
    .optional(),
  MaxPayloadInMB: z.int().min(0).max(100).optional(),
  BatchStrategy: z.enum(['MultiRecord', 'SingleRecord']).optional(),
  Environment: environmentOf(16).optional(),
  TransformInput: z.strictObject({
    DataSource: z.strictObject({
      S3DataSource: z.strictObject({
        S3DataType: z.enum(['ManifestFile', 'S3Prefix', 'AugmentedManifestFile']),
        S3Uri,
      }),
    }),
    ContentType: z.string().max(256).optional(),
    CompressionType: z.enum(['None', 'Gzip']).optional(),
    SplitType: z.enum(['None', 'Line', 'RecordIO', 'TFRecord']).optional(),
  }),
  TransformOutput: z.strictObject({
    S3OutputPath: S3Uri,
    Accept: z.string().max(256).optional(),
    AssembleWith: z.enum(['None', 'Line']).optional(),
    KmsKeyId: KmsKeyId.optional(),
  }),
  TransformResources: z.strictObject({
    InstanceType: z.string(),
    InstanceCount: z.int().min(1).max(100),
    VolumeKmsKeyId: KmsKeyId.optional(),
    TransformAmiVersion: z
      .string()
      .min(1)
      .max(63)
      .regex(/^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$/)
      .optional(),
  }),
  DataProcessing: z
    .strictObject({
      InputFilter: JsonPath.optional(),
      OutputFilter: JsonPath.optional(),
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
