import * as z from 'zod';
import { familiesWith } from '../model/instance-families.ts';

/** Bounds on the number of instances, and the invocations of each that decide it. */
const AutoscalingSettings = z
  .strictObject({
    minInstances: z.int().min(1).max(100).describe('Minimum number of instances.').default(1),
    maxInstances: z.int().min(1).max(100).describe('Maximum number of instances.'),
    invocationsPerInstance: z
      .number()
      .min(1)
      .max(1_000_000)
      .describe('Target value: invocations per minute and instance.')
      .default(600),
  })
  .nullable()
  .describe('Adds and removes instances by their invocations. Null: the number stays as it is.');

/** A time-out within SageMaker's bounds. */
const seconds = (description: string) =>
  z.int().min(60).max(3600).nullable().describe(description).default(null);

/** The endpoint that serves the model after a run, and what to do about Elastic Inference, which AWS retired in April 2024. */
export const EndpointSettings = z.strictObject({
  deploy: z.enum(['never', 'when-gate-passes']).describe('When an endpoint is deployed.').default('never'),
  type: z
    .enum(['instance', 'serverless', 'lambda'])
    .describe(
      'instance: runs until it is deleted. serverless: no cost while idle, no GPU, slow first answer. ' +
        'lambda: no cost while idle either, answered by a function of one vCPU, for any model that transform.engine "lambda" can run.',
    )
    .default('instance'),
  scaleToZero: z
    .boolean()
    .describe(
      'Instances go while the endpoint is idle, which then costs nothing; the first answer after that takes minutes.',
    )
    .default(false),
  instanceType: z
    .string()
    .regex(/^ml\.[a-z0-9-]+\.[a-z0-9-]+$/, 'must be an instance type such as ml.m5.xlarge')
    .describe('Instance type of the endpoint.')
    .default('ml.m5.xlarge'),
  amiVersion: z
    .string()
    .max(63)
    .regex(
      /^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$/,
      'must be a machine image such as al2-ami-sagemaker-inference-gpu-2',
    )
    .nullable()
    .describe(
      'Machine image of the instances, which brings the driver of the GPU. Null: "al2-ami-sagemaker-inference-gpu-2" ' +
        `for ${familiesWith('hostingImage')}, ` +
        'for others what SageMaker chooses.',
    )
    .default(null),
  initialInstanceCount: z.int().min(1).max(100).describe('Instances of the endpoint.').default(1),
  autoscaling: AutoscalingSettings.default(null),
  containerStartupTimeoutInSeconds: seconds(
    'Time for the container to load the model and answer its first ping. Null: 900 for an archive above 1 GB, else what SageMaker chooses.',
  ),
  modelDownloadTimeoutInSeconds: seconds(
    'Time to download and unpack the model. Null: 1200 for an archive above 1 GB, else what SageMaker chooses.',
  ),
  volumeSizeInGB: z
    .int()
    .min(1)
    .max(512)
    .nullable()
    .describe(
      'Volume of each instance, which holds the unpacked model. Null: what SageMaker chooses for the type.',
    )
    .default(null),
  memorySizeInMB: z
    .literal([1024, 2048, 3072, 4096, 5120, 6144])
    .describe('Memory of a serverless endpoint; its processors grow with it.')
    .default(4096),
  maxConcurrency: z
    .int()
    .min(1)
    .max(200)
    .describe('Requests that a serverless endpoint answers at once.')
    .default(10),
  acceleratorType: z
    .string()
    .regex(/^ml\.eia[12]\.(medium|large|xlarge)$/, 'must be an accelerator such as ml.eia1.medium')
    .nullable()
    .describe('Elastic Inference accelerator. AWS retired them: see onRetiredAccelerator.')
    .default(null),
  onRetiredAccelerator: z
    .enum(['fail', 'replace', 'cpu', 'send'])
    .describe(
      'fail: refuse the run. replace: use the nearest GPU instance. cpu: drop the accelerator. send: pass it on to AWS.',
    )
    .default('fail'),
  ttlHours: z
    .number()
    .positive()
    .max(8760)
    .nullable()
    .describe(
      'The endpoint is deleted this long after its last deployment. Null: it is kept until it is deleted by hand. ' +
        'Default: 8, and null for lambda, which costs nothing while it waits.',
    )
    .optional(),
  idleHours: z
    .number()
    .positive()
    .max(8760)
    .nullable()
    .describe(
      'An endpoint of instances that has not been invoked for this long is deleted. Null: idleness does not matter. ' +
        'Without ttlHours nothing is deleted.',
    )
    .default(4),
  owner: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .describe('Owner of the endpoint, the person or team to ask about it; becomes a tag.')
    .default(null),
  rollbackAlarms: z
    .array(z.string().min(1).max(255))
    // SageMaker takes ten, and the application adds its own.
    .max(9)
    .describe('CloudWatch alarms that roll an update back until its old instances go (bakeSeconds).')
    .default([]),
  bakeSeconds: z
    .int()
    .min(0)
    .max(3600)
    .describe(
      'Seconds for which an update keeps the old instances, and their price, next to the new ones, which have all the traffic: ' +
        'an alarm of rollbackAlarms, or the test of the new ones, brings them back. 0: they go at once.',
    )
    .default(300),
});
export type EndpointSettings = z.infer<typeof EndpointSettings>;
