import { describe, expect, test } from 'vitest';
import { TRAINING } from '../../../src/frameworks/trainings.ts';
import { resolveTrainingImage, type TrainingImageRequest } from '../../../src/training/training-image.ts';

const request = (change: Partial<TrainingImageRequest>): TrainingImageRequest => ({
  framework: 'tensorflow',
  version: '2.19.0',
  pyVersion: null,
  instanceType: 'ml.m5.xlarge',
  region: 'us-east-1',
  ...change,
});
const DLC = '763104351884.dkr.ecr.us-east-1.amazonaws.com';
const GPU = { instanceType: 'ml.p3.8xlarge' };

// The URIs that sagemaker-python-sdk 2.257.6 gives (image_uris.retrieve), and those of the notebooks' captured requests.
test.each<[Partial<TrainingImageRequest>, string]>([
  [{ ...GPU, version: '1.13' }, `${DLC}/tensorflow-training:1.13-gpu-py3`],
  [
    { ...GPU, version: '1.13.1', pyVersion: 'py2' },
    '520713654638.dkr.ecr.us-east-1.amazonaws.com/sagemaker-tensorflow-scriptmode:1.13.1-gpu-py2',
  ],
  [{ version: '2.1.0', instanceType: 'ml.p2.xlarge' }, `${DLC}/tensorflow-training:2.1.0-gpu-py3`],
  [{ version: '1.15.2', instanceType: 'ml.p2.xlarge' }, `${DLC}/tensorflow-training:1.15.2-gpu-py3`],
  [{ framework: 'pytorch', version: '1.5.1' }, `${DLC}/pytorch-training:1.5.1-cpu-py3`],
  [{ framework: 'pytorch', version: '1.5' }, `${DLC}/pytorch-training:1.5-cpu-py3`],
  [{ instanceType: 'ml.g4dn.xlarge' }, `${DLC}/tensorflow-training:2.19.0-gpu-py312`],
  [{ version: '2.3.0' }, `${DLC}/tensorflow-training:2.3.0-cpu-py37`],
  [{ version: '2.12' }, `${DLC}/tensorflow-training:2.12-cpu-py310`],
  [
    { framework: 'pytorch', version: '2.8.0', instanceType: 'ml.g5.xlarge' },
    `${DLC}/pytorch-training:2.8.0-gpu-py312`,
  ],
  [
    { version: '2.3.1', instanceType: 'ml.p4d.24xlarge' },
    `${DLC}/tensorflow-training:2.3.1-gpu-py37-cu110-ubuntu18.04`,
  ],
  [{ ...GPU, version: '2.3.1' }, `${DLC}/tensorflow-training:2.3.1-gpu-py37`],
  // Not in the SDK: AWS's Deep Learning Containers of 2026.
  [{ version: '2.21' }, `${DLC}/tensorflow-training:2.21-cpu-py312-amzn2023-sagemaker-v1`],
  [{ ...GPU, version: '2.21' }, `${DLC}/tensorflow-training:2.21-gpu-py312-cu129-amzn2023-sagemaker-v1`],
  [
    { region: 'cn-north-1' },
    '727897471807.dkr.ecr.cn-north-1.amazonaws.com.cn/tensorflow-training:2.19.0-cpu-py312',
  ],
  [
    { region: 'us-gov-west-1' },
    '442386744353.dkr.ecr.us-gov-west-1.amazonaws.com/tensorflow-training:2.19.0-cpu-py312',
  ],
  [
    { region: 'us-iso-east-1', version: '2.13.0' },
    '886529160074.dkr.ecr.us-iso-east-1.c2s.ic.gov/tensorflow-training:2.13.0-cpu-py310',
  ],
  [
    { region: 'us-isob-east-1', framework: 'pytorch', version: '2.3.0' },
    '094389454867.dkr.ecr.us-isob-east-1.sc2s.sgov.gov/pytorch-training:2.3.0-cpu-py311',
  ],
])('%j trains in %s', (change, uri) => {
  expect(resolveTrainingImage(request(change))).toMatchObject({ uri });
});

test.each<[Partial<TrainingImageRequest>, string, RegExp]>([
  [{ version: '2.99' }, 'version', /nearest is 2\.21/],
  [{ version: '2.15.0' }, 'version', /nearest is 2\.14\.1/],
  [{ version: '2.19.0', pyVersion: 'py37' }, 'pyVersion', /^must be py312 for tensorflow 2\.19\.0$/],
  [{ version: '1.14.0', pyVersion: 'py37' }, 'pyVersion', /^must be py2 or py3 for tensorflow 1\.14\.0$/],
  [{ instanceType: 'ml.c7g.xlarge' }, 'instanceType', /no tensorflow training container/],
  [{ instanceType: 'ml.trn1.2xlarge' }, 'instanceType', /no tensorflow training container/],
  [{ instanceType: 'large' }, 'instanceType', /such as ml\.m5\.xlarge/],
  [{ instanceType: 'ml.p2.xlarge' }, 'instanceType', /too old for tensorflow 2\.19\.0/],
  [{ region: 'us-iso-east-1' }, 'version', /not published in us-iso-east-1/],
])('%j has no image', (change, field, reason) => {
  expect(resolveTrainingImage(request(change))).toEqual({ field, reason: expect.stringMatching(reason) });
});

test('every version of the table is found by its own name', () => {
  for (const framework of ['tensorflow', 'pytorch'] as const) {
    for (const row of TRAINING[framework].images) {
      for (const version of row.versions) {
        for (const pyVersion of row.pyVersions)
          expect(resolveTrainingImage(request({ framework, version, pyVersion }))).toMatchObject({
            uri: expect.stringContaining(`/${row.repository}:${version}-cpu-${pyVersion}`),
          });
      }
    }
  }
});

describe('Horovod', () => {
  test.each([
    ['1.4.1', null],
    ['1.13', '0.16.4'],
    ['2.1.0', '0.19.4'],
    ['2.6.3', '0.22.1'],
    ['2.7.1', null],
    ['2.8.0', '0.25.0'],
    ['2.12', '0.27.0'],
    ['2.13.0', null],
    ['2.21', null],
  ])('of TensorFlow %s is %s', (version, horovod) => {
    expect(TRAINING.tensorflow.horovod(version, 'x:2-cpu')).toBe(horovod);
  });

  test('is in the GPU images of PyTorch up to 2.0 alone', () => {
    expect(TRAINING.pytorch.horovod('2.0.1', 'x/pytorch-training:2.0.1-gpu-py310')).not.toBeNull();
    expect(TRAINING.pytorch.horovod('2.0.1', 'x/pytorch-training:2.0.1-cpu-py310')).toBeNull();
    expect(TRAINING.pytorch.horovod('2.1.0', 'x/pytorch-training:2.1.0-gpu-py310')).toBeNull();
  });
});
