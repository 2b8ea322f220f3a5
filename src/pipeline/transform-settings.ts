import * as z from 'zod';
import { familiesWith } from '../model/instance-families.ts';

/** At least one instance type, in order of preference. */
const instanceTypes = z
  .array(z.string().regex(/^ml\.[a-z0-9-]+\.[a-z0-9-]+$/, 'must be an instance type such as ml.m5.xlarge'))
  .min(1)
  .max(10);

/** A header of each request: a line break would end the run where its job is created. */
const mediaType = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII, as in text/csv');

/** Settings of the jobs; for SageMaker batch transform, the bounds come from CreateTransformJob. */
export const TransformSettings = z.strictObject({
  engine: z
    .enum(['sagemaker', 'lambda', 'auto'])
    .describe(
      'Who runs the model: batch transform on instances, or Lambda functions, which start in seconds and need no ' +
        'quota of instances. "auto": the cheaper of both ' +
        'that finishes within limits.maxRuntimeMinutes. Instances, payload and retries are only of sagemaker.',
    )
    .default('sagemaker'),
  maxConcurrency: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .describe(
      "Functions at once, of engine lambda. Null: as many as the stack's PredictConcurrency allows, which bounds a number too.",
    )
    .default(null),
  contentType: mediaType.describe('Content-Type of each request.').default('application/x-image'),
  accept: mediaType.describe('Accept of each request.').default('application/json'),
  instanceTypes: instanceTypes
    .describe(
      'In order of preference: the next one is used where AWS has no capacity. All must run the same image.',
    )
    .default(['ml.m5.xlarge']),
  instanceCount: z.int().min(1).max(100).describe('Instances of each job.').default(1),
  amiVersion: z
    .string()
    .max(63)
    .regex(
      /^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$/,
      'must be a machine image such as al2-ami-sagemaker-batch-gpu-535',
    )
    .nullable()
    .describe(
      'Machine image of the instances, which brings the driver of the GPU. Null: "al2-ami-sagemaker-batch-gpu-535" ' +
        `for ${familiesWith('batchImage')}, ` +
        'for others what SageMaker chooses.',
    )
    .default(null),
  maxConcurrentTransforms: z
    .union([z.literal('auto'), z.int().min(1).max(100)])
    .describe(
      'Requests in flight on each instance. A number is an upper bound: times maxPayloadInMB it stays within 100.',
    )
    .default('auto'),
  maxPayloadInMB: z
    .union([z.literal('auto'), z.int().min(1).max(100)])
    .describe(
      'Largest request in MB. A number is an upper bound; "auto" is taken from the largest object of each job.',
    )
    .default('auto'),
  splitType: z
    .enum(['None', 'Line', 'RecordIO', 'TFRecord'])
    .describe(
      'How files are cut into records. "Line": each line is an input of its own, read before the job. "RecordIO" and ' +
        '"TFRecord" are cut by SageMaker.',
    )
    .default('None'),
  batchStrategy: z
    .enum(['SingleRecord', 'MultiRecord'])
    .describe('Records in one request.')
    .default('SingleRecord'),
  assembleWith: z
    .enum(['None', 'Line'])
    .describe('Separator between the answers of one object.')
    .default('None'),
  bundle: z
    .enum(['auto', 'never'])
    .describe(
      'Whether many small inputs are sent to the model in one request, and answered in one object: "auto" does ' +
        'so for records of tables, and for drops of 256 files and more, if two fit into 2 MB, in an image of ' +
        'AWS. Until an archive has answered one, a run begins with a single bundle, and goes on without if it has ' +
        'no usable answer. "never": a request for each.',
    )
    .default('auto'),
  inputFilter: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .describe(
      'JSONPath to the part of each line, CSV or JSON, that the model gets: "$[1:]" leaves the first cell out, "$.features" sends ' +
        'one field. Null: the whole line.',
    )
    .default(null),
  invocationsTimeoutInSeconds: z.int().min(1).max(3600).describe('Longest time of one request.').default(600),
  invocationsMaxRetries: z.int().min(0).max(3).describe('Retries of one request.').default(3),
});
export type TransformSettings = z.infer<typeof TransformSettings>;
