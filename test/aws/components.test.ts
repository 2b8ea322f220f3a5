import { CreateInferenceComponentCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { inferenceComponents } from '../../src/aws/sagemaker/components.ts';

const mock = mockClient(SageMakerClient);

it.each([
  ['ml.r8g.medium', 1, { NumberOfCpuCoresRequired: 0.75 }],
  ['ml.m5.large', 2, { NumberOfCpuCoresRequired: 1.5 }],
  ['ml.m5.xlarge', 4, { NumberOfCpuCoresRequired: 3 }],
  ['ml.c5.9xlarge', 36, { NumberOfCpuCoresRequired: 35 }],
  ['ml.g4dn.xlarge', 1, { NumberOfAcceleratorDevicesRequired: 1 }],
  ['ml.g5.12xlarge', 4, { NumberOfAcceleratorDevicesRequired: 4 }],
  ['ml.p3.16xlarge', 8, { NumberOfAcceleratorDevicesRequired: 8 }],
  ['ml.p5.48xlarge', 8, { NumberOfAcceleratorDevicesRequired: 8 }],
])('of %s, which has %d, a copy leaves no room for a second one', async (instanceType, has, required) => {
  mock.reset();
  mock.on(CreateInferenceComponentCommand).resolves({});
  await inferenceComponents().create({
    name: 'one',
    endpointName: 'endpoint',
    modelName: 'model',
    hardware: { kind: 'scaleToZero', instanceType, maxCopies: 2 },
    tags: {},
  });
  const { ComputeResourceRequirements } = mock.commandCalls(CreateInferenceComponentCommand)[0]!.args[0].input
    .Specification!;
  expect(ComputeResourceRequirements).toEqual({ ...required, MinMemoryRequiredInMb: 1024 });
  expect(2 * Math.max(...Object.values(required))).toBeGreaterThan(has);
});
