import { describe, expect, test } from 'vitest';
import { FRAMEWORKS } from '../../../src/frameworks/frameworks.ts';
import { type ImageRequest, resolveImageUri } from '../../../src/frameworks/image-uri.ts';
import { registryHost } from '../../../src/model/image-registry.ts';

const request = (change: Partial<ImageRequest>): ImageRequest => ({
  framework: 'tensorflow',
  version: '2.19.0',
  instanceType: 'ml.m5.xlarge',
  region: 'us-east-1',
  ...change,
});
const DLC = '763104351884.dkr.ecr.us-east-1.amazonaws.com';

// The URIs that sagemaker-python-sdk 2.257.6 gives (image_uris.retrieve).
test.each<[Partial<ImageRequest>, string]>([
  [{ instanceType: 'ml.g4dn.xlarge' }, `${DLC}/tensorflow-inference:2.19.0-gpu`],
  [{ version: '2.3.0', instanceType: 'ml.c5.xlarge' }, `${DLC}/tensorflow-inference:2.3.0-cpu`],
  [{ version: '2.19' }, `${DLC}/tensorflow-inference:2.19-cpu`],
  [{ version: '2.3.0', acceleratorType: 'ml.eia2.medium' }, `${DLC}/tensorflow-inference-eia:2.3.0-cpu`],
  [
    { version: '2.3.0', instanceType: 'ml.g4dn.xlarge', acceleratorType: 'ml.eia2.medium' },
    `${DLC}/tensorflow-inference-eia:2.3.0-cpu`,
  ],
  [{ version: '2.3.0', acceleratorType: null }, `${DLC}/tensorflow-inference:2.3.0-cpu`],
  [{ version: '2.11.1', instanceType: 'ml.p2.xlarge' }, `${DLC}/tensorflow-inference:2.11.1-gpu`],
  [{ version: '1.15', acceleratorType: 'ml.eia1.medium' }, `${DLC}/tensorflow-inference-eia:1.15-cpu`],
  [
    { version: '1.12.0' },
    '520713654638.dkr.ecr.us-east-1.amazonaws.com/sagemaker-tensorflow-serving:1.12.0-cpu',
  ],
  [{ framework: 'pytorch', version: '2.6.0' }, `${DLC}/pytorch-inference:2.6.0-cpu-py312`],
  [
    { framework: 'pytorch', version: '2.6.0', instanceType: 'ml.p3.2xlarge' },
    `${DLC}/pytorch-inference:2.6.0-gpu-py312`,
  ],
  [
    { framework: 'pytorch', version: '1.5.1', acceleratorType: 'ml.eia1.large' },
    `${DLC}/pytorch-inference-eia:1.5.1-cpu-py3`,
  ],
  [
    { framework: 'pytorch', version: '2.4.0', instanceType: 'ml.m7g.xlarge' },
    `${DLC}/pytorch-inference-graviton:2.4.0-cpu-py311-ubuntu22.04-sagemaker`,
  ],
  [
    { version: '2.16.1', instanceType: 'ml.c6g.xlarge' },
    `${DLC}/tensorflow-inference-graviton:2.16.1-cpu-py310-ubuntu20.04-sagemaker`,
  ],
  [{ region: 'eu-south-1' }, '692866216735.dkr.ecr.eu-south-1.amazonaws.com/tensorflow-inference:2.19.0-cpu'],
  [
    { region: 'cn-north-1' },
    '727897471807.dkr.ecr.cn-north-1.amazonaws.com.cn/tensorflow-inference:2.19.0-cpu',
  ],
  [
    { region: 'us-gov-west-1' },
    '442386744353.dkr.ecr.us-gov-west-1.amazonaws.com/tensorflow-inference:2.19.0-cpu',
  ],
  [
    { region: 'us-iso-east-1', version: '2.13.0' },
    '886529160074.dkr.ecr.us-iso-east-1.c2s.ic.gov/tensorflow-inference:2.13.0-cpu',
  ],
  // Not in the SDK: AWS's Deep Learning Containers of 2026.
  [{ version: '2.20' }, `${DLC}/tensorflow-inference:2.20-cpu-py312-amzn2023-sagemaker-v1`],
  [
    { version: '2.20', instanceType: 'ml.g5.xlarge' },
    `${DLC}/tensorflow-inference:2.20-gpu-py312-cu129-amzn2023-sagemaker-v1`,
  ],
])('%j runs %s', (change, imageUri) => {
  expect(resolveImageUri(request(change))).toEqual({ imageUri });
});

test.each<[Partial<ImageRequest>, string, string]>([
  [{ version: '2.17.0' }, 'frameworkVersion', 'container of version 2.17.0: the nearest is 2.18.0'],
  [{ version: '2.19.7' }, 'frameworkVersion', 'the nearest is 2.19.0'],
  [{ version: '3.0' }, 'frameworkVersion', 'the nearest is 2.20'],
  [{ framework: 'pytorch', version: '9.9' }, 'frameworkVersion', 'the nearest is 2.6.0'],
  [
    { version: '2.19.0', instanceType: 'ml.m6g.xlarge' },
    'frameworkVersion',
    'for Graviton instances: the nearest is 2.16.1',
  ],
  [
    { version: '2.19.0', acceleratorType: 'ml.eia1.medium' },
    'frameworkVersion',
    'for Elastic Inference: the nearest is 2.3.0',
  ],
  [{ instanceType: 'ml.inf2.xlarge' }, 'instanceType', 'no tensorflow inference container for inf2'],
  [{ instanceType: 'ml.p2.xlarge' }, 'instanceType', 'p2 is too old for tensorflow 2.19.0'],
  [
    { version: '2.12.1', instanceType: 'ml.p2.xlarge' },
    'instanceType',
    'p2 is too old for tensorflow 2.12.1',
  ],
  [{ version: '2.12', instanceType: 'ml.p2.xlarge' }, 'instanceType', 'p2 is too old for tensorflow 2.12'],
  [{ instanceType: 'm5.xlarge' }, 'instanceType', 'must be an instance type'],
  [{ region: 'us-iso-east-1' }, 'region', 'does not publish tensorflow-inference 2.19.0 in us-iso-east-1'],
  [{ region: 'mars-east-1' }, 'region', 'in mars-east-1'],
])('%j is refused by %s', (change, field, reason) => {
  expect(resolveImageUri(request(change))).toEqual({ field, reason: expect.stringContaining(reason) });
});

describe('the table', () => {
  const rows = Object.values(FRAMEWORKS).flatMap(({ images }) => Object.values(images).flat());

  test('names every version once a framework and kind of hardware', () => {
    for (const { images: scopes } of Object.values(FRAMEWORKS)) {
      for (const kind of Object.values(scopes)) {
        const versions = kind.flatMap((row) => row.versions);
        expect(new Set(versions).size).toBe(versions.length);
      }
    }
  });

  test('has an account with 12 digits for every set of regions', () => {
    for (const { registries } of rows)
      expect(registryHost(registries, 'eu-west-1')).toMatch(/^\d{12}\.dkr\.ecr\.eu-west-1\.amazonaws\.com$/);
  });
});
