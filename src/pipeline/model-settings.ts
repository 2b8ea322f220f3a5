import * as z from 'zod';
import { Framework } from '../frameworks/framework-name.ts';
import { ImageSettings } from '../frameworks/onnx/image-settings.ts';

/** Which archive is served, and by which container. */
export const ModelSettings = z.strictObject({
  artifact: z
    .string()
    .regex(/^s3:\/\/[^/]+\/.+/, 'must be an S3 URI such as s3://my-bucket/model.tar.gz')
    .nullable()
    .describe('S3 URI of model.tar.gz. Null: model.tar.gz next to pipeline.json.')
    .default(null),
  framework: Framework.describe('Framework of the inference container that serves the model.'),
  frameworkVersion: z
    .string()
    .regex(/^\d+\.\d+(\.\d+)?$/, 'must be a version such as 2.20')
    .describe(
      'Version of the framework: an AWS Deep Learning Container of this version is used. For onnx, the version of ' +
        'PyTorch; onnxruntime runs in its container.',
    ),
  images: ImageSettings.nullable()
    .describe(
      'For onnx, how the model wants the pixels of an image: (level * scale - mean) / std. Null: the model takes no images.',
    )
    .default(null),
  image: z
    .string()
    .min(1)
    .max(255)
    .nullable()
    .describe('A container image of your own, in ECR.')
    .default(null),
  environment: z
    .record(z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]{0,1023}$/), z.string().max(10_240))
    .describe('Environment variables of the container. No secrets: they are shown in plan and receipt.')
    .default({}),
  networkIsolation: z
    .boolean()
    .describe(
      'true: the container reaches no network and has no AWS credentials, in jobs and endpoints. false: it reaches both, as ' +
        'code/requirements.txt and serverless endpoints need.',
    )
    .default(true),
});
export type ModelSettings = z.infer<typeof ModelSettings>;
