import { expect, test } from 'vitest';
import { batchAmi, hostingAmi } from '../../../src/model/gpu-ami.ts';

test.each([
  [['ml.g4dn.xlarge'], 'al2-ami-sagemaker-batch-gpu-535'],
  [['ml.g5.xlarge', 'ml.g6.xlarge', 'ml.g6e.xlarge'], 'al2-ami-sagemaker-batch-gpu-535'],
  [['ml.m5.xlarge'], null],
  [['ml.g5.xlarge', 'ml.p3.2xlarge'], null],
  [['ml.inf2.xlarge'], null],
])('transform jobs on %j have the image %s', (types, ami) => {
  expect(batchAmi(types)).toBe(ami);
});

test.each([
  ['ml.g4dn.xlarge', 'al2-ami-sagemaker-inference-gpu-2'],
  ['ml.p5en.48xlarge', 'al2-ami-sagemaker-inference-gpu-2'],
  ['ml.p3.2xlarge', null],
  ['ml.c7g.large', null],
])('an endpoint of %s has the image %s', (type, ami) => {
  expect(hostingAmi(type)).toBe(ami);
});
