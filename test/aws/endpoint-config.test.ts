import type { DescribeEndpointConfigCommandOutput } from '@aws-sdk/client-sagemaker';
import { expect, it } from 'vitest';
import { toConfig, toVariant } from '../../src/aws/sagemaker/endpoint-config.ts';
import type { EndpointHardware } from '../../src/endpoints/kind.ts';

const INSTANCE = {
  kind: 'instance',
  instanceType: 'ml.m5.large',
  initialInstanceCount: 2,
  acceleratorType: null,
} as const;

it.each<EndpointHardware>([
  INSTANCE,
  {
    ...INSTANCE,
    amiVersion: 'al2-ami-sagemaker-inference-gpu-2',
    containerStartupTimeoutInSeconds: 900,
    modelDownloadTimeoutInSeconds: 1200,
    volumeSizeInGB: 100,
  },
  { kind: 'serverless', memorySizeInMB: 2048, maxConcurrency: 5 },
])('what SageMaker describes of %j is what it was given', (hardware) => {
  const variant = { variantName: 'v', modelName: 'm', hardware };
  const answer = { EndpointConfigArn: 'arn', ProductionVariants: [toVariant(variant)] };
  const { variants } = toConfig('name', answer as DescribeEndpointConfigCommandOutput);
  expect(variants).toEqual([variant]);
});

it('times and volume are those of the request', () => {
  const hardware = { ...INSTANCE, containerStartupTimeoutInSeconds: 900, volumeSizeInGB: 100 };
  expect(toVariant({ variantName: 'v', modelName: 'm', hardware })).toMatchObject({
    ContainerStartupHealthCheckTimeoutInSeconds: 900,
    VolumeSizeInGB: 100,
  });
});
