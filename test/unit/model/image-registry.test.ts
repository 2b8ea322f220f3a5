import { expect, test } from 'vitest';
import {
  isAcceleratorImage,
  regionOfAwsImage,
  registryHost,
  type RegistrySet,
} from '../../../src/model/image-registry.ts';

// Accounts of sagemaker-python-sdk 2.257.6.
test.each([
  ['763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu', 'us-east-1'],
  ['520713654638.dkr.ecr.eu-west-1.amazonaws.com/sagemaker-tensorflow-serving:1.12.0-cpu', 'eu-west-1'],
  ['727897471807.dkr.ecr.cn-north-1.amazonaws.com.cn/pytorch-inference:2.6.0-cpu-py312', 'cn-north-1'],
  ['886529160074.dkr.ecr.us-iso-east-1.c2s.ic.gov/tensorflow-inference:2.13.0-cpu', 'us-iso-east-1'],
  ['094389454867.dkr.ecr.us-isob-east-1.sc2s.sgov.gov/tensorflow-inference:2.13.0-cpu', 'us-isob-east-1'],
])('%s is AWS’s image of %s', (imageUri, region) => {
  expect(regionOfAwsImage(imageUri)).toBe(region);
});

test.each([
  ['another account', '123456789012.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu'],
  [
    'the account of another region',
    '692866216735.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0',
  ],
  [
    'the domain of another region',
    '763104351884.dkr.ecr.us-east-1.amazonaws.com.cn/tensorflow-inference:2.19.0',
  ],
  [
    'a registry behind another host',
    'proxy-763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2',
  ],
  ['a host without an image', '763104351884.dkr.ecr.us-east-1.amazonaws.com'],
  [
    'a region that AWS does not have',
    '763104351884.dkr.ecr.mars-east-1.amazonaws.com/tensorflow-inference:2',
  ],
  ['another registry', 'docker.io/tensorflow/serving:2.19.0'],
])('%s is not AWS’s: %s', (_what, imageUri) => {
  expect(regionOfAwsImage(imageUri)).toBe(undefined);
});

test.each([
  ['763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference-eia:2.3.0-cpu', true],
  [`763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-inference-eia@sha256:${'a'.repeat(64)}`, true],
  ['763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.3.0-cpu', false],
  ['123456789012.dkr.ecr.us-east-1.amazonaws.com/my-eia-models:1', false],
])('whether %s is an image for accelerators: %s', (imageUri, expected) => {
  expect(isAcceleratorImage(imageUri)).toBe(expected);
});

test.each<[RegistrySet, string, string | undefined]>([
  ['R4', 'us-isof-south-1', '454834333376.dkr.ecr.us-isof-south-1.csp.hci.ic.gov'],
  ['R3', 'us-isob-east-1', '094389454867.dkr.ecr.us-isob-east-1.sc2s.sgov.gov'],
  ['R3', 'us-isof-south-1', undefined],
  ['R5', 'us-isob-east-1', undefined],
])('the images %s are in %s at %s', (set, region, host) => {
  expect(registryHost(set, region)).toBe(host);
});
