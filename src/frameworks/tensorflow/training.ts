import { horovodFrom, row, type TrainingContainer } from '../training.ts';

/**
 * Horovod in the images, from the given version of TensorFlow on.
 *
 * By the Dockerfiles of aws/sagemaker-tensorflow-training-toolkit and aws/deep-learning-containers. The first images of 1.15, 2.0
 * and 2.1 had 0.18.2; 2.7 has Horovod only in the images for EC2.
 */
const HOROVOD = [
  ['0', null],
  ['1.12', 'of any version'],
  ['1.13', '0.16.4'],
  ['1.14', 'of any version'],
  ['1.15', '0.19.5'],
  ['2.0', '0.19.4'],
  ['2.2', '0.19.5'],
  ['2.4', '0.21.0'],
  ['2.5', '0.21.1'],
  ['2.6', '0.22.1'],
  ['2.7', null],
  ['2.8', '0.25.0'],
  ['2.9', '0.24.2'],
  ['2.10', '0.25.0'],
  ['2.11', '0.26.1'],
  ['2.12', '0.27.0'],
  ['2.13', null],
] as const;

/** TensorFlow's training containers; 2.21 is from aws/deep-learning-containers of 2026-08, since the SDK does not know it. */
export const tensorflow: TrainingContainer = {
  images: [
    row('1.4.1 1.5.0 1.6.0 1.7.0 1.8.0 1.9.0 1.10.0', 'sagemaker-tensorflow', 'R1', 'py2'),
    row('1.11.0 1.12.0', 'sagemaker-tensorflow-scriptmode', 'R1', 'py2 py3'),
    row('1.13.1', 'sagemaker-tensorflow-scriptmode', 'R1', 'py2'),
    row('1.13.1', 'tensorflow-training', 'R2', 'py3'),
    row('1.14.0 1.15.0', 'tensorflow-training', 'R3', 'py2 py3'),
    row('1.15.2 1.15.3', 'tensorflow-training', 'R3', 'py2 py3 py37'),
    row('1.15.4 1.15.5', 'tensorflow-training', 'R3', 'py3 py36 py37'),
    row('2.0.0 2.0.1 2.0.2', 'tensorflow-training', 'R3', 'py2 py3'),
    row('2.0.3 2.0.4', 'tensorflow-training', 'R3', 'py3 py36'),
    row('2.1.0 2.1.1', 'tensorflow-training', 'R3', 'py2 py3'),
    row('2.1.2 2.1.3', 'tensorflow-training', 'R3', 'py3 py36'),
    row('2.2.0 2.2.1 2.2.2 2.3.0 2.3.1 2.3.2 2.4.1 2.4.3 2.5.0 2.5.1', 'tensorflow-training', 'R3', 'py37'),
    row('2.6.0 2.6.2 2.6.3 2.7.1', 'tensorflow-training', 'R3', 'py38'),
    row('2.8.0 2.9.2 2.10.1 2.11.0', 'tensorflow-training', 'R3', 'py39'),
    row('2.12.0', 'tensorflow-training', 'R5', 'py310'),
    row('2.13.0 2.14.1', 'tensorflow-training', 'R4', 'py310'),
    row('2.16.2 2.18.0', 'tensorflow-training', 'R5', 'py310'),
    row('2.19.0', 'tensorflow-training', 'R5', 'py312'),
    {
      ...row('2.21', 'tensorflow-training', 'R5', 'py312'),
      tags: {
        cpu: '2.21-cpu-py312-amzn2023-sagemaker-v1',
        gpu: '2.21-gpu-py312-cu129-amzn2023-sagemaker-v1',
      },
    },
  ],
  p4dSuffixes: {
    '2.3-gpu-py37': 'cu110-ubuntu18.04-v3',
    '2.3.1-gpu-py37': 'cu110-ubuntu18.04',
    '2.3.2-gpu-py37': 'cu110-ubuntu18.04',
    '1.15-gpu-py37': 'cu110-ubuntu18.04-v8',
    '1.15.4-gpu-py37': 'cu110-ubuntu18.04',
    '1.15.5-gpu-py37': 'cu110-ubuntu18.04',
  },
  hyperparameters: (modelDir) => ({ model_dir: modelDir }),
  refusedDistributions: {
    torchDistributed:
      "must be null, mpi or parameterServer for tensorflow: torchDistributed starts PyTorch's torchrun",
  },
  timeSeriesSince: '1.15',
  horovod: (version) => horovodFrom(HOROVOD, version),
};
